// SM3, and HMAC, PBKDF2 (RFC 8018) and HKDF (RFC 5869) with it.

import { randomBytes } from '../random.js';
import { createHmac, digest, hmac, pbkdf2 } from '../sm3.js';
import { attempt, failure } from './errors.js';
import { allowed, secretIn, secretKey, secretOf } from './material.js';
import { buffer, long, normalized } from './read.js';

const DIGEST = 32;
/** HMAC's keys have a block's length unless told otherwise. */
const BLOCK_BITS = 512;

export const sm3 = {
  name: 'SM3',
  digest: { run: (_, data) => digest(data) },
};

const HASHES = new Map([['sm3', sm3]]);
const hash = (value) => normalized(value, 'digest', HASHES).algorithm.name;

function hmacKey(material, extractable, usages) {
  return secretKey({ name: 'HMAC', hash: { name: 'SM3' }, length: 8 * material.length }, material, extractable, usages);
}

const PARAMETERS = { required: { hash }, optional: { length: long } };
const HMAC = { name: 'HMAC', alg: 'SGD_SM3_HMAC', uses: { sig: ['sign', 'verify'] } };

export const hmacSm3 = {
  name: 'HMAC',
  sign: { run: (_, { material }, data) => hmac(material, data) },
  verify: {
    run(_, { material }, signature, data) {
      const code = createHmac(material).update(data);
      try {
        return code.verify(signature);
      } finally {
        code.dispose();
      }
    },
  },
  generateKey: {
    ...PARAMETERS,
    run(parameters, extractable, usages) {
      allowed(usages, HMAC.uses.sig, 'HMAC');
      return hmacKey(randomBytes(hmacSm3.getKeyLength.run(parameters) / 8), extractable, usages);
    },
  },
  importKey: {
    ...PARAMETERS,
    run({ length }, format, data, extractable, usages) {
      allowed(usages, HMAC.uses.sig, 'HMAC');
      const material = secretOf(format, data, extractable, usages, HMAC);
      const bits = 8 * material.length;
      if (bits === 0) throw failure('DataError', 'the key is empty');
      // Keys of some bits more than whole bytes are not supported.
      if (length !== undefined && length !== bits) throw failure('DataError', `the key has ${bits} bits, not ${length}`);
      return hmacKey(material, extractable, usages);
    },
  },
  exportKey: { run: (format, slots) => secretIn(format, slots, HMAC) },
  getKeyLength: {
    ...PARAMETERS,
    run({ length = BLOCK_BITS }) {
      if (length === 0 || length % 8 !== 0 || length > 2 ** 26) {
        throw failure('OperationError', `a key of HMAC has whole bytes, not ${length} bits`);
      }
      return length;
    },
  },
};

/** The members of an algorithm that derives bits from a secret, which is only imported. */
function derivation(name, parameters, derive) {
  const usages = ['deriveKey', 'deriveBits'];
  return {
    name,
    deriveBits: {
      ...parameters,
      run(given, { material }, length) {
        if (length === null || length % 8 !== 0) throw failure('OperationError', `${name} gives whole bytes`);
        return attempt('OperationError', () => derive(given, material, length / 8));
      },
    },
    importKey: {
      run(_, format, data, extractable, given) {
        if (format !== 'raw') throw failure('NotSupportedError', `a secret of ${name} has no format ${format}`);
        allowed(given, usages, name);
        if (extractable) throw failure('SyntaxError', `a secret of ${name} is not extractable`);
        return secretKey({ name }, data, false, given);
      },
    },
    getKeyLength: { run: () => null },
  };
}

export const derivations = [
  derivation('PBKDF2', { required: { hash, salt: buffer, iterations: long } }, ({ salt, iterations }, secret, length) => {
    if (iterations === 0) throw failure('OperationError', 'PBKDF2 has at least one iteration');
    return length === 0 ? new Uint8Array(0) : pbkdf2(secret, salt, iterations, length);
  }),
  derivation('HKDF', { required: { hash, salt: buffer, info: buffer } }, ({ salt, info }, secret, length) => {
    if (length > 255 * DIGEST) throw failure('OperationError', `HKDF gives at most ${255 * DIGEST} bytes`);
    const key = hmac(salt, secret);
    const out = new Uint8Array(Math.ceil(length / DIGEST) * DIGEST);
    let block = new Uint8Array(0);
    for (let at = 0; at < length; at += DIGEST) {
      const code = createHmac(key);
      block = code.update(block).update(info).update(Uint8Array.of(at / DIGEST + 1)).digest();
      code.dispose();
      out.set(block, at);
    }
    return out.slice(0, length);
  }),
];
