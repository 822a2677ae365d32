// What is not one argument of an operation: lists of bytes, and options
// (operations/src/pki/frame.rs).

import { kindOf, utf8 } from '../bytes.js';
import { invalid } from '../errors.js';

/** Items, each behind its length. */
export function list(items) {
  const out = new Uint8Array(items.reduce((sum, item) => sum + 4 + item.length, 0));
  const view = new DataView(out.buffer);
  let at = 0;
  for (const item of items) {
    view.setUint32(at, item.length, true);
    out.set(item, at + 4);
    at += 4 + item.length;
  }
  return out;
}

/** Copies of the items of a list. The list is wiped, as it may have had secrets. */
export function takeItems(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const items = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + view.getUint32(at, true);
    items.push(bytes.slice(at + 4, end));
    at = end;
  }
  bytes.fill(0);
  return items;
}

/** Options: pairs of a number and a value, which is bytes, or a number of one byte. */
export function options(pairs) {
  const parts = pairs.map(([name, value]) => [name, list([typeof value === 'number' ? Uint8Array.of(value) : value])]);
  const out = new Uint8Array(parts.reduce((sum, [, value]) => sum + 1 + value.length, 0));
  let at = 0;
  for (const [name, value] of parts) {
    out[at] = name;
    out.set(value, at + 1);
    at += 1 + value.length;
  }
  return out;
}

/** The UTF-8 of what has to be text. */
export function text(value, what) {
  if (typeof value !== 'string') throw invalid(`${what} is text, not ${kindOf(value)}`);
  return utf8(value);
}

/** A whole number in eight bytes. */
export function eightBytes(value, what) {
  if (!Number.isSafeInteger(value) || value < 0) throw invalid(`${what} is a whole number that is not negative`);
  const out = new Uint8Array(8);
  new DataView(out.buffer).setBigUint64(0, BigInt(value), true);
  return out;
}

/** The second of a Date, as eight bytes. */
export function seconds(date, what) {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) throw invalid(`${what} is a Date`);
  if (date.getTime() < 0) throw invalid(`${what} is before 1970`);
  return eightBytes(Math.floor(date.getTime() / 1000), what);
}

export const dateOf = (second) => new Date(second * 1000);

/** What has to be an object. */
export function record(given, what = 'options') {
  if (given === null || typeof given !== 'object') throw invalid(`${what} is an object, not ${kindOf(given)}`);
  return given;
}

/** Options that are an object with these members and no others: a misspelt one would do nothing. */
export function known(given, names) {
  for (const name of Object.keys(record(given))) {
    if (!names.includes(name)) throw invalid(`there is no option '${name}': they are ${names.join(', ')}`);
  }
  return given;
}

/** An array, or one item as an array of it. */
export function many(value, what) {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  if (typeof value === 'object' && value !== null && typeof value[Symbol.iterator] !== 'function') return [value];
  throw invalid(`${what} is an array`);
}
