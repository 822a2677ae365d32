// SM2: every function, both ways, and what it refuses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex, sm2, sm3, toHex, utf8 } from 'kuaimi';
import { fails, repeatable, vectors } from './helpers.js';

const key = sm2.PrivateKey.generate();
const { publicKey } = key;
const message = utf8('a message');

test('signatures in both forms, under identities, of messages and digests', () => {
  for (const form of ['der', 'raw']) {
    for (const id of [undefined, 'alice@example.com', Uint8Array.of(0, 255), '', '密'.repeat(2730)]) {
      const signature = key.sign(message, { form, id });
      assert.equal(form === 'raw' ? signature.length === 64 : signature[0] === 0x30, true);
      assert.equal(publicKey.verify(signature, message, { id }), true);
      assert.equal(publicKey.verify(signature, message, { id, form }), true);
      assert.equal(publicKey.verify(signature, utf8('another'), { id }), false);
      assert.equal(publicKey.verify(signature, message, { id: 'bob' }), false);
      assert.equal(sm2.PrivateKey.generate().publicKey.verify(signature, message, { id }), false);
      const digest = publicKey.messageHash({ id }).update(message).digest();
      assert.equal(publicKey.verifyDigest(signature, digest), true);
      assert.equal(publicKey.verify(key.signDigest(digest, { form }), message, { id }), true);
    }
  }
  assert.notDeepEqual(key.sign(message), key.sign(message));
  const same = () => key.sign(message, { deterministic: true });
  assert.deepEqual(same(), same());
  assert.equal(publicKey.verify(same(), message), true);
  fails('IdentityTooLong', () => key.sign(message, { id: new Uint8Array(8192) }));
  fails('InvalidArgument', () => key.signDigest(new Uint8Array(31)));
  fails('InvalidArgument', () => key.sign(message, { form: 'hex' }));
  fails('InvalidArgument', () => key.sign('a message'));
});

test('a signature that is changed anywhere is refused, and nothing crashes', () => {
  const signature = key.sign(message);
  for (let i = 0; i < signature.length; i += 1) {
    for (const bit of [1, 128]) {
      const changed = signature.slice();
      changed[i] ^= bit;
      assert.equal(publicKey.verify(changed, message), false, `byte ${i}`);
    }
    assert.equal(publicKey.verify(signature.slice(0, i), message), false);
  }
  assert.equal(publicKey.verify(Uint8Array.of(...signature, 0), message), false);
});

test('explanations', () => {
  const signature = key.sign(utf8('a message\n'), { id: 'alice' });
  assert.match(publicKey.explain(signature, message, { id: 'alice' }), /line feed/);
  assert.equal(publicKey.explain(key.sign(utf8('something else')), message), undefined);
  assert.match(publicKey.explain(utf8('no signature'), message), /signature/);
});

test('recovery of public keys', () => {
  const digest = sm3.digest(message);
  for (const form of ['der', 'raw']) {
    const { signature, recoveryId } = key.signDigestRecoverable(digest, { form });
    assert.ok(sm2.PublicKey.recover(digest, signature, recoveryId).equals(publicKey));
  }
  fails('InvalidArgument', () => sm2.PublicKey.recover(digest, new Uint8Array(64).fill(1), 4));
});

test('ciphertexts in all forms', () => {
  for (const form of ['c1c3c2', 'c1c2c3', 'bare-c1c3c2', 'bare-c1c2c3', 'der']) {
    for (const length of [1, 31, 32, 33, 1000]) {
      const plain = new Uint8Array(length).fill(7);
      const ciphertext = publicKey.encrypt(plain, { form });
      assert.deepEqual(key.decrypt(ciphertext, { form }), plain);
      assert.deepEqual(key.decrypt(ciphertext), plain);
      fails('DecryptionFailed', () => sm2.PrivateKey.generate().decrypt(ciphertext, { form }));
    }
  }
  fails('EmptyMessage', () => publicKey.encrypt(new Uint8Array(0)));
  fails('InvalidArgument', () => publicKey.encrypt('text'));
});

