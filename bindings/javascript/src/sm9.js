// SM9 (GB/T 38635-2020): signatures, encryption and key exchange where an identity is the public key.

export { fromBase64, fromHex, fromUtf8, toBase64, toHex, utf8 } from './bytes.js';
export { KuaimiError } from './errors.js';
export * from './sm9/encryption.js';
export * from './sm9/exchange.js';
export * from './sm9/signing.js';
