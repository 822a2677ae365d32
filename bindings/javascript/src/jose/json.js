// JSON in tokens, read strictly: programs that read a text differently could be played against each
// other.

import { fromUtf8, kindOf, utf8 } from '../bytes.js';
import { malformed } from '../base64url.js';
import { invalid } from '../errors.js';

export function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The object that bytes are, as JSON in UTF-8, in which no object has a name twice. */
export function parseObject(data, what) {
  let value;
  let text;
  try {
    text = fromUtf8(data);
    value = JSON.parse(text);
  } catch {
    throw malformed(`${what} is no JSON in UTF-8`);
  }
  if (!isObject(value)) throw malformed(`${what} is an object of JSON, not ${kindOf(value)}`);
  checkNames(text, what);
  return value;
}

/** An object as JSON in UTF-8. */
export function writeObject(value, what) {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw invalid(`${what} cannot be written as JSON: ${error.message}`);
  }
  // It may have a function toJSON.
  if (!text?.startsWith('{')) throw invalid(`${what} is no object as JSON`);
  return utf8(text);
}

/** A name with its colon, a string that is a value, or where an object or array begins or ends. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g;

function checkNames(text, what) {
  const open = [];
  for (const [token, string, colon] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(string);
      const names = open.at(-1);
      if (names.has(name)) throw malformed(`${what} has the name ${string} twice`);
      // A program that copies it member by member would change a prototype.
      if (name === '__proto__') throw malformed(`${what} has the name ${string}`);
      names.add(name);
    }
  }
}
