// What an attacker, or a mistake, gives to the replacements.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sm3 as hash } from 'kuaimi';
import { fails } from './helpers.js';
import { hexOf, N, P, PEERS } from './peers.js';

const NAMES = ['sm-crypto', 'miniprogram-sm-crypto', 'sm-crypto-v2'];
const { ours: first } = PEERS['sm-crypto'];
const { ours: v2 } = PEERS['sm-crypto-v2'];
const { ours: gm } = PEERS['gm-crypto'];
const pair = first.sm2.generateKeyPairHex();
const { privateKey, publicKey } = pair;

/** A y for this x whose point is on y² = x³ + ax + b′ of another b′: off the curve. */
const OFF = [
  `${publicKey.slice(2, 66)}${hexOf(1n)}`,
  hexOf(0n) + hexOf(0n),
  hexOf(1n) + hexOf(1n),
  `${hexOf(P)}${publicKey.slice(66)}`,
  `${publicKey.slice(2, 66)}${hexOf(P - BigInt(`0x${publicKey.slice(66)}`) + 1n)}`,
  'ff'.repeat(64),
];

test('points off the curve and infinity are no public keys', () => {
  for (const text of ['00', '', '04', ...OFF.map((xy) => `04${xy}`), `02${hexOf(P)}`, `02${'ff'.repeat(32)}`]) {
    for (const name of NAMES) {
      const { sm2 } = PEERS[name].ours;
      assert.throws(() => sm2.doEncrypt('x', text), { name: 'KuaimiError' });
      assert.throws(() => sm2.doSignature('x', privateKey, { hash: true, publicKey: text || '0' }), { name: 'KuaimiError' });
      if (name === 'sm-crypto-v2') {
        assert.throws(() => sm2.verifyPublicKey(text), { name: 'KuaimiError' });
        assert.throws(() => sm2.doVerifySignature('x', '11'.repeat(64), text), { name: 'KuaimiError' });
      } else {
        assert.equal(sm2.verifyPublicKey(text), false);
        assert.equal(sm2.comparePublicKeyHex(text, text), false);
        assert.equal(sm2.doVerifySignature('x', '11'.repeat(64), text), false);
      }
      assert.throws(() => sm2.compressPublicKeyHex(text), { name: 'KuaimiError' });
    }
    for (const call of [
      () => v2.sm2.ecdh(privateKey, text),
      () => v2.sm2.getZ(text),
      () => v2.sm2.precomputePublicKey(text),
      () => v2.sm2.calculateSharedKey(pair, pair, text, publicKey, 16),
      () => v2.sm2.calculateSharedKey(pair, pair, publicKey, text, 16, true),
      () => gm.SM2.encrypt('x', text),
    ]) {
      assert.throws(call, { name: 'KuaimiError' });
    }
  }
});

// x, y of a point outside of the curve give a key after some hundred answers (CVE-2026-23966). The
// ciphertext is right for the point that a careless program computes: C3 is that of [d]C1 for d = 1.
test('a ciphertext whose point is off the curve is not decrypted', () => {
  const one = hexOf(1n);
  for (const xy of OFF) {
    const [x, y] = [xy.slice(0, 64), xy.slice(64)].map((digits) => Buffer.from(digits, 'hex'));
    const [mask] = hash.kdf(Buffer.concat([x, y]), 1);
    const c2 = Buffer.of(mask ^ 0x61).toString('hex');
    const c3 = Buffer.from(hash.digest(Buffer.concat([x, Buffer.of(0x61), y]))).toString('hex');
    for (const name of ['sm-crypto', 'miniprogram-sm-crypto']) {
      const { sm2 } = PEERS[name].ours;
      assert.equal(sm2.doDecrypt(xy + c3 + c2, one), '');
      assert.deepEqual(sm2.doDecrypt(xy + c2 + c3, one, 0, { output: 'array' }), []);
    }
    assert.throws(() => v2.sm2.doDecrypt(xy + c3 + c2, one), { name: 'KuaimiError' });
    assert.equal(gm.SM2.decrypt(xy + c3 + c2, one, { inputEncoding: 'hex', outputEncoding: 'hex' }), '');
    // In DER, with numbers as they are: sm-crypto-v2 checks no point here.
    const integer = (data) => `0221${`00${data.toString('hex')}`}`;
    const content = `${integer(x)}${integer(y)}0420${c3}0401${c2}`;
    assert.throws(() => v2.sm2.doDecrypt(`30${(content.length / 2).toString(16)}${content}`, one, 1, { asn1: true }), { name: 'KuaimiError' });
  }
});

