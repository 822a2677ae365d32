// SM9's keys: files in all forms, equality, what they show, and arguments of any type.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as kuaimi from 'kuaimi';
import * as sm9 from 'kuaimi/sm9';
import { fails, PROJECT, vectors } from './helpers.js';

const { fromHex, fromUtf8, toBase64, toHex, utf8 } = sm9;
const message = utf8('a message');

const signing = sm9.MasterSigningKey.generate();
const encryption = sm9.MasterEncryptionKey.generate();
const alice = signing.extract('alice');
const bob = encryption.extract('bob');
const carol = encryption.extractExchange('carol');
const MASTERS = [
  [sm9.MasterSigningKey, sm9.MasterSigningPublicKey, signing, encryption],
  [sm9.MasterEncryptionKey, sm9.MasterEncryptionPublicKey, encryption, signing],
];
const USERS = [
  [sm9.SigningKey, alice, 'alice'],
  [sm9.DecryptionKey, bob, 'bob'],
  [sm9.ExchangeKey, carol, 'carol'],
];
const PUBLIC = [alice.verifyingKey, bob.encryptionKey];

const file = (name) => readFileSync(path.join(PROJECT, 'fuzz/seeds/keys', name));

test('files of master keys', () => {
  for (const [Master, , key, other] of MASTERS) {
    const [pem, der] = [key.toPem(), key.toDer()];
    assert.match(pem, /^-----BEGIN PRIVATE KEY-----\n/);
    for (const form of [pem, utf8(pem), der, utf8(toHex(der)), toBase64(der), key.toDer({ format: 'gbt' })]) {
      assert.equal(Master.load(form).equals(key), true);
    }
    // Whether it is encrypted is seen in the file: a password too many does no harm.
    assert.equal(Master.load(pem, { password: 'x' }).equals(key), true);
    for (const encrypted of [key.toPem({ password: '密码' }), key.toDer({ password: utf8('密码') })]) {
      assert.equal(Master.load(encrypted, { password: '密码' }).equals(key), true);
      fails('WrongPassword', () => Master.load(encrypted, { password: 'another' }));
      fails('PasswordNeeded', () => Master.load(encrypted));
    }
    fails('InvalidArgument', () => key.toPem({ password: '' }));
    fails('InvalidArgument', () => key.toDer({ format: 'gbt', password: 'x' }));
    fails('OtherKey', () => Master.load(other.toPem()));
    fails('OtherKey', () => Master.load(key.publicKey.toPem()));
    assert.equal(Master.fromBytes(key.toBytes()).equals(key), true);
    assert.equal(key.toBytes().length, 32);
    for (const number of [new Uint8Array(32), new Uint8Array(32).fill(255), fromHex(vectors('sm9.json').curve.n)]) {
      fails('PrivateKeyRange', () => Master.fromBytes(number));
    }
    for (const length of [0, 31, 33]) fails('KeyLength', () => Master.fromBytes(new Uint8Array(length).fill(1)));
    // In DER alone, zero is out of range, too.
    fails('PrivateKeyRange', () => Master.load(Uint8Array.of(2, 1, 0)));
    for (const bad of ['', 'no key', new Uint8Array(0), der.slice(0, -1), Uint8Array.of(2, 2, 0, 1)]) {
      assert.throws(() => Master.load(bad), kuaimi.KuaimiError);
    }
  }
});

test('files of master public keys', () => {
  for (const [, Public, master, other] of MASTERS) {
    const key = master.publicKey;
    const point = key.toBytes();
    assert.equal(point[0], 4);
    for (const form of [point, point.slice(1)]) assert.equal(Public.fromBytes(form).equals(key), true);
    const gmssl = key.toPem({ format: 'gmssl' });
    assert.match(gmssl, /^-----BEGIN SM9 (SIGN|ENC) MASTER PUBLIC KEY-----\n/);
    for (const form of [key.toPem(), key.toDer(), gmssl, key.toDer({ format: 'gbt' })]) {
      assert.equal(Public.load(form).equals(key), true);
    }
    for (const form of [other.publicKey.toPem(), other.publicKey.toPem({ format: 'gmssl' }), master.toPem()]) {
      fails('OtherKey', () => Public.load(form));
    }
    const off = Uint8Array.from(point);
    off[off.length - 1] ^= 1;
    fails('NotOnCurve', () => Public.fromBytes(off));
    for (const length of [0, 1, point.length - 2]) fails('PointEncoding', () => Public.fromBytes(point.slice(0, length)));
    fails('PointEncoding', () => Public.fromBytes(Uint8Array.of(5, ...point.slice(1))));
    fails('PointEncoding', () => Public.fromBytes(other.publicKey.toBytes()));
  }
});

