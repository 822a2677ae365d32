// The interface of the Web Cryptography API for SM2, SM3 and SM4, as GM/T 0087-2020 has it.
//
// The arguments are read, checked and copied while a method is called; the work comes after the
// library is ready, which on some hosts takes an answer that comes later.

import { fromUtf8, utf8 } from '../bytes.js';
import { load } from '../core.js';
import { randomBytes } from '../random.js';
import { PrivateKey, PublicKey } from '../sm2.js';
import { failure } from './errors.js';
import { CryptoKey, slotsOf, USAGES } from './key.js';
import { isJwk, notEmpty, readJwk } from './material.js';
import { arrayBuffer, buffer, long, normalized, word, wordSet } from './read.js';
import { keyOf, sm2 } from './sm2.js';
import { derivations, hmacSm3, sm3 } from './sm3.js';
import { modes } from './sm4.js';

const ALGORITHMS = new Map([sm2, sm3, hmacSm3, ...modes, ...derivations].map((one) => [one.name.toLowerCase(), one]));
const FORMATS = ['raw', 'spki', 'pkcs8', 'jwk'];
/** Those that another module of WebAssembly reads and writes. */
const FILES = ['spki', 'pkcs8'];

const read = (algorithm, operation) => normalized(algorithm, operation, ALGORITHMS);
const wordsOf = (usages) => wordSet(usages, USAGES, 'keyUsages');

function keyData(format, data) {
  if (format !== 'jwk') return buffer(data, 'keyData');
  if (!isJwk(data)) throw new TypeError('keyData of the format jwk is a JsonWebKey');
  return readJwk(data);
}

/** That a key is of an algorithm, and may be used so. */
function permit(slots, { name }, usage) {
  if (slots.algorithm.name !== name) {
    throw failure('InvalidAccessError', `the key is one of ${slots.algorithm.name}, not of ${name}`);
  }
  if (!slots.usages.includes(usage)) throw failure('InvalidAccessError', `the key is not for the usage ${usage}`);
}

function extracted(format, slots) {
  const writer = ALGORITHMS.get(slots.algorithm.name.toLowerCase()).exportKey;
  if (writer === undefined) throw failure('NotSupportedError', `keys of ${slots.algorithm.name} are not exported`);
  if (!slots.extractable) throw failure('InvalidAccessError', 'the key is not extractable');
  return writer.run(format, slots);
}

/** A key from bytes that were decrypted: in the format jwk, a text of JSON. */
function unwrapped(format, data) {
  if (format !== 'jwk') return data;
  let value;
  try {
    value = JSON.parse(fromUtf8(data));
  } catch {
    throw failure('DataError', 'the wrapped key is no JSON');
  }
  if (!isJwk(value)) throw failure('DataError', 'the wrapped key is no JWK');
  return readJwk(value);
}

