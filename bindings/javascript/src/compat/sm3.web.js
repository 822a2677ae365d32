// `sm3`. For browsers, workers, Deno, Bun and bundlers.

import './engine.web.js';

export { default } from './sm3.js';
