// SM9: the standard's examples; signatures, encryption, encapsulation and key exchange both ways, and
// what attackers may send.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as sm9 from 'kuaimi/sm9';
import { fails, vectors } from './helpers.js';

const { fromHex, toHex, utf8 } = sm9;
const hex = (data) => toHex(data).toUpperCase();
const message = utf8('a message');

const signing = sm9.MasterSigningKey.generate();
const encryption = sm9.MasterEncryptionKey.generate();
const alice = signing.extract('alice@example.com');
const bob = encryption.extract('bob@example.com');

const MODES = ['stream', 'ecb', 'cbc', 'ofb', 'cfb'];
const MACS = ['sm3', 'hmac-sm3'];
const FORMS = ['der', 'raw'];

/** The bytes with one bit of the byte at this place changed. */
function altered(data, place) {
  const copy = Uint8Array.from(data);
  copy[place] ^= 1;
  return copy;
}

test('the example of signatures', () => {
  const example = vectors('sm9.json').signature;
  const master = sm9.MasterSigningKey.fromBytes(fromHex(example.ks));
  assert.equal(hex(master.publicKey.toBytes()), `04${example.p_pub_s}`);
  const key = master.extract(example.id_ascii);
  assert.equal(hex(key.toBytes()), example.ds);
  assert.equal(key.hid, Number(example.hid));
  assert.deepEqual(key.identity, utf8(example.id_ascii));
  const verifier = sm9.MasterSigningPublicKey.fromBytes(fromHex(example.p_pub_s)).verifyingKey(example.id_ascii);
  const signature = fromHex(example.h + example.s);
  assert.equal(verifier.verify(signature, utf8(example.message_ascii)), true);
  assert.equal(verifier.verify(signature, utf8(`${example.message_ascii}.`)), false);
});

test('the example of key exchange', () => {
  const example = vectors('sm9.json').key_exchange;
  const master = sm9.MasterEncryptionKey.fromBytes(fromHex(example.ke));
  assert.equal(hex(master.publicKey.toBytes()), `04${example.p_pub_e}`);
  const keys = [example.id_a_ascii, example.id_b_ascii].map((id) => master.extractExchange(id));
  assert.deepEqual(keys.map((key) => hex(key.toBytes())), [example.de_a, example.de_b]);
  assert.deepEqual(keys.map((key) => key.hid), [Number(example.hid), Number(example.hid)]);
  // The example's point of A is answered as any other.
  const responder = sm9.KeyExchangeResponder.respond(keys[1], example.id_a_ascii, fromHex(example.point_r_a), 16);
  assert.equal(responder.point.length, 64);
  fails('ConfirmationFailed', () => responder.confirm(fromHex(example.s_a)));
});

test('the example of encapsulation', () => {
  const example = vectors('sm9.json').key_encapsulation;
  const master = sm9.MasterEncryptionKey.fromBytes(fromHex(example.ke));
  const key = master.extract(example.id_ascii);
  assert.equal(hex(key.toBytes()), example.de);
  assert.equal(key.hid, Number(example.hid));
  for (const point of [example.c, `04${example.c}`]) {
    assert.equal(hex(key.decapsulate(fromHex(point), example.key_length_bytes)), example.k);
  }
});

test('the examples of encryption', () => {
  const example = vectors('sm9.json').encryption;
  const key = sm9.MasterEncryptionKey.fromBytes(fromHex(example.ke)).extract(example.id_ascii);
  const ciphertexts = { stream: example.stream_kdf, ecb: example.sm4_ecb_pkcs7 };
  for (const [mode, { c1_c3_c2: ciphertext }] of Object.entries(ciphertexts)) {
    assert.deepEqual(key.decrypt(fromHex(ciphertext), { mode }), utf8(example.message_ascii));
    assert.deepEqual(key.decrypt(fromHex(ciphertext), { mode, form: 'raw' }), utf8(example.message_ascii));
    fails('DecryptionFailed', () => key.decrypt(fromHex(ciphertext), { mode, form: 'der' }));
    fails('DecryptionFailed', () => key.decrypt(fromHex(ciphertext), { mode, mac: 'hmac-sm3' }));
  }
});

test('signatures in both forms', () => {
  const verifier = signing.publicKey.verifyingKey('alice@example.com');
  const lengths = { der: 104, raw: 96 };
  for (const form of FORMS) {
    for (const [key, check] of [
      [signing.extract(utf8('alice@example.com')), verifier],
      [alice.prepare(), alice.verifyingKey.prepare()],
    ]) {
      const signature = key.sign(message, { form });
      assert.equal(signature.length, lengths[form]);
      assert.equal(check.verify(signature, message), true);
      assert.equal(check.verify(signature, message, { form }), true);
      assert.equal(check.verify(signature, message, { form: form === 'der' ? 'raw' : 'der' }), false);
      assert.notDeepEqual(key.sign(message, { form }), signature);
    }
  }
  assert.equal(alice.sign(message).length, lengths.der);
});