/** For each method a function that reads the arguments, and gives the work. */
const METHODS = {
  encrypt: crypt('encrypt'),
  decrypt: crypt('decrypt'),
  sign(algorithm, key, data) {
    const slots = slotsOf(key, 'key');
    const copy = buffer(data, 'data');
    const { algorithm: it, does, parameters } = read(algorithm, 'sign');
    permit(slots, it, 'sign');
    return () => arrayBuffer(does.run(parameters, slots, copy));
  },
  verify(algorithm, key, signature, data) {
    const slots = slotsOf(key, 'key');
    const [copy, message] = [buffer(signature, 'signature'), buffer(data, 'data')];
    const { algorithm: it, does, parameters } = read(algorithm, 'verify');
    permit(slots, it, 'verify');
    return () => does.run(parameters, slots, copy, message);
  },
  digest(algorithm, data) {
    const copy = buffer(data, 'data');
    const { does, parameters } = read(algorithm, 'digest');
    return () => arrayBuffer(does.run(parameters, copy));
  },
  generateKey(algorithm, extractable, keyUsages) {
    const usages = wordsOf(keyUsages);
    const { does, parameters } = read(algorithm, 'generateKey');
    return () => {
      const made = does.run(parameters, Boolean(extractable), usages);
      return 'privateKey' in made ? made : notEmpty(made);
    };
  },
  deriveBits(algorithm, baseKey, length = null) {
    const slots = slotsOf(baseKey, 'baseKey');
    const bits = length === null ? null : long(length, 'length');
    const { algorithm: it, does, parameters } = read(algorithm, 'deriveBits');
    permit(slots, it, 'deriveBits');
    return () => arrayBuffer(does.run(parameters, slots, bits));
  },
  deriveKey(algorithm, baseKey, derivedKeyType, extractable, keyUsages) {
    const slots = slotsOf(baseKey, 'baseKey');
    const usages = wordsOf(keyUsages);
    const { algorithm: it, does, parameters } = read(algorithm, 'deriveBits');
    // Its parameters are also those that import the key.
    const derived = read(derivedKeyType, 'getKeyLength');
    permit(slots, it, 'deriveKey');
    return () => {
      const secret = does.run(parameters, slots, derived.does.run(derived.parameters));
      const made = derived.algorithm.importKey.run(derived.parameters, 'raw', secret, Boolean(extractable), usages);
      return notEmpty(made);
    };
  },
  importKey(format, data, algorithm, extractable, keyUsages) {
    const form = word(format, FORMATS, 'format');
    const usages = wordsOf(keyUsages);
    const copy = keyData(form, data);
    const { does, parameters } = read(algorithm, 'importKey');
    return () => notEmpty(does.run(parameters, form, copy, Boolean(extractable), usages));
  },
  exportKey(format, key) {
    const form = word(format, FORMATS, 'format');
    const slots = slotsOf(key, 'key');
    return () => extracted(form, slots);
  },
  wrapKey(format, key, wrappingKey, wrapAlgorithm) {
    const form = word(format, FORMATS, 'format');
    const [slots, wrapping] = [slotsOf(key, 'key'), slotsOf(wrappingKey, 'wrappingKey')];
    const { algorithm: it, does, parameters } = read(wrapAlgorithm, 'encrypt');
    permit(wrapping, it, 'wrapKey');
    return () => {
      const data = extracted(form, slots);
      const plain = form === 'jwk' ? utf8(JSON.stringify(data)) : new Uint8Array(data);
      return arrayBuffer(does.run(parameters, wrapping, plain));
    };
  },
  unwrapKey(format, wrappedKey, unwrappingKey, unwrapAlgorithm, unwrappedKeyAlgorithm, extractable, keyUsages) {
    const form = word(format, FORMATS, 'format');
    const unwrapping = slotsOf(unwrappingKey, 'unwrappingKey');
    const usages = wordsOf(keyUsages);
    const copy = buffer(wrappedKey, 'wrappedKey');
    const { algorithm: it, does, parameters } = read(unwrapAlgorithm, 'decrypt');
    const key = read(unwrappedKeyAlgorithm, 'importKey');
    permit(unwrapping, it, 'unwrapKey');
    return () => {
      const data = unwrapped(form, does.run(parameters, unwrapping, copy));
      return notEmpty(key.does.run(key.parameters, form, data, Boolean(extractable), usages));
    };
  },
};

function crypt(operation) {
  return (algorithm, key, data) => {
    const slots = slotsOf(key, 'key');
    const copy = buffer(data, 'data');
    const { algorithm: it, does, parameters } = read(algorithm, operation);
    permit(slots, it, operation);
    return () => arrayBuffer(does.run(parameters, slots, copy));
  };
}

/** A method of the API: what is wrong is a promise that is rejected. */
function method(name, prepare) {
  const does = {
    async [name](...given) {
      if (given.length < prepare.length) {
        throw new TypeError(`${name} takes ${prepare.length} arguments, not ${given.length}`);
      }
      const work = prepare(...given);
      await load();
      if (FILES.includes(given[0])) await load('formats');
      return work();
    },
  }[name];
  return Object.defineProperty(does, 'length', { value: prepare.length });
}

export const subtle = Object.fromEntries(Object.entries(METHODS).map(([name, prepare]) => [name, method(name, prepare)]));

const MOST = 65536;
const INTEGERS = /^(Big)?(Ui|I)nt\d+(Clamped)?Array$/;

/** GM/T 0087's interface Crypto. */
export const crypto = {
  subtle,
  /** Fills a typed array of integers, at most 65536 bytes, with random bytes. */
  getRandomValues(array) {
    if (!ArrayBuffer.isView(array) || !INTEGERS.test(array[Symbol.toStringTag])) {
      throw failure('TypeMismatchError', 'getRandomValues fills a typed array of integers');
    }
    if (array.byteLength > MOST) {
      throw failure('QuotaExceededError', `getRandomValues gives at most ${MOST} bytes, not ${array.byteLength}`);
    }
    const view = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    view.set(randomBytes(view.length));
    return array;
  },
};

/** A CryptoKey of a copy of an sm2.PrivateKey or sm2.PublicKey. */
export function fromKey(key, extractable, keyUsages) {
  const usages = wordsOf(keyUsages);
  if (key instanceof PrivateKey) {
    return notEmpty(keyOf(PrivateKey.fromBytes(key.toBytes()), Boolean(extractable), usages));
  }
  if (key instanceof PublicKey) return keyOf(PublicKey.fromBytes(key.toBytes()), Boolean(extractable), usages);
  throw new TypeError('fromKey takes an sm2.PrivateKey or an sm2.PublicKey');
}

/** A copy of the sm2.PrivateKey or sm2.PublicKey in an extractable CryptoKey. */
export function toKey(key) {
  const { algorithm, extractable, material } = slotsOf(key, 'key');
  if (algorithm.name !== 'SM2') throw failure('InvalidAccessError', 'this is no key of SM2');
  if (!extractable) throw failure('InvalidAccessError', 'the key is not extractable');
  return material.constructor.fromBytes(material.toBytes());
}

export { CryptoKey };
