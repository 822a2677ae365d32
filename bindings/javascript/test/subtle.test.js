// kuaimi/subtle: what it computes is what the library and Node compute, and what a key permits holds.
// subtle-standard.test.js compares its shape with crypto.subtle.

import assert from 'node:assert/strict';
import { createHash, createHmac, hkdfSync, pbkdf2Sync, webcrypto } from 'node:crypto';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { fromHex, sm2, sm3, sm4, toHex, utf8 } from 'kuaimi';
import { crypto, CryptoKey, fromKey, subtle, toKey } from 'kuaimi/subtle';

const IV = new Uint8Array(12);
const DATA = new Uint8Array(40).fill(7);
const K = 'AAAAAAAAAAAAAAAAAAAAAA';

test('errors are DOMExceptions, and promises are rejected', async () => {
  const promise = subtle.digest('MD5', DATA);
  await assert.rejects(promise, (error) => error instanceof DOMException && error.name === 'NotSupportedError');
  for (const name of Object.keys(subtle)) {
    const rejected = subtle[name]();
    await assert.rejects(rejected, TypeError, name);
  }
});

test('the results are those of the library and of Node', async () => {
  assert.equal(toHex(await subtle.digest('SM3', DATA)), toHex(sm3.digest(DATA)));
  assert.equal(toHex(await subtle.digest('SM3', DATA)), createHash('sm3').update(DATA).digest('hex'));
  const secret = await subtle.importKey('raw', utf8('a secret'), { name: 'HMAC', hash: 'SM3' }, false, ['sign']);
  assert.equal(toHex(await subtle.sign('HMAC', secret, DATA)), createHmac('sm3', 'a secret').update(DATA).digest('hex'));

  const raw = fromHex('0123456789abcdeffedcba9876543210');
  const key = (name) => subtle.importKey('raw', raw, name, false, ['encrypt', 'decrypt']);
  const block = new Uint8Array(16).fill(9);
  const cbc = await subtle.encrypt({ name: 'SM4-CBC', iv: block }, await key('SM4-CBC'), DATA);
  assert.equal(toHex(cbc), toHex(sm4.encrypt(raw, DATA, { mode: 'cbc', iv: block })));
  const gcm = await subtle.encrypt({ name: 'SM4-GCM', iv: IV, additionalData: block }, await key('SM4-GCM'), DATA);
  assert.equal(toHex(gcm), toHex(sm4.Gcm.create(raw).seal(IV, DATA, block)));
  for (const tagLength of [32, 64, 128]) {
    const algorithm = { name: 'SM4-CCM', iv: IV, additionalData: block, tagLength };
    const ccm = await subtle.encrypt(algorithm, await key('SM4-CCM'), DATA);
    assert.equal(toHex(ccm), toHex(sm4.Ccm.create(raw, { tagLength: tagLength / 8 }).seal(IV, DATA, block)));
    assert.deepEqual(new Uint8Array(await subtle.decrypt(algorithm, await key('SM4-CCM'), ccm)), DATA);
  }
  for (const [tagLength, error] of [[24, 'OperationError'], [40, 'OperationError'], [0, 'OperationError'], [144, 'OperationError'], [256, 'TypeError']]) {
    await assert.rejects(subtle.encrypt({ name: 'SM4-CCM', iv: IV, tagLength }, await key('SM4-CCM'), DATA), { name: error });
  }
  await assert.rejects(subtle.encrypt({ name: 'SM4-CCM', iv: new Uint8Array(6) }, await key('SM4-CCM'), DATA), { name: 'OperationError' });
  await assert.rejects(subtle.encrypt({ name: 'SM4-GCM', iv: IV, tagLength: 96 }, await key('SM4-GCM'), DATA), { name: 'NotSupportedError' });
});