test('signatures with numbers out of range, and other forms of right ones, are refused', () => {
  for (const name of NAMES) {
    const { sm2 } = PEERS[name].ours;
    for (const hashed of [true, false]) {
      const right = sm2.doSignature('x', privateKey, { hash: hashed });
      const [r, s] = [right.slice(0, 64), right.slice(64)];
      const verify = (text, der = false) => sm2.doVerifySignature('x', text, publicKey, { hash: hashed, der });
      assert.equal(verify(right), true);
      const plus = (digits) => (BigInt(`0x${digits}`) + N).toString(16);
      for (const text of [
        hexOf(0n) + s, r + hexOf(0n), r + hexOf(N), hexOf(N) + s, r + hexOf(N - BigInt(`0x${r}`)), plus(r) + s, r + plus(s),
        hexOf(0n) + hexOf(0n), 'ff'.repeat(64), `${r}00${s}`, `${right}00`, right.slice(0, -2), `00${right}`, ` ${right}`, '', s + r,
      ]) {
        assert.equal(verify(text), false, `${name} ${text}`);
      }
      const der = sm2.doSignature('x', privateKey, { hash: hashed, der: true });
      assert.equal(verify(der, true), true);
      const rest = der.slice(4);
      const length = Number.parseInt(der.slice(2, 4), 16);
      const size = (bytes) => bytes.toString(16).padStart(2, '0');
      for (const text of [
        `${der}00`, `3081${size(length)}${rest}`, `30${size(length + 2)}${rest}0500`, `30${size(length - 1)}${rest}`, `31${der.slice(2)}`,
        `30${size(length + 1)}02${size(Number.parseInt(rest.slice(2, 4), 16) + 1)}00${rest.slice(4)}`, `3080${rest}0000`, '', '30', right,
      ]) {
        assert.equal(verify(text, true), false, `${name} ${text}`);
      }
      assert.equal(verify(right.toUpperCase()), true);
    }
  }
});

test('private keys out of range are refused by every function', () => {
  for (const name of NAMES) {
    const { sm2 } = PEERS[name].ours;
    const text = sm2.doEncrypt('x', publicKey);
    for (const key of ['', '0', hexOf(0n), hexOf(N), hexOf(N - 1n), hexOf(N + 1n), 'ff'.repeat(33), `0x${privateKey}`, '你', null, undefined, 5, {}, []]) {
      for (const call of [
        () => sm2.doSignature('x', key),
        () => sm2.doSignature('x', key, { hash: false }),
        () => sm2.doDecrypt(text, key),
        () => sm2.getPublicKeyFromPrivateKey(key),
      ]) {
        assert.throws(call, (error) => error.name === 'KuaimiError' && typeof error.code === 'string', `${name} ${String(key)}`);
      }
    }
  }
  fails('InvalidArgument', () => gm.SM2.decrypt('x', null));
});

test('ciphertexts that are cut, longer or altered give nothing', () => {
  for (const name of NAMES) {
    const { sm2 } = PEERS[name].ours;
    for (const mode of [0, 1]) {
      const right = sm2.doEncrypt('message', publicKey, mode);
      const decrypt = (text) => sm2.doDecrypt(text, privateKey, mode);
      assert.equal(decrypt(right), 'message');
      for (let length = 128; length < right.length; length += 1) assert.equal(decrypt(right.slice(0, length)), '', `${name} ${length}`);
      for (const text of [`${right}00`, `${right}0`, `${right}zz`]) assert.equal(decrypt(text), '');
      for (let at = 128; at < right.length; at += 7) {
        assert.equal(decrypt(`${right.slice(0, at)}${right[at] === '0' ? '1' : '0'}${right.slice(at + 1)}`), '');
      }
    }
    const empty = sm2.doEncrypt('', publicKey);
    const flipped = `${empty.slice(0, 64)}${hexOf(P - BigInt(`0x${empty.slice(64, 128)}`))}${empty.slice(128)}`;
    assert.equal(sm2.doDecrypt(flipped, privateKey, 1, { output: 'array' }).length, 0);
    assert.equal(sm2.doDecrypt(empty, privateKey), '');
  }
});

test('a ciphertext in DER has one form', () => {
  const content = (text) => text.slice(4);
  const size = (bytes) => bytes.toString(16).padStart(2, '0');
  // The first bit of both coordinates is set, so that each has a zero in front.
  let right;
  do right = v2.sm2.doEncrypt('x', publicKey, 1, { asn1: true }); while (!/^30..022100.{64}022100/.test(right));
  const length = Number.parseInt(right.slice(2, 4), 16);
  const decrypt = (text) => v2.sm2.doDecrypt(text, privateKey, 1, { asn1: true });
  assert.equal(decrypt(right), 'x');
  assert.equal(decrypt(right.toUpperCase()), 'x');
  const inside = content(right);
  for (const text of [
    `${right}00`, `30${size(length + 2)}${inside}0500`, `3081${size(length)}${inside}`, `3080${inside}0000`, `31${size(length)}${inside}`,
    `30${size(length - 1)}${inside}`, right.slice(0, -2), `30${size(length - 1)}0220${inside.slice(6)}`,
    `30${size(length + 1)}02220000${inside.slice(6)}`, right.replace(/0420/, '0320'), right.replace(/0420/, '048120'), '', '30', '3000', 'zz',
  ]) {
    assert.throws(() => decrypt(text), { name: 'KuaimiError' }, text);
  }
  // A zero in front of a first bit that is clear.
  let low;
  do low = v2.sm2.doEncrypt('x', publicKey, 1, { asn1: true }); while (!/^30..0220/.test(low));
  assert.equal(decrypt(low), 'x');
  const longer = size(Number.parseInt(low.slice(2, 4), 16) + 1);
  assert.throws(() => decrypt(`30${longer}022100${low.slice(8)}`), { name: 'KuaimiError' });
});

