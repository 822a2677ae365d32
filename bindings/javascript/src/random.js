// Where random bytes come from. There is no second choice behind these: neither Math.random nor the
// clock is ever used.

import { whole } from './bytes.js';
import { engine } from './core.js';
import { KuaimiError } from './errors.js';

/** What `crypto.getRandomValues` gives at a time. */
const MOST = 65536;

/** Fills a view from the host's crypto.getRandomValues. */
export function fromHost(view) {
  const crypto = globalThis.crypto;
  if (typeof crypto?.getRandomValues !== 'function') {
    throw new KuaimiError(
      'Random',
      'this host has no crypto.getRandomValues, and keys and nonces need it; in mini-programs, await ready() first',
    );
  }
  fill(crypto, view);
}

/** Fills a view from a `crypto` that has getRandomValues. */
export function fill(crypto, view) {
  for (let at = 0; at < view.length; at += MOST) crypto.getRandomValues(view.subarray(at, at + MOST));
}

/** Random bytes for keys, initialization vectors and nonces. */
export function randomBytes(length) {
  return engine().random_bytes(whole(length, 'length', 0, 2 ** 26));
}