test('HKDF and PBKDF2 with SM3', async () => {
  const salt = fromHex('00010203');
  const secret = await subtle.importKey('raw', utf8('password'), 'PBKDF2', false, ['deriveBits']);
  const bits = await subtle.deriveBits({ name: 'PBKDF2', hash: 'SM3', salt, iterations: 100 }, secret, 320);
  assert.equal(toHex(bits), pbkdf2Sync('password', salt, 100, 40, 'sm3').toString('hex'));
  const input = await subtle.importKey('raw', utf8('input'), 'HKDF', false, ['deriveBits']);
  for (const [salting, info, length] of [[salt, DATA, 100], [new Uint8Array(0), new Uint8Array(0), 32], [DATA, IV, 1]]) {
    const out = await subtle.deriveBits({ name: 'HKDF', hash: { name: 'sm3' }, salt: salting, info }, input, 8 * length);
    assert.equal(toHex(out), toHex(hkdfSync('sm3', 'input', salting, info, length)));
  }
});

test("SM4-CTR's counter begins again without a carry, as AES-CTR's does", async () => {
  const raw = fromHex('0123456789abcdeffedcba9876543210');
  const key = await subtle.importKey('raw', raw, 'SM4-CTR', false, ['encrypt', 'decrypt']);
  const ecb = (blocks) => sm4.encrypt(raw, blocks, { mode: 'ecb', padding: 'none' });
  const data = new Uint8Array(56);
  for (const [length, start, counters] of [
    [128, 'ff'.repeat(16), ['ff'.repeat(16), '00'.repeat(16), '00'.repeat(15) + '01', '00'.repeat(15) + '02']],
    [64, 'ff'.repeat(16), ['ff'.repeat(16), 'ff'.repeat(8) + '00'.repeat(8), 'ff'.repeat(8) + '00'.repeat(7) + '01', 'ff'.repeat(8) + '00'.repeat(7) + '02']],
    [3, 'ab'.repeat(15) + 'fe', ['fe', 'ff', 'f8', 'f9'].map((end) => 'ab'.repeat(15) + end)],
    [9, 'ab'.repeat(14) + 'ffff', ['ffff', 'fe00', 'fe01', 'fe02'].map((end) => 'ab'.repeat(14) + end)],
    [2, 'ab'.repeat(15) + '00', ['00', '01', '02', '03'].map((end) => 'ab'.repeat(15) + end)],
  ]) {
    const algorithm = { name: 'SM4-CTR', counter: fromHex(start), length };
    const stream = await subtle.encrypt(algorithm, key, data);
    assert.equal(toHex(stream), toHex(ecb(fromHex(counters.join('')))).slice(0, 112), `${length} ${start}`);
    assert.deepEqual(new Uint8Array(await subtle.decrypt(algorithm, key, stream)), data);
  }
  // 5 blocks are more than 2 bits count.
  await assert.rejects(subtle.encrypt({ name: 'SM4-CTR', counter: new Uint8Array(16), length: 2 }, key, new Uint8Array(65)), { name: 'OperationError' });
});

