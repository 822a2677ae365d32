// The replacements and the packages that they replace, in both directions: options, texts, zeros.
// What random arguments do is in fuzz-peers.js, of which a small part runs here.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { sm3 as core } from 'kuaimi';
import { fuzz } from './fuzz-peers.js';
import { fails, repeatable } from './helpers.js';
import { hexOf, N, PEERS, randomBytes } from './peers.js';

const NAMES = ['sm-crypto', 'miniprogram-sm-crypto', 'sm-crypto-v2'];
const { ours: first, theirs: old } = PEERS['sm-crypto'];
const { ours: v2, theirs: theirV2 } = PEERS['sm-crypto-v2'];
const { ours: gm, theirs: theirGm } = PEERS['gm-crypto'];

/** Both ways: what one writes, the other reads. */
const ways = ({ theirs, ours }) => [[theirs, ours], [ours, theirs]];

test('random calls do the same for twenty seconds', () => {
  const { counts } = fuzz({ seed: 20261126, seconds: 20, rounds: 60 });
  assert.ok(Object.values(counts).every((count) => count > 0), JSON.stringify(counts));
});

test('the names and the kinds of everything', async () => {
  for (const [name, { theirs, ours }] of Object.entries(PEERS)) {
    const loaded = await import(`kuaimi/compat/${name}`);
    if (name === 'sm3') {
      assert.equal(typeof ours, 'function');
      assert.equal(loaded.default, ours);
      assert.deepEqual(Object.keys(loaded), ['default']);
      continue;
    }
    const parts = Object.keys(theirs);
    assert.deepEqual(Object.keys(ours).filter((key) => key !== 'default').sort(), parts.sort());
    for (const part of parts) {
      assert.equal(loaded[part], ours[part]);
      assert.equal(loaded.default[part], ours[part]);
      assert.equal(typeof ours[part], typeof theirs[part]);
      for (const key of Object.keys(theirs[part])) assert.equal(typeof ours[part][key], typeof theirs[part][key], `${name} ${part}.${key}`);
      assert.deepEqual(Object.keys(ours[part]).sort(), Object.keys(theirs[part]).sort());
    }
  }
});

test('signatures, with every option', () => {
  for (const name of NAMES) {
    for (const [signer, verifier] of ways(PEERS[name])) {
      const { privateKey, publicKey } = signer.sm2.generateKeyPairHex();
      let given = false;
      for (const hash of [undefined, true, false]) {
        for (const der of [true, undefined]) {
          for (const userId of [undefined, '', '用户😀']) {
            given = !given;
            const options = { hash, der, userId, publicKey: given ? publicKey : undefined };
            const text = signer.sm2.doSignature('签名 m', privateKey, options);
            assert.equal(verifier.sm2.doVerifySignature('签名 m', text, publicKey, options), true, `${name} ${JSON.stringify(options)}`);
          }
        }
      }
    }
  }
});

test('by default sm-crypto signs over SM3, and the two others do not', () => {
  const { privateKey, publicKey } = first.sm2.generateKeyPairHex();
  for (const [name, expected] of [['sm-crypto', true], ['miniprogram-sm-crypto', false], ['sm-crypto-v2', false]]) {
    for (const { sm2 } of Object.values(PEERS[name])) {
      const text = sm2.doSignature('m', privateKey);
      assert.equal(first.sm2.doVerifySignature('m', text, publicKey, { hash: true }), expected, name);
      assert.equal(first.sm2.doVerifySignature('m', text, publicKey, { hash: false }), !expected, name);
    }
  }
});

test('signatures over numbers longer and shorter than a digest', () => {
  const random = repeatable(3);
  const { privateKey, publicKey } = first.sm2.generateKeyPairHex();
  for (const name of NAMES) {
    for (const [signer, verifier] of ways(PEERS[name])) {
      for (const length of [0, 1, 31, 32, 33, 100]) {
        const message = Array.from(randomBytes(random, length));
        const text = signer.sm2.doSignature(message, privateKey, { hash: false });
        assert.equal(verifier.sm2.doVerifySignature(message, text, publicKey, { hash: false }), true, `${name} ${length}`);
      }
    }
  }
});

