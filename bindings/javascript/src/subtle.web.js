// The Web Cryptography API's interface for browsers, workers, Deno, Bun and bundlers.

export { ready } from './index.web.js';
export * from './subtle/index.js';
