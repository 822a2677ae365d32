// Certificates, chains, messages, and files of keys under a password.

export { fromBase64, fromHex, fromUtf8, toBase64, toHex, utf8 } from './bytes.js';
export { KuaimiError } from './errors.js';
export * as cms from './pki/cms.js';
export * as pkcs12 from './pki/pkcs12.js';
export * as x509 from './pki/x509.js';
