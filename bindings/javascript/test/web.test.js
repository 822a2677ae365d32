// The entries for browsers, in Node: both modules compute the same, and without random bytes there
// is an error and no key.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const PACKAGE = path.resolve('node_modules/kuaimi');
const entry = (name, copy) => import(`${pathToFileURL(path.join(PACKAGE, 'src', name))}?${copy}`);
const module = (name) => readFileSync(path.join(PACKAGE, 'wasm', `${name}.wasm`));
globalThis.crypto ??= webcrypto;

test('the sizes of docs/javascript.md, and what compressors differ by', () => {
  const most = { sm2: 76, 'sm2-simd': 77, formats: 127, sm9: 104, 'sm9-simd': 93, pki: 462, 'pki-simd': 465 };
  for (const [name, kib] of Object.entries(most)) {
    const size = gzipSync(module(name), { level: 9 }).length;
    assert.ok(size <= kib * 1024, `${name}: ${size}`);
  }
});

test('the default entry computes at once, with vector instructions', async () => {
  const { backend, ready, sm3, utf8 } = await entry('index.web.js');
  assert.equal(sm3.hexDigest(utf8('abc')), '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0');
  assert.equal(backend(), 'wasm-simd');
  await ready();
});

for (const [what, broken] of [
  ['no crypto', undefined],
  ['no getRandomValues', {}],
  ['a generator that fails', { getRandomValues() { throw new Error('broken'); } }],
]) {
  test(`with ${what} there is an error, and never a key`, async () => {
    const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
    const { randomBytes, sm2, sm4, utf8 } = await entry('index.web.js');
    const key = sm2.PrivateKey.generate();
    Object.defineProperty(globalThis, 'crypto', { value: broken, configurable: true });
    try {
      for (const call of [
        () => sm2.PrivateKey.generate(),
        () => sm2.generateBatch(2),
        () => key.sign(utf8('x')),
        () => key.publicKey.encrypt(utf8('x')),
        () => key.toPem({ password: 'x' }),
        () => sm2.KeyExchangeInitiator.create(key, key.publicKey),
        () => randomBytes(16),
        () => sm4.generateKey(),
      ]) {
        assert.throws(call, { name: 'KuaimiError', code: 'Random' });
      }
      // What needs none goes on.
      assert.equal(key.publicKey.verify(key.sign(utf8('x'), { deterministic: true }), utf8('x')), true);
    } finally {
      Object.defineProperty(globalThis, 'crypto', descriptor);
    }
  });
}