test('ciphertexts, in both orders, empty and long, as text and as bytes', () => {
  for (const name of [...NAMES, 'asn1']) {
    const asn1 = name === 'asn1';
    for (const [writer, reader] of ways(PEERS[asn1 ? 'sm-crypto-v2' : name])) {
      const { privateKey, publicKey } = writer.sm2.generateKeyPairHex();
      for (const mode of [undefined, 0, 1]) {
        for (const message of ['', 'a', '密文 😀', 'x'.repeat(33), 'y'.repeat(300)]) {
          const text = writer.sm2.doEncrypt(message, publicKey, mode, { asn1 });
          assert.equal(reader.sm2.doDecrypt(text, privateKey, mode, { asn1 }), message, `${name} ${mode} ${message}`);
          if (!asn1) assert.equal(text.length, 192 + 2 * Buffer.byteLength(message));
        }
        const bytes = [0, 255, 128];
        const text = writer.sm2.doEncrypt(bytes, publicKey, mode, { asn1 });
        const read = reader.sm2.doDecrypt(text, privateKey, mode, { output: 'array', asn1 });
        assert.deepEqual(Array.from(read), bytes);
        assert.equal(Array.isArray(read), !name.includes('v2') && !asn1);
      }
    }
  }
});

/** Tries until something is so. */
function search(make, fits, most = 20000) {
  for (let i = 0; i < most; i += 1) {
    const made = make();
    if (fits(made)) return made;
  }
  return assert.fail('not found');
}

test('keys, ciphertexts and signatures with zeros in front', () => {
  const pairs = [
    search(first.sm2.generateKeyPairHex, ({ privateKey }) => privateKey.startsWith('00')),
    search(first.sm2.generateKeyPairHex, ({ publicKey }) => publicKey.startsWith('0400')),
    search(first.sm2.generateKeyPairHex, ({ publicKey }) => publicKey.slice(66).startsWith('00')),
  ];
  for (const { privateKey, publicKey } of pairs) {
    const ciphertexts = [0, 64].map((at) => search(() => first.sm2.doEncrypt('零', publicKey), (text) => text.slice(at).startsWith('00')));
    const signatures = [0, 64].map((at) => search(() => first.sm2.doSignature('零', privateKey, { hash: true }), (text) => text.slice(at).startsWith('00')));
    for (const name of NAMES) {
      const { theirs, ours } = PEERS[name];
      assert.equal(ours.sm2.getPublicKeyFromPrivateKey(privateKey), publicKey);
      assert.equal(theirs.sm2.getPublicKeyFromPrivateKey(privateKey), publicKey);
      // Without the zeros, as others write numbers.
      assert.equal(ours.sm2.getPublicKeyFromPrivateKey(privateKey.replace(/^0+/, '')), publicKey);
      for (const text of ciphertexts) for (const it of [theirs, ours]) assert.equal(it.sm2.doDecrypt(text, privateKey), '零');
      for (const text of signatures) for (const it of [theirs, ours]) assert.equal(it.sm2.doVerifySignature('零', text, publicKey, { hash: true }), true);
      assert.equal(ours.sm2.compressPublicKeyHex(publicKey), theirs.sm2.compressPublicKeyHex(publicKey));
    }
    for (const text of ciphertexts) {
      assert.equal(gm.SM2.decrypt(text, privateKey, { inputEncoding: 'hex', outputEncoding: 'utf8' }), '零');
    }
    const der = search(() => v2.sm2.doEncrypt('零', publicKey, 1, { asn1: true }), (text) => text.slice(4, 8) === '021f');
    assert.equal(theirV2.sm2.doDecrypt(der, privateKey, 1, { asn1: true }), '零');
    assert.equal(v2.sm2.doDecrypt(der, privateKey, 1, { asn1: true }), '零');
  }
});

