// The entry for browsers, workers, Deno, Bun and bundlers: the modules are parts
// of the script, so that nothing is fetched and every function answers at once.

import { load, provide } from './core.js';
import { inlined } from './engine/web.js';
import formats from '../wasm/formats.js';
import simd from '../wasm/sm2-simd.js';

provide('sm2', inlined(simd, () => import('../wasm/sm2.js')));
provide('formats', inlined(formats));

export * from './index.js';

/** For hosts that do not compile at once, or without vector instructions; others need not wait. */
export async function ready() {
  await Promise.all([load('sm2'), load('formats')]);
}