test('what is no signature of the user over the message is false', () => {
  const { verifyingKey } = alice;
  for (const form of FORMS) {
    const signature = alice.sign(message, { form });
    for (let place = 0; place < signature.length; place += 1) {
      assert.equal(verifyingKey.verify(altered(signature, place), message), false, `${form} ${place}`);
    }
    for (let length = 0; length < signature.length; length += 1) {
      assert.equal(verifyingKey.verify(signature.slice(0, length), message), false);
    }
    assert.equal(verifyingKey.verify(Uint8Array.of(...signature, 0), message), false);
    assert.equal(verifyingKey.verify(signature, utf8('another message')), false);
    for (const other of [
      signing.publicKey.verifyingKey('bob'),
      signing.publicKey.verifyingKey('alice@example.com', { hid: 2 }),
      sm9.MasterSigningKey.generate().publicKey.verifyingKey('alice@example.com'),
    ]) {
      assert.equal(other.verify(signature, message), false);
    }
  }
  for (const bad of [new Uint8Array(96), new Uint8Array(96).fill(255), new Uint8Array(0)]) {
    assert.equal(verifyingKey.verify(bad, message), false);
  }
  const nine = signing.extract('alice@example.com', { hid: 9 });
  assert.equal(nine.hid, 9);
  assert.equal(nine.verifyingKey.verify(nine.sign(message), message), true);
  assert.equal(verifyingKey.verify(nine.sign(message), message), false);
});

test('encryption in all modes and forms', () => {
  const recipient = encryption.publicKey.encryptionKey('bob@example.com');
  for (const mode of MODES) {
    for (const mac of MACS) {
      for (const form of FORMS) {
        for (const length of [1, 16, 5000]) {
          const plain = new Uint8Array(length).fill(7);
          const ciphertext = recipient.encrypt(plain, { mode, mac, form });
          assert.deepEqual(bob.decrypt(ciphertext, { mode, mac }), plain);
          assert.deepEqual(bob.decrypt(ciphertext, { mode, mac, form }), plain);
          // DER names its mode, and nothing names its code.
          if (form === 'der') assert.deepEqual(bob.decrypt(ciphertext, { mac }), plain);
          fails('DecryptionFailed', () => bob.decrypt(ciphertext, { mode, mac: MACS.find((name) => name !== mac) }));
        }
      }
    }
  }
  assert.deepEqual(bob.decrypt(bob.encryptionKey.prepare().encrypt(message)), message);
  assert.notDeepEqual(recipient.encrypt(message), recipient.encrypt(message));
  fails('EmptyMessage', () => recipient.encrypt(new Uint8Array(0)));
});

test('the names of the modes are those of the standard', () => {
  // SEQUENCE { EnType INTEGER, … }, GB/T 41389-2022.
  const types = { stream: 0, ecb: 1, cbc: 2, ofb: 4, cfb: 8 };
  for (const [mode, type] of Object.entries(types)) {
    const der = bob.encryptionKey.encrypt(message, { mode });
    const integer = der[1] < 128 ? 2 : 3;
    assert.deepEqual([...der.slice(integer, integer + 3)], [2, 1, type], mode);
  }
  const without = bob.encryptionKey.encrypt(message, { form: 'raw' });
  assert.equal(without.length, 64 + 32 + message.length);
});

test('every altered, shortened or foreign ciphertext has the same error', () => {
  const messages = new Set();
  const refused = (call) =>
    assert.throws(call, (error) => {
      assert.equal(error.code, 'DecryptionFailed', error.message);
      messages.add(error.message);
      return true;
    });
  for (const [mode, form] of [['stream', 'raw'], ['stream', 'der'], ['cbc', 'raw'], ['cbc', 'der'], ['ecb', 'raw']]) {
    const ciphertext = bob.encryptionKey.encrypt(message, { mode, form });
    for (let place = 0; place < ciphertext.length; place += 1) {
      refused(() => bob.decrypt(altered(ciphertext, place), { mode, form }));
    }
    for (let length = 0; length < ciphertext.length; length += 1) {
      refused(() => bob.decrypt(ciphertext.slice(0, length), { mode, form }));
      refused(() => bob.decrypt(ciphertext.slice(0, length), { mode }));
    }
    refused(() => bob.decrypt(Uint8Array.of(...ciphertext, 0), { mode, form }));
    for (const other of [
      encryption.extract('alice'),
      encryption.extract('bob@example.com', { hid: 2 }),
      sm9.MasterEncryptionKey.generate().extract('bob@example.com'),
    ]) {
      refused(() => other.decrypt(ciphertext, { mode, form }));
    }
  }
  // Points: at infinity, off the curve, and one whose x is the field's prime.
  const { q } = vectors('sm9.json').curve;
  for (const point of ['00'.repeat(64), `${'00'.repeat(63)}01`, q + '00'.repeat(32), 'FF'.repeat(64)]) {
    refused(() => bob.decrypt(fromHex(point + '00'.repeat(40)), { form: 'raw' }));
    refused(() => bob.decapsulate(fromHex(point), 16));
  }
  assert.equal(messages.size, 1);
});

