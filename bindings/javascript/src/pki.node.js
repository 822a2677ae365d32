// Certificates and messages for Node. Keys are those of the package's entry.

import { provide } from './core.js';
import { nodeSource } from './engine/node.js';

provide('pki', nodeSource('pki'));

export { ready } from './index.node.js';
export * from './pki.js';
