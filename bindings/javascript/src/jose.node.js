// JSON Web Tokens for Node.

export { ready } from './index.node.js';
export * from './jose/index.js';
