// Arguments as the Web Cryptography API takes them: Web IDL's conversions, each member of a
// dictionary read once, bytes copied at once.

import { bytes, kindOf } from '../bytes.js';
import { failure } from './errors.js';

const isShared = (buffer) => Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]';

/** Whether Web IDL takes it for bytes: views and buffers, but no memory that threads share. */
export function isBuffer(value) {
  if (ArrayBuffer.isView(value)) return !isShared(value.buffer);
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

/** A copy of the caller's bytes. */
export function buffer(value, what) {
  if (!isBuffer(value)) throw new TypeError(`${what} is an ArrayBuffer or a view of one, not ${kindOf(value)}`);
  return bytes(value, what).slice();
}

/** A buffer that has these bytes alone. */
export function arrayBuffer(view) {
  const { buffer: whole } = view;
  return whole.byteLength === view.byteLength && !isShared(whole) ? whole : new Uint8Array(view).buffer;
}

/** An identity: bytes, or text that stands for its UTF-8. */
export function identity(value, what) {
  return typeof value === 'string' ? value : buffer(value, what);
}

export function text(value) {
  return `${value}`;
}

/** A whole number below 2^bits; another one is a TypeError ([EnforceRange]). */
const whole = (bits) => (value, what) => {
  const number = Math.trunc(+value);
  if (!(number >= 0 && number < 2 ** bits)) throw new TypeError(`${what} is a whole number below ${2 ** bits}`);
  return number;
};
export const octet = whole(8);
export const long = whole(32);

/** One of an enumeration's words. */
export function word(value, words, what) {
  const found = text(value);
  if (!words.includes(found)) throw new TypeError(`${what} is one of ${words.join(', ')}`);
  return found;
}

/** The words of a sequence, each once, in the order of `words`. */
export function wordSet(value, words, what) {
  if (value === null || typeof value !== 'object' || typeof value[Symbol.iterator] !== 'function') {
    throw new TypeError(`${what} is an array`);
  }
  const given = new Set([...value].map((one) => word(one, words, what)));
  return words.filter((one) => given.has(one));
}

/**
 * The members of a dictionary that `members` names: each has a function that reads it, and is
 * required unless in `optional`.
 */
export function dictionary(value, { required = {}, optional = {} }, what) {
  const read = {};
  for (const [name, convert] of Object.entries({ ...required, ...optional })) {
    const member = value[name];
    if (member !== undefined) read[name] = convert(member, `${what}.${name}`);
    else if (Object.hasOwn(required, name)) throw new TypeError(`${what} has no ${name}`);
  }
  return read;
}

/**
 * An algorithm and its parameters for an operation, from a name or a dictionary. `table` has the
 * algorithms by their names in lower case.
 */
export function normalized(value, operation, table) {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
  const given = isObject ? value.name : value;
  if (isObject && given === undefined) throw new TypeError('the algorithm has no name');
  const name = text(given);
  const algorithm = table.get(name.toLowerCase());
  const does = algorithm?.[operation];
  if (does === undefined) throw failure('NotSupportedError', `${operation} with ${name} is not supported`);
  const parameters = dictionary(isObject ? value : {}, does, algorithm.name);
  return { algorithm, does, parameters };
}
