// The functions of the npm packages `sm-crypto` and `miniprogram-sm-crypto`, which differ in whether
// a signature is over SM3 by default. bindings/javascript/compat.md says where ours differ.

import { toHex } from '../bytes.js';
import { invalid } from '../errors.js';
import { hmac, hexDigest } from '../sm3.js';
import * as cipher from '../sm4.js';
import * as core from './sm2.js';
import {
  block, hexOrOctets, looseText, maybeHex, message, numberOf, octets, options as checked, strictText, wholeOctets,
} from './values.js';

const C1C2C3 = 0;

/** A number in digits of a radix, or of so many bits from the caller's generator. */
function seed(a, b) {
  if (typeof a === 'string') {
    const radix = b ?? 10;
    if (!Number.isInteger(radix) || radix < 2 || radix > 36) throw invalid('the radix is a whole number from 2 to 36');
    let number = 0n;
    for (const digit of a.trim()) {
      const value = parseInt(digit, radix);
      if (Number.isNaN(value)) throw invalid(`'${digit}' is no digit of radix ${radix}`);
      number = number * BigInt(radix) + BigInt(value);
    }
    return number;
  }
  if (!Number.isInteger(a) || a < 1 || a > 4096 || typeof b?.nextBytes !== 'function') {
    throw invalid('a key is made of nothing, of digits, or of bits and a generator with the method nextBytes');
  }
  const data = new Array((a >> 3) + 1);
  b.nextBytes(data);
  const random = octets(data, 'what nextBytes gives');
  random[0] &= (1 << (a & 7)) - 1;
  return numberOf(random);
}

function generateKeyPairHex(a, b) {
  return core.keyPair(a ? seed(a, b) : undefined);
}

function verifyPublicKey(publicKey) {
  return core.maybePublicKey(publicKey) !== undefined;
}

function comparePublicKeyHex(publicKey1, publicKey2) {
  const [one, other] = [core.maybePublicKey(publicKey1), core.maybePublicKey(publicKey2)];
  return one !== undefined && other !== undefined && one.equals(other);
}

function getPublicKeyFromPrivateKey(privateKey) {
  return core.withPrivateKey(privateKey, (key) => toHex(key.publicKey.toBytes()));
}

function doEncrypt(msg, publicKey, cipherMode = 1) {
  const key = core.maybePublicKey(publicKey);
  if (key === undefined) throw invalid('Invalid public key');
  const { c1, c3, c2 } = core.encrypt(key, message(msg, 'the message'));
  const [second, third] = cipherMode === C1C2C3 ? [c2, c3] : [c3, c2];
  return toHex(c1) + toHex(second) + toHex(third);
}

/** The parts of a ciphertext in digits; nothing where it is too short or no hexadecimal. */
function parts(text, cipherMode) {
  if (text.length < 192) return undefined;
  const [c3, c2] = cipherMode === C1C2C3
    ? [text.slice(-64), text.slice(128, -64)]
    : [text.slice(128, 192), text.slice(192)];
  const [first, check, masked] = [maybeHex(text.slice(0, 128)), maybeHex(c3), maybeHex(c2)];
  return first && check && masked && { c1: first, c3: check, c2: masked };
}

function doDecrypt(encryptData, privateKey, cipherMode = 1, options) {
  if (typeof encryptData !== 'string') throw invalid('the ciphertext is text: hexadecimal digits');
  const { output } = checked(options);
  const found = core.withPrivateKey(privateKey, (key) => {
    const ciphertext = parts(encryptData, cipherMode);
    return ciphertext && core.decrypt(key, ciphertext);
  });
  if (output === 'array') return Array.from(found ?? []);
  return found === undefined ? '' : strictText(found);
}

/** The functions of SM2; `hash` is whether signatures are over SM3 where nothing is said. */
function sm2With(hashByDefault) {
  function doSignature(msg, privateKey, options) {
    const { pointPool, der, hash = hashByDefault, publicKey, userId } = checked(options);
    const data = message(msg, 'the message');
    return core.withPrivateKey(privateKey, (key) => {
      const e = hash
        ? core.digest(publicKey ? core.publicKey(core.unhybrid(publicKey), true) : key.publicKey, core.identity(userId), data)
        : core.reduced(data);
      core.takeFrom(pointPool);
      return toHex(key.signDigest(e, { form: der ? 'der' : 'raw' }));
    });
  }

  function doVerifySignature(msg, signHex, publicKey, options) {
    const { der, hash = hashByDefault, userId } = checked(options);
    const key = core.maybePublicKey(publicKey);
    if (key === undefined) return false;
    const data = message(msg, 'the message');
    const e = hash ? core.digest(key, core.identity(userId), data) : core.reduced(data);
    if (typeof signHex !== 'string') {
      if (der) return false;
      throw invalid('the signature is text: hexadecimal digits');
    }
    const signature = signHex.length % 2 === 0 ? maybeHex(signHex) : undefined;
    return signature !== undefined && key.verifyDigest(signature, e, { form: der ? 'der' : 'raw' });
  }

  return {
    generateKeyPairHex,
    compressPublicKeyHex: core.compress,
    comparePublicKeyHex,
    doEncrypt,
    doDecrypt,
    doSignature,
    doVerifySignature,
    getPublicKeyFromPrivateKey,
    getPoint: core.point,
    verifyPublicKey,
  };
}

function sm3(input, options) {
  const data = message(input, 'the input');
  if (!options) return hexDigest(data);
  if ((options.mode || 'hmac') !== 'hmac') throw invalid('invalid mode');
  if (!options.key) throw invalid('invalid key');
  return toHex(hmac(hexOrOctets(options.key, 'the key'), data));
}

/** The settings of SM4 in ours. */
function settings({ padding = 'pkcs#7', mode, iv }) {
  const padded = padding === 'pkcs#7' || padding === 'pkcs#5' ? 'pkcs7' : 'none';
  if (mode === 'cbc') return { mode, iv: block(iv, 'iv'), padding: padded };
  // sm-crypto takes ECB for whatever it does not know, also for 'CBC' and 'gcm'.
  if (mode && !/^ecb$/i.test(mode)) throw invalid(`mode is 'ecb' or 'cbc', not '${String(mode)}'`);
  return { mode: 'ecb', padding: padded };
}

function encrypt(inArray, key, options) {
  const given = checked(options);
  const how = settings(given);
  const data = cipher.encrypt(block(key, 'key'), message(inArray, 'the message'), how);
  return given.output === 'array' ? Array.from(data) : toHex(data);
}

function decrypt(inArray, key, options) {
  const given = checked(options);
  const how = settings(given);
  const data = decrypted(block(key, 'key'), wholeOctets(inArray), how);
  return given.output === 'array' ? Array.from(data) : looseText(data);
}

/** Decrypts; nothing stays nothing, and wrong padding is an error of sm-crypto's words. */
export function decrypted(key, data, how) {
  if (data.length === 0) return data;
  try {
    return cipher.decrypt(key, data, how);
  } catch (error) {
    if (error.code === 'DecryptionFailed') error.message = 'padding is invalid';
    throw error;
  }
}

const sm4 = { encrypt, decrypt };
export const smCrypto = { sm2: sm2With(true), sm3, sm4 };
export const miniprogram = { sm2: sm2With(false), sm3, sm4 };
