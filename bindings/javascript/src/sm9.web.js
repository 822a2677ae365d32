// SM9 for browsers, workers, Deno, Bun and bundlers: a module of its own, as part of the script.

import { load, provide } from './core.js';
import { inlined } from './engine/web.js';
import simd from '../wasm/sm9-simd.js';

provide('sm9', inlined(simd, () => import('../wasm/sm9.js')));

export * from './sm9.js';

/** For hosts that do not compile at once, or without vector instructions; others need not wait. */
export const ready = () => load('sm9');
