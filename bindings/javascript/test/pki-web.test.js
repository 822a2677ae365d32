// The entries for browsers, in Node: each module reads what the other has made, keys are those of the
// package's entry, and without random bytes there is an error.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const PACKAGE = path.resolve('node_modules/kuaimi');
const entry = (name) => import(pathToFileURL(path.join(PACKAGE, 'src', name)).href);
const module = (name) => readFileSync(path.join(PACKAGE, 'wasm', `${name}.wasm`));
globalThis.crypto ??= webcrypto;

test('without a module there is an error, and then either computes the same', async () => {
  const { cms, init, pkcs12, utf8, x509 } = await entry('pki.slim.js');
  const keys = await entry('index.slim.js');
  await keys.init(module('sm2'));
  const key = keys.sm2.PrivateKey.generate();
  const fields = { key, subject: 'CN=a', days: 9 };
  assert.throws(() => x509.createSelfSigned(fields), { name: 'KuaimiError', code: 'NotReady', message: /kuaimi\/pki/ });
  const content = utf8('a message');
  const made = [];
  for (const source of [module('pki'), { simd: module('pki-simd'), baseline: module('pki') }]) {
    await init(source);
    const certificate = x509.createSelfSigned(fields);
    made.push({
      certificate,
      pem: certificate.toPem(),
      signed: cms.sign(content, { certificate, key }),
      encrypted: cms.encrypt(content, certificate, { cipher: 'sm4-gcm' }),
      file: pkcs12.create({ identities: [{ key, certificate }], password: 'x', profile: 'sm', iterations: 100 }),
    });
    for (const one of made) {
      // A certificate is its bytes: that of another module is as good.
      assert.ok(x509.Certificate.load(one.pem).equals(one.certificate));
      assert.equal(x509.verifyChain(one.certificate, { roots: one.certificate, purpose: 'any' }).length, 1);
      assert.deepEqual(cms.verify(one.signed).content, content);
      assert.deepEqual(cms.decrypt(one.encrypted, key).content, content);
      assert.ok(pkcs12.load(one.file, 'x').identities[0].key.equals(key));
    }
  }
  await assert.rejects(init(Uint8Array.of(1, 2, 3)), WebAssembly.CompileError);
});

test('the default entry computes at once, and nothing without random bytes', async () => {
  const { cms, pkcs12, ready, utf8, x509 } = await entry('pki.web.js');
  const { sm2 } = await entry('index.web.js');
  const key = sm2.PrivateKey.generate();
  const fields = { key, subject: 'CN=a', days: 9 };
  const certificate = x509.createSelfSigned(fields);
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, 'crypto');
  Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
  try {
    for (const call of [
      () => x509.createSelfSigned(fields),
      () => cms.sign(utf8('x'), { certificate, key }),
      () => cms.encrypt(utf8('x'), certificate),
      () => pkcs12.create({ identities: [{ key, certificate }], password: 'x' }),
    ]) {
      assert.throws(call, { name: 'KuaimiError', code: 'Random' });
    }
    // What needs none goes on.
    assert.equal(x509.verifyChain(certificate, { roots: certificate, purpose: 'any' }).length, 1);
  } finally {
    Object.defineProperty(globalThis, 'crypto', descriptor);
  }
  await ready();
});
