// For Node alone: its KeyObjects and certificates, streams, and promises of long work.

import type { KeyObject, X509Certificate } from 'node:crypto';
import type { Transform } from 'node:stream';
import type { sm2, sm3, sm4 } from './index.js';

type Bytes = ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/**
 * The private key in a KeyObject. Node's own `sign` makes ECDSA signatures under such a key, which
 * are none of SM2.
 */
export function privateKeyFrom(key: KeyObject): sm2.PrivateKey;

/** The public key in a KeyObject, also a private one, or in a certificate, of which nothing else is checked. */
export function publicKeyFrom(key: KeyObject | X509Certificate): sm2.PublicKey;

/**
 * A KeyObject of the same key. Export private ones as `pkcs8`: with OpenSSL 3, Node ends the
 * process when it exports one of SM2 as `sec1`.
 */
export function toKeyObject(key: sm2.PrivateKey | sm2.PublicKey): KeyObject;

// Streams fail with a KuaimiError: of text, which is no bytes, and of what the calls without streams
// fail of. What they hold is wiped when they end or are destroyed.

export interface StreamOptions {
  /** As of every stream of Node. */
  highWaterMark?: number;
}

export interface CipherStreamOptions extends StreamOptions {
  mode: 'ecb' | 'cbc' | 'ctr' | 'cfb' | 'ofb';
  /** 16 bytes, in all modes but `ecb`. */
  iv?: Bytes;
  /** Of `ecb` and `cbc`; `pkcs7` by default. */
  padding?: 'pkcs7' | 'none';
}

/** Encrypts what is written. */
export function encryptStream(key: Bytes, options: CipherStreamOptions): Transform;

/** Decrypts what is written. These modes do not notice what somebody has altered: see `openStream`. */
export function decryptStream(key: Bytes, options: CipherStreamOptions): Transform;

/**
 * Gives one piece of 32 bytes at its end: the SM3 digest of what was written, or that of `hash`,
 * such as `sm3.createHmac(key)` or `publicKey.messageHash()`. `hash` is used up.
 */
export function digestStream(hash?: sm3.Hash | sm3.Hmac, options?: StreamOptions): Transform;

export interface SealOptions extends StreamOptions {
  associatedData?: Bytes;
}

/** Encrypts with SM4-GCM, and gives the tag at the end. No nonce may be used twice with a key. */
export function sealStream(key: Bytes, nonce: Bytes, options?: SealOptions): Transform;

export interface OpenOptions extends SealOptions {
  /** What more bytes of ciphertext, tag included, fail with: `MessageTooLong`. 64 MiB by default. */
  maxLength?: number;
}

/**
 * Decrypts with SM4-GCM. It keeps all of the ciphertext in memory, and gives the message once the
 * tag is verified; else it gives nothing, and fails with `DecryptionFailed`.
 */
export function openStream(key: Bytes, nonce: Bytes, options?: OpenOptions): Transform;

// Promises. With the addon the work is done on other threads; WebAssembly does it in a later turn of
// the event loop. What is passed may be changed as soon as the call has returned. A promise fails
// with a KuaimiError.

/** `sm2.generateBatch`. */
export function generateBatchAsync(count: number): Promise<{ privateKeys: Uint8Array; publicKeys: Uint8Array }>;

/** `sm2.diffieHellmanBatch`. */
export function diffieHellmanBatchAsync(privateKeys: Bytes, publicKeys: Bytes): Promise<Uint8Array>;

/** `sm4.gcmEncryptBatch`. */
export function gcmEncryptBatchAsync(items: Iterable<sm4.GcmItem>): Promise<Uint8Array[]>;

/** `sm4.gcmDecryptBatch`. */
export function gcmDecryptBatchAsync(items: Iterable<sm4.GcmItem>): Promise<(Uint8Array | null)[]>;

/** `sm2.signBatch`. */
export function signBatchAsync(privateKey: sm2.PrivateKey, digests: Bytes): Promise<Uint8Array>;

/** `sm2.verifyBatch`. */
export function verifyBatchAsync(keys: sm2.PublicKey | Bytes, digests: Bytes, signatures: Bytes): Promise<Uint8Array>;

/** `sm2.PrivateKey.load`. */
export function loadPrivateKeyAsync(
  data: Bytes | string,
  options?: { password?: Bytes | string },
): Promise<sm2.PrivateKey>;

/** `sm3.digestMany`. */
export function digestManyAsync(messages: Iterable<Bytes>): Promise<Uint8Array>;

/** `sm3.pbkdf2`. */
export function pbkdf2Async(password: Bytes, salt: Bytes, iterations: number, length?: number): Promise<Uint8Array>;
