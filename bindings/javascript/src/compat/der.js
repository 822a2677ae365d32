// A ciphertext in DER (GM/T 0009-2012, 7.2): a sequence of x, y and two octet strings, which are C3
// and C2. sm-crypto-v2 also writes them the other way round.

import { invalid } from '../errors.js';
import { concat } from './values.js';

const INTEGER = 2;
const OCTETS = 4;
const SEQUENCE = 0x30;

function element(tag, content) {
  const { length } = content;
  const size = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) size.unshift(rest % 256);
  const head = length < 128 ? [tag, length] : [tag, 128 | size.length, ...size];
  return concat(Uint8Array.from(head), content);
}

function integer(coordinate) {
  const start = coordinate.findIndex((byte) => byte !== 0);
  const shortest = start < 0 ? coordinate.subarray(-1) : coordinate.subarray(start);
  return element(INTEGER, shortest[0] < 128 ? shortest : concat(Uint8Array.of(0), shortest));
}

/** The ciphertext of C1, x ‖ y, and two more parts. */
export function writtenCiphertext(c1, second, third) {
  const coordinates = [integer(c1.subarray(0, 32)), integer(c1.subarray(32))];
  return element(SEQUENCE, concat(...coordinates, element(OCTETS, second), element(OCTETS, third)));
}

function wrong() {
  return invalid('the ciphertext is no DER');
}

/** The content of the element with this tag at a place, and the place behind it. */
function read(data, at, tag) {
  let [found, length] = data.subarray(at, at + 2);
  let start = at + 2;
  if (found !== tag || length === undefined) throw wrong();
  if (length >= 128) {
    const size = data.subarray(start, start + (length & 127));
    start += length & 127;
    if (size.length > 4 || size[0] === 0) throw wrong();
    length = size.reduce((sum, byte) => sum * 256 + byte, 0);
    if (length < 128) throw wrong();
  }
  const end = start + length;
  if (end > data.length) throw wrong();
  return [data.subarray(start, end), end];
}

function coordinate(content) {
  // The shortest form, and no negative number.
  const padded = content[0] === 0;
  if (content.length === 0 || content[0] >= 128 || (padded && content.length > 1 && content[1] < 128)) throw wrong();
  const shortest = padded ? content.subarray(1) : content;
  if (shortest.length > 32) throw wrong();
  const out = new Uint8Array(32);
  out.set(shortest, 32 - shortest.length);
  return out;
}

/** The parts of a ciphertext. Only DER is read: no other length, no bytes behind. */
export function ciphertextParts(data) {
  const [content, end] = read(data, 0, SEQUENCE);
  if (end !== data.length) throw wrong();
  const [x, behindX] = read(content, 0, INTEGER);
  const [y, behindY] = read(content, behindX, INTEGER);
  const [second, behindSecond] = read(content, behindY, OCTETS);
  const [third, last] = read(content, behindSecond, OCTETS);
  if (last !== content.length) throw wrong();
  return { c1: concat(coordinate(x), coordinate(y)), second, third };
}
