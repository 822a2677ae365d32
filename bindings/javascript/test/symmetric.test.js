// SM3 and SM4: pieces and wholes agree, Node's OpenSSL agrees, and what is refused.

import assert from 'node:assert/strict';
import * as crypto from 'node:crypto';
import { test } from 'node:test';
import { randomBytes, sm3, sm4, toHex, utf8 } from 'kuaimi';
import { fails, repeatable } from './helpers.js';

const random = repeatable(38);
const upTo = (most) => Math.floor(random() * (most + 1));

/** Cuts data into pieces of random lengths, empty ones among them. */
function* pieces(data, most) {
  for (let at = 0; at < data.length; ) {
    const length = upTo(most);
    yield data.subarray(at, at + length);
    at += length;
  }
}

test("SM3 agrees with Node's, in pieces and at once", () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 1000, 4091, 4092, 4093, 70_000]) {
    const data = randomBytes(length);
    const expected = crypto.createHash('sm3').update(data).digest('hex');
    assert.equal(sm3.hexDigest(data), expected);
    const hash = sm3.createHash();
    for (const piece of pieces(data, 200)) hash.update(piece);
    const copy = hash.clone();
    assert.equal(hash.hexDigest(), expected);
    assert.equal(hash.update(utf8('x')).hexDigest(), sm3.hexDigest(Buffer.concat([data, Buffer.from('x')])));
    assert.equal(copy.hexDigest(), expected);
    const key = randomBytes(length % 100);
    const code = crypto.createHmac('sm3', key).update(data).digest();
    assert.deepEqual(sm3.hmac(key, data), new Uint8Array(code));
    const hmac = sm3.createHmac(key);
    for (const piece of pieces(data, 200)) hmac.update(piece);
    assert.equal(hmac.verify(code), true);
    assert.equal(hmac.verify(code.subarray(1)), false);
    code[31] ^= 1;
    assert.equal(hmac.verify(code), false);
  }
});

test('many messages, and keys from passwords', () => {
  const messages = Array.from({ length: 37 }, (_, i) => randomBytes(i * 7));
  const all = sm3.digestMany(messages);
  messages.forEach((message, i) => assert.deepEqual(all.slice(32 * i, 32 * i + 32), sm3.digest(message)));
  assert.equal(sm3.digestMany([]).length, 0);
  fails('InvalidArgument', () => sm3.digestMany(7));
  fails('InvalidArgument', () => sm3.digestMany(['text']));
  const [password, salt] = [utf8('a password'), utf8('a salt')];
  assert.deepEqual(sm3.pbkdf2(password, salt, 1000, 40), new Uint8Array(crypto.pbkdf2Sync(password, salt, 1000, 40, 'sm3')));
  const z = randomBytes(20);
  const block = sm3.digest(Buffer.concat([z, Buffer.from([0, 0, 0, 2])]));
  assert.deepEqual(sm3.kdf(z, 40).slice(32), block.slice(0, 8));
});

const MODES = ['ecb', 'cbc', 'ctr', 'cfb', 'ofb'];

test("SM4 agrees with Node's in every mode, in pieces and at once", () => {
  for (const mode of MODES) {
    for (let i = 0; i < 40; i += 1) {
      const [key, iv, data] = [randomBytes(16), randomBytes(16), randomBytes(i < 30 ? upTo(100) : 4060 + upTo(60))];
      const cipher = crypto.createCipheriv(`sm4-${mode}`, key, mode === 'ecb' ? null : iv);
      const expected = new Uint8Array(Buffer.concat([cipher.update(data), cipher.final()]));
      const options = { mode, iv };
      assert.deepEqual(sm4.encrypt(key, data, options), expected, mode);
      assert.deepEqual(sm4.decrypt(key, expected, options), data, mode);
      for (const [create, from, to] of [
        [sm4.createEncryptor, data, expected],
        [sm4.createDecryptor, expected, data],
      ]) {
        const stream = create(key, options);
        const parts = [];
        for (const piece of pieces(from, 40)) parts.push(stream.update(piece));
        parts.push(stream.finish());
        assert.deepEqual(new Uint8Array(Buffer.concat(parts)), to, mode);
        fails('AlreadyFinalized', () => stream.update(from));
      }
    }
  }
});

