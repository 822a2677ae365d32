// SM2: signatures, encryption, and keys that are wrapped so.

import { isCurve, CURVE, privateMembers, publicMembers, readSm2 } from '../jwk.js';
import { ciphertextNames } from '../names.js';
import { describe, PrivateKey, PublicKey } from '../sm2.js';
import { attempt, failure } from './errors.js';
import { makeKey } from './key.js';
import { allowed, checkJwk, notEmpty } from './material.js';
import { arrayBuffer, identity, normalized, text, word } from './read.js';
import { sm3 } from './sm3.js';

const PUBLIC = ['encrypt', 'verify', 'wrapKey'];
const PRIVATE = ['decrypt', 'sign', 'unwrapKey'];
const USES = { sig: ['sign', 'verify'], enc: ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'] };
/** What the names of GM/T 0125 for JOSE allow. */
const ALGS = { SGD_SM3_SM2: USES.sig, SGD_SM2_3: USES.enc };

const oneOf = (words) => (value, what) => word(value, words, what);
const HASHES = new Map([['sm3', sm3]]);
const SIGNING = { optional: { hash: (value) => normalized(value, 'digest', HASHES), id: identity, form: oneOf(['raw', 'der']) } };
const ENCRYPTING = { optional: { form: oneOf(ciphertextNames) } };
const NAMED = {
  optional: {
    namedCurve(value) {
      if (!isCurve(text(value))) throw failure('NotSupportedError', `the curve of SM2 is ${CURVE}`);
      return CURVE;
    },
  },
};

/** A CryptoKey of a PrivateKey or a PublicKey. */
export function keyOf(material, extractable, usages) {
  const isPrivate = material instanceof PrivateKey;
  allowed(usages, isPrivate ? PRIVATE : PUBLIC, `a ${isPrivate ? 'private' : 'public'} key of SM2`);
  const algorithm = { name: 'SM2', namedCurve: CURVE };
  return makeKey({ type: isPrivate ? 'private' : 'public', extractable, algorithm, usages, material });
}

function typed(slots, type, what) {
  if (slots.type !== type) throw failure('InvalidAccessError', `SM2 needs a ${type} key to ${what}`);
  return slots.material;
}

const READERS = {
  raw(data, usages) {
    allowed(usages, PUBLIC, 'a public key of SM2');
    if (![33, 65].includes(data.length)) throw failure('DataError', 'a point has 65 bytes, or 33');
    return PublicKey.fromBytes(data);
  },
  spki(data, usages) {
    allowed(usages, PUBLIC, 'a public key of SM2');
    isForm(data, 'SubjectPublicKeyInfo, binary');
    return PublicKey.load(data);
  },
  pkcs8(data, usages) {
    allowed(usages, PRIVATE, 'a private key of SM2');
    isForm(data, 'PKCS#8, binary');
    return PrivateKey.load(data);
  },
  jwk(data, usages, extractable) {
    if (data.d === undefined) allowed(usages, PUBLIC, 'a public key of SM2');
    else allowed(usages, PRIVATE, 'a private key of SM2');
    checkJwk(data, extractable, usages, USES);
    if (data.alg !== undefined && usages.some((usage) => !ALGS[data.alg]?.includes(usage))) {
      throw failure('DataError', `the JWK is for ${data.alg}`);
    }
    return readSm2(data);
  },
};

/** `load` takes all that a file may have; these formats are one each. */
function isForm(data, form) {
  if (describe(data).form !== form) throw failure('DataError', `this is no ${form.replace(', binary', ' in DER')}`);
}

const WRITERS = {
  raw: (slots) => arrayBuffer(typed(slots, 'public', 'export it as raw').toBytes()),
  spki: (slots) => arrayBuffer(typed(slots, 'public', 'export it as spki').toDer()),
  pkcs8: (slots) => arrayBuffer(typed(slots, 'private', 'export it as pkcs8').toDer()),
  jwk: ({ type, material, usages, extractable }) => ({
    ...(type === 'private' ? privateMembers(material) : publicMembers(material)),
    key_ops: [...usages],
    ext: extractable,
  }),
};

export const sm2 = {
  name: 'SM2',
  sign: {
    ...SIGNING,
    run({ id, form = 'raw' }, slots, data) {
      const key = typed(slots, 'private', 'sign');
      return attempt('OperationError', () => key.sign(data, { id, form }));
    },
  },
  verify: {
    ...SIGNING,
    run({ id, form = 'raw' }, slots, signature, data) {
      const key = typed(slots, 'public', 'verify');
      return attempt('OperationError', () => key.verify(signature, data, { id, form }));
    },
  },
  encrypt: {
    ...ENCRYPTING,
    run({ form = 'c1c3c2' }, slots, data) {
      const key = typed(slots, 'public', 'encrypt');
      return attempt('OperationError', () => key.encrypt(data, { form }));
    },
  },
  decrypt: {
    ...ENCRYPTING,
    run({ form = 'c1c3c2' }, slots, data) {
      const key = typed(slots, 'private', 'decrypt');
      return attempt('OperationError', () => key.decrypt(data, { form }));
    },
  },
  generateKey: {
    ...NAMED,
    run(_, extractable, usages) {
      allowed(usages, [...PUBLIC, ...PRIVATE], 'SM2');
      const ours = (known) => usages.filter((usage) => known.includes(usage));
      if (ours(PRIVATE).length === 0) throw failure('SyntaxError', 'the private key would have no usages');
      const key = PrivateKey.generate();
      return {
        publicKey: keyOf(key.publicKey, true, ours(PUBLIC)),
        privateKey: notEmpty(keyOf(key, extractable, ours(PRIVATE))),
      };
    },
  },
  importKey: {
    ...NAMED,
    run(_, format, data, extractable, usages) {
      const key = attempt('DataError', () => READERS[format](data, usages, extractable));
      return keyOf(key, extractable, usages);
    },
  },
  exportKey: { run: (format, slots) => WRITERS[format](slots) },
};
