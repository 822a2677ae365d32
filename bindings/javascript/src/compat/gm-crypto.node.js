// `gm-crypto`. For Node.

import './engine.node.js';

export * from './gm-crypto.js';
export { default } from './gm-crypto.js';
