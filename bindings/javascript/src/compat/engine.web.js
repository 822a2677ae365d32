// The engine of the replacements, for browsers, workers, Deno, Bun and bundlers: without the module
// of keys in files, which they do not use.

import { provide } from '../core.js';
import { inlined } from '../engine/web.js';
import simd from '../../wasm/sm2-simd.js';

provide('sm2', inlined(simd, () => import('../../wasm/sm2.js')));