test('what would lose or show data in silence is an error', () => {
  const key = '0123456789abcdeffedcba9876543210';
  for (const name of NAMES) {
    const { sm4, sm3 } = PEERS[name].ours;
    for (const wrong of ['', 'zz'.repeat(16), key.slice(1), `${key}00`, [1, 2], new Uint8Array(15), null, undefined, 5, [...'0123456789abcdef']]) {
      assert.throws(() => sm4.encrypt('x', wrong), { name: 'KuaimiError' });
      if (wrong !== undefined || name !== 'sm-crypto-v2') {
        assert.throws(() => sm4.encrypt('x', key, { mode: 'cbc', iv: wrong }), { name: 'KuaimiError' });
      }
    }
    for (const mode of ['CBC', 'ctr', 'gcm '] ) fails('InvalidArgument', () => sm4.encrypt('x', key, { mode }));
    fails('PartialBlock', () => sm4.encrypt('x', key, { padding: 'none' }));
    fails('DecryptionFailed', () => sm4.decrypt('00'.repeat(16), key));
    assert.throws(() => sm4.decrypt('00'.repeat(16), key), { message: 'padding is invalid' });
    fails('InvalidArgument', () => sm4.decrypt('0'.repeat(31), key));
    for (const input of [5, true, {}, null, undefined, new ArrayBuffer(4), () => 1]) {
      assert.throws(() => sm3(input), { name: 'KuaimiError' });
      assert.throws(() => sm4.encrypt(input, key), { name: 'KuaimiError' });
    }
  }
  fails('InvalidArgument', () => v2.sm4.encrypt('x', key, { mode: 'gcm' }));
  const iv = '00'.repeat(12);
  const { output, tag } = v2.sm4.encrypt('x', key, { mode: 'gcm', iv });
  assert.equal(v2.sm4.decrypt(output, key, { mode: 'gcm', iv, tag }), 'x');
  for (const wrong of [undefined, '', tag.slice(2), `${tag}00`, '00'.repeat(16)]) {
    assert.throws(() => v2.sm4.decrypt(output, key, { mode: 'gcm', iv, tag: wrong }), (error) => /authentication tag mismatch/.test(error.message));
  }
  fails('InvalidArgument', () => gm.SM4.encrypt('x', key, { mode: 'cbc', iv: key }));
  fails('DecryptionFailed', () => gm.SM4.decrypt('00'.repeat(16), key, { inputEncoding: 'hex' }));
});

test('an identity has at most 8191 bytes', () => {
  for (const name of NAMES) {
    const { sm2 } = PEERS[name].ours;
    const options = { hash: true, userId: '用'.repeat(2730) };
    assert.equal(sm2.doVerifySignature('x', sm2.doSignature('x', privateKey, options), publicKey, options), true);
    const longer = { hash: true, userId: `${options.userId}ab` };
    assert.throws(() => sm2.doSignature('x', privateKey, longer), { name: 'KuaimiError', code: 'IdentityTooLong' });
    assert.throws(() => sm2.doVerifySignature('x', '11'.repeat(64), publicKey, longer), { name: 'KuaimiError', code: 'IdentityTooLong' });
  }
});

test('a point of the pool is taken, and its number is not used', () => {
  for (const name of NAMES) {
    const { sm2 } = PEERS[name].ours;
    const point = sm2.getPoint();
    const pool = [point, point, point];
    const [one, two] = [sm2.doSignature('x', privateKey, { pointPool: pool }), sm2.doSignature('x', privateKey, { pointPool: pool })];
    assert.equal(pool.length, 1);
    assert.notEqual(one, two);
    assert.equal(sm2.doVerifySignature('x', one, publicKey), true);
    const text = PEERS[name].theirs.sm2.doSignature('x', privateKey, { pointPool: [PEERS[name].theirs.sm2.getPoint()] });
    assert.equal(sm2.doVerifySignature('x', text, publicKey), true);
  }
});