test('SM2: signatures with identities, and encryption, are those of kuaimi', async () => {
  const pair = await subtle.generateKey('SM2', true, ['sign', 'verify', 'encrypt', 'decrypt']);
  assert.deepEqual(pair.publicKey.usages, ['encrypt', 'verify']);
  const [key, publicKey] = [toKey(pair.privateKey), toKey(pair.publicKey)];
  const algorithm = { name: 'SM2', id: 'alice', form: 'der' };
  const signature = await subtle.sign(algorithm, pair.privateKey, DATA);
  assert.equal(publicKey.verify(new Uint8Array(signature), DATA, { id: 'alice', form: 'der' }), true);
  assert.equal(await subtle.verify({ ...algorithm, id: utf8('alice') }, pair.publicKey, signature, DATA), true);
  assert.equal(await subtle.verify({ ...algorithm, id: 'bob' }, pair.publicKey, signature, DATA), false);
  assert.equal(await subtle.verify({ ...algorithm, form: 'raw' }, pair.publicKey, signature, DATA), false);
  for (const form of [undefined, 'c1c3c2', 'der']) {
    const sealed = await subtle.encrypt({ name: 'SM2', form }, pair.publicKey, DATA);
    assert.deepEqual(key.decrypt(sealed, { form: form ?? 'c1c3c2' }), DATA);
    assert.deepEqual(new Uint8Array(await subtle.decrypt({ name: 'SM2', form }, pair.privateKey, sealed)), DATA);
  }
  await assert.rejects(subtle.decrypt('SM2', pair.privateKey, DATA), { name: 'OperationError' });
  await assert.rejects(subtle.encrypt('SM2', pair.publicKey, new Uint8Array(0)), { name: 'OperationError' });
  await assert.rejects(subtle.sign({ name: 'SM2', form: 'hex' }, pair.privateKey, DATA), TypeError);
  await assert.rejects(subtle.sign({ name: 'SM2', id: 7 }, pair.privateKey, DATA), TypeError);
  await assert.rejects(subtle.generateKey({ name: 'SM2', namedCurve: 'P-256' }, true, ['sign']), { name: 'NotSupportedError' });
  await assert.rejects(subtle.deriveBits({ name: 'SM2', public: pair.publicKey }, pair.privateKey, 256), { name: 'NotSupportedError' });
});

test('every format of a key comes back as the same key', async () => {
  const pair = await subtle.generateKey('SM2', true, ['sign', 'verify']);
  const signature = await subtle.sign('SM2', pair.privateKey, DATA);
  for (const format of ['raw', 'spki', 'jwk']) {
    const out = await subtle.exportKey(format, pair.publicKey);
    const again = await subtle.importKey(format, out, 'SM2', true, ['verify']);
    assert.equal(await subtle.verify('SM2', again, signature, DATA), true, format);
    if (format === 'jwk') assert.equal(out.crv, 'SM2-P-256');
    else assert.ok(out instanceof ArrayBuffer);
  }
  for (const format of ['pkcs8', 'jwk']) {
    const out = await subtle.exportKey(format, pair.privateKey);
    const again = await subtle.importKey(format, out, 'SM2', false, ['sign']);
    assert.equal(await subtle.verify('SM2', pair.publicKey, await subtle.sign('SM2', again, IV), IV), true, format);
  }
  const jwk = await subtle.exportKey('jwk', pair.privateKey);
  for (const crv of ['SM2', 'sm2p256v1']) await subtle.importKey('jwk', { ...jwk, crv }, 'SM2', true, ['sign']);
  const other = await subtle.exportKey('jwk', (await subtle.generateKey('SM2', true, ['sign'])).publicKey);
  for (const wrong of [{ crv: 'P-256' }, { x: other.x, y: other.y }, { d: `${jwk.d}=` }, { x: `AA${jwk.x}` }, { alg: 'SGD_SM2_3' }, { alg: 'ES256' }, { x: undefined }]) {
    await assert.rejects(subtle.importKey('jwk', { ...jwk, ...wrong }, 'SM2', true, ['sign']), { name: 'DataError' }, JSON.stringify(wrong));
  }
  // What `load` of kuaimi would take, too, is another format.
  const [key, publicKey] = [toKey(pair.privateKey), toKey(pair.publicKey)];
  for (const data of [utf8(key.toPem()), key.toDer({ format: 'sec1' }), key.toDer({ password: 'x' }), key.toBytes(), publicKey.toDer()]) {
    await assert.rejects(subtle.importKey('pkcs8', data, 'SM2', true, ['sign']), { name: 'DataError' });
  }
  for (const data of [utf8(publicKey.toPem()), publicKey.toBytes(), key.toDer()]) {
    await assert.rejects(subtle.importKey('spki', data, 'SM2', true, ['verify']), { name: 'DataError' });
  }
});

