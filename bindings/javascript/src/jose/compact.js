// The compact serialization (RFC 7515, 7.1; RFC 7516, 7.1): a protected header and the parts that it
// says how to read.

import { kindOf } from '../bytes.js';
import { fromBase64url, malformed, toBase64url } from '../base64url.js';
import { invalid, KuaimiError } from '../errors.js';
import { isObject, parseObject, writeObject } from './json.js';

/** Characters that are read at most, of a token and of its header. */
const TOKEN_MOST = 2 ** 24;
const HEADER_MOST = 2 ** 14;

function parts(token) {
  if (typeof token !== 'string') throw invalid(`a token is text, not ${kindOf(token)}`);
  if (token.length > TOKEN_MOST) throw malformed(`a token has at most ${TOKEN_MOST} characters`);
  return token.split('.', 6);
}

function readHeader(text) {
  if (text.length > HEADER_MOST) throw malformed(`a header has at most ${HEADER_MOST} characters`);
  const header = parseObject(fromBase64url(text, 'the header'), 'the header');
  if (typeof header.alg !== 'string') throw malformed('the header has no alg');
  // Extensions that change what the token means (RFC 7515, 4.1.11; RFC 7797; RFC 7516, 4.1.3).
  for (const name of ['crit', 'b64', 'zip']) {
    if (Object.hasOwn(header, name)) throw malformed(`the header has ${name}, which is not supported`);
  }
  return header;
}

/** The header and the texts of the `count` parts of a token. */
export function open(token, count) {
  const texts = parts(token);
  if (texts.length !== count) throw malformed(`this token has ${count} parts with a dot between them`);
  return { header: readHeader(texts[0]), texts };
}

/**
 * The header of a token, of which nothing is verified: to choose a key by its `kid`.
 */
export function protectedHeader(token) {
  const texts = parts(token);
  if (texts.length !== 3 && texts.length !== 5) throw malformed('a token has three parts, or five');
  return readHeader(texts[0]);
}

/** What the library writes into a header itself, or does not support. */
const RESERVED = ['alg', 'enc', 'uid', 'crit', 'b64', 'zip', '__proto__'];

/** The text of a header: `own` and the caller's members. */
export function writeHeader(own, members = {}) {
  if (!isObject(members)) throw invalid(`header is an object, not ${kindOf(members)}`);
  const taken = RESERVED.find((name) => Object.hasOwn(members, name));
  if (taken !== undefined) throw invalid(`header cannot have ${taken}`);
  const text = toBase64url(writeObject({ ...own, ...members }, 'header'));
  if (text.length > HEADER_MOST) throw invalid(`a header has at most ${HEADER_MOST} characters`);
  return text;
}

/** That an algorithm is among those that the caller allows. */
export function permit(name, allowed, what) {
  if (!allowed.includes(name)) throw new KuaimiError('OtherAlgorithm', `${what} of the token is not among those that are allowed`);
}

/** The caller's list of algorithms, each of them known. */
export function allowList(value, known, what) {
  if (!Array.isArray(value) || value.length === 0) throw invalid(`${what} is an array with some of ${known.join(', ')}`);
  const list = [...value];
  const other = list.find((name) => !known.includes(name));
  if (other !== undefined) throw invalid(`${what} has what is none of ${known.join(', ')}`);
  return list;
}

/** That none of these options is there and undefined: what a program's settings lack would not be checked. */
export function given(options, names) {
  const missing = names.find((name) => name in options && options[name] === undefined);
  if (missing !== undefined) throw invalid(`${missing} is undefined: leave it out to accept all`);
}
