// Keys as JSON Web Keys (RFC 7517): SM2's of kty "EC", secrets of kty "oct".
//
// crv "SM2-P-256" is GM/T 0125's, of which an implementation was seen, not the text; "SM2" and
// "sm2p256v1" are read, too.

import { kindOf } from './bytes.js';
import { fromBase64url, malformed, toBase64url } from './base64url.js';
import { KuaimiError } from './errors.js';
import { PrivateKey, PublicKey } from './sm2.js';

export const CURVE = 'SM2-P-256';
const CURVES = [CURVE, 'SM2', 'sm2p256v1'];
export const isCurve = (name) => CURVES.includes(name);

/** The members of a public key. */
export function publicMembers(key) {
  const point = key.toBytes();
  return { kty: 'EC', crv: CURVE, x: toBase64url(point.subarray(1, 33)), y: toBase64url(point.subarray(33)) };
}

/** The members of a private key. */
export function privateMembers(key) {
  return { ...publicMembers(key.publicKey), d: toBase64url(key.toBytes()) };
}

export function secretMembers(secret) {
  return { kty: 'oct', k: toBase64url(secret) };
}

/** A PrivateKey or a PublicKey. Numbers have 32 bytes; a private key's point is its own. */
export function readSm2({ kty, crv, x, y, d }) {
  if (kty !== 'EC') throw new KuaimiError('OtherKey', 'the kty of an SM2 key is "EC"');
  if (!isCurve(crv)) throw new KuaimiError('OtherKey', `the crv of an SM2 key is "${CURVE}"`);
  const point = new Uint8Array(65);
  point[0] = 4;
  point.set(number(x, 'x'), 1);
  point.set(number(y, 'y'), 33);
  const publicKey = PublicKey.fromBytes(point);
  if (d === undefined) return publicKey;
  const key = PrivateKey.fromBytes(number(d, 'd'));
  if (!key.publicKey.equals(publicKey)) {
    throw new KuaimiError('PublicKeyMismatch', 'x and y are not the public key of d');
  }
  return key;
}

function number(text, what) {
  const data = fromBase64url(text, what);
  if (data.length !== 32) throw malformed(`${what} has 32 bytes, not ${data.length}`);
  return data;
}

export function readSecret({ kty, k }) {
  if (kty !== 'oct') throw new KuaimiError('OtherKey', `the kty of a secret is "oct", not ${kindOf(kty)}`);
  return fromBase64url(k, 'k');
}
