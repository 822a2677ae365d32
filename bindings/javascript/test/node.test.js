// What is for Node alone: the addon beside WebAssembly, KeyObjects, streams, promises.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { backend, sm2, sm3, sm4, toHex, utf8 } from 'kuaimi';
import * as node from 'kuaimi/node';
import { fails, repeatable } from './helpers.js';

const rejects = (code, promise) =>
  assert.rejects(promise, (error) => {
    assert.equal(error.name, 'KuaimiError', String(error.stack));
    assert.equal(error.code, code, error.message);
    return true;
  });

const KEY = new Uint8Array(16).fill(0x2a);
const IV = Uint8Array.from({ length: 16 }, (_, i) => 255 - i);

function randomBytes(random, length) {
  return Uint8Array.from({ length }, () => Math.floor(random() * 256));
}

/** Random pieces of data, of lengths that fit no block. */
function* pieces(data, random) {
  for (let at = 0; at < data.length; ) {
    const length = 1 + Math.floor(random() * 100);
    yield Buffer.from(data.subarray(at, at + length));
    at += length;
  }
}

async function through(stream, source) {
  const out = [];
  await pipeline(source, stream, async (parts) => {
    for await (const part of parts) out.push(part);
  });
  return new Uint8Array(Buffer.concat(out));
}

test('the engine is the one that was asked for', () => {
  const wanted = process.env.KUAIMI_JAVASCRIPT_ENGINE;
  assert.match(backend(), wanted === 'native' ? /^native$/ : /^wasm(-simd)?$/);
});

test('KeyObjects both ways', () => {
  const key = sm2.PrivateKey.generate();
  const object = node.toKeyObject(key);
  assert.equal(object.type, 'private');
  assert.ok(node.privateKeyFrom(object).equals(key));
  assert.ok(node.publicKeyFrom(object).equals(key.publicKey));
  const shown = node.toKeyObject(key.publicKey);
  assert.equal(shown.type, 'public');
  assert.ok(node.publicKeyFrom(shown).equals(key.publicKey));
  // The key is the same one for OpenSSL, which signs with ECDSA under it.
  const signature = crypto.sign('sm3', utf8('m'), object);
  assert.ok(crypto.verify('sm3', utf8('m'), shown, signature));
  assert.equal(key.publicKey.verify(signature, utf8('m')), false);
  // Two types for one key: what Node reads, and what it makes.
  const made = crypto.generateKeyPairSync('ec', { namedCurve: 'SM2' });
  const ours = node.privateKeyFrom(made.privateKey);
  assert.ok(node.publicKeyFrom(made.publicKey).verify(ours.sign(utf8('m')), utf8('m')));
  const encrypted = made.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'word' });
  assert.ok(sm2.PrivateKey.load(encrypted, { password: 'word' }).equals(ours));
  assert.ok(node.privateKeyFrom(crypto.createPrivateKey(key.toPem())).equals(key));
});

