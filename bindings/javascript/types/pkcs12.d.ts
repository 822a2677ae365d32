/**
 * Private keys with their certificates under a password: PKCS #12 (RFC 7292, RFC 9579, GM/T 0091), and
 * CFCA's forms.
 */

import type { Bytes, BytesOrText } from './common.js';
import type { PrivateKey } from './sm2.js';
import type { Certificate } from './x509.js';

export interface Identity {
  key: PrivateKey;
  certificate: Certificate | undefined;
  /** The certificates above it, as far as the file has them. Nothing of them is verified. */
  chain: Certificate[];
  friendlyName: string | undefined;
}
export interface Contents {
  /** The keys of SM2, in the order of the file. A pair of keys is two. */
  identities: Identity[];
  /** All certificates that are not a key's own. */
  certificates: Certificate[];
  /** How many keys are of other algorithms, which are passed over. */
  otherKeys: number;
}
/** What is in a file. Another password and an altered file are the same error: `'WrongPassword'`. */
export function load(data: Bytes, password: BytesOrText): Contents;

export interface NewIdentity {
  key: PrivateKey;
  certificate: Certificate;
  /** The certificates above it. */
  chain?: readonly Certificate[] | undefined;
  friendlyName?: string | undefined;
}
export interface CreateOptions {
  identities: readonly NewIdentity[];
  /** More certificates. Each is written once. */
  certificates?: readonly Certificate[];
  password: BytesOrText;
  /**
   * `'compatible'` (the default): AES and SHA-256, which nearly all programs open. `'sm'`: SM4 and
   * SM3. `'sm-openssl'`: the same for OpenSSL 4 and Tongsuo. `'legacy'`: triple DES, **weak**.
   */
  profile?: 'compatible' | 'sm' | 'sm-openssl' | 'legacy';
  /** Of each key derivation: 100000 by default, 2048 for `'legacy'`. */
  iterations?: number;
}
/** A file in DER. */
export function create(options: CreateOptions): Uint8Array;

/** An authority's answer to the request for a pair of certificates. */
export interface KeyResponse {
  /** For the key that asked; the holder's first. */
  signingCertificates: Certificate[];
  encryptionKey: PrivateKey | undefined;
  /** For the encrypting key. */
  encryptionCertificates: Certificate[];
}
/** Opens such an answer (GM/T 0092, in DER, BER, PEM or Base64) with the key that asked. */
export function openKeyResponse(data: BytesOrText, key: PrivateKey): KeyResponse;

/** The key and the certificate in an `.sm2` file of CFCA: Base64, PEM or DER. */
export function loadCfca(data: BytesOrText, password: BytesOrText): { key: PrivateKey; certificate: Certificate };
/** Such a file. **The form protects the password badly**, as it has no salt: take a random one. */
export function createCfca(key: PrivateKey, certificate: Certificate, password: BytesOrText): string;
/** The encrypting key that CFCA returns for the temporary key of a request. */
export function openCfcaReturnedKey(temporaryKey: PrivateKey, returned: BytesOrText): PrivateKey;
