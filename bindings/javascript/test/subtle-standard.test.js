// kuaimi/subtle has the shape of crypto.subtle: the same generic code runs with AES, ECDSA and
// HMAC-SHA-256 of Node, and with SM4, SM2 and HMAC-SM3 here, and sees the same.

import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { test } from 'node:test';
import { utf8 } from 'kuaimi';
import { subtle } from 'kuaimi/subtle';

const NODE = {
  subtle: webcrypto.subtle,
  gcm: 'AES-GCM', cbc: 'AES-CBC', ctr: 'AES-CTR',
  secret: (name) => ({ name, length: 128 }),
  pair: { name: 'ECDSA', namedCurve: 'P-256' },
  signing: { name: 'ECDSA', hash: 'SHA-256' },
  hash: 'SHA-256',
  curve: 'P-256',
  alg: 'A128GCM',
};
const OURS = {
  subtle,
  gcm: 'SM4-GCM', cbc: 'SM4-CBC', ctr: 'SM4-CTR',
  secret: (name) => ({ name, length: 128 }),
  pair: { name: 'SM2', namedCurve: 'SM2-P-256' },
  signing: { name: 'SM2', hash: 'SM3' },
  hash: 'SM3',
  curve: 'SM2-P-256',
  alg: 'SGD_SM4_GCM',
};

/** What a promise becomes: the value, or the name of the error. */
async function outcome(call) {
  try {
    return await call();
  } catch (error) {
    // Node 20 writes one of the names in another way than the API has it.
    return { error: error.name === 'InvalidAccessException' ? 'InvalidAccessError' : error.name };
  }
}

const IV = new Uint8Array(12);
const DATA = new Uint8Array(40).fill(7);

/** Each use and misuse: what it gives is compared. */
const USES = {
  'a new secret': async ({ subtle: s, gcm, secret }) => {
    const key = await s.generateKey(secret(gcm), true, ['decrypt', 'encrypt', 'encrypt']);
    return [key.type, key.extractable, key.algorithm.length, [...key.usages].sort(), Object.keys(key), Object.prototype.toString.call(key), JSON.stringify(key)];
  },
  'a new pair': async ({ subtle: s, pair }) => {
    const { privateKey, publicKey, ...rest } = await s.generateKey(pair, false, ['verify', 'sign']);
    return [rest, privateKey.type, privateKey.extractable, privateKey.usages, publicKey.type, publicKey.extractable, publicKey.usages, Object.keys(privateKey.algorithm)];
  },
  'properties cannot be set': async ({ subtle: s, gcm, secret }) => {
    const key = await s.generateKey(secret(gcm), false, ['encrypt']);
    return outcome(() => { key.extractable = true; });
  },
  'only to verify': ({ subtle: s, pair }) => s.generateKey(pair, true, ['verify']),
  'a pair without usages': ({ subtle: s, pair }) => s.generateKey(pair, true, []),
  'a secret without usages': ({ subtle: s, gcm, secret }) => s.generateKey(secret(gcm), true, []),
  'a usage of another algorithm': ({ subtle: s, gcm, secret }) => s.generateKey(secret(gcm), true, ['sign']),
  'a usage that is none': ({ subtle: s, gcm, secret }) => s.generateKey(secret(gcm), true, ['read']),
  'usages that are no array': ({ subtle: s, gcm, secret }) => s.generateKey(secret(gcm), true, 'encrypt'),
  'an algorithm that is none': ({ subtle: s }) => s.generateKey({ name: 'ROT13' }, true, ['sign']),
  'an algorithm without a name': ({ subtle: s }) => s.digest({}, DATA),
  'null for an algorithm': ({ subtle: s }) => s.digest(null, DATA),
  'a length that no key has': ({ subtle: s, gcm }) => s.generateKey({ name: gcm, length: 100 }, true, ['encrypt']),
  'too few arguments': ({ subtle: s }) => s.encrypt({ name: 'x' }),
  'names in any case': async ({ subtle: s, hash }) => [await s.digest(hash.toLowerCase(), DATA) instanceof ArrayBuffer],
  'data that is text': ({ subtle: s, hash }) => s.digest(hash, 'text'),
  'data that threads share': ({ subtle: s, hash }) => s.digest(hash, new Uint8Array(new SharedArrayBuffer(2))),
  'lengths of methods': ({ subtle: s }) =>
    ['encrypt', 'decrypt', 'sign', 'verify', 'digest', 'generateKey', 'deriveKey', 'deriveBits', 'importKey', 'exportKey', 'wrapKey', 'unwrapKey'].map((name) => s[name].length),
};

