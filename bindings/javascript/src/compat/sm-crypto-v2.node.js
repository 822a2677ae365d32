// `sm-crypto-v2`. For Node.

import '../index.node.js';

export * from './sm-crypto-v2.js';
export { default } from './sm-crypto-v2.js';
