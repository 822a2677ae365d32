// The engine that all functions use.

import { KuaimiError } from './errors.js';

const engines = { sm2: undefined, sm9: undefined, formats: undefined, pki: undefined };
/** What a user looks for where one is missing. */
const MODULES = {
  sm2: "the WebAssembly of SM2, SM3 and SM4 is not loaded yet: 'await ready()' or 'await init(source)' first",
  sm9: "the WebAssembly of SM9 is not loaded yet: 'await ready()' or 'await init(source)' of kuaimi/sm9 first",
  formats: "the WebAssembly of keys in files, formats.wasm, is not loaded: pass it to init or ready, as 'formats' or 'formatsPath'",
  pki: "the WebAssembly of certificates and messages is not loaded yet: 'await ready()' or 'await init(source)' of kuaimi/pki first",
};
const sources = { sm2: undefined, sm9: undefined, formats: undefined, pki: undefined };

/** Says where an engine comes from: `open()` gives it at once, or throws; `load()` promises it. */
export function provide(name, source) {
  sources[name] = source;
}

/** Sets an engine. */
export function install(name, engine) {
  engines[name] = engine;
}

/**
 * The engine, which is made at the first use. `sm2` also has SM3 and SM4; `formats` has keys in files,
 * explanations and descriptions; those of SM9, too. `pki` has certificates and messages.
 */
export function engine(name = 'sm2') {
  const ready = engines[name];
  if (ready !== undefined) return ready;
  const source = sources[name];
  if (source?.open === undefined) {
    throw new KuaimiError('NotReady', MODULES[name]);
  }
  return (engines[name] = source.open());
}

/** Makes the engine where that takes an answer that comes later. */
export async function load(name = 'sm2') {
  if (engines[name] !== undefined) return;
  const made = await sources[name]?.load?.();
  // Another call may have been faster.
  engines[name] ??= made;
  engine(name);
}

/** What computes: 'native', 'wasm-simd' or 'wasm'. */
export function backend() {
  return engine().name;
}