test('a message of one byte under a mask of zero, which one in 256 has, is read', () => {
  const { privateKey, publicKey } = first.sm2.generateKeyPairHex();
  const [nonce, xy] = search(
    () => {
      const nonce = first.sm2.generateKeyPairHex();
      return [nonce, v2.sm2.ecdh(nonce.privateKey, publicKey, false).slice(1)];
    },
    ([, xy]) => core.kdf(xy, 1)[0] === 0,
  );
  const message = Buffer.from('1');
  const c3 = Buffer.from(core.digest(Buffer.concat([xy.subarray(0, 32), message, xy.subarray(32)]))).toString('hex');
  const text = `${nonce.publicKey.slice(2)}${c3}${message.toString('hex')}`;
  for (const name of NAMES) for (const it of Object.values(PEERS[name])) assert.equal(it.sm2.doDecrypt(text, privateKey), '1', name);
  assert.equal(gm.SM2.decrypt(text, privateKey, { inputEncoding: 'hex', outputEncoding: 'utf8' }), '1');
  // And not with another C2.
  for (const name of NAMES) assert.equal(PEERS[name].ours.sm2.doDecrypt(`${text.slice(0, -2)}32`, privateKey), '');
});

test('keys of a number', () => {
  for (const args of [['123123123123123'], ['abcdef0123', 16], [String(N * 3n)], ['1']]) {
    assert.deepEqual(first.sm2.generateKeyPairHex(...args), old.sm2.generateKeyPairHex(...args));
  }
  const rng = { nextBytes(array) { for (let i = 0; i < array.length; i += 1) array[i] = 7 * i + 200; } };
  for (const bits of [256, 255, 8, 300]) assert.deepEqual(first.sm2.generateKeyPairHex(bits, rng), old.sm2.generateKeyPairHex(bits, rng));
  fails('InvalidArgument', () => first.sm2.generateKeyPairHex(256));
  fails('InvalidArgument', () => first.sm2.generateKeyPairHex(256, { nextBytes() {} }));
  // sm-crypto-v2 makes the private key 1 of every number.
  for (const text of ['123123123123123', '5']) {
    assert.equal(theirV2.sm2.generateKeyPairHex(text).privateKey, hexOf(1n));
    assert.deepEqual(v2.sm2.generateKeyPairHex(text), first.sm2.generateKeyPairHex(text));
  }
  fails('InvalidArgument', () => v2.sm2.generateKeyPairHex('x'));
});

test('half a character is an error, or what the package makes of it', () => {
  const { privateKey, publicKey } = first.sm2.generateKeyPairHex();
  for (const text of ['\ud83d', 'a\udc00b']) {
    for (const call of [
      () => first.sm2.doEncrypt(text, publicKey),
      () => first.sm2.doSignature(text, privateKey),
      () => first.sm3(text),
      () => v2.sm3(text),
      () => first.sm4.encrypt(text, '00'.repeat(16)),
    ]) {
      fails('InvalidArgument', call);
    }
    assert.equal(v2.sm2.doDecrypt(v2.sm2.doEncrypt(text, publicKey), privateKey), text.replace(/[\ud83d\udc00]/, '\ufffd'));
    assert.equal(PEERS.sm3.ours(text), PEERS.sm3.theirs(text));
  }
  // Bytes that are no UTF-8.
  const cipher = first.sm2.doEncrypt([0xff, 0xe4], publicKey);
  assert.throws(() => first.sm2.doDecrypt(cipher, privateKey), { name: 'KuaimiError', message: 'Malformed UTF-8 data' });
  assert.throws(() => old.sm2.doDecrypt(cipher, privateKey), { message: 'Malformed UTF-8 data' });
  assert.equal(v2.sm2.doDecrypt(cipher, privateKey), theirV2.sm2.doDecrypt(cipher, privateKey));
});

