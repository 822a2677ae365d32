// Bytes as text, in the encodings that Node's Buffer has, without a Buffer.

import { fromBase64, fromHex, fromUtf8, toBase64, toHex, utf8 } from '../bytes.js';
import { invalid } from '../errors.js';
import { wellFormed } from './values.js';

const letters = (data, mask) => {
  let text = '';
  for (const byte of data) text += String.fromCharCode(byte & mask);
  return text;
};

const UTF8 = {
  read: (text) => utf8(wellFormed(text)),
  write(data) {
    if (typeof TextDecoder !== 'function') return fromUtf8(data);
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(data);
  },
};
const LATIN1 = {
  // Not from the text's iterator, which joins the two halves of a character.
  read: (text) => Uint8Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)),
  write: (data) => letters(data, 255),
};
const UTF16 = {
  read(text) {
    const out = new Uint8Array(2 * text.length);
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i);
      out[2 * i] = unit;
      out[2 * i + 1] = unit >> 8;
    }
    return out;
  },
  write(data) {
    let text = '';
    for (let i = 0; i + 1 < data.length; i += 2) text += String.fromCharCode(data[i] | (data[i + 1] << 8));
    return text;
  },
};
/** Both alphabets, with or without padding, and with breaks of lines. */
const base64 = (text) => fromBase64(text.replace(/[\s=]+/g, '').replaceAll('-', '+').replaceAll('_', '/'));
const ENCODINGS = {
  utf8: UTF8,
  'utf-8': UTF8,
  hex: { read: (text) => fromHex(text.trim()), write: toHex },
  base64: { read: base64, write: toBase64 },
  base64url: {
    read: base64,
    write: (data) => toBase64(data).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  },
  latin1: LATIN1,
  binary: LATIN1,
  ascii: { read: LATIN1.read, write: (data) => letters(data, 127) },
  utf16le: UTF16,
  'utf-16le': UTF16,
  ucs2: UTF16,
  'ucs-2': UTF16,
};

function encoding(name) {
  const known = typeof name === 'string' ? name.toLowerCase() : '';
  if (!Object.hasOwn(ENCODINGS, known)) throw invalid(`Unknown encoding: ${String(name)}`);
  return ENCODINGS[known];
}

/** The bytes of text in an encoding, UTF-8 where none is given. */
export function decoded(text, name) {
  return encoding(name || 'utf8').read(text);
}

/** Bytes as text in an encoding. */
export function encoded(data, name) {
  return encoding(name).write(data);
}