test('padding: wrong padding and partial blocks are refused', () => {
  const [key, iv] = [randomBytes(16), randomBytes(16)];
  for (const mode of ['ecb', 'cbc']) {
    const bare = { mode, iv, padding: 'none' };
    fails('PartialBlock', () => sm4.encrypt(key, new Uint8Array(15), bare));
    fails('PartialBlock', () => sm4.decrypt(key, new Uint8Array(15), bare));
    const stream = sm4.createEncryptor(key, bare);
    stream.update(new Uint8Array(17));
    fails('PartialBlock', () => stream.finish());
    for (const end of [0, 17, 255]) {
      const block = new Uint8Array(16).fill(end);
      const ciphertext = sm4.encrypt(key, block, bare);
      fails('DecryptionFailed', () => sm4.decrypt(key, ciphertext, { mode, iv }));
      const decryptor = sm4.createDecryptor(key, { mode, iv });
      decryptor.update(ciphertext);
      fails('DecryptionFailed', () => decryptor.finish());
    }
    for (const length of [0, 15, 17]) {
      fails('DecryptionFailed', () => sm4.decrypt(key, new Uint8Array(length), { mode, iv }));
      const decryptor = sm4.createDecryptor(key, { mode, iv });
      decryptor.update(new Uint8Array(length));
      fails('DecryptionFailed', () => decryptor.finish());
    }
  }
});

test('GCM and CCM: altered data, tags, nonces and associated data are refused', () => {
  const nonce = randomBytes(12);
  for (const cipher of [sm4.Gcm.create(randomBytes(16)), sm4.Ccm.create(randomBytes(16)), sm4.Ccm.create(randomBytes(16), { tagLength: 8 })]) {
    for (const length of [0, 1, 16, 100]) {
      const [data, header] = [randomBytes(length), randomBytes(length % 20)];
      const sealed = cipher.seal(nonce, data, header);
      assert.deepEqual(cipher.open(nonce, sealed, header), data);
      for (let i = 0; i < sealed.length; i += 1) {
        const changed = sealed.slice();
        changed[i] ^= 1;
        fails('DecryptionFailed', () => cipher.open(nonce, changed, header));
      }
      fails('DecryptionFailed', () => cipher.open(randomBytes(12), sealed, header));
      fails('DecryptionFailed', () => cipher.open(nonce, sealed, utf8('another')));
      fails('DecryptionFailed', () => cipher.open(nonce, sealed.slice(0, 3), header));
    }
  }
  for (const tagLength of [5, 15]) fails('TagLength', () => sm4.Ccm.create(new Uint8Array(16), { tagLength }));
  fails('InvalidArgument', () => sm4.Ccm.create(new Uint8Array(16), { tagLength: 17 }));
  fails('EmptyNonce', () => sm4.Gcm.create(new Uint8Array(16)).seal(new Uint8Array(0), utf8('x')));
  fails('NonceLength', () => sm4.Ccm.create(new Uint8Array(16)).seal(new Uint8Array(6), utf8('x')));
});

test('XTS: one sector, two different halves of the key', () => {
  const key = randomBytes(32);
  const options = { mode: 'xts', iv: randomBytes(16) };
  const sector = randomBytes(100);
  const ciphertext = sm4.encrypt(key, sector, options);
  assert.deepEqual(sm4.decrypt(key, ciphertext, options), sector);
  assert.notDeepEqual(sm4.encrypt(key, sector, { ...options, standard: 'ieee' }).slice(16), ciphertext.slice(16));
  fails('EqualHalves', () => sm4.encrypt(new Uint8Array(32), sector, options));
  fails('DataTooShort', () => sm4.encrypt(key, sector.slice(0, 15), options));
  const stream = sm4.createEncryptor(key, options);
  stream.update(sector);
  fails('AlreadyFinalized', () => stream.update(sector));
});

