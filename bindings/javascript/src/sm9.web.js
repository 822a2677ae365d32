// SM9 for browsers, workers, Deno, Bun and bundlers: a module of its own, and that of keys in files,
// which the entry of SM2 has, too, as parts of the script.

import { load, provide } from './core.js';
import { inlined } from './engine/web.js';
import formats from '../wasm/formats.js';
import simd from '../wasm/sm9-simd.js';

provide('sm9', inlined(simd, () => import('../wasm/sm9.js')));
provide('formats', inlined(formats));

export * from './sm9.js';

/** For hosts that do not compile at once, or without vector instructions; others need not wait. */
export async function ready() {
  await Promise.all([load('sm9'), load('formats')]);
}