test('a ciphertext that is changed anywhere is refused with one error', () => {
  for (const form of ['c1c3c2', 'der']) {
    const ciphertext = publicKey.encrypt(message, { form });
    for (let i = 0; i < ciphertext.length; i += 1) {
      const changed = ciphertext.slice();
      changed[i] ^= 1;
      fails('DecryptionFailed', () => key.decrypt(changed, { form }));
      fails('DecryptionFailed', () => key.decrypt(ciphertext.slice(0, i), { form }));
    }
  }
});

test('keys in all forms', () => {
  for (const options of [{}, { format: 'sec1' }, { password: 'a password' }, { password: Uint8Array.of(1, 2) }]) {
    const { password } = options;
    for (const file of [key.toPem(options), key.toDer(options), utf8(key.toPem(options))]) {
      assert.ok(sm2.PrivateKey.load(file, { password }).equals(key));
      if (password !== undefined) {
        fails('PasswordNeeded', () => sm2.PrivateKey.load(file));
        fails('WrongPassword', () => sm2.PrivateKey.load(file, { password: 'another' }));
      }
    }
  }
  assert.match(key.toPem(), /^-----BEGIN PRIVATE KEY-----\n/);
  assert.match(key.toPem({ format: 'sec1' }), /^-----BEGIN EC PRIVATE KEY-----\n/);
  assert.match(key.toPem({ password: 'x' }), /^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/);
  fails('InvalidArgument', () => key.toPem({ format: 'sec1', password: 'x' }));
  fails('InvalidArgument', () => key.toPem({ password: '' }));
  assert.ok(sm2.PrivateKey.fromBytes(key.toBytes()).equals(key));
  assert.ok(sm2.PrivateKey.load(toHex(key.toBytes())).equals(key));
  for (const file of [publicKey.toPem(), publicKey.toDer(), publicKey.toBytes(), publicKey.toBytes({ compressed: true })]) {
    assert.ok(sm2.PublicKey.load(file).equals(publicKey));
  }
  assert.ok(sm2.PublicKey.fromBytes(publicKey.toBytes().slice(1)).equals(publicKey));
  assert.equal(publicKey.equals(sm2.PrivateKey.generate().publicKey), false);
  assert.equal(key.equals(sm2.PrivateKey.generate()), false);
  assert.equal(key.equals(publicKey), false);
});

test('an enveloped key', () => {
  const recipient = sm2.PrivateKey.generate();
  const envelope = key.toEnvelopedKey(recipient.publicKey);
  assert.ok(recipient.openEnvelopedKey(envelope).equals(key));
  assert.throws(() => key.openEnvelopedKey(envelope), { name: 'KuaimiError' });
});

test('key exchange', () => {
  const other = sm2.PrivateKey.generate();
  const options = { id: 'alice', peerId: 'bob' };
  const reversed = { id: 'bob', peerId: 'alice' };
  const start = () => sm2.KeyExchangeInitiator.create(key, other.publicKey, options);
  const respond = (point) => sm2.KeyExchangeResponder.respond(other, publicKey, point, 48, reversed);

  const initiator = start();
  const responder = respond(initiator.point);
  const { key: ours, confirmation } = initiator.finish(responder.point, responder.confirmation, 48);
  assert.equal(ours.length, 48);
  assert.deepEqual(responder.confirm(confirmation), ours);
  fails('AlreadyFinalized', () => initiator.finish(responder.point, confirmation, 48));
  fails('AlreadyFinalized', () => responder.keyUnconfirmed());

  const second = start();
  const answer = respond(second.point);
  assert.deepEqual(second.finishUnconfirmed(answer.point, 48), answer.keyUnconfirmed());

  const third = start();
  const wrong = respond(third.point);
  fails('ConfirmationFailed', () => third.finish(wrong.point, new Uint8Array(32), 48));
  fails('ConfirmationFailed', () => wrong.confirm(new Uint8Array(31)));
  fails('NotOnCurve', () => start().finishUnconfirmed(new Uint8Array(65).fill(4), 16));
});

test('the shared x-coordinate', () => {
  const other = sm2.PrivateKey.generate();
  assert.deepEqual(key.diffieHellman(other.publicKey), other.diffieHellman(publicKey));
});

