// The entry without a module: the page says where it is.

import { install } from './core.js';
import { engineFrom } from './engine/web.js';

export * from './index.js';

/**
 * Loads the modules, each from a URL, a Response, bytes or a WebAssembly.Module; or from an object
 * { simd, baseline } of these, of which the one is taken that this host can run.
 */
export async function init(source, { formats } = {}) {
  const loaded = [engineFrom(source), formats === undefined ? undefined : engineFrom(formats)];
  const [sm2, files] = await Promise.all(loaded);
  install('sm2', sm2);
  if (files !== undefined) install('formats', files);
}
