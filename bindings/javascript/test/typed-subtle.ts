// kuaimi/subtle and kuaimi/jose with the types that a careful program gives them.

import { KuaimiError, sm2, utf8 } from 'kuaimi';
import { crypto, CryptoKey, fromKey, subtle, toKey } from 'kuaimi/subtle';
import type { CryptoKeyPair, JsonWebKey } from 'kuaimi/subtle';
import { decryptJwe, encryptJwe, fromJwk, protectedHeader, signJws, signJwt, toJwk, verifyJws, verifyJwt } from 'kuaimi/jose';
import type { ClaimError, Claims } from 'kuaimi/jose';

export async function keys(): Promise<string> {
  const data = crypto.getRandomValues(new Uint8Array(12));
  const pair: CryptoKeyPair = await subtle.generateKey('SM2', false, ['sign', 'verify']);
  const signature: ArrayBuffer = await subtle.sign({ name: 'SM2', hash: 'SM3', id: 'alice' }, pair.privateKey, data);
  const right: boolean = await subtle.verify('SM2', pair.publicKey, signature, data);
  const secret: CryptoKey = await subtle.generateKey({ name: 'SM4-GCM', length: 128 }, true, ['encrypt', 'wrapKey']);
  const sealed = await subtle.encrypt({ name: 'SM4-GCM', iv: data, additionalData: data }, secret, data);
  const jwk: JsonWebKey = await subtle.exportKey('jwk', secret);
  const again = await subtle.importKey('jwk', jwk, 'SM4-GCM', true, ['encrypt']);
  const wrapped = await subtle.wrapKey('raw', again, secret, { name: 'SM4-CBC', iv: data });
  const base = await subtle.importKey('raw', utf8('x'), 'HKDF', false, ['deriveKey']);
  const hmac = { name: 'HMAC', hash: 'SM3' } as const;
  await subtle.deriveKey({ name: 'HKDF', hash: 'SM3', salt: data, info: data }, base, hmac, false, ['sign']);
  const key: sm2.PrivateKey | sm2.PublicKey = toKey(fromKey(sm2.PrivateKey.generate(), true, ['sign']));
  const uses: string = pair.publicKey.usages.join();
  return [right, sealed.byteLength, wrapped.byteLength, key instanceof sm2.PublicKey, uses, pair.publicKey.algorithm.namedCurve].join();
}

export function tokens(key: sm2.PrivateKey, secret: Uint8Array): Claims {
  const token: string = signJwt({ sub: 'alice' }, key, { expiresIn: 60, uid: 'centre', header: { kid: 'k' } });
  const kid: unknown = protectedHeader(token).kid;
  const jws = verifyJws(signJws(utf8('x'), secret), secret, { algorithms: ['SGD_SM3_HMAC'] });
  const jwe = decryptJwe(encryptJwe(jws.payload, key.publicKey, { enc: 'SGD_SM4_CCM' }), key);
  const jwk: sm2.PrivateKey | sm2.PublicKey | Uint8Array = fromJwk(toJwk(key.publicKey, { kid: 'k' }));
  try {
    if (jwk instanceof sm2.PublicKey) {
      return verifyJwt(token, jwk, { algorithms: ['SGD_SM3_SM2'], audience: ['a', 'b'], required: ['exp'] }).claims;
    }
  } catch (error) {
    if (error instanceof KuaimiError && error.code === 'InvalidClaim') return { claim: (error as ClaimError).claim };
    throw error;
  }
  return { length: jwe.message.length, kid };
}