test('exchanges with both roles, identities and lengths', () => {
  const [a, b, x, y] = Array.from({ length: 4 }, () => v2.sm2.generateKeyPairHex());
  for (const [idA, idB] of [[], ['alice', 'bob'], ['', '鲍勃']]) {
    for (const length of [1, 16, 48, 233]) {
      for (const responds of [false, true]) {
        const args = [x, b.publicKey, y.publicKey, length, responds, idA, idB];
        assert.deepEqual(v2.sm2.calculateSharedKey(a, ...args), theirV2.sm2.calculateSharedKey(a, ...args));
        assert.deepEqual(
          v2.sm2.calculateSharedKey(a, ...args),
          v2.sm2.calculateSharedKey(b, y, a.publicKey, x.publicKey, length, !responds, idB, idA),
        );
      }
    }
  }
  fails('InvalidArgument', () => v2.sm2.calculateSharedKey({ ...a, publicKey: b.publicKey }, x, b.publicKey, y.publicKey, 16));
  fails('InvalidArgument', () => v2.sm2.calculateSharedKey(a, x, b.publicKey, y.publicKey, 0));
  fails('InvalidArgument', () => v2.sm2.calculateSharedKey(a, null, b.publicKey, y.publicKey, 16));
});

test('a precomputed key stands for its digits', async () => {
  await v2.sm2.initRNGPool();
  const { privateKey, publicKey } = v2.sm2.generateKeyPairHex();
  const key = v2.sm2.precomputePublicKey(publicKey);
  assert.equal(key.toHex(false), publicKey);
  assert.equal(key.toHex(), v2.sm2.compressPublicKeyHex(publicKey));
  assert.equal(v2.sm2.doDecrypt(v2.sm2.doEncrypt('x', key), privateKey), 'x');
  assert.equal(v2.sm2.doVerifySignature('x', theirV2.sm2.doSignature('x', privateKey, { hash: true }), key, { hash: true }), true);
  assert.ok(!JSON.stringify(key).includes('04'));
});

test('gm-crypto: options, and messages that begin with zeros', () => {
  const { privateKey, publicKey } = gm.SM2.generateKeyPair();
  for (const [writer, reader] of ways(PEERS['gm-crypto'])) {
    for (const mode of [undefined, 0, 1]) {
      for (const pc of [undefined, true]) {
        for (const encoding of ['hex', 'base64', undefined]) {
          const made = writer.SM2.encrypt('国密 message', publicKey, { mode, pc, outputEncoding: encoding });
          assert.equal(reader.SM2.decrypt(made, privateKey, { mode, pc, inputEncoding: encoding, outputEncoding: 'utf8' }), '国密 message');
        }
      }
    }
  }
  const made = theirGm.SM2.encrypt('\n first', publicKey);
  assert.equal(gm.SM2.decrypt(made, privateKey, { outputEncoding: 'utf8' }), '\n first');
  assert.equal(theirGm.SM2.decrypt(made, privateKey, { outputEncoding: 'utf8' }), '', 'gm-crypto loses it');
  assert.equal(gm.SM2.decrypt(gm.SM2.encrypt('', publicKey), privateKey, { outputEncoding: 'utf8' }), '');
});

test('bytes of any kind are the same bytes', () => {
  const key = '0123456789abcdeffedcba9876543210';
  const { privateKey, publicKey } = first.sm2.generateKeyPairHex();
  const array = [0, 1, 127, 128, 255];
  for (const name of NAMES) {
    const { sm2, sm3, sm4 } = PEERS[name].ours;
    for (const data of [Uint8Array.from(array), Buffer.from(array), new Uint8ClampedArray(array), [0, 1, 127, -128, -1], new Int8Array(array)]) {
      assert.equal(sm3(data), old.sm3(array));
      assert.equal(sm4.encrypt(data, key), old.sm4.encrypt(array, key));
      assert.deepEqual(Array.from(sm2.doDecrypt(sm2.doEncrypt(data, publicKey), privateKey, 1, { output: 'array' })), array);
      assert.equal(sm2.doVerifySignature(array, sm2.doSignature(data, privateKey), publicKey), true);
    }
  }
  assert.equal(v2.sm2.arrayToHex(Uint8Array.from(array)), '00017f80ff');
  // What the package for mini-programs does instead.
  const { theirs } = PEERS['miniprogram-sm-crypto'];
  assert.notEqual(theirs.sm4.encrypt(Uint8Array.from(array), key), theirs.sm4.encrypt(array, key));
});

