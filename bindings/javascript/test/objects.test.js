// Objects show nothing, end when they are told to, and cannot be forged; arguments of any type.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import * as kuaimi from 'kuaimi';
import { fromBase64, fromHex, fromUtf8, randomBytes, sm2, sm3, sm4, toBase64, toHex, utf8 } from 'kuaimi';
import { fails } from './helpers.js';

const key = sm2.PrivateKey.generate();

test('nothing is shown of a key', () => {
  const d = key.toBytes();
  const texts = [inspect(key, { showHidden: true, depth: 9 }), JSON.stringify(key), JSON.stringify({ key }), String(key), Object.keys(key).join(), JSON.stringify(structuredClone(key))];
  for (const text of texts) {
    assert.ok(!text.includes(toHex(d)) && !text.includes(d.slice(0, 4).join()), text);
  }
  assert.equal(JSON.stringify(key), '{}');
  assert.deepEqual(Reflect.ownKeys(key), []);
  // A clone is no key.
  fails('InvalidArgument', () => key.publicKey.encrypt.call(structuredClone(key), utf8('x')));
});

test('dispose, once and for all', () => {
  const mine = sm2.PrivateKey.generate();
  const { publicKey } = mine;
  mine.dispose();
  mine.dispose();
  for (const call of [() => mine.sign(utf8('x')), () => mine.toBytes(), () => mine.toPem()]) fails('AlreadyFinalized', call);
  assert.equal(publicKey.toBytes().length, 65);
  if (typeof Symbol.dispose === 'symbol') {
    const other = sm2.PrivateKey.generate();
    other[Symbol.dispose]();
    fails('AlreadyFinalized', () => other.toBytes());
  }
  const hash = sm3.createHash();
  hash.dispose();
  fails('AlreadyFinalized', () => hash.update(utf8('x')));
  // The number of a handle may be given again: an object that was disposed of is not another one.
  const fresh = sm3.createHash();
  fails('AlreadyFinalized', () => hash.digest());
  assert.equal(fresh.hexDigest(), sm3.hexDigest(new Uint8Array(0)));
});

test('constructors are not public, and methods do not take other objects', () => {
  for (const Class of [sm2.PrivateKey, sm2.PublicKey, sm3.Hash, sm4.Gcm]) {
    fails('InvalidArgument', () => new Class());
    fails('InvalidArgument', () => new Class({}, {}, 1));
  }
  fails('InvalidArgument', () => sm2.PrivateKey.prototype.sign.call(key.publicKey, utf8('x')));
  fails('InvalidArgument', () => key.diffieHellman(key));
  fails('InvalidArgument', () => key.diffieHellman({ __proto__: sm2.PublicKey.prototype }) );
});

test('every view of bytes is taken as its bytes', () => {
  const expected = sm3.hexDigest(Uint8Array.of(1, 2, 3, 4));
  const { buffer } = Uint8Array.of(0, 1, 2, 3, 4, 0, 0, 0);
  const shared = new SharedArrayBuffer(4);
  new Uint8Array(shared).set([1, 2, 3, 4]);
  for (const data of [
    Buffer.from([1, 2, 3, 4]),
    new Uint8Array(buffer, 1, 4),
    new DataView(buffer, 1, 4),
    Uint8Array.of(1, 2, 3, 4).buffer,
    new Uint16Array(Uint8Array.of(1, 2, 3, 4).buffer),
    shared,
    new Uint8Array(shared),
  ]) {
    assert.equal(sm3.hexDigest(data), expected);
  }
});

test('what is no bytes is refused with words', () => {
  for (const data of ['text', 7, null, undefined, [1, 2], {}, true, 1n, Symbol('x'), () => 1, new Map()]) {
    fails('InvalidArgument', () => sm3.digest(data));
    fails('InvalidArgument', () => key.sign(data));
    fails('InvalidArgument', () => sm2.PrivateKey.fromBytes(data));
    fails('InvalidArgument', () => sm4.encrypt(data, new Uint8Array(16), { mode: 'ecb' }));
  }
  for (const mode of ['CBC', '', undefined, 'toString', '__proto__', 0]) {
    fails('InvalidArgument', () => sm4.encrypt(new Uint8Array(16), new Uint8Array(16), { mode, iv: new Uint8Array(16) }));
  }
  for (const length of [-1, 1.5, NaN, Infinity, '16', null, 2 ** 40]) {
    fails('InvalidArgument', () => randomBytes(length));
    fails('InvalidArgument', () => sm3.kdf(utf8('z'), length));
  }
});

test('random bytes', () => {
  assert.equal(randomBytes(0).length, 0);
  const many = randomBytes(200_000);
  // Each value about 781 times: nothing of it was left out.
  const counts = new Uint32Array(256);
  for (const byte of many) counts[byte] += 1;
  assert.ok(counts.every((count) => count > 500 && count < 1100));
  assert.notDeepEqual(randomBytes(32), randomBytes(32));
  assert.ok(randomBytes(70_000).slice(-16).some((byte) => byte !== 0));
});

test('text and bytes', () => {
  for (const text of ['', 'abc', 'é密🔐', '\u0000\u007f\u0080\u07ff\u0800\uffff\u{10ffff}']) {
    assert.deepEqual([...utf8(text)], [...Buffer.from(text)]);
    assert.equal(fromUtf8(utf8(text)), text);
  }
  fails('InvalidArgument', () => utf8('\ud800'));
  fails('InvalidArgument', () => fromUtf8(Uint8Array.of(0xc0, 0x80)));
  for (let length = 0; length < 40; length += 1) {
    const data = randomBytes(length);
    assert.equal(toHex(data), Buffer.from(data).toString('hex'));
    assert.deepEqual(fromHex(toHex(data).toUpperCase()), data);
    assert.equal(toBase64(data), Buffer.from(data).toString('base64'));
    assert.deepEqual(fromBase64(toBase64(data)), data);
    assert.deepEqual(fromBase64(toBase64(data).replace(/=+$/, '')), data);
  }
  for (const bad of ['0', '0x00', 'zz', '00 00', '\uff10\uff10']) fails('InvalidArgument', () => fromHex(bad));
  for (const bad of ['A', 'AB=', 'AB', 'AA==A', 'A A=', 'AAA$', '====', 'AA=', 'AA\n=']) fails('InvalidArgument', () => fromBase64(bad));
});

test('the package has what its types say, and nothing else', () => {
  assert.deepEqual(Object.keys(kuaimi).sort(), ['KuaimiError', 'backend', 'fromBase64', 'fromHex', 'fromUtf8', 'randomBytes', 'ready', 'sm2', 'sm3', 'sm4', 'toBase64', 'toHex', 'utf8']);
});
