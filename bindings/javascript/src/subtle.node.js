// The Web Cryptography API's interface for Node.

export { ready } from './index.node.js';
export * from './subtle/index.js';
