// The functions of the npm package `gm-crypto`. bindings/javascript/compat.md says where ours differ.

import { bytes, fromHex } from '../bytes.js';
import { invalid } from '../errors.js';
import { digest } from '../sm3.js';
import * as cipher from '../sm4.js';
import { decoded, encoded } from './encodings.js';
import * as core from './sm2.js';
import { concat } from './values.js';

const C1C2C3 = 0;
const C1C3C2 = 1;
const ECB = 1;
const CBC = 2;
const UNCOMPRESSED = Uint8Array.of(4);
const NOTHING = new Uint8Array(0);

function input(data, encoding) {
  if (typeof data === 'string') return decoded(data, encoding);
  if (ArrayBuffer.isView(data) || Object.prototype.toString.call(data) === '[object ArrayBuffer]') return bytes(data, 'data');
  const kind = Object.prototype.toString.call(data);
  throw invalid(`Expected "string" | "Buffer" | "ArrayBuffer" but received "${kind}"`);
}

/** Text in an encoding, or an ArrayBuffer. */
function output(data, encoding) {
  return encoding ? encoded(data, encoding) : data.slice().buffer;
}

/** The key of digits that begin with 04. */
function publicKey(text) {
  if (typeof text !== 'string' || text.length !== 130) throw invalid('the public key has 130 hexadecimal digits, and begins with 04');
  return core.publicKey(core.unhybrid(text));
}

export const SM2 = {
  constants: { C1C2C3, C1C3C2, PC: '04' },

  generateKeyPair() {
    return core.keyPair();
  },

  encrypt(data, key, options) {
    const { mode = C1C3C2, inputEncoding, outputEncoding, pc } = options || {};
    const message = input(data, inputEncoding);
    const { c1, c3, c2 } = core.encrypt(publicKey(key), message);
    const rest = mode === C1C2C3 ? [c2, c3] : [c3, c2];
    return output(concat(pc ? UNCOMPRESSED : NOTHING, c1, ...rest), outputEncoding);
  },

  decrypt(data, key, options) {
    const { mode = C1C3C2, inputEncoding, outputEncoding, pc } = options || {};
    const whole = input(data, inputEncoding);
    const found = core.withPrivateKey(key, (privateKey) => {
      if (pc && whole[0] !== 4) return undefined;
      const ciphertext = pc ? whole.subarray(1) : whole;
      if (ciphertext.length < 96) return undefined;
      const c1 = ciphertext.subarray(0, 64);
      const [c3, c2] = mode === C1C2C3
        ? [ciphertext.subarray(-32), ciphertext.subarray(64, -32)]
        : [ciphertext.subarray(64, 96), ciphertext.subarray(96)];
      return core.decrypt(privateKey, { c1, c3, c2 });
    });
    return output(found ?? NOTHING, outputEncoding);
  },
};

export const SM3 = {
  digest(data, inputEncoding, outputEncoding) {
    return output(digest(input(data, inputEncoding)), outputEncoding);
  },
};

const BLOCK = /^[0-9a-f]{32}$/i;

function settings(key, { mode, iv }) {
  if (typeof key !== 'string' || !BLOCK.test(key)) throw invalid('Invalid value of cipher `key`');
  // gm-crypto takes ECB for whatever it does not know, also for 'cbc'.
  if (mode !== undefined && mode !== null && mode !== ECB && mode !== CBC) {
    throw invalid('Invalid value of `mode` option: it is SM4.constants.ECB or SM4.constants.CBC');
  }
  if (mode !== CBC) return [fromHex(key), { mode: 'ecb' }];
  if (typeof iv !== 'string' || !BLOCK.test(iv)) throw invalid('Invalid value of `iv` option');
  return [fromHex(key), { mode: 'cbc', iv: fromHex(iv) }];
}

export const SM4 = {
  constants: { ECB, CBC },

  encrypt(data, key, options) {
    const given = options || {};
    const message = input(data, given.inputEncoding);
    const [secret, how] = settings(key, given);
    return output(cipher.encrypt(secret, message, how), given.outputEncoding);
  },

  decrypt(data, key, options) {
    const given = options || {};
    const ciphertext = input(data, given.inputEncoding);
    const [secret, how] = settings(key, given);
    return output(cipher.decrypt(secret, ciphertext, how), given.outputEncoding);
  },
};

export default { SM2, SM3, SM4 };
