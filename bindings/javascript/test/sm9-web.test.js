// SM9's entries for browsers, in Node: each module reads what the other has made, and without random
// bytes there is an error.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const PACKAGE = path.resolve('node_modules/kuaimi');
// A copy of its own each time: no other test has set its engine.
const entry = (name) => import(`${pathToFileURL(path.join(PACKAGE, 'src', name))}?sm9`);
const module = (name) => readFileSync(path.join(PACKAGE, 'wasm', `${name}.wasm`));
globalThis.crypto ??= webcrypto;

test('without a module there is an error, and then either computes the same', async () => {
  const sm9 = await entry('sm9.slim.js');
  assert.throws(() => sm9.MasterSigningKey.generate(), { name: 'KuaimiError', code: 'NotReady' });
  const message = sm9.utf8('a message');
  const made = [];
  for (const source of [module('sm9'), { simd: module('sm9-simd'), baseline: module('sm9') }]) {
    await sm9.init(source, { formats: module('formats') });
    const [signing, encryption] = [sm9.MasterSigningKey.generate(), sm9.MasterEncryptionKey.generate()];
    for (const { signer } of made) {
      // A handle is a number of one module: another one's would be another key.
      assert.throws(() => signing.extract('alice').equals(signer), { name: 'KuaimiError', code: 'InvalidArgument' });
    }
    const signer = signing.extract('alice');
    made.push({
      signer,
      verifier: signing.publicKey.toPem(),
      signature: signer.sign(message),
      reader: encryption.extract('bob').toPem(),
      ciphertext: encryption.publicKey.encryptionKey('bob').encrypt(message, { mode: 'cbc' }),
    });
    for (const { verifier, signature, reader, ciphertext } of made) {
      assert.equal(sm9.MasterSigningPublicKey.load(verifier).verifyingKey('alice').verify(signature, message), true);
      assert.deepEqual(sm9.DecryptionKey.load(reader, 'bob').decrypt(ciphertext), message);
    }
  }
});

test('the default entry computes at once, and makes no key without random bytes', async () => {
  const sm9 = await entry('sm9.web.js');
  const centre = sm9.MasterEncryptionKey.generate();
  const [key, user] = [centre.publicKey.encryptionKey('bob'), centre.extractExchange('bob')];
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
  try {
    for (const call of [
      () => sm9.MasterSigningKey.generate(),
      () => sm9.MasterEncryptionKey.generate(),
      () => key.encrypt(sm9.utf8('x')),
      () => key.encrypt(sm9.utf8('x'), { mode: 'cbc' }),
      () => key.encapsulate(16),
      () => user.toPem({ password: 'x' }),
      () => sm9.KeyExchangeInitiator.create(user, 'alice'),
    ]) {
      assert.throws(call, { name: 'KuaimiError', code: 'Random' });
    }
  } finally {
    Object.defineProperty(globalThis, 'crypto', descriptor);
  }
  await sm9.ready();
});
