export { Bytes, BytesOrText, KuaimiError } from './common.js';
export { fromBase64, fromHex, fromUtf8, ready, toBase64, toHex, utf8 } from './index.js';
export * as cms from './cms.js';
export * as pkcs12 from './pkcs12.js';
export * as x509 from './x509.js';