test('keys and iv of wrong lengths are refused', () => {
  for (const length of [0, 15, 17, 24, 32]) {
    fails('KeyLength', () => sm4.encrypt(new Uint8Array(length), new Uint8Array(16), { mode: 'ecb' }));
    fails('KeyLength', () => sm4.Gcm.create(new Uint8Array(length)));
    fails('InvalidArgument', () => sm4.encrypt(new Uint8Array(16), new Uint8Array(16), { mode: 'cbc', iv: new Uint8Array(length) }));
  }
  assert.equal(sm4.generateKey().length, 16);
  assert.notEqual(toHex(sm4.generateKey()), toHex(sm4.generateKey()));
});

/** Items of many lengths, each with its own key, some with unusual nonces. */
function gcmItems(count) {
  const lengths = [0, 1, 15, 16, 17, 64, 1000, 5000];
  return Array.from({ length: count }, (_, i) => ({
    key: randomBytes(16),
    nonce: randomBytes(i % 7 === 6 ? 1 + (i % 40) : 12),
    data: randomBytes(lengths[i % lengths.length]),
    ...(i % 3 === 0 ? {} : { associatedData: randomBytes((i * 5) % 70) }),
  }));
}

test('batches of GCM give what single calls give', () => {
  for (const count of [0, 1, 7, 16, 33, 300]) {
    const items = gcmItems(count);
    const sealed = sm4.gcmEncryptBatch(items);
    assert.deepEqual(
      sealed,
      items.map(({ key, nonce, data, associatedData }) => sm4.Gcm.create(key).seal(nonce, data, associatedData)),
    );
    const toOpen = items.map((item, i) => ({ ...item, data: sealed[i] }));
    assert.deepEqual(sm4.gcmDecryptBatch(toOpen), items.map((item) => item.data));
    if (crypto.getCiphers().includes('sm4-gcm')) {
      items.forEach(({ key, nonce, data, associatedData }, i) => {
        const cipher = crypto.createCipheriv('sm4-gcm', key, nonce);
        if (associatedData !== undefined) cipher.setAAD(associatedData);
        const expected = Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
        assert.deepEqual(sealed[i], new Uint8Array(expected));
      });
    }
  }
});

test('an item of a batch that was altered is null, and the others are right', () => {
  const items = gcmItems(70);
  const sealed = sm4.gcmEncryptBatch(items);
  const altered = items.map((item, i) => {
    const data = sealed[i].slice();
    if (i % 2 === 1) return { ...item, data };
    switch ((i / 2) % 6) {
      case 0:
        data[data.length - 1] ^= 1;
        return { ...item, data };
      case 1:
        data[0] ^= 1;
        return { ...item, data };
      case 2:
        return { ...item, data: data.subarray(0, 15) };
      case 3:
        return { ...item, data: new Uint8Array(0) };
      case 4:
        return { ...item, data, nonce: new Uint8Array(0) };
      default:
        return { ...item, data, associatedData: randomBytes(71) };
    }
  });
  assert.deepEqual(
    sm4.gcmDecryptBatch(altered),
    items.map((item, i) => (i % 2 === 1 ? item.data : null)),
  );
  const [one, two] = items;
  fails('EmptyNonce', () => sm4.gcmEncryptBatch([one, { ...two, nonce: new Uint8Array(0) }]));
  // Together they would have the length of two keys.
  const wrong = [{ ...one, key: new Uint8Array(15) }, { ...two, key: new Uint8Array(17) }];
  fails('KeyLength', () => sm4.gcmEncryptBatch(wrong));
  fails('KeyLength', () => sm4.gcmDecryptBatch(wrong));
  for (const bad of [undefined, null, 7, [null], [7], [{}], [{ ...one, data: 'text' }], [{ ...one, key: undefined }]]) {
    fails('InvalidArgument', () => sm4.gcmEncryptBatch(bad));
    fails('InvalidArgument', () => sm4.gcmDecryptBatch(bad));
  }
});
