// JSON Web Tokens for browsers, workers, Deno, Bun and bundlers.

export { ready } from './index.web.js';
export * from './jose/index.js';
