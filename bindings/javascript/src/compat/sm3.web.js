// `sm3`. For browsers, workers, Deno, Bun and bundlers.

import '../index.web.js';

export { default } from './sm3.js';
