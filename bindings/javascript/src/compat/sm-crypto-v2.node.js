// `sm-crypto-v2`. For Node.

import './engine.node.js';

export * from './sm-crypto-v2.js';
export { default } from './sm-crypto-v2.js';
