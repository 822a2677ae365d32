import type { Bytes } from './common.js';
import { Owned } from './common.js';

/** SM3 (GB/T 32905-2016) over data that comes in pieces. */
export class Hash extends Owned {
  private constructor();
  /** Takes in the next piece. */
  update(data: Bytes): this;
  /** The digest of what came so far, 32 bytes. The hash may go on. */
  digest(): Uint8Array;
  /** The same in hexadecimal. */
  hexDigest(): string;
  /** Another hash that has taken in the same. */
  clone(): Hash;
}

/** HMAC-SM3 (RFC 2104) over data that comes in pieces. */
export class Hmac extends Owned {
  private constructor();
  update(data: Bytes): this;
  /** The code of what came so far, 32 bytes. */
  digest(): Uint8Array;
  /** Whether this is the code of what came so far; in constant time. */
  verify(code: Bytes): boolean;
}

/** A hash that takes its data in pieces. */
export function createHash(): Hash;
/** An HMAC that takes its data in pieces. */
export function createHmac(key: Bytes): Hmac;
/** The digest, 32 bytes. */
export function digest(data: Bytes): Uint8Array;
/** The digest in hexadecimal. */
export function hexDigest(data: Bytes): string;
/** The digests of many messages, one after another, 32 bytes each. */
export function digestMany(messages: Iterable<Bytes>): Uint8Array;
/** HMAC-SM3, 32 bytes. */
export function hmac(key: Bytes, data: Bytes): Uint8Array;
/** The key derivation function of SM2 and SM9 (GB/T 32918.4-2016, 5.4.3). */
export function kdf(z: Bytes, length: number): Uint8Array;
/** PBKDF2 with HMAC-SM3 (RFC 8018), at most ten million iterations. */
export function pbkdf2(password: Bytes, salt: Bytes, iterations: number, length?: number): Uint8Array;
