import type { Sources } from './slim.js';

export { Bytes, BytesOrText, KuaimiError } from './common.js';
export { fromBase64, fromHex, fromUtf8, toBase64, toHex, utf8 } from './index.js';
export * as cms from './cms.js';
export * as pkcs12 from './pkcs12.js';
export * as x509 from './x509.js';

/**
 * Loads the module that computes, before the first call. The package has it as
 * `kuaimi/wasm/pki-simd.wasm` and `kuaimi/wasm/pki.wasm`. Keys need that of `kuaimi/slim`, too: call
 * its `init` as well.
 */
export function init(source: Sources): Promise<void>;