test('keys are wrapped with SM2 and SM4-GCM', async () => {
  const secret = await subtle.generateKey('SM4-CBC', true, ['encrypt']);
  const raw = toHex(await subtle.exportKey('raw', secret));
  const pair = await subtle.generateKey('SM2', false, ['wrapKey', 'unwrapKey']);
  const wrapped = await subtle.wrapKey('raw', secret, pair.publicKey, 'SM2');
  const again = await subtle.unwrapKey('raw', wrapped, pair.privateKey, 'SM2', 'SM4-CBC', true, ['encrypt']);
  assert.equal(toHex(await subtle.exportKey('raw', again)), raw);
  const wrapping = await subtle.generateKey('SM4-GCM', false, ['wrapKey', 'unwrapKey']);
  const gcm = { name: 'SM4-GCM', iv: IV };
  const sealed = await subtle.wrapKey('jwk', secret, wrapping, gcm);
  const third = await subtle.unwrapKey('jwk', sealed, wrapping, gcm, 'SM4-CBC', true, ['encrypt']);
  assert.equal(toHex(await subtle.exportKey('raw', third)), raw);
  // The key's own limits are in the JWK, and hold.
  await assert.rejects(subtle.unwrapKey('jwk', sealed, wrapping, gcm, 'SM4-CBC', true, ['decrypt']), { name: 'DataError' });
  await assert.rejects(subtle.unwrapKey('jwk', sealed, wrapping, { ...gcm, iv: DATA }, 'SM4-CBC', true, ['encrypt']), { name: 'OperationError' });
});

test('a key shows nothing, and its limits cannot be replaced', async () => {
  const raw = new Uint8Array(16).map((_, i) => 0xa0 + i);
  const key = await subtle.importKey('raw', raw, 'SM4-GCM', false, ['encrypt']);
  const shown = [inspect(key, { showHidden: true, depth: 9 }), JSON.stringify(key), inspect(structuredClone(key)), inspect(Object.getOwnPropertyDescriptors(key))].join();
  for (const trace of ['a0a1', '160', 'a0, a1', 'oKGi']) assert.ok(!shown.includes(trace), shown);
  assert.deepEqual(Reflect.ownKeys(key), []);

  const tries = [
    () => Object.defineProperty(key, 'usages', { value: ['decrypt'] }),
    () => Object.defineProperty(CryptoKey.prototype, 'extractable', { get: () => true }),
    () => { CryptoKey.prototype.usages = ['decrypt']; },
    () => { key.algorithm.name = 'SM4-CBC'; },
    () => key.usages.push('decrypt'),
    () => Object.setPrototypeOf(key, { extractable: true }),
    () => new CryptoKey(),
    () => new CryptoKey({}, { type: 'secret' }),
  ];
  for (const attempt of tries) assert.throws(attempt, TypeError);
  const disguised = Object.create(key, { extractable: { value: true }, usages: { value: ['decrypt'] } });
  await assert.rejects(subtle.exportKey('raw', disguised), TypeError);
  await assert.rejects(subtle.exportKey('raw', new Proxy(key, {})), TypeError);
  await assert.rejects(subtle.exportKey('raw', key), { name: 'InvalidAccessError' });
  await assert.rejects(subtle.decrypt({ name: 'SM4-GCM', iv: IV }, key, DATA), { name: 'InvalidAccessError' });
  const { usages } = key;
  assert.equal(usages, key.usages);
});

