// Certificates and messages for browsers, workers, Deno, Bun and bundlers: a module of its own, and
// those of the package's entry, which has the keys.

import { load, provide } from './core.js';
import { inlined } from './engine/web.js';
import { ready as keys } from './index.web.js';
import simd from '../wasm/pki-simd.js';

provide('pki', inlined(simd, () => import('../wasm/pki.js')));

export * from './pki.js';

/** For hosts that do not compile at once, or without vector instructions; others need not wait. */
export async function ready() {
  await Promise.all([keys(), load('pki')]);
}
