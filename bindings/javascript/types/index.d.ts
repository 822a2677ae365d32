export { Bytes, BytesOrText, KuaimiError } from './common.js';
export * as sm2 from './sm2.js';
export * as sm3 from './sm3.js';
export * as sm4 from './sm4.js';

import type { Bytes } from './common.js';

/**
 * Resolves when every function can be called. Only hosts that do not compile WebAssembly at once,
 * or without its vector instructions, need to wait; all others may call at once.
 */
export function ready(): Promise<void>;

/** What computes: Node's addon, or WebAssembly with vector instructions or without. */
export function backend(): 'native' | 'wasm-simd' | 'wasm';

/** Random bytes of the host's generator, at most 64 MiB. Fails with `'Random'` where it has none. */
export function randomBytes(length: number): Uint8Array;

/** The UTF-8 of a text. Half a character (a lone surrogate) is an error. */
export function utf8(text: string): Uint8Array;
/** The text of UTF-8 bytes. What is no UTF-8 is an error. */
export function fromUtf8(data: Bytes): string;
/** Hexadecimal digits in lower case, two a byte. */
export function toHex(data: Bytes): string;
/** The bytes of hexadecimal digits. Spaces, prefixes and half bytes are errors. */
export function fromHex(text: string): Uint8Array;
/** Base64 (RFC 4648), with padding. */
export function toBase64(data: Bytes): string;
/** The bytes of Base64, with or without padding. */
export function fromBase64(text: string): Uint8Array;
