// SM9 without a module: the page says where it is.

import { install } from './core.js';
import { engineFrom } from './engine/web.js';

export * from './sm9.js';

/** Loads the module: see `init` of kuaimi/slim. */
export async function init(source) {
  install('sm9', await engineFrom(source));
}
