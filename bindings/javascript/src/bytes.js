// Bytes and text.

import { invalid } from './errors.js';

const isShared =
  typeof SharedArrayBuffer === 'undefined'
    ? () => false
    : (buffer) => buffer instanceof SharedArrayBuffer;

const tag = (value) => Object.prototype.toString.call(value);

/**
 * A view of the caller's bytes. Memory that other threads can change is copied, so that it is read
 * once.
 */
export function bytes(value, what) {
  if (ArrayBuffer.isView(value)) {
    const view = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return isShared(value.buffer) ? view.slice() : view;
  }
  // Not instanceof: it may come from another window.
  if (tag(value) === '[object ArrayBuffer]') return new Uint8Array(value);
  if (isShared(value)) return new Uint8Array(value).slice();
  if (typeof value === 'string') {
    throw invalid(`${what} is text: give utf8(text) for its characters, or fromHex(text) for hexadecimal`);
  }
  throw invalid(`${what} is a Uint8Array or another view of bytes, not ${kindOf(value)}`);
}

/** The same of what may be left out. */
export function maybe(value, what) {
  return value === undefined || value === null ? undefined : bytes(value, what);
}

/** Bytes, or text that stands for its UTF-8: identities, passwords, and files that are text. */
export function textOrBytes(value, what) {
  return typeof value === 'string' ? utf8(value) : bytes(value, what);
}

/** The same of what may be left out. */
export function maybeText(value, what) {
  return value === undefined || value === null ? undefined : textOrBytes(value, what);
}

/** Messages as the engines take them: one after another, and the length of each. */
export function columns(messages) {
  if (messages === null || typeof messages !== 'object' || typeof messages[Symbol.iterator] !== 'function') {
    throw invalid('messages is an array of views of bytes');
  }
  const views = [...messages].map((message, i) => bytes(message, `message ${i}`));
  const total = views.reduce((sum, view) => sum + view.length, 0);
  const data = new Uint8Array(total);
  const lengths = new DataView(new ArrayBuffer(4 * views.length));
  let at = 0;
  views.forEach((view, i) => {
    data.set(view, at);
    lengths.setUint32(4 * i, view.length, true);
    at += view.length;
  });
  return [data, new Uint8Array(lengths.buffer)];
}

export function kindOf(value) {
  return value === null ? 'null' : typeof value === 'object' ? tag(value) : typeof value;
}

/** A whole number from `least` to `most`. */
export function whole(value, what, least, most) {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw invalid(`${what} is a whole number from ${least} to ${most}`);
  }
  return value;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** The UTF-8 of a text. Half a character (a lone surrogate) is an error, as it has no UTF-8. */
export function utf8(text) {
  if (typeof text !== 'string') throw invalid(`utf8 takes text, not ${kindOf(text)}`);
  if (LONE_SURROGATE.test(text)) throw invalid('the text has half a character (a lone surrogate)');
  if (typeof TextEncoder === 'function') return new TextEncoder().encode(text);
  // Mini-programs.
  const escaped = encodeURIComponent(text).replace(/%(..)/g, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
  return Uint8Array.from(escaped, (character) => character.charCodeAt(0));
}

/** The text of UTF-8 bytes. What is no UTF-8 is an error. */
export function fromUtf8(data) {
  const view = bytes(data, 'the text');
  try {
    if (typeof TextDecoder === 'function') {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(view);
    }
    return decodeURIComponent(Array.from(view, (byte) => `%${DIGITS[byte]}`).join(''));
  } catch {
    throw invalid('the bytes are no UTF-8');
  }
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes as hexadecimal, in lower case. */
export function toHex(data) {
  let text = '';
  for (const byte of bytes(data, 'what is written as hexadecimal')) text += DIGITS[byte];
  return text;
}

/** The bytes of hexadecimal digits in either case, two for each. Spaces are errors, too. */
export function fromHex(text) {
  if (typeof text !== 'string') throw invalid(`fromHex takes text, not ${kindOf(text)}`);
  if (text.length % 2 !== 0) throw invalid(`hexadecimal has two digits a byte, and these are ${text.length}`);
  const at = text.search(/[^0-9a-fA-F]/);
  if (at >= 0) throw invalid(`this is no hexadecimal digit, at position ${at}`);
  const out = new Uint8Array(text.length / 2);
  for (let i = 0; i < out.length; i += 1) out[i] = parseInt(text.substr(2 * i, 2), 16);
  return out;
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Int8Array(128).fill(-1);
[...BASE64].forEach((digit, value) => (VALUES[digit.charCodeAt(0)] = value));

/** Bytes as Base64 (RFC 4648), with padding. */
export function toBase64(data) {
  const view = bytes(data, 'what is written as Base64');
  let text = '';
  for (let i = 0; i < view.length; i += 3) {
    const word = (view[i] << 16) | ((view[i + 1] ?? 0) << 8) | (view[i + 2] ?? 0);
    text += BASE64[word >> 18] + BASE64[(word >> 12) & 63];
    text += i + 1 < view.length ? BASE64[(word >> 6) & 63] : '=';
    text += i + 2 < view.length ? BASE64[word & 63] : '=';
  }
  return text;
}

/** The bytes of Base64, with or without padding. */
export function fromBase64(text) {
  if (typeof text !== 'string') throw invalid(`fromBase64 takes text, not ${kindOf(text)}`);
  const digits = text.replace(/={1,2}$/, '');
  if (digits.length % 4 === 1 || (digits.length !== text.length && text.length % 4 !== 0)) {
    throw invalid('this is no Base64: a digit is missing');
  }
  const out = new Uint8Array((digits.length * 3) >> 2);
  let word = 0;
  let length = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const value = VALUES[digits.charCodeAt(i)] ?? -1;
    if (value < 0) throw invalid(`this is no Base64 digit, at position ${i}`);
    word = ((word << 6) | value) & 0xffffff;
    if (i % 4 !== 0) out[length++] = (word >> (6 - 2 * (i % 4))) & 255;
  }
  if (digits.length % 4 !== 0 && (word & (digits.length % 4 === 2 ? 15 : 3)) !== 0) {
    throw invalid('this is no Base64: its last digit has bits too many');
  }
  return out;
}
