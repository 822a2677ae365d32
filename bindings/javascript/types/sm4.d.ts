import type { Bytes } from './common.js';
import { Owned } from './common.js';

/** A mode without authentication: who can change a ciphertext changes the message. */
export type Mode =
  | { mode: 'ecb'; padding?: 'pkcs7' | 'none' }
  /** `iv`: 16 random bytes, new for each message. */
  | { mode: 'cbc'; iv: Bytes; padding?: 'pkcs7' | 'none' }
  /** `iv`: the first counter, 16 bytes; no counter may be used twice with a key. */
  | { mode: 'ctr' | 'cfb' | 'ofb'; iv: Bytes }
  /** `iv`: the sector's number as 16 bytes. The key has 32 bytes, the data at least 16. */
  | { mode: 'xts'; iv: Bytes; standard?: 'gb' | 'ieee' };

/** Encrypts a message under a key of 16 bytes. ECB and CBC pad it (PKCS #7) unless told otherwise. */
export function encrypt(key: Bytes, data: Bytes, options: Mode): Uint8Array;
/** Decrypts a message. Fails with `'DecryptionFailed'` where the padding is wrong. */
export function decrypt(key: Bytes, data: Bytes, options: Mode): Uint8Array;

/** A message that is encrypted or decrypted in pieces. */
export class Cipher extends Owned {
  private constructor();
  /** The next piece. In ECB and CBC, bytes that fill no block wait for the next call. */
  update(data: Bytes): Uint8Array;
  /** The end of the message; the cipher is used up. */
  finish(): Uint8Array;
}

export function createEncryptor(key: Bytes, options: Mode): Cipher;
export function createDecryptor(key: Bytes, options: Mode): Cipher;

export {};

declare abstract class Aead extends Owned {
  /** The ciphertext, with the tag at its end. No nonce may be used twice with a key. */
  seal(nonce: Bytes, data: Bytes, associatedData?: Bytes): Uint8Array;
  /** The message. Fails with `'DecryptionFailed'` where anything was altered. */
  open(nonce: Bytes, data: Bytes, associatedData?: Bytes): Uint8Array;
}

/** SM4-GCM. Use nonces of 12 bytes. */
export class Gcm extends Aead {
  private constructor();
  /** Under a key of 16 bytes. */
  static create(key: Bytes): Gcm;
}

/** SM4-CCM. Nonces have 7 to 13 bytes. */
export class Ccm extends Aead {
  private constructor();
  /** Under a key of 16 bytes, with tags of 4, 6, 8, 10, 12, 14 or 16 bytes. */
  static create(key: Bytes, options?: { tagLength?: number }): Ccm;
}

/** A message or a ciphertext with its tag, and a key of 16 bytes for it. */
export interface GcmItem {
  key: Bytes;
  nonce: Bytes;
  data: Bytes;
  associatedData?: Bytes;
}
/**
 * `Gcm.seal` of many messages, each under its own key; in Node's addon faster than one by one. No nonce
 * may be used twice with a key. Fails if a key or a nonce has a wrong length.
 */
export function gcmEncryptBatch(items: Iterable<GcmItem>): Uint8Array[];
/** `Gcm.open` of many ciphertexts: null for each of which anything was altered. */
export function gcmDecryptBatch(items: Iterable<GcmItem>): (Uint8Array | null)[];

/** A new key of 16 bytes. */
export function generateKey(): Uint8Array;