test('many at once', () => {
  const { privateKeys, publicKeys } = sm2.generateBatch(20);
  assert.deepEqual([privateKeys.length, publicKeys.length], [640, 1300]);
  const digests = new Uint8Array(32 * 20).map((_, i) => i);
  const signatures = new Uint8Array(64 * 20);
  for (let i = 0; i < 20; i += 1) {
    const one = sm2.PrivateKey.fromBytes(privateKeys.slice(32 * i, 32 * i + 32));
    assert.deepEqual(one.publicKey.toBytes(), publicKeys.slice(65 * i, 65 * i + 65));
    signatures.set(one.signDigest(digests.slice(32 * i, 32 * i + 32), { form: 'raw' }), 64 * i);
  }
  signatures[64 * 3] ^= 1;
  const expected = new Uint8Array(20).fill(1);
  expected[3] = 0;
  assert.deepEqual(sm2.verifyBatch(publicKeys, digests, signatures), expected);
  const mine = sm2.signBatch(key, digests);
  assert.deepEqual(sm2.verifyBatch(publicKey, digests, mine), new Uint8Array(20).fill(1));
  assert.equal(publicKey.verifyDigest(mine.slice(0, 64), digests.slice(0, 32)), true);
  publicKeys[65 * 7 + 10] ^= 1;
  assert.equal(sm2.verifyBatch(publicKeys, digests, signatures)[7], 0);
  fails('InvalidArgument', () => sm2.verifyBatch(publicKeys, digests.slice(1), signatures));
  fails('InvalidArgument', () => sm2.verifyBatch(publicKeys, digests.slice(32), signatures));
  assert.equal(sm2.verifyBatch(publicKeys.slice(0, 0), new Uint8Array(0), new Uint8Array(0)).length, 0);
});

test('many shared x-coordinates', () => {
  for (const count of [0, 1, 7, 33]) {
    const mine = sm2.generateBatch(count);
    const theirs = sm2.generateBatch(count);
    const secrets = sm2.diffieHellmanBatch(mine.privateKeys, theirs.publicKeys);
    assert.equal(secrets.length, 32 * count);
    assert.deepEqual(secrets, sm2.diffieHellmanBatch(theirs.privateKeys, mine.publicKeys));
    for (let i = 0; i < count; i += 3) {
      const one = sm2.PrivateKey.fromBytes(mine.privateKeys.slice(32 * i, 32 * i + 32));
      const peer = sm2.PublicKey.fromBytes(theirs.publicKeys.slice(65 * i, 65 * i + 65));
      assert.deepEqual(one.diffieHellman(peer), secrets.slice(32 * i, 32 * i + 32));
    }
  }
  const { privateKeys, publicKeys } = sm2.generateBatch(2);
  fails('InvalidArgument', () => sm2.diffieHellmanBatch(privateKeys, publicKeys.slice(65)));
  fails('InvalidArgument', () => sm2.diffieHellmanBatch(privateKeys.slice(1), publicKeys));
  fails('PrivateKeyRange', () => sm2.diffieHellmanBatch(new Uint8Array(64), publicKeys));
  publicKeys[100] ^= 1;
  fails('NotOnCurve', () => sm2.diffieHellmanBatch(privateKeys, publicKeys));
});

test('forms of signatures', () => {
  const raw = key.sign(message, { form: 'raw' });
  const der = sm2.convertSignature(raw, 'der');
  assert.deepEqual(sm2.convertSignature(der, 'raw'), raw);
  fails('SignatureEncoding', () => sm2.convertSignature(utf8('no signature'), 'raw'));
});

test('descriptions show no secret', () => {
  const d = toHex(key.toBytes());
  for (const [data, kind] of [
    [key.toPem(), 'private key'],
    [key.toPem({ password: 'x' }), 'encrypted private key'],
    [publicKey.toPem(), 'public key'],
    [key.sign(message), 'signature'],
    [publicKey.encrypt(message), 'ciphertext'],
    [toHex(publicKey.encrypt(message, { form: 'der' })), 'ciphertext'],
  ]) {
    const found = sm2.describe(data);
    assert.equal(found.kind, kind);
    assert.ok(!JSON.stringify(found).includes(d));
  }
  assert.equal(sm2.describe(publicKey.toPem()).x, toHex(publicKey.toBytes().slice(1, 33)));
  fails('NotAKey', () => sm2.describe('nothing of the kind'));
});

