// Certificates and messages without a module: the page says where it is.

import { install } from './core.js';
import { engineFrom } from './engine/web.js';

export * from './pki.js';

/**
 * Loads the module: see `init` of kuaimi/slim, which loads that of SM2. Its keys are used here; for
 * their files, it also needs `formats`.
 */
export async function init(source) {
  install('pki', await engineFrom(source));
}
