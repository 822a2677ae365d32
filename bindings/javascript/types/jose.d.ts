import type { Bytes, BytesOrText, KuaimiError } from './common.js';
import type { CiphertextForm, PrivateKey, PublicKey, SignatureForm } from './sm2.js';

export { ready } from './index.js';

export type JwsAlgorithm = 'SGD_SM3_SM2' | 'SGD_SM3_HMAC';
export type JweEncryption = 'SGD_SM4_GCM' | 'SGD_SM4_CCM';

/** The protected header of a token. */
export interface Header {
  alg: string;
  enc?: string;
  typ?: unknown;
  kid?: unknown;
  uid?: unknown;
  [member: string]: unknown;
}
/** More members of the header, such as `kid`. */
export interface HeaderMembers {
  typ?: string;
  kid?: string;
  [member: string]: unknown;
}

export interface SignJwsOptions {
  /** The signer's identity, written into the header; without it `'1234567812345678'`, not written. */
  uid?: BytesOrText;
  /** The form of SM2's signature: `'der'` by default. */
  form?: SignatureForm;
  header?: HeaderMembers;
}
/**
 * A JWS in compact form: with an `sm2.PrivateKey` SGD_SM3_SM2, with a secret of at least 32 bytes
 * SGD_SM3_HMAC.
 */
export function signJws(payload: Bytes, key: PrivateKey | Bytes, options?: SignJwsOptions): string;

export interface VerifyJwsOptions {
  /** What the token may be signed with. It has to be given. */
  algorithms: readonly JwsAlgorithm[];
  /** The identity that the header must have. Otherwise the header's one is taken, or the default. */
  uid?: BytesOrText;
  /** The one form that is read: `'der'` by default. */
  form?: SignatureForm;
}
/**
 * The payload of a JWS. Fails with `'InvalidSignature'`; `'Malformed'` where it is no such token,
 * `'OtherAlgorithm'` where its algorithm is not allowed, `'OtherKey'` where it does not fit the key.
 */
export function verifyJws(
  token: string,
  key: PublicKey | Bytes,
  options: VerifyJwsOptions,
): { header: Header; payload: Uint8Array };

export interface EncryptJweOptions {
  /** `'SGD_SM4_GCM'` by default. */
  enc?: JweEncryption;
  /** The form of the encrypted key: `'der'` by default. */
  form?: CiphertextForm;
  header?: HeaderMembers;
}
/** A JWE in compact form: SGD_SM2_3 encrypts a new key for the holder of the private key. */
export function encryptJwe(message: Bytes, publicKey: PublicKey, options?: EncryptJweOptions): string;

export interface DecryptJweOptions {
  /** Both by default. */
  encryptions?: readonly JweEncryption[];
  form?: CiphertextForm;
}
/** The message of a JWE. Fails with `'DecryptionFailed'`, or as `verifyJws` does. */
export function decryptJwe(
  token: string,
  privateKey: PrivateKey,
  options?: DecryptJweOptions,
): { header: Header; message: Uint8Array };

/** The header of a token, of which nothing is verified: to choose a key by its `kid`. */
export function protectedHeader(token: string): Header;

/** The claims of a token; times are seconds since 1970. */
export interface Claims {
  iss?: string;
  sub?: string;
  aud?: string | string[];
  exp?: number;
  nbf?: number;
  iat?: number;
  jti?: string;
  [name: string]: unknown;
}

export interface SignJwtOptions extends SignJwsOptions {
  /** Seconds until the token expires: `exp`. */
  expiresIn?: number;
  /** The time in seconds since 1970; the clock's by default. */
  now?: number;
}
/** A token of claims; `iat` is added, and `typ` `"JWT"`. */
export function signJwt(claims: Claims, key: PrivateKey | Bytes, options?: SignJwtOptions): string;

export interface VerifyJwtOptions extends VerifyJwsOptions {
  /** `iss` is this, or one of these. */
  issuer?: string | readonly string[];
  /** `aud` is or has this, or one of these. */
  audience?: string | readonly string[];
  /** `sub` is this, or one of these. */
  subject?: string | readonly string[];
  /** `typ` of the header, with `application/` in front or without. */
  type?: string;
  /** Claims that the token must have, such as `['exp']`. */
  required?: readonly string[];
  /** Seconds that clocks may differ by: 0 by default. */
  clockTolerance?: number;
  now?: number;
}
/** What a claim has to be and is not: `code` is `'InvalidClaim'`. */
export interface ClaimError extends KuaimiError {
  readonly code: 'InvalidClaim';
  /** `'exp'`, `'nbf'`, `'iss'`, `'aud'`, …, or `'typ'` of the header. */
  readonly claim: string;
}
/**
 * The claims of a token whose signature is right and that is valid now. Fails as `verifyJws` does,
 * and with `'InvalidClaim'`.
 */
export function verifyJwt(token: string, key: PublicKey | Bytes, options: VerifyJwtOptions): { header: Header; claims: Claims };

/** A JSON Web Key. */
export interface Jwk {
  kty: string;
  crv?: string;
  x?: string;
  y?: string;
  d?: string;
  k?: string;
  kid?: string;
  use?: string;
  alg?: string;
  [member: string]: unknown;
}
/** The JWK of a key or a secret, with more members. A private key's and a secret's are secret. */
export function toJwk(key: PrivateKey | PublicKey | Bytes, members?: Partial<Jwk>): Jwk;
/** The key of a JWK. Fails with `'OtherKey'`, `'Malformed'`, `'NotOnCurve'`, `'PublicKeyMismatch'`. */
export function fromJwk(jwk: Jwk): PrivateKey | PublicKey | Uint8Array;
