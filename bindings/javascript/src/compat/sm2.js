// SM2 as the replaced packages have it: keys as hexadecimal digits, ciphertexts in parts, signatures
// of numbers that are no digest.

import { fromHex, toHex, utf8, whole } from '../bytes.js';
import { engine } from '../core.js';
import { invalid, KuaimiError } from '../errors.js';
import { held } from '../owned.js';
import { PrivateKey, PublicKey } from '../sm2.js';
import * as sm3 from '../sm3.js';
import { concat, digits, numberOf } from './values.js';

/** The order of the curve (GB/T 32918.5-2017). */
const N = BigInt('0xfffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123');

/** Calls `use` with the private key of hexadecimal digits, and wipes the key. */
export function withPrivateKey(text, use) {
  if (typeof text !== 'string') throw invalid('the private key is text: hexadecimal digits');
  // Spaces at the ends, zeros that others write in front, and zeros that they leave out.
  const number = text.trim().replace(/^0+/, '').padStart(64, '0');
  const key = PrivateKey.fromBytes(fromHex(number.length % 2 === 0 ? number : `0${number}`));
  try {
    return use(key);
  } finally {
    key.dispose();
  }
}

/** The last public keys, so that the second use of a key finds its table. */
const KEPT = 8;
const kept = new Map();
let keptBy;

/**
 * The public key of 130 digits that begin with 04, or of 66 (compressed). `bare` also takes 128,
 * without the first byte.
 */
export function publicKey(text, bare = false) {
  if (typeof text !== 'string') throw invalid('the public key is text: hexadecimal digits');
  const core = engine();
  if (keptBy !== core) kept.clear();
  keptBy = core;
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (text.length === 128 && !bare) throw invalid('a public key of 128 digits lacks the byte 04 in front');
  const key = PublicKey.fromBytes(fromHex(text));
  if (text.length === 128) return key;
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value);
  kept.set(text, key);
  return key;
}

/** A key that begins with 06 or 07, the hybrid form of X9.62, begins with 04. */
export function unhybrid(text) {
  return typeof text === 'string' && text.length === 130 ? text.replace(/^0[67]/, '04') : text;
}

/** The public key, also of the hybrid form, and nothing where the text is none. */
export function maybePublicKey(text) {
  try {
    return publicKey(unhybrid(text));
  } catch (error) {
    if (!(error instanceof KuaimiError) || error.code === 'NotReady') throw error;
    return undefined;
  }
}

/** A pair of keys as digits, the public one with 04. */
export function pair(key) {
  return { privateKey: toHex(key.toBytes()), publicKey: toHex(key.publicKey.toBytes()) };
}

/** A new pair; or that of a number of the caller's, taken to 1 to n − 1. */
export function keyPair(number) {
  if (number !== undefined) {
    const m = N - 1n;
    return withPrivateKey(digits((((number % m) + m) % m) + 1n), pair);
  }
  const key = PrivateKey.generate();
  try {
    return pair(key);
  } finally {
    key.dispose();
  }
}

/** A new pair with its numbers: k, and the x-coordinate of the point. */
export function point() {
  const keys = keyPair();
  return { ...keys, k: BigInt(`0x${keys.privateKey}`), x1: BigInt(`0x${keys.publicKey.slice(2, 66)}`) };
}

/** The compressed public key; the digits stay as they are. */
export function compress(text) {
  if (text?.length !== 130) throw invalid('Invalid public key to compress');
  const odd = publicKey(unhybrid(text)).toBytes({ compressed: true })[0] === 3;
  return `${odd ? '03' : '02'}${text.slice(2, 66)}`;
}

/** An identity: what is no text is written as text, as the replaced packages do. */
export function identity(userId) {
  return userId === undefined ? undefined : utf8(String(userId));
}

/** e = SM3(Z ‖ M) under the identity. */
export function digest(key, id, data) {
  const hash = key.messageHash({ id });
  try {
    return hash.update(data).digest();
  } finally {
    hash.dispose();
  }
}

/** The number of a message modulo n: what `hash: false` signs. */
export function reduced(data) {
  return fromHex(digits(numberOf(data) % N));
}