// Made with OpenSSL: `openssl req -new -x509 -sm3 -key key.pem -subj "/CN=Kuaimi test" -days 36500`.
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBgzCCASmgAwIBAgIULddJOwkrwehE31PGrZA8xvK7ov0wCgYIKoEcz1UBg3Uw
FjEUMBIGA1UEAwwLS3VhaW1pIHRlc3QwIBcNMjYxMTI2MTYxNzQ3WhgPMjEyNjEx
MDIxNjE3NDdaMBYxFDASBgNVBAMMC0t1YWltaSB0ZXN0MFkwEwYHKoZIzj0CAQYI
KoEcz1UBgi0DQgAE6YKnMdEFRlrKjCjAOcSyU9hXj3kxJreM/AnvCfu6dNDl+Fym
kDxS31vxlg5mTms/re/fBbUU7MjPoTOvvV6UWKNTMFEwHQYDVR0OBBYEFC2kkpAt
972/pb87S5UXCN9UR54EMB8GA1UdIwQYMBaAFC2kkpAt972/pb87S5UXCN9UR54E
MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoEcz1UBg3UDSAAwRQIgYo/l4MTwlG6HQSyt
zFRWrCTDFInFtb1nJ1uI1TuFFCYCIQCN1FqEM8/LjDdOmtx/l3lCWun3r8Jvjzq/
aX1v5U9jVQ==
-----END CERTIFICATE-----
`;
const ITS_KEY =
  '04e982a731d105465aca8c28c039c4b253d8578f793126b78cfc09ef09fbba74d0' +
  'e5f85ca6903c52df5bf1960e664e6b3fadefdf05b514ecc8cfa133afbd5e9458';

test('the key of a certificate', () => {
  const certificate = new crypto.X509Certificate(CERTIFICATE);
  assert.equal(toHex(node.publicKeyFrom(certificate).toBytes()), ITS_KEY);
  assert.equal(toHex(node.publicKeyFrom(certificate.publicKey).toBytes()), ITS_KEY);
});

test('what is no key of SM2 is an error', () => {
  const { privateKey, publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
  fails('OtherAlgorithm', () => node.privateKeyFrom(privateKey));
  fails('OtherAlgorithm', () => node.publicKeyFrom(publicKey));
  fails('InvalidArgument', () => node.privateKeyFrom(node.toKeyObject(sm2.PrivateKey.generate().publicKey)));
  fails('InvalidArgument', () => node.publicKeyFrom(crypto.createSecretKey(KEY)));
  fails('InvalidArgument', () => node.privateKeyFrom('-----BEGIN PRIVATE KEY-----'));
  fails('InvalidArgument', () => node.toKeyObject(KEY));
});

test("Node's digests and ciphers", () => {
  const random = repeatable(1);
  for (const length of [0, 1, 15, 16, 17, 64, 1000]) {
    const data = randomBytes(random, length);
    assert.equal(toHex(sm3.digest(data)), crypto.createHash('sm3').update(data).digest('hex'));
    for (const mode of ['ecb', 'cbc', 'ctr', 'cfb', 'ofb']) {
      const iv = mode === 'ecb' ? undefined : IV;
      const cipher = crypto.createCipheriv(`sm4-${mode}`, KEY, iv ?? null);
      const expected = Buffer.concat([cipher.update(data), cipher.final()]);
      const ours = sm4.encrypt(KEY, data, { mode, iv });
      assert.equal(toHex(ours), expected.toString('hex'), `${mode}, ${length} bytes`);
      assert.deepEqual(sm4.decrypt(KEY, expected, { mode, iv }), data);
    }
  }
});

test('streams give what the calls give', async () => {
  const random = repeatable(2);
  for (const length of [0, 1, 16, 31, 5000]) {
    const data = randomBytes(random, length);
    for (const mode of ['ecb', 'cbc', 'ctr', 'cfb', 'ofb']) {
      const options = { mode, iv: mode === 'ecb' ? undefined : IV };
      const whole = sm4.encrypt(KEY, data, options);
      assert.deepEqual(await through(node.encryptStream(KEY, options), pieces(data, random)), whole, mode);
      assert.deepEqual(await through(node.decryptStream(KEY, options), pieces(whole, random)), data, mode);
    }
    const [nonce, associatedData] = [IV.subarray(0, 12), utf8('header')];
    const sealed = sm4.Gcm.create(KEY).seal(nonce, data, associatedData);
    assert.deepEqual(await through(node.sealStream(KEY, nonce, { associatedData }), pieces(data, random)), sealed);
    assert.deepEqual(await through(node.openStream(KEY, nonce, { associatedData }), pieces(sealed, random)), data);
    assert.deepEqual(await through(node.digestStream(), pieces(data, random)), sm3.digest(data));
    const hmac = node.digestStream(sm3.createHmac(KEY));
    assert.deepEqual(await through(hmac, pieces(data, random)), sm3.hmac(KEY, data));
  }
});

test('a digest stream signs a message in pieces', async () => {
  const key = sm2.PrivateKey.generate();
  const data = randomBytes(repeatable(3), 1000);
  const digest = await through(node.digestStream(key.publicKey.messageHash({ id: 'A' })), pieces(data, repeatable(4)));
  assert.ok(key.publicKey.verify(key.signDigest(digest), data, { id: 'A' }));
});

test('an opening stream gives nothing that is not verified', async () => {
  const nonce = IV.subarray(0, 12);
  const sealed = sm4.Gcm.create(KEY).seal(nonce, new Uint8Array(100_000));
  sealed[5] ^= 1;
  const stream = node.openStream(KEY, nonce);
  let given = 0;
  stream.on('data', (part) => (given += part.length));
  await rejects('DecryptionFailed', pipeline(Readable.from(pieces(sealed, repeatable(5))), stream));
  assert.equal(given, 0);
  await rejects('DecryptionFailed', through(node.openStream(KEY, nonce), [sealed.subarray(0, 3)]));
  sealed[5] ^= 1;
  await rejects('MessageTooLong', through(node.openStream(KEY, nonce, { maxLength: sealed.length - 1 }), [sealed]));
  const opened = await through(node.openStream(KEY, nonce, { maxLength: sealed.length }), [sealed]);
  assert.deepEqual(opened, new Uint8Array(100_000));
});

test('streams fail as the calls do', async () => {
  await rejects('DecryptionFailed', through(node.decryptStream(KEY, { mode: 'cbc', iv: IV }), [KEY.subarray(1)]));
  await rejects('InvalidArgument', through(node.digestStream(), ['text']));
  fails('InvalidArgument', () => node.encryptStream(KEY, { mode: 'xts', iv: IV }));
  fails('InvalidArgument', () => node.encryptStream(KEY));
  fails('InvalidArgument', () => node.encryptStream(KEY, { mode: 'cbc', iv: KEY.subarray(1) }));
  fails('KeyLength', () => node.sealStream(IV.subarray(1), IV));
  fails('EmptyNonce', () => node.sealStream(KEY, new Uint8Array(0)));
  fails('InvalidArgument', () => node.digestStream({}));
});

test('a stream waits for its reader', async () => {
  const stream = node.encryptStream(KEY, { mode: 'ctr', iv: IV, highWaterMark: 1000 });
  let taken = 0;
  const source = Readable.from(
    (function* () {
      for (; taken < 1000; taken += 1) yield new Uint8Array(1000);
    })(),
  );
  source.pipe(stream);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(taken < 30, `${taken} pieces were taken before anybody read`);
  let length = 0;
  for await (const part of stream) length += part.length;
  assert.equal(length, 1_000_000);
});

test('a destroyed stream wipes its key and gives nothing more', async () => {
  const hash = sm3.createHash();
  const stream = node.digestStream(hash);
  stream.write(KEY);
  stream.destroy();
  await once(stream, 'close');
  fails('AlreadyFinalized', () => hash.digest());
  assert.equal(stream.read(), null);
  const failing = node.encryptStream(KEY, { mode: 'ctr', iv: IV });
  const copying = through(failing, Readable.from([KEY, KEY]));
  failing.destroy(new Error('the reader went away'));
  await assert.rejects(copying, /the reader went away/);
});

test('promises give what the calls give', async () => {
  const key = sm2.PrivateKey.generate();
  const other = sm2.PrivateKey.generate();
  const digests = randomBytes(repeatable(6), 32 * 70);
  const signatures = await node.signBatchAsync(key, digests);
  assert.deepEqual(sm2.verifyBatch(key.publicKey, digests, signatures), new Uint8Array(70).fill(1));
  signatures[64 * 3 + 7] ^= 1;
  const expected = new Uint8Array(70).fill(1);
  expected[3] = 0;
  assert.deepEqual(await node.verifyBatchAsync(key.publicKey, digests, signatures), expected);
  const points = Buffer.concat(Array.from({ length: 70 }, (_, i) => (i === 9 ? other : key).publicKey.toBytes()));
  expected[9] = 0;
  assert.deepEqual(await node.verifyBatchAsync(points, digests, signatures), expected);

  const { privateKeys, publicKeys } = await node.generateBatchAsync(40);
  assert.equal(privateKeys.length, 32 * 40);
  for (let i = 0; i < 40; i += 13) {
    const made = sm2.PrivateKey.fromBytes(privateKeys.subarray(32 * i, 32 * i + 32));
    assert.deepEqual(made.publicKey.toBytes(), publicKeys.slice(65 * i, 65 * i + 65));
  }
  const secrets = await node.diffieHellmanBatchAsync(privateKeys, publicKeys);
  assert.deepEqual(secrets, sm2.diffieHellmanBatch(privateKeys, publicKeys));
  const items = Array.from({ length: 40 }, (_, i) => ({ key: KEY, nonce: Uint8Array.of(i), data: digests.slice(0, 9 * i) }));
  const sealed = await node.gcmEncryptBatchAsync(items);
  assert.deepEqual(sealed, sm4.gcmEncryptBatch(items));
  sealed[5][3] ^= 1;
  const opened = await node.gcmDecryptBatchAsync(items.map((item, i) => ({ ...item, data: sealed[i] })));
  assert.deepEqual(opened, items.map((item, i) => (i === 5 ? null : item.data)));
  const messages = [KEY, new Uint8Array(0), Buffer.from(digests)];
  assert.deepEqual(await node.digestManyAsync(messages), sm3.digestMany(messages));
  assert.deepEqual(await node.pbkdf2Async(KEY, IV, 1000, 40), sm3.pbkdf2(KEY, IV, 1000, 40));
  const pem = key.toPem({ password: 'word' });
  assert.ok((await node.loadPrivateKeyAsync(pem, { password: 'word' })).equals(key));
});

test('promises of what is wrong', async () => {
  const key = sm2.PrivateKey.generate();
  await rejects('InvalidArgument', node.signBatchAsync(key, KEY.subarray(1)));
  await rejects('InvalidArgument', node.signBatchAsync(KEY, KEY));
  await rejects('InvalidArgument', node.verifyBatchAsync(key.publicKey, new Uint8Array(64), new Uint8Array(64)));
  await rejects('InvalidArgument', node.generateBatchAsync(-1));
  await rejects('InvalidArgument', node.digestManyAsync(['text']));
  await rejects('InvalidArgument', node.pbkdf2Async('text', IV, 1));
  await rejects('WrongPassword', node.loadPrivateKeyAsync(key.toPem({ password: 'word' }), { password: 'sword' }));
  key.dispose();
  await rejects('AlreadyFinalized', node.signBatchAsync(key, new Uint8Array(32)));
});

test('what was passed may change after the call', async () => {
  const key = sm2.PrivateKey.generate();
  const digests = randomBytes(repeatable(7), 32 * 500);
  const before = digests.slice();
  const promise = node.signBatchAsync(key, digests);
  digests.fill(0);
  const signatures = await promise;
  assert.ok(sm2.verifyBatch(key.publicKey, before, signatures).every((right) => right === 1));
  const shared = new Uint8Array(new SharedArrayBuffer(1 << 16));
  const many = node.digestManyAsync([shared, shared]);
  shared.fill(1);
  assert.deepEqual(await many, sm3.digestMany([new Uint8Array(1 << 16), new Uint8Array(1 << 16)]));
});

test('long results and none', () => {
  // Longer than what the addon's view takes, at its edge, and nothing.
  for (const length of [0, 1, 65535, 65536, 65537, 1 << 20]) {
    const data = new Uint8Array(length).fill(7);
    const out = sm4.encrypt(KEY, data, { mode: 'ctr', iv: IV });
    assert.equal(out.length, length);
    assert.equal(out.constructor, Uint8Array);
    assert.deepEqual(sm4.decrypt(KEY, out, { mode: 'ctr', iv: IV }), data);
  }
  // Results do not share memory.
  const [first, second] = [sm3.digest(KEY), sm3.digest(IV)];
  assert.notEqual(toHex(first), toHex(second));
  assert.equal(first.buffer.byteLength, 32);
});
