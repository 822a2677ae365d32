// JSON Web Signatures, Encryption, Keys and Tokens with SM2, SM3 and SM4, after GM/T 0125-2022.

import { bytes, kindOf } from '../bytes.js';
import { invalid, KuaimiError } from '../errors.js';
import { privateMembers, publicMembers, readSecret, readSm2, secretMembers } from '../jwk.js';
import { PrivateKey, PublicKey } from '../sm2.js';
import { isObject } from './json.js';

export { protectedHeader } from './compact.js';
export { decryptJwe, encryptJwe } from './jwe.js';
export { signJws, verifyJws } from './jws.js';
export { signJwt, verifyJwt } from './jwt.js';

/** The JSON Web Key of an sm2.PrivateKey, an sm2.PublicKey or a secret, with members such as `kid`. */
export function toJwk(key, members = {}) {
  if (!isObject(members)) throw invalid(`members are an object, not ${kindOf(members)}`);
  if (key instanceof PrivateKey) return { ...members, ...privateMembers(key) };
  if (key instanceof PublicKey) return { ...members, ...publicMembers(key) };
  return { ...members, ...secretMembers(bytes(key, 'key')) };
}

/** The key of a JSON Web Key: an sm2.PrivateKey, an sm2.PublicKey, or a secret's bytes. */
export function fromJwk(jwk) {
  if (!isObject(jwk)) throw invalid(`a JWK is an object, not ${kindOf(jwk)}`);
  const { kty, crv, x, y, d, k } = jwk;
  if (kty === 'oct') return readSecret({ kty, k });
  if (kty === 'EC') return readSm2({ kty, crv, x, y, d });
  throw new KuaimiError('OtherKey', 'the kty of a JWK is "EC" or "oct"');
}
