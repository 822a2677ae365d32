// SM9 without a module: the page says where it is.

import { install } from './core.js';
import { engineFrom } from './engine/web.js';

export * from './sm9.js';

/** Loads the module, and that of keys in files: see `init` of kuaimi/slim. */
export async function init(source, { formats } = {}) {
  const loaded = [engineFrom(source), formats === undefined ? undefined : engineFrom(formats)];
  const [sm9, files] = await Promise.all(loaded);
  install('sm9', sm9);
  if (files !== undefined) install('formats', files);
}
