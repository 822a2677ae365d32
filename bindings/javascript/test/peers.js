// The replaced packages beside ours, and arguments for both: right ones, and wrong ones with what is
// wrong about them.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const PEERS = Object.fromEntries(
  ['sm-crypto', 'miniprogram-sm-crypto', 'sm-crypto-v2', 'gm-crypto', 'sm3'].map((name) => [
    name,
    { theirs: require(name), ours: require(`kuaimi/compat/${name}`) },
  ]),
);

export const P = BigInt('0xfffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff');
export const N = BigInt('0xfffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123');
export const hexOf = (number) => number.toString(16).padStart(64, '0');

/** What a call does: the value that it gives, or the error. */
export function outcome(call) {
  try {
    return { value: call() };
  } catch (error) {
    return { error };
  }
}

/** A value that can be compared: bytes of any kind are arrays with the name of their kind. */
function plain(value) {
  if (value instanceof ArrayBuffer) return ['ArrayBuffer', ...new Uint8Array(value)];
  if (ArrayBuffer.isView(value)) return [value.constructor.name, ...value];
  return value;
}

export function same(a, b) {
  if ('error' in a || 'error' in b) return 'error' in a && 'error' in b;
  try {
    assert.deepStrictEqual(plain(a.value), plain(b.value));
    return true;
  } catch {
    return false;
  }
}

/** Refusals: an error, or what these packages give where a signature or a ciphertext is none. */
function refused({ error, value }) {
  if (error !== undefined) return true;
  return value === false || value === '' || (typeof value === 'object' && (value.byteLength ?? value.length) === 0);
}

/**
 * Compares what both do. `odd` is what is wrong about the arguments that compat.md lists: ours then
 * may refuse where theirs goes on. With `more`, ours may also take what theirs refuses. Gives
 * the labels that made a difference.
 */
export function compare(what, theirs, ours, odd = [], more = false) {
  const says = ({ error, value }) => (error === undefined ? plain(value) : `${error.name}: ${error.message}`);
  if ('error' in ours) {
    const { error } = ours;
    assert.equal(error.name, 'KuaimiError', `${what}: ${error.stack}`);
    assert.equal(typeof error.code, 'string');
  }
  if (same(theirs, ours)) return [];
  if (odd.length > 0 && refused(ours)) return odd;
  if (more && 'error' in theirs) return ['more is taken'];
  assert.fail(`${what}\n  theirs: ${String(says(theirs))}\n  ours:   ${String(says(ours))}`);
}

/** A choice of an array. */
export const pick = (random, array) => array[Math.floor(random() * array.length)];

export function randomBytes(random, length) {
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

const TEXTS = ['', 'a', 'abc', '你好，世界', '😀', 'e\u0301', '\u0000', '\ufeffbom', 'x'.repeat(200), '\u07ff\u0800\uffff', '\ufffd'];

/** A message: [value, what is odd about it]. */
export function messageOf(random, { lone = true } = {}) {
  const kind = Math.floor(random() * 12);
  const data = randomBytes(random, Math.floor(random() ** 2 * 100));
  if (kind < 4) return [pick(random, TEXTS), []];
  if (kind < 6) return [data, []];
  if (kind === 6) return [Array.from(data), []];
  if (kind === 7) return [Buffer.from(data), []];
  if (kind === 8) return [[...data].map((byte) => byte - 256 * Math.floor(random() * 3)), ['bytes that are negative']];
  if (kind === 9 && lone) return [pick(random, ['\ud800', 'a\udc00b', '😀\ud83d', '\udc00\ud800']), ['half a character']];
  if (kind === 10) return [[1, 'x', undefined, 1.5, NaN], ['no whole numbers']];
  return [pick(random, [5, true, {}, null, undefined, 7n, () => 1, new ArrayBuffer(3), new DataView(new ArrayBuffer(2)), Symbol.iterator]), ['no bytes']];
}

/** Digits that stand for bytes, right or not. */
export function digitsOf(random, length) {
  const right = Buffer.from(randomBytes(random, length)).toString('hex');
  const kind = Math.floor(random() * 12);
  if (kind < 7) return [right, []];
  if (kind === 7) return [right.toUpperCase(), []];
  if (kind === 8) return [right.slice(1), ['an odd number of digits']];
  if (kind === 9) return [`${right.slice(0, -2)}zz`, ['no hexadecimal']];
  if (kind === 10) return [` ${right}\n`, ['no hexadecimal']];
  return [pick(random, [5, {}, null, undefined, [], true, '你好', '0x12']), ['no hexadecimal']];
}