const withKey = (mode, usages, run) => async (one) => {
  const key = await one.subtle.generateKey(one.secret(one[mode]), true, usages);
  return run(one, key);
};
const BOTH = ['encrypt', 'decrypt'];
Object.assign(USES, {
  'GCM there and back': withKey('gcm', BOTH, async ({ subtle: s, gcm }, key) => {
    const algorithm = { name: gcm, iv: IV, additionalData: utf8('header'), tagLength: 128 };
    const sealed = await s.encrypt(algorithm, key, DATA);
    const opened = await s.decrypt(algorithm, key, sealed);
    return [sealed.byteLength, opened instanceof ArrayBuffer, [...new Uint8Array(opened)]];
  }),
  'GCM with another header': withKey('gcm', BOTH, async ({ subtle: s, gcm }, key) => {
    const sealed = await s.encrypt({ name: gcm, iv: IV, additionalData: utf8('a') }, key, DATA);
    return s.decrypt({ name: gcm, iv: IV, additionalData: utf8('b') }, key, sealed);
  }),
  'GCM, altered': withKey('gcm', BOTH, async ({ subtle: s, gcm }, key) => {
    const sealed = new Uint8Array(await s.encrypt({ name: gcm, iv: IV }, key, DATA));
    sealed[3] ^= 1;
    return s.decrypt({ name: gcm, iv: IV }, key, sealed);
  }),
  'GCM, too short': withKey('gcm', BOTH, ({ subtle: s, gcm }, key) => s.decrypt({ name: gcm, iv: IV }, key, IV)),
  'GCM without iv': withKey('gcm', BOTH, ({ subtle: s, gcm }, key) => s.encrypt({ name: gcm }, key, DATA)),
  'GCM, an empty iv': withKey('gcm', BOTH, ({ subtle: s, gcm }, key) => s.encrypt({ name: gcm, iv: new Uint8Array(0) }, key, DATA)),
  'GCM, an iv of text': withKey('gcm', BOTH, ({ subtle: s, gcm }, key) => s.encrypt({ name: gcm, iv: 'text' }, key, DATA)),
  'GCM, a tag of 17 bits': withKey('gcm', BOTH, ({ subtle: s, gcm }, key) => s.encrypt({ name: gcm, iv: IV, tagLength: 17 }, key, DATA)),
  'GCM, a tag of 300 bits': withKey('gcm', BOTH, ({ subtle: s, gcm }, key) => s.encrypt({ name: gcm, iv: IV, tagLength: 300 }, key, DATA)),
  'GCM, a key to decrypt': withKey('gcm', ['decrypt'], ({ subtle: s, gcm }, key) => s.encrypt({ name: gcm, iv: IV }, key, DATA)),
  'GCM, a key of CBC': withKey('cbc', BOTH, ({ subtle: s, gcm }, key) => s.encrypt({ name: gcm, iv: IV }, key, DATA)),
  'GCM, an object as a key': ({ subtle: s, gcm }) => s.encrypt({ name: gcm, iv: IV }, { type: 'secret' }, DATA),
  'CBC, lengths': withKey('cbc', BOTH, async ({ subtle: s, cbc }, key) => {
    const lengths = [];
    for (const length of [0, 15, 16]) lengths.push((await s.encrypt({ name: cbc, iv: new Uint8Array(16) }, key, new Uint8Array(length))).byteLength);
    return lengths;
  }),
  'CBC, a short iv': withKey('cbc', BOTH, ({ subtle: s, cbc }, key) => s.encrypt({ name: cbc, iv: IV }, key, DATA)),
  'CBC, half a block': withKey('cbc', BOTH, ({ subtle: s, cbc }, key) => s.decrypt({ name: cbc, iv: new Uint8Array(16) }, key, DATA)),
  'CBC, nothing': withKey('cbc', BOTH, ({ subtle: s, cbc }, key) => s.decrypt({ name: cbc, iv: new Uint8Array(16) }, key, new Uint8Array(0))),
  'CTR, a short counter': withKey('ctr', BOTH, ({ subtle: s, ctr }, key) => s.encrypt({ name: ctr, counter: IV, length: 64 }, key, DATA)),
  'CTR without length': withKey('ctr', BOTH, ({ subtle: s, ctr }, key) => s.encrypt({ name: ctr, counter: new Uint8Array(16) }, key, DATA)),
  'CTR, no bits': withKey('ctr', BOTH, ({ subtle: s, ctr }, key) => s.encrypt({ name: ctr, counter: new Uint8Array(16), length: 0 }, key, DATA)),
  'CTR, 129 bits': withKey('ctr', BOTH, ({ subtle: s, ctr }, key) => s.encrypt({ name: ctr, counter: new Uint8Array(16), length: 129 }, key, DATA)),
  'CTR, 300 bits': withKey('ctr', BOTH, ({ subtle: s, ctr }, key) => s.encrypt({ name: ctr, counter: new Uint8Array(16), length: 300 }, key, DATA)),
  'CTR, a counter that comes twice': withKey('ctr', BOTH, ({ subtle: s, ctr }, key) => s.encrypt({ name: ctr, counter: new Uint8Array(16), length: 1 }, key, DATA)),
  'a secret as JWK': withKey('gcm', BOTH, async ({ subtle: s, alg }, key) => {
    const { k, ...jwk } = await s.exportKey('jwk', key);
    assert.equal(jwk.alg, alg);
    return { ...jwk, alg: 0, key_ops: jwk.key_ops.sort(), k: k.length };
  }),
  'a secret as raw': withKey('gcm', BOTH, async ({ subtle: s }, key) => (await s.exportKey('raw', key)).byteLength),
  'a secret in a format that is none': withKey('gcm', BOTH, ({ subtle: s }, key) => s.exportKey('der', key)),
});