/**
 * Takes a point out of the caller's pool. Its number is not used: who signs twice with a number
 * gives away the key, and a new number costs less than the pool saves.
 */
export function takeFrom(pool) {
  if (pool && pool.length) pool.pop();
}

/** [d]P, x ‖ y. */
export function sharedPoint(privateKey, peer) {
  const [core, handle] = held(privateKey, PrivateKey, 'privateKey');
  return core.sm2_diffie_hellman_point(handle, held(peer, PublicKey, 'peer')[1]);
}

/** C3 of a message under a shared point: SM3(x ‖ M ‖ y). */
function check(xy, data) {
  return sm3.digest(concat(xy.subarray(0, 32), data, xy.subarray(32)));
}

/** The parts of a ciphertext: C1 without 04, C3, C2. The standard has no empty message; users do. */
export function encrypt(key, data) {
  if (data.length > 0) {
    const whole = key.encrypt(data, { form: 'bare-c1c3c2' });
    return { c1: whole.subarray(0, 64), c3: whole.subarray(64, 96), c2: whole.subarray(96) };
  }
  const nonce = PrivateKey.generate();
  try {
    const c1 = nonce.publicKey.toBytes().subarray(1);
    return { c1, c3: check(sharedPoint(nonce, key), data), c2: data };
  } finally {
    nonce.dispose();
  }
}

/** The message, or nothing where the ciphertext is none for this key. */
export function decrypt(key, { c1, c3, c2 }) {
  if (c1.length !== 64 || c3.length !== 32) return undefined;
  try {
    if (c2.length > 0) return key.decrypt(concat(c1, c3, c2), { form: 'bare-c1c3c2' });
  } catch (error) {
    if (!(error instanceof KuaimiError) || error.code !== 'DecryptionFailed') throw error;
  }
  return c2.length <= LONGEST_UNMASKED ? unmasked(key, c1, c3, c2) : undefined;
}

/** A mask of more bytes is not zero within the life of the universe. */
const LONGEST_UNMASKED = 16;

/**
 * What the standard refuses, and the replaced packages write and read: an empty message, and one
 * whose mask is zero, as one in 256 of those of one byte is. In both, C2 is the message.
 */
function unmasked(key, c1, c3, c2) {
  let peer;
  try {
    peer = PublicKey.fromBytes(c1);
  } catch {
    return undefined;
  }
  const xy = sharedPoint(key, peer);
  if (c2.length > 0 && sm3.kdf(xy, c2.length).some((byte) => byte !== 0)) return undefined;
  return engine().equal(check(xy, c2), c3) ? c2 : undefined;
}

/**
 * The key of an exchange (GB/T 32918.3-2016) whose ephemeral key the caller has drawn. The pairs
 * are checked: a public key beside another private key would give a key that nobody shares.
 */
export function exchange({ own: pairOfKeys, ephemeral, peer, point: theirs, length, responds, id, peerId }) {
  const wanted = whole(length, 'the length of the key', 1, 2 ** 26);
  const other = theirs.toBytes();
  return withPair(pairOfKeys, 'the key pair', (key) =>
    withPair(ephemeral, 'the ephemeral key pair', (nonce) => {
      const [core, handle] = held(key, PrivateKey, 'privateKey');
      const parties = [handle, held(peer, PublicKey, 'peer')[1], id, peerId];
      if (responds) {
        const answer = core.sm2_exchange_respond(...parties, other, wanted, nonce.toBytes());
        return used(core, answer, () => core.sm2_exchange_confirm(answer, undefined));
      }
      const start = core.sm2_exchange_start(...parties, nonce.toBytes());
      return used(core, start, () => core.sm2_exchange_finish(start, other, undefined, wanted));
    }),
  );
}

function used(core, handle, use) {
  try {
    return use();
  } finally {
    core.dispose(handle);
    core.drop(handle);
  }
}

function withPair(keys, what, use) {
  return withPrivateKey(keys?.privateKey, (key) => {
    if (!key.publicKey.equals(publicKey(keys.publicKey, true))) {
      throw invalid(`${what} is no pair: the public key is that of another private key`);
    }
    return use(key);
  });
}
