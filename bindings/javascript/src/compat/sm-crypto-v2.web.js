// `sm-crypto-v2`. For browsers, workers, Deno, Bun and bundlers.

import './engine.web.js';

export * from './sm-crypto-v2.js';
export { default } from './sm-crypto-v2.js';
