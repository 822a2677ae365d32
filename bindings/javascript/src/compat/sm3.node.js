// `sm3`. For Node.

import '../index.node.js';

export { default } from './sm3.js';
