// The entry without a module: the page says where it is.

import { install } from './core.js';
import { engineFrom } from './engine/web.js';

export * from './index.js';

/**
 * Loads the module from a URL, a Response, bytes or a WebAssembly.Module; or from an object
 * { simd, baseline } of these, of which the one is taken that this host can run.
 */
export async function init(source) {
  install('sm2', await engineFrom(source));
}
