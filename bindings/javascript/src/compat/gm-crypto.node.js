// `gm-crypto`. For Node.

import '../index.node.js';

export * from './gm-crypto.js';
export { default } from './gm-crypto.js';
