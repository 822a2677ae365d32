// SM9 for Node.

import { provide } from './core.js';
import { nodeSource } from './engine/node.js';

provide('sm9', nodeSource('sm9'));
provide('formats', nodeSource('formats'));

export * from './sm9.js';

/** Nothing to wait for: for programs that also run in browsers. */
export const ready = async () => {};