test("files of users' keys", () => {
  for (const [User, key, id] of USERS) {
    const { masterPublicKey, hid } = key;
    const [pem, der, bare] = [key.toPem(), key.toDer(), key.toDer({ format: 'gbt' })];
    for (const form of [pem, der]) {
      assert.equal(User.load(form, id).equals(key), true);
      assert.equal(User.load(form, utf8(id), { hid, masterPublicKey }).equals(key), true);
    }
    const encrypted = key.toPem({ password: 'secret' });
    assert.match(encrypted, /^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
    assert.equal(User.load(encrypted, id, { password: 'secret' }).equals(key), true);
    fails('WrongPassword', () => User.load(encrypted, id, { password: 'Secret' }));
    fails('PasswordNeeded', () => User.load(encrypted, id));
    // GB/T 41389-2022's DER does not say whose it is.
    assert.equal(User.load(bare, id, { masterPublicKey }).equals(key), true);
    fails('NotAKey', () => User.load(bare, id));
    assert.equal(User.fromBytes(key.toBytes(), id, masterPublicKey).equals(key), true);

    const stranger = (User === sm9.SigningKey ? sm9.MasterSigningKey : sm9.MasterEncryptionKey).generate().publicKey;
    for (const call of [
      () => User.load(pem, 'eve'),
      () => User.load(pem, id, { hid: 9 }),
      () => User.load(pem, id, { masterPublicKey: stranger }),
      () => User.load(bare, id, { masterPublicKey: stranger }),
      () => User.load(bare, 'eve', { masterPublicKey }),
      () => User.fromBytes(key.toBytes(), 'eve', masterPublicKey),
      () => User.fromBytes(key.toBytes(), id, masterPublicKey, { hid: 9 }),
      () => User.fromBytes(key.toBytes(), id, stranger),
    ]) {
      fails('UserKeyMismatch', call);
    }
    const off = key.toBytes();
    off[off.length - 1] ^= 1;
    fails('NotOnCurve', () => User.fromBytes(off, id, masterPublicKey));
    fails('PointEncoding', () => User.fromBytes(off.slice(1), id, masterPublicKey));
    fails('EmptyIdentity', () => User.fromBytes(key.toBytes(), '', masterPublicKey));
    fails('OtherKey', () => User.load(signing.toPem(), id));
  }
  // A key for exchange is none for decryption, though their files look alike.
  fails('UserKeyMismatch', () => sm9.DecryptionKey.load(carol.toPem(), 'carol'));
  fails('OtherKey', () => sm9.SigningKey.load(bob.toPem(), 'bob'));
});

test('a point of the twist outside of its group is no key', () => {
  // The twist has many points more than the group: of a few x, some are on it, and none in the group.
  const found = new Set();
  for (let x = 1; x < 12; x += 1) {
    const compressed = new Uint8Array(65);
    compressed[0] = 2;
    compressed[64] = x;
    for (const call of [
      () => sm9.MasterSigningPublicKey.fromBytes(compressed),
      () => sm9.DecryptionKey.fromBytes(compressed, 'bob', encryption.publicKey),
    ]) {
      assert.throws(call, (error) => found.add(error.message) && error instanceof kuaimi.KuaimiError);
    }
  }
  assert.ok([...found].some((text) => text.includes('group')), [...found].join());
});

test('files that the library wrote elsewhere', () => {
  const [theirs, others] = [7, 8].map((byte) => new Uint8Array(32).fill(byte));
  const centre = sm9.MasterSigningKey.load(file('sm9-signing.der'));
  assert.deepEqual(centre.toBytes(), theirs);
  assert.deepEqual(sm9.MasterEncryptionKey.load(file('sm9-encryption.der')).toBytes(), others);
  const gmssl = fromUtf8(file('sm9-gmssl.pem'));
  assert.equal(sm9.MasterSigningPublicKey.load(gmssl).equals(centre.publicKey), true);
  assert.equal(centre.publicKey.toPem({ format: 'gmssl' }), gmssl);
  const user = sm9.SigningKey.load(file('sm9-alice.der'), 'alice');
  assert.deepEqual(user.toDer(), Uint8Array.from(file('sm9-alice.der')));
  assert.equal(user.equals(centre.extract('alice')), true);
  assert.deepEqual(sm9.DecryptionKey.load(file('sm9-bob.der'), 'bob').toDer(), Uint8Array.from(file('sm9-bob.der')));
});

test('files that GmSSL wrote', () => {
  // They stand in a test of the library.
  const source = readFileSync(path.join(PROJECT, 'crates/kuaimi/tests/peers/interop_sm9.rs'), 'utf8');
  const files = source.match(/^-----BEGIN ENCRYPTED SM9 [^]*?^-----END [A-Z0-9 ]+-----$/gm);
  assert.equal(files.length, 4);
  const [signMaster, signUser, encryptMaster, encryptUser] = files;
  const password = '123456';
  const key = sm9.SigningKey.load(signUser, 'Alice', { password });
  assert.equal(key.verifyingKey.verify(key.sign(message), message), true);
  const reader = sm9.DecryptionKey.load(encryptUser, 'Alice', { password });
  const ciphertext = reader.encryptionKey.encrypt(message, { mac: 'hmac-sm3' });
  assert.deepEqual(reader.decrypt(ciphertext, { mac: 'hmac-sm3' }), message);
  fails('UserKeyMismatch', () => sm9.SigningKey.load(signUser, 'alice', { password }));
  // The master keys are of other centres.
  assert.equal(sm9.MasterSigningKey.load(signMaster, { password }).publicKey.equals(key.masterPublicKey), false);
  const master = sm9.MasterEncryptionKey.load(encryptMaster, { password });
  assert.ok(source.includes(master.publicKey.toPem({ format: 'gmssl' }).split('\n')[1]));
  fails('WrongPassword', () => sm9.MasterSigningKey.load(signMaster, { password: '12345' }));
  // What GmSSL has inside of PKCS #8 says nothing about itself; the sentence has more than Latin letters.
  const inner = alice.toDer().slice(-204);
  assert.throws(() => sm9.SigningKey.load(inner, 'alice'), /GmSSL's DER alone.*sm9_…_info/);
});

test('keys are equal to themselves alone', () => {
  const keys = [signing, encryption, ...USERS.map(([, key]) => key), ...PUBLIC, signing.publicKey, encryption.publicKey];
  keys.forEach((a, i) => keys.forEach((b, j) => assert.equal(a.equals(b), i === j, `${i} ${j}`)));
  assert.equal(alice.equals(signing.extract('alice')), true);
  assert.equal(alice.equals(signing.extract('alice', { hid: 9 })), false);
  assert.equal(alice.equals(signing.extract('Alice')), false);
  assert.equal(alice.verifyingKey.equals(signing.publicKey.verifyingKey('alice')), true);
  assert.equal(bob.encryptionKey.equals(encryption.publicKey.encryptionKey('bob', { hid: 2 })), false);
  for (const [, key] of USERS) assert.equal(key.masterPublicKey.equals((key === alice ? signing : encryption).publicKey), true);
  for (const key of PUBLIC) assert.equal(key.masterPublicKey.prepare(), key.masterPublicKey);
  for (const other of [null, undefined, 7, {}, kuaimi.sm2.PrivateKey.generate()]) assert.equal(alice.equals(other), false);
});

test('nothing is shown of a key', () => {
  for (const key of [signing, encryption, ...USERS.map(([, user]) => user)]) {
    const secret = key.toBytes();
    const shown = [inspect(key, { showHidden: true, depth: 9 }), JSON.stringify({ key }), String(key), JSON.stringify(structuredClone(key))];
    for (const text of shown) {
      assert.ok(!text.toLowerCase().includes(toHex(secret.slice(0, 4))) && !text.includes(secret.slice(0, 4).join()), text);
    }
    assert.deepEqual(Reflect.ownKeys(key), []);
    assert.equal(JSON.stringify(key), '{}');
  }
  fails('InvalidArgument', () => sm9.SigningKey.prototype.sign.call(structuredClone(alice), message));
});

test('dispose', () => {
  const key = signing.extract('alice');
  const { verifyingKey } = key;
  const signature = key.sign(message);
  key.dispose();
  key.dispose();
  for (const call of [() => key.sign(message), () => key.toBytes(), () => key.identity, () => key.prepare(), () => key.equals(alice), () => alice.equals(key)]) {
    fails('AlreadyFinalized', call);
  }
  assert.equal(verifyingKey.verify(signature, message), true);
  const master = sm9.MasterEncryptionKey.generate();
  master.dispose();
  fails('AlreadyFinalized', () => master.extract('x'));
  const publicKey = sm9.MasterSigningKey.generate().publicKey;
  publicKey.dispose();
  fails('AlreadyFinalized', () => sm9.SigningKey.fromBytes(alice.toBytes(), 'alice', publicKey));
  const exchange = sm9.KeyExchangeInitiator.create(carol, 'dave');
  exchange.dispose();
  fails('AlreadyFinalized', () => exchange.point);
});

test('objects of another kind are refused', () => {
  const sm2 = kuaimi.sm2.PrivateKey.generate();
  for (const wrong of [sm2, sm2.publicKey, alice, signing, signing.publicKey, {}, null, undefined, { __proto__: sm9.ExchangeKey.prototype }]) {
    fails('InvalidArgument', () => sm9.KeyExchangeInitiator.create(wrong, 'dave'));
    fails('InvalidArgument', () => sm9.KeyExchangeResponder.respond(wrong, 'dave', new Uint8Array(64), 16));
    fails('InvalidArgument', () => sm9.DecryptionKey.fromBytes(bob.toBytes(), 'bob', wrong));
    if (wrong !== undefined) fails('InvalidArgument', () => sm9.DecryptionKey.load(bob.toPem(), 'bob', { masterPublicKey: wrong }));
    if (wrong !== signing) fails('InvalidArgument', () => sm9.MasterSigningKey.prototype.extract.call(wrong, 'alice'));
    if (wrong !== alice) fails('InvalidArgument', () => sm9.SigningKey.prototype.sign.call(wrong, message));
  }
  fails('InvalidArgument', () => kuaimi.sm2.PrivateKey.prototype.sign.call(alice, message));
  fails('InvalidArgument', () => sm2.diffieHellman(signing.publicKey));
  for (const Class of Object.values(sm9).filter((value) => value.prototype?.dispose !== undefined)) {
    fails('InvalidArgument', () => new Class());
  }
});

test('arguments of any type', () => {
  for (const bad of ['text', 7, null, undefined, [1, 2], {}, true, 1n, Symbol('x'), () => 1]) {
    for (const call of [
      () => alice.sign(bad),
      () => alice.verifyingKey.verify(bad, message),
      () => alice.verifyingKey.verify(new Uint8Array(96), bad),
      () => bob.encryptionKey.encrypt(bad),
      () => bob.decrypt(bad),
      () => bob.decapsulate(bad, 16),
      () => sm9.MasterSigningKey.fromBytes(bad),
      () => sm9.SigningKey.fromBytes(bad, 'alice', signing.publicKey),
    ]) {
      fails('InvalidArgument', call);
    }
    if (typeof bad !== 'string') {
      for (const call of [() => signing.extract(bad), () => encryption.publicKey.encryptionKey(bad), () => sm9.MasterSigningKey.load(bad)]) {
        fails('InvalidArgument', call);
      }
    }
    if (bad !== undefined && (typeof bad !== 'object' || bad === null)) fails('InvalidArgument', () => alice.sign(message, bad));
    if (bad !== undefined) {
      for (const options of [{ form: bad }, { mode: bad }, { mac: bad }]) fails('InvalidArgument', () => bob.encryptionKey.encrypt(message, options));
      for (const format of [bad]) fails('InvalidArgument', () => signing.toDer({ format }));
    }
    if (bad !== undefined && bad !== 7) fails('InvalidArgument', () => signing.extract('alice', { hid: bad }));
  }
  for (const hid of [-1, 256, 1.5, NaN]) fails('InvalidArgument', () => signing.extract('alice', { hid }));
  for (const mode of ['xts', 'CBC', '', 'toString', '__proto__', 0]) fails('InvalidArgument', () => bob.decrypt(message, { mode }));
  fails('EmptyIdentity', () => signing.extract(''));
  fails('EmptyIdentity', () => signing.publicKey.verifyingKey(new Uint8Array(0)));
  fails('InvalidArgument', () => signing.extract('\ud800'));
});

test('identities are their bytes', () => {
  const long = new Uint8Array(100_000).fill(97);
  assert.deepEqual(signing.extract('快密').identity, utf8('快密'));
  assert.equal(signing.extract('快密').equals(signing.extract(utf8('快密'))), true);
  const key = signing.extract(long);
  assert.equal(signing.publicKey.verifyingKey('a'.repeat(100_000)).verify(key.sign(message), message), true);
});

test('require gives the same classes', () => {
  const required = createRequire(import.meta.url)('kuaimi/sm9');
  assert.equal(required.SigningKey, sm9.SigningKey);
  assert.equal(sm9.KuaimiError, kuaimi.KuaimiError);
});
