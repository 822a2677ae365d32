// The packages of the speed table: the same work in each, as functions by the names of its rows.

import { sm2, sm3, sm4, toHex } from 'kuaimi/slim';
import { peer } from './modules.js';

export const MESSAGE = new Uint8Array(1024).fill(97);
export const LONG = new Uint8Array(64 << 10).fill(98);
const KEY = new Uint8Array(16).fill(1);
const IV = new Uint8Array(16).fill(2);
const CBC = { mode: 'cbc', iv: IV };

/** What the peers' results must be, so that no wrong one is measured. */
function expected() {
  const key = sm2.PrivateKey.fromBytes(new Uint8Array(32).fill(7));
  return {
    key,
    privateHex: toHex(key.toBytes()),
    publicHex: toHex(key.publicKey.toBytes()),
    signature: key.sign(MESSAGE, { form: 'raw' }),
    ciphertext: key.publicKey.encrypt(MESSAGE),
    digest: sm3.hexDigest(LONG),
    sealed: sm4.encrypt(KEY, LONG, CBC),
  };
}

function must(right) {
  if (!right) throw new Error('another result');
}

function kuaimi({ key, signature, ciphertext, sealed }) {
  const { publicKey } = key;
  return {
    generate: () => sm2.PrivateKey.generate().dispose(),
    sign: () => key.sign(MESSAGE, { form: 'raw' }),
    verify: () => publicKey.verify(signature, MESSAGE),
    encrypt: () => publicKey.encrypt(MESSAGE),
    decrypt: () => key.decrypt(ciphertext, { form: 'c1c3c2' }),
    sm3: () => sm3.digest(LONG),
    sm4Encrypt: () => sm4.encrypt(KEY, LONG, CBC),
    sm4Decrypt: () => sm4.decrypt(KEY, sealed, CBC),
  };
}

/** sm-crypto and sm-crypto-v2 have the same functions: one takes arrays of numbers, the other bytes. */
function smCrypto(loaded, own, { key, privateHex, publicHex, signature, ciphertext, digest, sealed }) {
  const { sm2: curve, sm3: hash, sm4: cipher } = loaded.default ?? loaded;
  const [message, long] = [own(MESSAGE), own(LONG)];
  // Without the leading 04.
  const bare = toHex(ciphertext).slice(2);
  const hashed = { hash: true, publicKey: publicHex };
  const [keyHex, options] = [toHex(KEY), { mode: 'cbc', iv: toHex(IV), output: 'array' }];
  const [signatureHex, sealedBytes] = [toHex(signature), own(sealed)];
  const calls = {
    generate: () => curve.generateKeyPairHex(),
    sign: () => curve.doSignature(message, privateHex, hashed),
    verify: () => curve.doVerifySignature(message, signatureHex, publicHex, { hash: true }),
    encrypt: () => curve.doEncrypt(message, publicHex, 1),
    decrypt: () => curve.doDecrypt(bare, privateHex, 1, { output: 'array' }),
    sm3: () => hash(long),
    sm4Encrypt: () => cipher.encrypt(long, keyHex, options),
    sm4Decrypt: () => cipher.decrypt(sealedBytes, keyHex, options),
  };
  must(calls.verify() === true && calls.sm3() === digest && calls.decrypt().length === MESSAGE.length);
  must(key.publicKey.verify(hex(calls.sign()), MESSAGE) && toHex(Uint8Array.from(calls.sm4Encrypt())) === toHex(sealed));
  return calls;
}

const hex = (text) => Uint8Array.from(text.match(/../g), (digits) => parseInt(digits, 16));

function gmCrypto({ SM2, SM3, SM4 }, { privateHex, publicHex, ciphertext, digest, sealed }) {
  const bare = toHex(ciphertext).slice(2);
  const options = { mode: SM4.constants.CBC, iv: toHex(IV), outputEncoding: 'hex' };
  const [keyHex, sealedHex] = [toHex(KEY), toHex(sealed)];
  const order = { mode: SM2.constants.C1C3C2 };
  const [message, long] = [MESSAGE.slice().buffer, LONG.slice().buffer];
  const calls = {
    generate: () => SM2.generateKeyPair(),
    encrypt: () => SM2.encrypt(message, publicHex, { ...order, outputEncoding: 'hex' }),
    decrypt: () => SM2.decrypt(bare, privateHex, { ...order, inputEncoding: 'hex', outputEncoding: 'hex' }),
    sm3: () => SM3.digest(long, 'utf8', 'hex'),
    sm4Encrypt: () => SM4.encrypt(long, keyHex, options),
    sm4Decrypt: () => SM4.decrypt(sealedHex, keyHex, { ...options, inputEncoding: 'hex' }),
  };
  must(calls.sm3() === digest && calls.decrypt() === toHex(MESSAGE) && calls.sm4Encrypt() === sealedHex);
  return calls;
}

/** The packages' names, and what makes their functions. */
export const packages = {
  Kuaimi: async (values) => kuaimi(values),
  'sm-crypto': async (values) => smCrypto(await peer('sm-crypto'), (bytes) => Array.from(bytes), values),
  'sm-crypto-v2': async (values) => smCrypto(await peer('sm-crypto-v2'), (bytes) => bytes, values),
  'gm-crypto': async (values) => gmCrypto(await peer('gm-crypto'), values),
};

export { expected };
