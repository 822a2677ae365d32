// The entry without a module, which takes it from anywhere; each module reads what the other has
// made. In a process of its own: no other entry has set an engine.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const PACKAGE = path.resolve('node_modules/kuaimi');
const module = (name) => readFileSync(path.join(PACKAGE, 'wasm', `${name}.wasm`));
globalThis.crypto ??= webcrypto;

test('one entry, from bytes, a compiled module and a choice of two', async () => {
  const { backend, init, sm2, utf8 } = await import(pathToFileURL(path.join(PACKAGE, 'src/index.slim.js')).href);
  assert.throws(() => sm2.PrivateKey.generate(), { name: 'KuaimiError', code: 'NotReady' });
  await init(module('sm2'));
  assert.throws(() => sm2.PrivateKey.generate().toPem(), { name: 'KuaimiError', code: 'NotReady' });
  const message = utf8('a message');
  const made = [];
  for (const [source, name] of [
    [module('sm2'), 'wasm'],
    [new WebAssembly.Module(module('sm2-simd')), 'wasm-simd'],
    [Promise.resolve(module('sm2')), 'wasm'],
    [{ simd: module('sm2-simd'), baseline: module('sm2') }, 'wasm-simd'],
    [new Response(module('sm2')), 'wasm'],
  ]) {
    await init(source, { formats: module('formats') });
    assert.equal(backend(), name);
    const key = sm2.PrivateKey.generate();
    // Handles are numbers of one module: another one's would be another key.
    for (const { key: before } of made) {
      const calls = [
        () => key.diffieHellman(before.publicKey),
        () => key.equals(before),
        () => sm2.KeyExchangeInitiator.create(key, before.publicKey),
      ];
      for (const call of calls) assert.throws(call, { name: 'KuaimiError', code: 'InvalidArgument' });
    }
    made.push({
      key,
      pem: key.toPem(),
      signature: key.sign(message),
      fixed: key.sign(message, { deterministic: true }),
      ciphertext: key.publicKey.encrypt(message),
    });
    for (const { pem, signature, fixed, ciphertext } of made) {
      const other = sm2.PrivateKey.load(pem);
      assert.deepEqual(other.sign(message, { deterministic: true }), fixed);
      assert.equal(other.publicKey.verify(signature, message), true);
      assert.deepEqual(other.decrypt(ciphertext), message);
    }
  }
  for (const source of [7, null, {}, new Response('', { status: 404 })]) {
    await assert.rejects(init(source), { name: 'KuaimiError' });
  }
  await assert.rejects(init(Uint8Array.of(1, 2, 3)), WebAssembly.CompileError);
});
