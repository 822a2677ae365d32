// For Node alone: its KeyObjects and certificates, streams, and promises of long work.

import './index.node.js';

export { privateKeyFrom, publicKeyFrom, toKeyObject } from './node/keys.js';
export {
  digestManyAsync, generateManyAsync, loadPrivateKeyAsync, pbkdf2Async, signManyAsync, verifyManyAsync,
} from './node/later.js';
export { decryptStream, digestStream, encryptStream, openStream, sealStream } from './node/streams.js';