test('encapsulation', () => {
  const recipient = encryption.publicKey.encryptionKey('bob@example.com');
  for (const length of [1, 16, 100]) {
    const { key, encapsulated } = recipient.encapsulate(length);
    assert.equal(key.length, length);
    assert.equal(encapsulated.length, 64);
    assert.deepEqual(bob.decapsulate(encapsulated, length), key);
  }
  const { key, encapsulated } = recipient.encapsulate(32);
  assert.notDeepEqual(encryption.extract('alice').decapsulate(encapsulated, 32), key);
  assert.notDeepEqual(recipient.encapsulate(32).key, key);
  for (let length = 0; length < 64; length += 1) {
    fails('DecryptionFailed', () => bob.decapsulate(encapsulated.slice(0, length), 32));
  }
  for (const length of [0, -1, 1.5, '16', NaN, undefined, 2 ** 26 + 1]) {
    fails('InvalidArgument', () => recipient.encapsulate(length));
    fails('InvalidArgument', () => bob.decapsulate(encapsulated, length));
  }
});

test('key exchange', () => {
  const [carol, dave] = ['carol', 'dave'].map((id) => encryption.extractExchange(id));
  const initiator = sm9.KeyExchangeInitiator.create(carol, 'dave');
  const responder = sm9.KeyExchangeResponder.respond(dave.prepare(), utf8('carol'), initiator.point, 48);
  assert.deepEqual([initiator.point.length, responder.point.length, responder.confirmation.length], [64, 64, 32]);
  const { key, confirmation } = initiator.finish(responder.point, responder.confirmation, 48);
  assert.equal(key.length, 48);
  assert.deepEqual(responder.confirm(confirmation), key);
  for (const call of [() => initiator.point, () => responder.point, () => responder.keyUnconfirmed()]) {
    fails('AlreadyFinalized', call);
  }

  // Without confirmation.
  const begun = sm9.KeyExchangeInitiator.create(carol, 'dave');
  const answered = sm9.KeyExchangeResponder.respond(dave, 'carol', begun.point, 16);
  assert.deepEqual(begun.finishUnconfirmed(answered.point, 16), answered.keyUnconfirmed());

  // Each side may have a hid of its own.
  const nine = encryption.extractExchange('dave', { hid: 9 });
  const toNine = sm9.KeyExchangeInitiator.create(carol, 'dave', { peerHid: 9 });
  const fromNine = sm9.KeyExchangeResponder.respond(nine, 'carol', toNine.point, 16);
  const both = toNine.finish(fromNine.point, fromNine.confirmation, 16);
  assert.deepEqual(fromNine.confirm(both.confirmation), both.key);
});

test('a key exchange with another one fails', () => {
  const [carol, dave] = ['carol', 'dave'].map((id) => encryption.extractExchange(id));
  for (const [peer, key, id] of [
    ['dave', dave, 'mallory'],
    ['mallory', dave, 'carol'],
    ['dave', encryption.extractExchange('dave', { hid: 3 }), 'carol'],
    ['dave', sm9.MasterEncryptionKey.generate().extractExchange('dave'), 'carol'],
  ]) {
    const initiator = sm9.KeyExchangeInitiator.create(carol, peer);
    const responder = sm9.KeyExchangeResponder.respond(key, id, initiator.point, 16);
    fails('ConfirmationFailed', () => initiator.finish(responder.point, responder.confirmation, 16));
    // It is used up.
    fails('AlreadyFinalized', () => initiator.finishUnconfirmed(responder.point, 16));
    fails('ConfirmationFailed', () => responder.confirm(new Uint8Array(32)));
  }
  const initiator = sm9.KeyExchangeInitiator.create(carol, 'dave');
  fails('NotOnCurve', () => initiator.finish(altered(initiator.point, 63), new Uint8Array(32), 16));
  fails('PointEncoding', () => initiator.finishUnconfirmed(initiator.point.slice(1), 16));
  fails('NotOnCurve', () => sm9.KeyExchangeResponder.respond(dave, 'carol', altered(initiator.point, 31), 16));
  fails('ConfirmationFailed', () => initiator.finish(initiator.point, new Uint8Array(31), 16));
  fails('InvalidArgument', () => initiator.finish(initiator.point, new Uint8Array(32), 0));
  fails('EmptyIdentity', () => sm9.KeyExchangeInitiator.create(carol, ''));
});
