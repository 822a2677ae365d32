import type { PrivateKey, PublicKey } from './sm2.js';

export { ready } from './index.js';

/** Bytes that are copied when a method is called. Memory that threads share is refused. */
export type BufferSource = ArrayBufferView | ArrayBuffer;
export type KeyUsage = 'encrypt' | 'decrypt' | 'sign' | 'verify' | 'deriveKey' | 'deriveBits' | 'wrapKey' | 'unwrapKey';
export type KeyFormat = 'raw' | 'spki' | 'pkcs8' | 'jwk';
export type KeyType = 'public' | 'private' | 'secret';

/** What a key is of. HMAC's have `hash`, SM2's `namedCurve`. */
export interface KeyAlgorithm {
  readonly name: string;
  readonly length?: number;
  readonly hash?: { readonly name: string };
  readonly namedCurve?: string;
}

/** A key, which shows what may be done with it, and nothing of itself. Its properties are frozen. */
export class CryptoKey {
  private constructor();
  readonly type: KeyType;
  readonly extractable: boolean;
  readonly algorithm: KeyAlgorithm;
  readonly usages: readonly KeyUsage[];
  readonly [Symbol.toStringTag]: string;
}

export interface CryptoKeyPair {
  publicKey: CryptoKey;
  privateKey: CryptoKey;
}

/** `kty` is `"EC"` with `crv` `"SM2-P-256"`, or `"oct"`. */
export interface JsonWebKey {
  kty?: string;
  crv?: string;
  x?: string;
  y?: string;
  d?: string;
  k?: string;
  alg?: string;
  use?: string;
  key_ops?: string[];
  ext?: boolean;
  [member: string]: unknown;
}

/** The hash: `'SM3'`. */
export type Hash = 'SM3' | { name: 'SM3' };
type Named<Name extends string> = Name | { name: Name };

/** The ciphers of SM4, with the parameters of AES's. */
export type Sm4Params =
  /** `iv`: 16 random bytes, new for each message. The padding is PKCS #7. */
  | { name: 'SM4-CBC'; iv: BufferSource }
  /** `counter`: the first block, 16 bytes, of which the last `length` bits count. */
  | { name: 'SM4-CTR'; counter: BufferSource; length: number }
  /** `iv`: 12 bytes, never twice with a key. `tagLength`: 128. */
  | { name: 'SM4-GCM'; iv: BufferSource; additionalData?: BufferSource; tagLength?: 128 }
  /** `iv`: 7 to 13 bytes, never twice with a key. `tagLength`: 128 by default. */
  | { name: 'SM4-CCM'; iv: BufferSource; additionalData?: BufferSource; tagLength?: 32 | 48 | 64 | 80 | 96 | 112 | 128 };
export type Sm4Name = 'SM4-CBC' | 'SM4-CTR' | 'SM4-GCM' | 'SM4-CCM';

export interface Sm2SignParams {
  name: 'SM2';
  hash?: Hash;
  /** The signer's identity, bytes or text; `'1234567812345678'` by default. */
  id?: BufferSource | string;
  /** `'raw'`, 64 bytes, by default, as of ECDSA; or `'der'`. */
  form?: 'raw' | 'der';
}
export interface Sm2EncryptParams {
  name: 'SM2';
  /** `'c1c3c2'` by default. */
  form?: 'c1c3c2' | 'c1c2c3' | 'bare-c1c3c2' | 'bare-c1c2c3' | 'der';
}
export type EncryptParams = Sm4Params | 'SM2' | Sm2EncryptParams;
export type SignParams = 'SM2' | Sm2SignParams | Named<'HMAC'>;
export type DeriveParams =
  | { name: 'PBKDF2'; hash: Hash; salt: BufferSource; iterations: number }
  | { name: 'HKDF'; hash: Hash; salt: BufferSource; info: BufferSource };

export type Sm2KeyParams = 'SM2' | { name: 'SM2'; namedCurve?: 'SM2-P-256' | 'SM2' | 'sm2p256v1' };
export type SecretKeyParams = Sm4Name | { name: Sm4Name; length?: 128 } | { name: 'HMAC'; hash: Hash; length?: number };
export type ImportParams = Sm2KeyParams | SecretKeyParams | Named<'PBKDF2' | 'HKDF'>;

/**
 * The methods of the Web Cryptography API's SubtleCrypto. What is wrong rejects the promise, with a
 * `TypeError` or a `DOMException` with one of the API's names. An algorithm that is not named here
 * is a `NotSupportedError`.
 */
export interface SubtleCrypto {
  encrypt(algorithm: EncryptParams, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>;
  /** `OperationError` where anything was altered. */
  decrypt(algorithm: EncryptParams, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>;
  sign(algorithm: SignParams, key: CryptoKey, data: BufferSource): Promise<ArrayBuffer>;
  verify(algorithm: SignParams, key: CryptoKey, signature: BufferSource, data: BufferSource): Promise<boolean>;
  digest(algorithm: Hash, data: BufferSource): Promise<ArrayBuffer>;
  generateKey(algorithm: Sm2KeyParams, extractable: boolean, keyUsages: readonly KeyUsage[]): Promise<CryptoKeyPair>;
  generateKey(algorithm: SecretKeyParams, extractable: boolean, keyUsages: readonly KeyUsage[]): Promise<CryptoKey>;
  deriveKey(
    algorithm: DeriveParams,
    baseKey: CryptoKey,
    derivedKeyType: SecretKeyParams,
    extractable: boolean,
    keyUsages: readonly KeyUsage[],
  ): Promise<CryptoKey>;
  /** `length` in bits, of whole bytes. */
  deriveBits(algorithm: DeriveParams, baseKey: CryptoKey, length: number): Promise<ArrayBuffer>;
  importKey(
    format: 'jwk',
    keyData: JsonWebKey,
    algorithm: ImportParams,
    extractable: boolean,
    keyUsages: readonly KeyUsage[],
  ): Promise<CryptoKey>;
  importKey(
    format: 'raw' | 'spki' | 'pkcs8',
    keyData: BufferSource,
    algorithm: ImportParams,
    extractable: boolean,
    keyUsages: readonly KeyUsage[],
  ): Promise<CryptoKey>;
  exportKey(format: 'jwk', key: CryptoKey): Promise<JsonWebKey>;
  exportKey(format: 'raw' | 'spki' | 'pkcs8', key: CryptoKey): Promise<ArrayBuffer>;
  wrapKey(format: KeyFormat, key: CryptoKey, wrappingKey: CryptoKey, wrapAlgorithm: EncryptParams): Promise<ArrayBuffer>;
  unwrapKey(
    format: KeyFormat,
    wrappedKey: BufferSource,
    unwrappingKey: CryptoKey,
    unwrapAlgorithm: EncryptParams,
    unwrappedKeyAlgorithm: ImportParams,
    extractable: boolean,
    keyUsages: readonly KeyUsage[],
  ): Promise<CryptoKey>;
}

export const subtle: SubtleCrypto;

/** The interface Crypto. */
export const crypto: {
  readonly subtle: SubtleCrypto;
  /** Fills a typed array of integers; `QuotaExceededError` above 65536 bytes. */
  getRandomValues<T extends ArrayBufferView>(array: T): T;
};

/** A CryptoKey of a copy of a key. Throws as `importKey` rejects. */
export function fromKey(key: PrivateKey | PublicKey, extractable: boolean, keyUsages: readonly KeyUsage[]): CryptoKey;
/** A copy of the key in an extractable CryptoKey of SM2; `InvalidAccessError` for others. */
export function toKey(key: CryptoKey): PrivateKey | PublicKey;
