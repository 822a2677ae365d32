// The functions of the npm package `sm-crypto-v2`. bindings/javascript/compat.md says where ours
// differ.

import { toHex, utf8 } from '../bytes.js';
import { load } from '../core.js';
import { invalid } from '../errors.js';
import { digestMany, hexDigest, hmac, kdf as kdfOfStandard } from '../sm3.js';
import * as sm4 from './sm-crypto-v2-sm4.js';
import * as core from './sm2.js';
import { ciphertextParts, writtenCiphertext } from './der.js';
import { concat, hex, hexOrOctets, looseText, maybeHex, message, octets, options as checked, wellFormed } from './values.js';

const C1C2C3 = 0;
const DIGEST = 32;
const EmptyArray = new Uint8Array(0);

/** A message: text with halves of characters is not refused here. */
const spoken = (msg) => (typeof msg === 'string' ? utf8(wellFormed(msg)) : octets(msg, 'the message'));
const identity = (userId) => (userId === undefined ? undefined : utf8(wellFormed(String(userId))));

let keyOf;

/** A public key whose table is made; other functions take it for the digits. */
class PrecomputedPublicKey {
  #key;

  constructor(key) {
    this.#key = key;
  }

  static {
    keyOf = (object) => object.#key;
  }

  toHex(isCompressed = true) {
    return toHex(this.#key.toBytes({ compressed: isCompressed }));
  }
}

function keyFrom(publicKey, bare = false) {
  if (publicKey instanceof PrecomputedPublicKey) return keyOf(publicKey);
  return core.publicKey(typeof publicKey === 'string' ? publicKey : toHex(octets(publicKey, 'the public key')), bare);
}

function generateKeyPairHex(str) {
  if (!str) return core.keyPair();
  try {
    return core.keyPair(BigInt(str));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError || error instanceof TypeError) {
      throw invalid('the seed is no whole number');
    }
    throw error;
  }
}

function verifyPublicKey(publicKey) {
  // A key that is none is an error in sm-crypto-v2, not `false`: programs may catch it.
  return keyFrom(publicKey) !== undefined;
}

function comparePublicKeyHex(publicKey1, publicKey2) {
  return keyFrom(publicKey1).equals(keyFrom(publicKey2));
}

function precomputePublicKey(publicKey) {
  return new PrecomputedPublicKey(keyFrom(publicKey).prepare());
}

function getPublicKeyFromPrivateKey(privateKey) {
  return core.withPrivateKey(privateKey, (key) => toHex(key.publicKey.toBytes()));
}

function doEncrypt(msg, publicKey, cipherMode = 1, options) {
  const data = spoken(msg);
  const { c1, c3, c2 } = core.encrypt(keyFrom(publicKey), data);
  const [second, third] = cipherMode === C1C2C3 ? [c2, c3] : [c3, c2];
  if (options?.asn1) return toHex(writtenCiphertext(c1, second, third));
  return toHex(c1) + toHex(second) + toHex(third);
}

function parts(text, cipherMode, asn1) {
  if (asn1) {
    const { c1, second, third } = ciphertextParts(hex(text));
    return cipherMode === C1C2C3 ? { c1, c3: third, c2: second } : { c1, c3: second, c2: third };
  }
  const [c3, c2] = cipherMode === C1C2C3
    ? [text.slice(Math.max(128, text.length - 64)), text.slice(128, -64)]
    : [text.slice(128, 192), text.slice(192)];
  const [check, masked] = [maybeHex(c3), maybeHex(c2)];
  return { c1: hex(text.slice(0, 128)), c3: check ?? EmptyArray, c2: masked ?? EmptyArray };
}

function doDecrypt(encryptData, privateKey, cipherMode = 1, options) {
  const { output = 'string', asn1 = false } = options || {};
  if (typeof encryptData !== 'string') throw invalid('the ciphertext is text: hexadecimal digits');
  return core.withPrivateKey(privateKey, (key) => {
    const ciphertext = parts(encryptData, cipherMode, asn1);
    // What is no point is an error in sm-crypto-v2; what is altered elsewhere gives nothing.
    core.publicKey(`04${toHex(ciphertext.c1)}`);
    const found = core.decrypt(key, ciphertext);
    if (output === 'array') return found ?? [];
    return found === undefined ? '' : looseText(found);
  });
}

function doSignature(msg, privateKey, options) {
  const { pointPool, der, hash, publicKey, userId } = checked(options);
  const data = spoken(msg);
  return core.withPrivateKey(privateKey, (key) => {
    const e = hash
      ? core.digest(publicKey ? keyFrom(publicKey, true) : key.publicKey, identity(userId), data)
      : core.reduced(data);
    core.takeFrom(pointPool);
    return toHex(key.signDigest(e, { form: der ? 'der' : 'raw' }));
  });
}

