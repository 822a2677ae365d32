// The entry for browsers, workers, Deno, Bun and bundlers: the module with vector instructions is
// part of the script, so that nothing is fetched and every function answers at once.

import { load, provide } from './core.js';
import { inlined } from './engine/web.js';
import simd from '../wasm/sm2-simd.js';

provide('sm2', inlined(simd, () => import('../wasm/sm2.js')));

export * from './index.js';

/** For hosts that do not compile at once, or without vector instructions; others need not wait. */
export const ready = () => load('sm2');
