// A thread with an engine of its own: see engines.test.js.

import { parentPort } from 'node:worker_threads';
import { backend, sm2, sm3, sm4 } from 'kuaimi';

const key = (secret) => sm2.PrivateKey.fromBytes(secret);
const point = (bytes) => sm2.PublicKey.fromBytes(bytes);

const CALLS = {
  backend,
  point: (secret) => key(secret).publicKey.toBytes(),
  sign: (secret, message, options) => key(secret).sign(message, options),
  verify: (bytes, signature, message) => point(bytes).verify(signature, message),
  encrypt: (bytes, message, options) => point(bytes).encrypt(message, options),
  decrypt: (secret, ciphertext, options) => key(secret).decrypt(ciphertext, options),
  digest: (data) => sm3.digest(data),
  seal: (secret, nonce, data) => sm4.Gcm.create(secret).seal(nonce, data),
  end: () => process.exit(0),
  busy() {
    for (;;) sm2.generateBatch(100);
  },
};

parentPort.on('message', ([name, ...values]) => {
  try {
    parentPort.postMessage(CALLS[name](...values));
  } catch ({ code, message }) {
    parentPort.postMessage({ code, message });
  }
});
