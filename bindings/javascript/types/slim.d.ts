export * from './index.js';

/** Where a module of WebAssembly comes from. */
export type Source = string | URL | Response | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

/** One module, or two of which the one is taken that the host can run. */
export type Sources = Source | Promise<Source> | { simd: Source | Promise<Source>; baseline: Source | Promise<Source> };

/**
 * Loads the module that computes, before the first call: the package has it as
 * `kuaimi/wasm/sm2-simd.wasm`, for hosts with vector instructions, and `kuaimi/wasm/sm2.wasm`. Keys in
 * files, `explain` and `describe` need a second one, `kuaimi/wasm/formats.wasm`. Fails with `'Io'` where
 * one cannot be fetched.
 */
export function init(source: Sources, options?: { formats?: Sources }): Promise<void>;