test('dictionaries are read once, and bytes are copied while the method is called', async () => {
  const reads = {};
  const watch = (object) => new Proxy(object, {
    get(target, name) {
      reads[name] = (reads[name] ?? 0) + 1;
      return reads[name] === 1 ? target[name] : undefined;
    },
  });
  const raw = new Uint8Array(16);
  const usages = ['encrypt'];
  const imported = subtle.importKey('raw', raw, watch({ name: 'SM4-GCM' }), true, usages);
  raw.fill(1);
  usages.push('decrypt');
  const key = await imported;
  assert.deepEqual(key.usages, ['encrypt']);
  assert.equal(toHex(await subtle.exportKey('raw', key)), '00'.repeat(16));

  delete reads.name;
  const [iv, header, data] = [new Uint8Array(12), new Uint8Array(3), new Uint8Array(20)];
  const promise = subtle.encrypt(watch({ name: 'SM4-GCM', iv, additionalData: header, tagLength: 128 }), key, data);
  for (const view of [iv, header, data]) view.fill(1);
  const expected = sm4.Gcm.create(new Uint8Array(16)).seal(new Uint8Array(12), new Uint8Array(20), new Uint8Array(3));
  assert.equal(toHex(await promise), toHex(expected));
  assert.deepEqual(reads, { name: 1, iv: 1, additionalData: 1, tagLength: 1 });

  const jwkReads = {};
  const jwk = new Proxy({ kty: 'oct', k: K }, { get: (target, name) => ((jwkReads[name] = (jwkReads[name] ?? 0) + 1), target[name]) });
  await subtle.importKey('jwk', jwk, 'SM4-GCM', true, ['encrypt']);
  assert.ok(Object.values(jwkReads).every((times) => times === 1), JSON.stringify(jwkReads));
});

test('keys of kuaimi become CryptoKeys, and come back if they may', async () => {
  const key = sm2.PrivateKey.generate();
  const secret = fromKey(key, true, ['sign']);
  const stays = fromKey(key, false, ['sign', 'decrypt']);
  const open = fromKey(key.publicKey, true, ['verify']);
  assert.deepEqual([secret.type, open.type, stays.usages], ['private', 'public', ['decrypt', 'sign']]);
  assert.equal(toKey(secret).equals(key), true);
  key.dispose();
  assert.equal(toKey(open).verify(await subtle.sign('SM2', stays, DATA).then((it) => new Uint8Array(it)), DATA), true);
  assert.throws(() => toKey(stays), { name: 'InvalidAccessError' });
  assert.throws(() => fromKey(toKey(secret), true, ['verify']), { name: 'SyntaxError' });
  assert.throws(() => fromKey(toKey(secret), true, []), { name: 'SyntaxError' });
  assert.throws(() => fromKey({}, true, ['sign']), TypeError);
});

test('getRandomValues', () => {
  const array = new Uint32Array(16384);
  assert.equal(crypto.getRandomValues(array), array);
  assert.ok(array.some((word) => word !== 0));
  const part = new Uint8Array(64);
  crypto.getRandomValues(part.subarray(32));
  assert.ok(part.subarray(0, 32).every((byte) => byte === 0));
  assert.throws(() => crypto.getRandomValues(new Uint8Array(65537)), { name: 'QuotaExceededError' });
  for (const value of [new Float64Array(1), new DataView(new ArrayBuffer(1)), new ArrayBuffer(1), [1], undefined]) {
    assert.throws(() => crypto.getRandomValues(value), { name: 'TypeMismatchError' });
  }
});

test('the entries for browsers, in Node', async () => {
  globalThis.crypto ??= webcrypto;
  const entry = (name) => import(pathToFileURL(path.resolve('node_modules/kuaimi/src', name)));
  const web = await entry('subtle.web.js');
  await web.ready();
  const pair = await web.subtle.generateKey('SM2', true, ['sign', 'verify']);
  const spki = await web.subtle.exportKey('spki', pair.publicKey);
  // What one of them makes, the other reads.
  const key = await subtle.importKey('spki', spki, 'SM2', true, ['verify']);
  assert.equal(await subtle.verify('SM2', key, await web.subtle.sign('SM2', pair.privateKey, DATA), DATA), true);
  const jose = await entry('jose.web.js');
  const { verifyJwt } = await import('kuaimi/jose');
  const token = jose.signJwt({ sub: 'a' }, web.toKey(pair.privateKey));
  assert.equal(verifyJwt(token, toKey(key), { algorithms: ['SGD_SM3_SM2'] }).claims.sub, 'a');
});
