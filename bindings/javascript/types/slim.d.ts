export * from './index.js';

/** Where a module of WebAssembly comes from. */
export type Source = string | URL | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

/**
 * Loads the module that computes, before the first call. Of `{ simd, baseline }`, the one is taken
 * that this host can run: the package has them as `kuaimi/wasm/sm2-simd.wasm` and
 * `kuaimi/wasm/sm2.wasm`. Fails with `'Io'` where it cannot be fetched.
 */
export function init(
  source: Source | Promise<Source> | { simd: Source | Promise<Source>; baseline: Source | Promise<Source> },
): Promise<void>;
