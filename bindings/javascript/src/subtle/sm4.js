// SM4-CBC, -CTR, -GCM and -CCM, with the parameters of AES's modes.

import { randomBytes } from '../random.js';
import { Ccm, decrypt, encrypt, Gcm } from '../sm4.js';
import { attempt, failure } from './errors.js';
import { allowed, secretIn, secretKey, secretOf } from './material.js';
import { buffer, long, octet } from './read.js';

const BLOCK = 16;
const BITS = 128;
const USAGES = ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'];

const operation = (name, message) => failure('OperationError', `${name}: ${message}`);

/** The members that all modes have. */
function mode(name, alg, parameters, seal, open) {
  const settings = { name, alg, uses: { enc: USAGES } };
  const bits = ({ length = BITS }) => {
    if (length !== BITS) throw operation(name, `a key of SM4 has ${BITS} bits, not ${length}`);
    return BITS;
  };
  const named = () => ({ name, length: BITS });
  return {
    name,
    encrypt: { ...parameters, run: seal },
    decrypt: { ...parameters, run: open },
    generateKey: {
      // As of AES, but a key of SM4 has one length.
      optional: { length: long },
      run(given, extractable, usages) {
        allowed(usages, USAGES, name);
        bits(given);
        return secretKey(named(), randomBytes(BLOCK), extractable, usages);
      },
    },
    importKey: {
      run(_, format, data, extractable, usages) {
        allowed(usages, USAGES, name);
        const material = secretOf(format, data, extractable, usages, settings);
        if (material.length !== BLOCK) throw failure('DataError', `a key of SM4 has 16 bytes, not ${material.length}`);
        return secretKey(named(), material, extractable, usages);
      },
    },
    exportKey: { run: (format, slots) => secretIn(format, slots, settings) },
    getKeyLength: { optional: { length: long }, run: bits },
  };
}

const exact = (name, view, what) => {
  if (view.length !== BLOCK) throw operation(name, `${what} has 16 bytes, not ${view.length}`);
};

const cbc = (how) => ({ iv }, { material }, data) => {
  exact('SM4-CBC', iv, 'iv');
  return attempt('OperationError', () => how(material, data, { mode: 'cbc', iv }));
};

/**
 * The counter is the last `length` bits of the block. When they are used up they begin at 0 again,
 * without a carry into the bits before, and no value may come twice.
 */
function ctr({ counter, length }, { material }, data) {
  exact('SM4-CTR', counter, 'counter');
  if (length < 1 || length > BITS) throw operation('SM4-CTR', `length is from 1 to ${BITS}, not ${length}`);
  const values = 1n << BigInt(length);
  const first = counter.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) & (values - 1n);
  const blocks = BigInt(Math.ceil(data.length / BLOCK));
  if (blocks > values) throw operation('SM4-CTR', 'the message is longer than the counter allows');
  const before = values - first;
  if (blocks <= before) return encrypt(material, data, { mode: 'ctr', iv: counter });
  const cut = Number(before) * BLOCK;
  const out = new Uint8Array(data.length);
  out.set(encrypt(material, data.subarray(0, cut), { mode: 'ctr', iv: counter }));
  const zero = counter.map((byte, i) => {
    const bits = Math.min(8, Math.max(0, length - 8 * (BLOCK - 1 - i)));
    return byte & (0xff << bits);
  });
  out.set(encrypt(material, data.subarray(cut), { mode: 'ctr', iv: zero }), cut);
  return out;
}

/** What `work` gives for a cipher that is wiped afterwards. */
function using(create, work) {
  return attempt('OperationError', () => {
    const cipher = create();
    try {
      return work(cipher);
    } finally {
      cipher.dispose();
    }
  });
}

const TAGS = [32, 64, 96, 104, 112, 120, 128];

function gcm(work) {
  return ({ iv, additionalData, tagLength = 128 }, { material }, data) => {
    if (!TAGS.includes(tagLength)) throw operation('SM4-GCM', `no tag has ${tagLength} bits`);
    if (tagLength !== 128) throw failure('NotSupportedError', 'SM4-GCM has tags of 128 bits here');
    return using(() => Gcm.create(material), (cipher) => work(cipher, iv, data, additionalData));
  };
}

function ccm(work) {
  return ({ iv, additionalData, tagLength = 128 }, { material }, data) => {
    const create = () => {
      if (tagLength % 16 !== 0) throw operation('SM4-CCM', `no tag has ${tagLength} bits`);
      return Ccm.create(material, { tagLength: tagLength / 8 });
    };
    return using(create, (cipher) => work(cipher, iv, data, additionalData));
  };
}

const seal = (cipher, iv, data, associated) => cipher.seal(iv, data, associated);
const open = (cipher, iv, data, associated) => cipher.open(iv, data, associated);
const AUTHENTICATED = { required: { iv: buffer }, optional: { additionalData: buffer, tagLength: octet } };

export const modes = [
  mode('SM4-CBC', 'SGD_SM4_CBC', { required: { iv: buffer } }, cbc(encrypt), cbc(decrypt)),
  mode('SM4-CTR', 'SGD_SM4_CTR', { required: { counter: buffer, length: octet } }, ctr, ctr),
  mode('SM4-GCM', 'SGD_SM4_GCM', AUTHENTICATED, gcm(seal), gcm(open)),
  mode('SM4-CCM', 'SGD_SM4_CCM', AUTHENTICATED, ccm(seal), ccm(open)),
];
