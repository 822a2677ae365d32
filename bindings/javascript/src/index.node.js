// The entry for Node.

import { provide } from './core.js';
import { nodeSource } from './engine/node.js';

provide('sm2', nodeSource('sm2'));
provide('formats', nodeSource('formats'));

export * from './index.js';

/** Nothing to wait for: for programs that also run in browsers. */
export const ready = async () => {};