function doVerifySignature(msg, signHex, publicKey, options) {
  const { hash, der, userId } = checked(options);
  const key = keyFrom(publicKey);
  const data = spoken(msg);
  const e = hash ? core.digest(key, identity(userId), data) : core.reduced(data);
  if (typeof signHex !== 'string') throw invalid('the signature is text: hexadecimal digits');
  const signature = signHex.length % 2 === 0 ? maybeHex(signHex) : undefined;
  return signature !== undefined && key.verifyDigest(signature, e, { form: der ? 'der' : 'raw' });
}

function getZ(publicKey, userId) {
  return keyFrom(publicKey, true).identityDigest({ id: identity(userId) });
}

function getHash(hashHex, publicKey, userId) {
  return toHex(core.digest(keyFrom(publicKey, true), identity(userId), hexOrOctets(hashHex, 'the message')));
}

function calculateSharedKey(
  keypairA, ephemeralKeypairA, publicKeyB, ephemeralPublicKeyB, sharedKeyLength, isRecipient = false, idA, idB,
) {
  return core.exchange({
    own: keypairA,
    ephemeral: ephemeralKeypairA,
    peer: keyFrom(publicKeyB),
    point: keyFrom(ephemeralPublicKeyB),
    length: sharedKeyLength,
    responds: Boolean(isRecipient),
    id: identity(idA),
    peerId: identity(idB),
  });
}

function ecdh(privateA, publicB, isCompressed = true) {
  const peer = keyFrom(publicB);
  const text = typeof privateA === 'string' ? privateA : toHex(octets(privateA, 'the private key'));
  return core.withPrivateKey(text, (key) => {
    const xy = core.sharedPoint(key, peer);
    return isCompressed
      ? concat(Uint8Array.of(2 | (xy[63] & 1)), xy.subarray(0, 32))
      : concat(Uint8Array.of(4), xy);
  });
}

async function initRNGPool() {
  await load('sm2');
}

const utf8ToHex = (input) => toHex(utf8(wellFormed(String(input))));
const arrayToHex = (arr) => toHex(octets(arr, 'the array'));
const arrayToUtf8 = (arr) => looseText(octets(arr, 'the array'));
const leftPad = (input, num) => String(input).padStart(num, '0');

export const sm2 = {
  EmptyArray,
  arrayToHex,
  arrayToUtf8,
  calculateSharedKey,
  comparePublicKeyHex,
  compressPublicKeyHex: core.compress,
  doDecrypt,
  doEncrypt,
  doSignature,
  doVerifySignature,
  ecdh,
  generateKeyPairHex,
  getHash,
  getPoint: core.point,
  getPublicKeyFromPrivateKey,
  getZ,
  hexToArray: hex,
  initRNGPool,
  leftPad,
  precomputePublicKey,
  utf8ToHex,
  verifyPublicKey,
};

export function sm3(input, options) {
  const data = message(input, 'the input');
  if (!options) return hexDigest(data);
  if ((options.mode || 'hmac') !== 'hmac') throw invalid('invalid mode');
  if (!options.key) throw invalid('invalid key');
  return toHex(hmac(hexOrOctets(options.key, 'the key'), data));
}

function lengthOf(length, most) {
  if (!Number.isInteger(length) || length < 0 || length > most) {
    throw invalid(`the length is a whole number from 0 to ${most}`);
  }
  return length;
}

/** The key derivation of SM2; with a third argument, one that also hashes that. */
export function kdf(z, keylen, iv) {
  const secret = message(z, 'z');
  const end = iv === undefined || iv === null ? EmptyArray : message(iv, 'iv');
  const length = lengthOf(keylen, 2 ** 26);
  if (length === 0) return new Uint8Array(0);
  if (end.length === 0) return kdfOfStandard(secret, length);
  const pieces = Array.from({ length: Math.ceil(length / DIGEST) }, (_, i) => {
    const counter = new DataView(new ArrayBuffer(4));
    counter.setUint32(0, i + 1);
    return concat(secret, new Uint8Array(counter.buffer), end);
  });
  return digestMany(pieces).slice(0, length);
}

/** HKDF (RFC 5869) with SM3. */
export function hkdf(ikm, salt, info, length = DIGEST) {
  const taken = lengthOf(length, 255 * DIGEST);
  const secret = hmac(salt === undefined ? new Uint8Array(DIGEST) : spoken(salt), spoken(ikm));
  const context = info === undefined ? EmptyArray : spoken(info);
  const out = new Uint8Array(Math.ceil(taken / DIGEST) * DIGEST);
  let last = EmptyArray;
  for (let i = 0; DIGEST * i < taken; i += 1) {
    last = hmac(secret, concat(last, context, Uint8Array.of(i + 1)));
    out.set(last, DIGEST * i);
  }
  return out.slice(0, taken);
}

const { sm4: crypt, encrypt, decrypt } = sm4;
const modes = { encrypt, decrypt, sm4: crypt };
export { modes as sm4 };
export default { hkdf, kdf, sm2, sm3, sm4: modes };