// What an attacker sends: the points and numbers at the edges.
const { p, n } = vectors('sm2.json').curve;
const number = (value) => fromHex(value.toString(16).padStart(64, '0'));
const [P, N] = [BigInt(`0x${p}`), BigInt(`0x${n}`)];

test('points off the curve, at infinity and out of range are refused everywhere', () => {
  const good = publicKey.toBytes();
  const [x, y] = [good.slice(1, 33), good.slice(33)];
  const bigX = BigInt(`0x${toHex(x)}`);
  const points = {
    'off the curve': Uint8Array.of(4, ...x, ...number(BigInt(`0x${toHex(y)}`) ^ 1n)),
    'x and y swapped': Uint8Array.of(4, ...y, ...x),
    'zero': Uint8Array.of(4, ...new Uint8Array(64)),
    'x = p': Uint8Array.of(4, ...number(P), ...y),
    'x + p': bigX + P < 1n << 256n ? Uint8Array.of(4, ...number(bigX + P), ...y) : Uint8Array.of(4, ...number((1n << 256n) - 1n), ...y),
    'infinity': Uint8Array.of(0),
    'infinity of 65 bytes': new Uint8Array(65),
    'hybrid with the wrong sign': Uint8Array.of(6 + (1 - (y[31] & 1)), ...x, ...y),
    'too short': good.slice(0, 64).fill(9),
    'too long': Uint8Array.of(...good, 0),
    'empty': new Uint8Array(0),
    'the first byte 5': Uint8Array.of(5, ...x, ...y),
  };
  const ciphertext = publicKey.encrypt(message);
  const digest = sm3.digest(message);
  for (const [name, point] of Object.entries(points)) {
    assert.throws(() => sm2.PublicKey.fromBytes(point), { name: 'KuaimiError' }, name);
    assert.throws(() => sm2.PublicKey.load(point), { name: 'KuaimiError' }, name);
    if (point.length === 65) {
      fails('DecryptionFailed', () => key.decrypt(Uint8Array.of(...point, ...ciphertext.slice(65))));
      assert.deepEqual(sm2.verifyBatch(point, digest, key.signDigest(digest, { form: 'raw' })), Uint8Array.of(0), name);
    }
    const exchange = sm2.KeyExchangeInitiator.create(key, publicKey);
    assert.throws(() => exchange.finishUnconfirmed(point, 16), { name: 'KuaimiError' }, name);
    assert.throws(() => sm2.KeyExchangeResponder.respond(key, publicKey, point, 16), { name: 'KuaimiError' }, name);
  }
});

test('r and s out of range are refused', () => {
  const digest = sm3.digest(message);
  const random = repeatable(1);
  const some = () => BigInt(`0x${Array.from({ length: 60 }, () => Math.floor(random() * 16).toString(16)).join('')}`) + 1n;
  for (const [r, s] of [[0n, some()], [some(), 0n], [N, some()], [some(), N], [0n, 0n], [N, N], [N - 1n, 1n], [1n, N - 1n], [N + 1n, some()], [(1n << 256n) - 1n, (1n << 256n) - 1n]]) {
    const raw = Uint8Array.of(...number(r), ...number(s));
    assert.equal(publicKey.verifyDigest(raw, digest), false);
    assert.deepEqual(sm2.verifyBatch(publicKey, digest, raw), Uint8Array.of(0));
  }
  // A second way to write a good signature is none: r + n, s + n.
  const good = key.signDigest(digest, { form: 'raw' });
  assert.equal(publicKey.verifyDigest(good, digest), true);
  for (const half of [0, 32]) {
    const value = BigInt(`0x${toHex(good.slice(half, half + 32))}`) + N;
    if (value >> 256n) continue;
    const other = good.slice();
    other.set(number(value), half);
    assert.equal(publicKey.verifyDigest(other, digest), false);
  }
});

test('private keys out of range are refused', () => {
  for (const d of [0n, N - 1n, N, N + 1n, (1n << 256n) - 1n]) {
    fails('PrivateKeyRange', () => sm2.PrivateKey.fromBytes(number(d)));
  }
  for (const d of [1n, N - 2n]) assert.deepEqual(sm2.PrivateKey.fromBytes(number(d)).toBytes(), number(d));
  for (const length of [0, 31, 33]) fails('KeyLength', () => sm2.PrivateKey.fromBytes(new Uint8Array(length).fill(1)));
});
