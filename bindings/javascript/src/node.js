// For Node alone: its KeyObjects and certificates, streams, and promises of long work.

import './index.node.js';

export { privateKeyFrom, publicKeyFrom, toKeyObject } from './node/keys.js';
export {
  diffieHellmanBatchAsync, digestManyAsync, gcmDecryptBatchAsync, gcmEncryptBatchAsync, generateBatchAsync,
  loadPrivateKeyAsync, pbkdf2Async, signBatchAsync, verifyBatchAsync,
} from './node/later.js';
export { decryptStream, digestStream, encryptStream, openStream, sealStream } from './node/streams.js';