const withPair = (extractable, run) => async (one) => run(one, await one.subtle.generateKey(one.pair, extractable, ['sign', 'verify']));
Object.assign(USES, {
  'signatures': withPair(false, async ({ subtle: s, signing }, pair) => {
    const signature = await s.sign(signing, pair.privateKey, DATA);
    const right = await s.verify(signing, pair.publicKey, signature, DATA);
    const wrong = await s.verify(signing, pair.publicKey, signature, IV);
    return [signature instanceof ArrayBuffer, signature.byteLength, right, wrong, await s.verify(signing, pair.publicKey, IV, DATA)];
  }),
  'a public key that signs': withPair(false, ({ subtle: s, signing }, pair) => s.sign(signing, pair.publicKey, DATA)),
  'a private key that verifies': withPair(false, ({ subtle: s, signing }, pair) => s.verify(signing, pair.privateKey, DATA, DATA)),
  'a hash that is none': withPair(false, ({ subtle: s, signing }, pair) => s.sign({ ...signing, hash: 'CRC' }, pair.privateKey, DATA)),
  'a private key that stays': withPair(false, ({ subtle: s }, pair) => s.exportKey('pkcs8', pair.privateKey)),
  'a private key as spki': withPair(true, ({ subtle: s }, pair) => s.exportKey('spki', pair.privateKey)),
  'a private key as raw': withPair(true, ({ subtle: s }, pair) => s.exportKey('raw', pair.privateKey)),
  'a public key as pkcs8': withPair(true, ({ subtle: s }, pair) => s.exportKey('pkcs8', pair.publicKey)),
  'a private key as JWK': withPair(true, async ({ subtle: s, curve }, pair) => {
    const { x, y, d, crv, ...rest } = await s.exportKey('jwk', pair.privateKey);
    assert.equal(crv, curve);
    return [x.length, y.length, d.length, rest];
  }),
  'the public half of a pair is extractable': withPair(false, async ({ subtle: s }, pair) => (await s.exportKey('raw', pair.publicKey)).byteLength),
  'from pkcs8 without usages': withPair(true, async ({ subtle: s, pair: algorithm }, pair) =>
    s.importKey('pkcs8', await s.exportKey('pkcs8', pair.privateKey), algorithm, true, [])),
  'from spki without usages': withPair(true, async ({ subtle: s, pair: algorithm }, pair) =>
    (await s.importKey('spki', await s.exportKey('spki', pair.publicKey), algorithm, true, [])).usages),
  'from pkcs8 to verify': withPair(true, async ({ subtle: s, pair: algorithm }, pair) =>
    s.importKey('pkcs8', await s.exportKey('pkcs8', pair.privateKey), algorithm, true, ['verify'])),
  'from a JWK of the other kind of use': withPair(true, async ({ subtle: s, pair: algorithm }, pair) =>
    s.importKey('jwk', { ...(await s.exportKey('jwk', pair.publicKey)), use: 'enc' }, algorithm, true, ['verify'])),
  'from a JWK with another point': withPair(true, async ({ subtle: s, pair: algorithm }, pair) => {
    const jwk = await s.exportKey('jwk', pair.publicKey);
    return s.importKey('jwk', { ...jwk, x: jwk.y }, algorithm, true, ['verify']);
  }),
  'wrapped without the usage': withPair(true, withKey('gcm', BOTH, ({ subtle: s, gcm }, key) => s.wrapKey('raw', key, key, { name: gcm, iv: IV }))),
  'a key that stays, wrapped': withPair(false, async ({ subtle: s, gcm, secret }, pair) =>
    s.wrapKey('pkcs8', pair.privateKey, await s.generateKey(secret(gcm), false, ['wrapKey']), { name: gcm, iv: IV })),
  'unwrapped JSON that is none': withKey('gcm', ['encrypt', 'unwrapKey'], async ({ subtle: s, gcm }, key) => {
    const wrapped = await s.encrypt({ name: gcm, iv: IV }, key, utf8('{"kty"'));
    return s.unwrapKey('jwk', wrapped, key, { name: gcm, iv: IV }, gcm, true, ['encrypt']);
  }),
});