test('GCM under sixteen zeros, which sm-crypto-v2 takes where no iv is given, is decrypted', () => {
  const key = '0123456789abcdeffedcba9876543210';
  const { output, tag } = theirV2.sm4.encrypt('old data', key, { mode: 'gcm' });
  assert.equal(v2.sm4.decrypt(output, key, { mode: 'gcm', tag }), 'old data');
  assert.equal(v2.sm4.encrypt('x', key, { mode: 'cbc' }), theirV2.sm4.encrypt('x', key, { mode: 'cbc' }));
});

/** The product in the field of GCM, whose first bit is the coefficient of 1. */
function product(a, b) {
  let [sum, power] = [0n, b];
  for (let i = 127n; i >= 0n; i -= 1n) {
    if ((a >> i) & 1n) sum ^= power;
    power = power & 1n ? (power >> 1n) ^ (0xe1n << 120n) : power >> 1n;
  }
  return sum;
}

test('the counter of GCM has 32 bits, and sm-crypto-v2 lets it run over', () => {
  const key = '00112233445566778899aabbccddeeff';
  const block = (data) => v2.sm4.encrypt(data, key, { padding: 'none' });
  const hex = (number) => number.toString(16).padStart(32, '0');
  const h = BigInt(`0x${block(new Uint8Array(16))}`);
  let inverse = 1n << 127n;
  for (let i = 0, square = product(h, h); i < 127; i += 1, square = product(square, square)) inverse = product(inverse, square);
  assert.equal(product(h, inverse), 1n << 127n);
  // An iv of 16 bytes whose first counter is this: J0 = (iv · H + length) · H.
  const first = 0x0123456789abcdef01234567ffffffffn;
  const iv = hex(product(product(first, inverse) ^ 128n, inverse));
  const right = block(Buffer.from(hex((first >> 32n) << 32n), 'hex'));
  const options = { mode: 'gcm', iv };
  assert.equal(v2.sm4.encrypt(new Uint8Array(16), key, options).output, right);
  assert.notEqual(theirV2.sm4.encrypt(new Uint8Array(16), key, options).output, right);
});

test('gm-crypto: encodings and views', () => {
  const { privateKey, publicKey } = gm.SM2.generateKeyPair();
  assert.equal(gm.SM3.digest('YWJj', 'base64', 'hex'), theirGm.SM3.digest('YWJj', 'base64', 'hex'));
  assert.equal(gm.SM3.digest(' YW\nJj', 'base64', 'base64'), theirGm.SM3.digest('YWJj', 'base64', 'base64'));
  assert.ok(gm.SM3.digest('abc') instanceof ArrayBuffer);
  assert.deepEqual(gm.SM3.digest(new Uint16Array([0x6161]), undefined, 'hex'), theirGm.SM3.digest(Buffer.from('aa'), undefined, 'hex'));
  fails('InvalidArgument', () => gm.SM3.digest('zz', 'hex'));
  fails('InvalidArgument', () => gm.SM3.digest('abc', 'klingon'));
  fails('InvalidArgument', () => gm.SM2.encrypt('x', first.sm2.compressPublicKeyHex(publicKey)));
  fails('InvalidArgument', () => gm.SM2.encrypt('x', publicKey.slice(2)));
  const made = gm.SM2.encrypt('x', publicKey, { pc: true, outputEncoding: 'hex' });
  assert.equal(made.slice(0, 2), '04');
  const read = (text) => gm.SM2.decrypt(text, privateKey, { pc: true, inputEncoding: 'hex', outputEncoding: 'utf8' });
  assert.equal(read(made), 'x');
  assert.equal(read(`05${made.slice(2)}`), '');
});

test('in a page, the entries compute the same', async () => {
  for (const name of Object.keys(PEERS)) {
    const file = pathToFileURL(path.resolve('node_modules/kuaimi/src/compat', `${name}.web.js`));
    const { default: it } = await import(file);
    assert.equal((it.sm3 ?? it.SM3?.digest ?? it)('abc', undefined, 'hex'), first.sm3('abc'), name);
  }
});
