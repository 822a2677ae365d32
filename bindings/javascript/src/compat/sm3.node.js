// `sm3`. For Node.

import './engine.node.js';

export { default } from './sm3.js';