const K = 'AAAAAAAAAAAAAAAAAAAAAA';
for (const [what, format, data, usages = ['encrypt']] of [
  ['15 bytes', 'raw', new Uint8Array(15)],
  ['no usages', 'raw', new Uint8Array(16), []],
  ['a usage of another algorithm', 'raw', new Uint8Array(16), ['sign']],
  ['a format that is none', 'der', new Uint8Array(16)],
  ['a format of other keys', 'spki', new Uint8Array(16)],
  ['a JWK as raw', 'raw', { kty: 'oct', k: K }],
  ['a JWK', 'jwk', { kty: 'oct', k: K }],
  ['another kty', 'jwk', { kty: 'EC', k: K }],
  ['no kty', 'jwk', { k: K }],
  ['ext false', 'jwk', { kty: 'oct', k: K, ext: false }],
  ['other key_ops', 'jwk', { kty: 'oct', k: K, key_ops: ['decrypt'] }],
  ['key_ops twice', 'jwk', { kty: 'oct', k: K, key_ops: ['encrypt', 'encrypt'] }],
  ['another use', 'jwk', { kty: 'oct', k: K, use: 'sig' }],
  ['another alg', 'jwk', { kty: 'oct', k: K, alg: 'HS256' }],
]) {
  USES[`a secret from ${what}`] = async ({ subtle: s, gcm }) => (await s.importKey(format, data, gcm, true, usages)).usages;
}
for (const [what, data, usages] of [
  ['no point', new Uint8Array(65), ['verify']],
  ['bytes too few', new Uint8Array(20), ['verify']],
  ['a usage of the other half', new Uint8Array(65), ['sign']],
]) {
  USES[`a public key from ${what}`] = ({ subtle: s, pair }) => s.importKey('raw', data, pair, true, usages);
}
for (const format of ['pkcs8', 'spki']) {
  USES[`${format} that is none`] = ({ subtle: s, pair }) => s.importKey(format, IV, pair, true, format === 'spki' ? ['verify'] : ['sign']);
}
for (const [what, algorithm, data] of [
  ['a key', { name: 'HMAC' }, new Uint8Array(32)],
  ['an empty key', { name: 'HMAC' }, new Uint8Array(0)],
  ['a length too great', { name: 'HMAC', length: 24 }, new Uint8Array(2)],
  ['a length too small', { name: 'HMAC', length: 7 }, new Uint8Array(2)],
]) {
  USES[`HMAC from ${what}`] = async ({ subtle: s, hash }) => {
    const key = await s.importKey('raw', data, { ...algorithm, hash }, true, ['sign', 'verify']);
    const code = await s.sign('HMAC', key, DATA);
    const other = new Uint8Array(code.byteLength);
    return [key.algorithm.length, key.algorithm.hash.name === hash, code.byteLength, await s.verify('HMAC', key, code, DATA), await s.verify('HMAC', key, other, DATA), await s.verify('HMAC', key, IV, DATA)];
  };
}
Object.assign(USES, {
  'HMAC without hash': ({ subtle: s }) => s.importKey('raw', DATA, 'HMAC', true, ['sign']),
  'HMAC, a new key': async ({ subtle: s, hash }) => (await s.generateKey({ name: 'HMAC', hash }, true, ['sign'])).algorithm.length,
  'HMAC, a new key of no bits': ({ subtle: s, hash }) => s.generateKey({ name: 'HMAC', hash, length: 0 }, true, ['sign']),
  'HMAC as JWK': async ({ subtle: s, hash }) => {
    const { k, alg, ...jwk } = await s.exportKey('jwk', await s.generateKey({ name: 'HMAC', hash }, true, ['sign']));
    return [jwk, k.length];
  },
});
const derivation = (name, parameters, run) => async (one) => {
  const key = await one.subtle.importKey('raw', utf8('secret'), name, false, ['deriveBits', 'deriveKey']);
  return run(one.subtle, { name, hash: one.hash, salt: IV, ...parameters }, key, one);
};
for (const [name, parameters] of [['PBKDF2', { iterations: 10 }], ['HKDF', { info: DATA }]]) {
  Object.assign(USES, {
    [`${name}: bits`]: derivation(name, parameters, async (s, algorithm, key) => (await s.deriveBits(algorithm, key, 264)).byteLength),
    [`${name}: no length`]: derivation(name, parameters, (s, algorithm, key) => s.deriveBits(algorithm, key, null)),
    [`${name}: 13 bits`]: derivation(name, parameters, (s, algorithm, key) => s.deriveBits(algorithm, key, 13)),
    [`${name}: 0 bits`]: derivation(name, parameters, async (s, algorithm, key) => (await s.deriveBits(algorithm, key, 0)).byteLength),
    [`${name}: no salt`]: derivation(name, { ...parameters, salt: undefined }, (s, algorithm, key) => s.deriveBits(algorithm, key, 128)),
    [`${name}: a key`]: derivation(name, parameters, async (s, algorithm, key, { gcm, secret }) => {
      const made = await s.deriveKey(algorithm, key, secret(gcm), true, ['encrypt']);
      const bits = await s.deriveBits(algorithm, key, 128);
      assert.deepEqual(await s.exportKey('raw', made), bits);
      return [made.type, made.usages, made.algorithm.length];
    }),
    [`${name}: a key without usages`]: derivation(name, parameters, (s, algorithm, key, { gcm, secret }) => s.deriveKey(algorithm, key, secret(gcm), true, [])),
    [`${name}: exported`]: derivation(name, parameters, (s, algorithm, key) => s.exportKey('raw', key)),
    [`${name}: extractable`]: ({ subtle: s }) => s.importKey('raw', IV, name, true, ['deriveBits']),
    [`${name}: as JWK`]: ({ subtle: s }) => s.importKey('jwk', { kty: 'oct', k: K }, name, false, ['deriveBits']),
  });
}
USES['PBKDF2: no iterations'] = derivation('PBKDF2', { iterations: 0 }, (s, algorithm, key) => s.deriveBits(algorithm, key, 128));
USES['HKDF: too long'] = derivation('HKDF', { info: IV }, (s, algorithm, key) => s.deriveBits(algorithm, key, 8 * 256 * 32));

/** What the API says where versions of Node differ from it, or from each other. */
const STANDARD = {
  'a private key as spki': { error: 'InvalidAccessError' },
  'a private key as raw': { error: 'InvalidAccessError' },
  'a public key as pkcs8': { error: 'InvalidAccessError' },
  'PBKDF2: exported': { error: 'NotSupportedError' },
  'HKDF: exported': { error: 'NotSupportedError' },
  'PBKDF2: 0 bits': 0,
  'HKDF: 0 bits': 0,
};

for (const [what, use] of Object.entries(USES)) {
  test(`as crypto.subtle: ${what}`, async () => {
    const expected = Object.hasOwn(STANDARD, what) ? STANDARD[what] : await outcome(() => use(NODE));
    assert.deepEqual(await outcome(() => use(OURS)), expected);
  });
}
