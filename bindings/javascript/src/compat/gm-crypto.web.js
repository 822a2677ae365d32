// `gm-crypto`. For browsers, workers, Deno, Bun and bundlers.

import './engine.web.js';

export * from './gm-crypto.js';
export { default } from './gm-crypto.js';
