// What every entry of the package has.

export { fromBase64, fromHex, fromUtf8, toBase64, toHex, utf8 } from './bytes.js';
export { KuaimiError } from './errors.js';
export * as sm2 from './sm2.js';
export * as sm3 from './sm3.js';
export * as sm4 from './sm4.js';
export { randomBytes } from './random.js';
export { backend } from './core.js';
