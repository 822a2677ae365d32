// What users of the replaced packages give: hexadecimal digits, arrays of numbers, text.

import { bytes, fromHex, fromUtf8, kindOf, toHex, utf8 } from '../bytes.js';
import { invalid, KuaimiError } from '../errors.js';

const MOST = 2 ** 30;

/**
 * Bytes from a view, an array of numbers or what is like one. A number counts modulo 256, as in the
 * replaced packages: so Java's signed bytes are right.
 */
export function octets(value, what) {
  if (ArrayBuffer.isView(value) && value.BYTES_PER_ELEMENT === 1) return bytes(value, what);
  const length = value?.length;
  if (typeof value !== 'object' || !Number.isInteger(length) || length < 0 || length > MOST) {
    throw invalid(`${what} is a Uint8Array or an array of numbers, not ${kindOf(value)}`);
  }
  const out = new Uint8Array(length);
  for (let i = 0; i < length; i += 1) {
    if (!Number.isInteger(value[i])) throw invalid(`${what} has something that is no whole number, at ${i}`);
    out[i] = value[i];
  }
  return out;
}

/** Bytes of text in UTF-8, or of numbers. */
export function message(value, what) {
  return typeof value === 'string' ? utf8(value) : octets(value, what);
}

/** The bytes of hexadecimal digits; a leading zero may be left out. */
export function hex(text) {
  if (typeof text !== 'string') throw invalid(`hexadecimal digits are text, not ${kindOf(text)}`);
  return fromHex(text.length % 2 === 0 ? text : `0${text}`);
}

/** The same, and nothing where the text is no hexadecimal. */
export function maybeHex(text) {
  return /^[0-9a-f]*$/i.test(text) ? hex(text) : undefined;
}

/** Bytes of hexadecimal digits, or of numbers. */
export function hexOrOctets(value, what) {
  return typeof value === 'string' ? hex(value) : octets(value, what);
}

/** A ciphertext: whole bytes. */
export function wholeOctets(value) {
  return typeof value === 'string' ? fromHex(value) : octets(value, 'the ciphertext');
}

/** A key or an initialization vector of SM4: 16 bytes, or 32 digits. */
export function block(value, what) {
  const is = typeof value === 'string' ? /^[0-9a-f]{32}$/i.test(value) : value?.length === 16;
  if (!is) throw invalid(`${what} is invalid`);
  return hexOrOctets(value, what);
}

/** Text in which each half of a character (a lone surrogate) is U+FFFD, as TextEncoder has it. */
export function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Options: anything that has properties, or nothing. */
export function options(value) {
  if (value === null) throw invalid('the options are null');
  return value ?? {};
}

/** The text of bytes; an error of sm-crypto's words where they are no UTF-8. */
export function strictText(data) {
  try {
    return fromUtf8(data);
  } catch {
    throw new KuaimiError('InvalidArgument', 'Malformed UTF-8 data');
  }
}

/**
 * The text of bytes that may be no UTF-8. A byte that begins no character stands for itself, and
 * missing bytes are zeros: the replaced packages read so, and some keep binary data in such text.
 */
export function looseText(data) {
  try {
    return fromUtf8(data);
  } catch {
    let text = '';
    const next = (i) => (data[i] ?? 0) & 0x3f;
    for (let i = 0; i < data.length; i += 1) {
      const byte = data[i];
      let point = byte;
      if (byte >= 0xf0 && byte <= 0xf7) {
        point = ((byte & 7) << 18) + (next(i + 1) << 12) + (next(i + 2) << 6) + next(i + 3);
        i += 3;
      } else if (byte >= 0xe0 && byte <= 0xef) {
        point = ((byte & 15) << 12) + (next(i + 1) << 6) + next(i + 2);
        i += 2;
      } else if (byte >= 0xc0 && byte <= 0xdf) {
        point = ((byte & 31) << 6) + next(i + 1);
        i += 1;
      }
      if (point > 0x10ffff) throw invalid('the bytes are no text: ask for an array');
      text += String.fromCodePoint(point);
    }
    return text;
  }
}

/** One array of several. */
export function concat(...parts) {
  const out = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** A number as 64 hexadecimal digits. */
export function digits(number) {
  return number.toString(16).padStart(64, '0');
}

/** The number of bytes, most significant first. */
export function numberOf(data) {
  return data.length === 0 ? 0n : BigInt(`0x${toHex(data)}`);
}
