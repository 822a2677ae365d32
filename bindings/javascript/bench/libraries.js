// The libraries that are measured: for each operation, a function that does it once.

import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);
const load = (name) => {
  try {
    return require(name);
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
};

export const TEXT = 'a message of an ordinary length, as people send and sign them ...';
const LONG = 16384;
export const inputs = { short: Buffer.alloc(64, 'x'), long: Buffer.alloc(LONG, 'y'), key: Buffer.alloc(16, 7), iv: Buffer.alloc(16, 9) };
const { short, long, key, iv } = inputs;

const kuaimi = require('kuaimi');
const { sm2, sm3, sm4, toHex, utf8 } = kuaimi;
const pair = require('kuaimi/compat/sm-crypto').sm2.generateKeyPairHex();
const message = utf8(TEXT);

/** Each operation: its name, how many bytes it takes if that counts, and whether all give the same. */
export const OPERATIONS = [
  ['SM2 key pair', {}],
  ['SM2 sign', {}],
  ['SM2 verify', { same: true }],
  ['SM2 encrypt', {}],
  ['SM2 decrypt', { same: true }],
  ['SM3 64 B', { bytes: 64, same: true }],
  ['SM3 16 KiB', { bytes: LONG, same: true }],
  ['HMAC-SM3 16 KiB', { bytes: LONG, same: true }],
  ['SM4-CBC encrypt 16 KiB', { bytes: LONG, same: true }],
  ['SM4-CBC decrypt 16 KiB', { bytes: LONG, same: true }],
  ['SM4-CTR 16 KiB', { bytes: LONG, same: true }],
  ['SM4-GCM encrypt 16 KiB', { bytes: LONG, same: true }],
];

const signature = require('kuaimi/compat/sm-crypto').sm2.doSignature(TEXT, pair.privateKey);
const ciphertext = require('kuaimi/compat/sm-crypto').sm2.doEncrypt(TEXT, pair.publicKey);
const cbc = { mode: 'cbc', iv };
const sealedCbc = Buffer.from(sm4.encrypt(key, long, cbc));
const nonce = iv.subarray(0, 12);

/** Ours, with keys that are kept, as a program has them. */
function ours() {
  const privateKey = sm2.PrivateKey.fromBytes(Buffer.from(pair.privateKey, 'hex'));
  const { publicKey } = privateKey;
  publicKey.prepare();
  const [der, sealed] = [Buffer.from(signature, 'hex'), Buffer.from(ciphertext, 'hex')];
  const gcm = sm4.Gcm.create(key);
  return {
    'SM2 key pair': () => sm2.PrivateKey.generate().publicKey.toBytes(),
    'SM2 sign': () => privateKey.sign(message),
    'SM2 verify': () => publicKey.verify(der, message, { form: 'raw' }),
    'SM2 encrypt': () => publicKey.encrypt(message),
    'SM2 decrypt': () => privateKey.decrypt(sealed, { form: 'bare-c1c3c2' }),
    'SM3 64 B': () => sm3.digest(short),
    'SM3 16 KiB': () => sm3.digest(long),
    'HMAC-SM3 16 KiB': () => sm3.hmac(key, long),
    'SM4-CBC encrypt 16 KiB': () => sm4.encrypt(key, long, cbc),
    'SM4-CBC decrypt 16 KiB': () => sm4.decrypt(key, sealedCbc, cbc),
    'SM4-CTR 16 KiB': () => sm4.encrypt(key, long, { mode: 'ctr', iv }),
    'SM4-GCM encrypt 16 KiB': () => gcm.seal(nonce, long),
  };
}

/** A package with sm-crypto's functions. */
function ofSmCrypto(it, gcm) {
  const hashed = { hash: true };
  const array = { mode: 'cbc', iv, output: 'array' };
  return {
    'SM2 key pair': () => it.sm2.generateKeyPairHex(),
    'SM2 sign': () => it.sm2.doSignature(TEXT, pair.privateKey, { hash: true, publicKey: pair.publicKey }),
    'SM2 verify': () => it.sm2.doVerifySignature(TEXT, signature, pair.publicKey, hashed),
    'SM2 encrypt': () => it.sm2.doEncrypt(TEXT, pair.publicKey),
    'SM2 decrypt': () => it.sm2.doDecrypt(ciphertext, pair.privateKey, 1, { output: 'array' }),
    'SM3 64 B': () => it.sm3(short),
    'SM3 16 KiB': () => it.sm3(long),
    'HMAC-SM3 16 KiB': () => it.sm3(long, { key }),
    'SM4-CBC encrypt 16 KiB': () => it.sm4.encrypt(long, key, array),
    'SM4-CBC decrypt 16 KiB': () => it.sm4.decrypt(sealedCbc, key, array),
    ...(gcm && {
      'SM4-GCM encrypt 16 KiB': () => {
        const { output, tag } = it.sm4.encrypt(long, key, { mode: 'gcm', iv: nonce, output: 'array', outputTag: true });
        return Buffer.concat([output, tag]);
      },
    }),
  };
}

function ofGmCrypto(it) {
  const hex = { iv: toHex(iv), mode: it.SM4.constants.CBC };
  const secret = toHex(key);
  const sealed = Buffer.from(ciphertext, 'hex');
  return {
    'SM2 key pair': () => it.SM2.generateKeyPair(),
    'SM2 encrypt': () => it.SM2.encrypt(TEXT, pair.publicKey),
    'SM2 decrypt': () => it.SM2.decrypt(sealed, pair.privateKey),
    'SM3 64 B': () => it.SM3.digest(short),
    'SM3 16 KiB': () => it.SM3.digest(long),
    'SM4-CBC encrypt 16 KiB': () => it.SM4.encrypt(long, secret, hex),
    'SM4-CBC decrypt 16 KiB': () => it.SM4.decrypt(sealedCbc, secret, hex),
  };
}

function ofSm3(sm3) {
  const [one, other] = [short.toString(), long.toString()];
  return { 'SM3 64 B': () => sm3(one), 'SM3 16 KiB': () => sm3(other) };
}

/** Node's own, as far as its OpenSSL goes. */
function ofNode() {
  const all = {};
  if (crypto.getHashes().includes('sm3')) {
    Object.assign(all, {
      'SM3 64 B': () => crypto.createHash('sm3').update(short).digest(),
      'SM3 16 KiB': () => crypto.createHash('sm3').update(long).digest(),
      'HMAC-SM3 16 KiB': () => crypto.createHmac('sm3', key).update(long).digest(),
    });
  }
  const run = (cipher, data) => Buffer.concat([cipher.update(data), cipher.final()]);
  const ciphers = crypto.getCiphers();
  if (ciphers.includes('sm4-cbc')) {
    all['SM4-CBC encrypt 16 KiB'] = () => run(crypto.createCipheriv('sm4-cbc', key, iv), long);
    all['SM4-CBC decrypt 16 KiB'] = () => run(crypto.createDecipheriv('sm4-cbc', key, iv), sealedCbc);
  }
  if (ciphers.includes('sm4-ctr')) all['SM4-CTR 16 KiB'] = () => run(crypto.createCipheriv('sm4-ctr', key, iv), long);
  if (ciphers.includes('sm4-gcm')) {
    all['SM4-GCM encrypt 16 KiB'] = () => {
      const cipher = crypto.createCipheriv('sm4-gcm', key, nonce);
      return Buffer.concat([run(cipher, long), cipher.getAuthTag()]);
    };
  }
  return all;
}

/** The engines of ours that are there, by name; `use` takes one. */
function engines() {
  const folder = path.dirname(require.resolve('kuaimi/package.json'));
  const { engine, install } = require(path.join(folder, 'cjs/core.js'));
  const { wasmEngine } = require(path.join(folder, 'cjs/engine/wasm.js'));
  const found = {};
  if (kuaimi.backend() === 'native') found['kuaimi native'] = engine();
  for (const [name, file] of [['kuaimi wasm-simd', 'sm2-simd'], ['kuaimi wasm', 'sm2']]) {
    const module = new WebAssembly.Module(readFileSync(path.join(folder, 'wasm', `${file}.wasm`)));
    found[name] = wasmEngine((imports) => new WebAssembly.Instance(module, imports), (view) => crypto.webcrypto.getRandomValues(view));
  }
  return Object.entries(found).map(([name, made]) => ({ name, use: () => install('sm2', made) }));
}

/** Every library: its name, its functions, and what to do before they are called. */
export function libraries() {
  const all = [];
  const nothing = () => {};
  for (const { name, use } of engines()) {
    use();
    all.push({ name, use, functions: ours() });
    if (name !== 'kuaimi wasm') {
      all.push({ name: name.replace('kuaimi', 'compat'), use, functions: ofSmCrypto(require('kuaimi/compat/sm-crypto-v2'), true) });
    }
  }
  for (const [name, of] of [
    ['sm-crypto', (it) => ofSmCrypto(it, false)],
    ['sm-crypto-v2', (it) => ofSmCrypto(it, true)],
    ['gm-crypto', ofGmCrypto],
    ['sm3', ofSm3],
  ]) {
    const it = load(name);
    if (it !== undefined) all.push({ name, use: nothing, functions: of(it) });
  }
  all.push({ name: 'node:crypto', use: nothing, functions: ofNode() });
  return all;
}
