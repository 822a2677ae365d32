// What the algorithms share: usages, secrets in their formats, JSON Web Keys.

import { readSecret, secretMembers } from '../jwk.js';
import { attempt, failure } from './errors.js';
import { makeKey } from './key.js';
import { dictionary, isBuffer, text } from './read.js';

/** The usages of a key, which are among those that its algorithm has. */
export function allowed(usages, known, what) {
  const other = usages.find((usage) => !known.includes(usage));
  if (other !== undefined) throw failure('SyntaxError', `${what} has no use for ${other}`);
}

export function notEmpty(key) {
  if (key.type !== 'public' && key.usages.length === 0) {
    throw failure('SyntaxError', `a ${key.type} key without usages is of no use`);
  }
  return key;
}

const list = (value, what) => {
  if (!Array.isArray(value)) throw new TypeError(`${what} is an array`);
  return value.map(text);
};
const MEMBERS = { kty: text, use: text, key_ops: list, alg: text, ext: Boolean, crv: text, x: text, y: text, d: text, k: text };

export function isJwk(value) {
  return value !== null && typeof value === 'object' && !ArrayBuffer.isView(value) && !isBuffer(value);
}

/** The members of a JSON Web Key, each read once. */
export function readJwk(value) {
  return dictionary(value, { optional: MEMBERS }, 'the JWK');
}

/** That a JWK may be used so: its `use`, `key_ops` and `ext`. `uses` is what "sig" or "enc" allows. */
export function checkJwk({ use, key_ops: ops, ext }, extractable, usages, uses) {
  if (use !== undefined && usages.some((usage) => !uses[use]?.includes(usage))) {
    throw failure('DataError', `the JWK is for the use "${use}"`);
  }
  if (ops !== undefined) {
    if (new Set(ops).size !== ops.length) throw failure('DataError', 'key_ops of the JWK names an operation twice');
    const missing = usages.find((usage) => !ops.includes(usage));
    if (missing !== undefined) throw failure('DataError', `key_ops of the JWK has no ${missing}`);
  }
  if (ext === false && extractable) throw failure('DataError', 'the JWK is not extractable');
}

/** The bytes of a secret in the format "raw" or "jwk". `alg` is what the JWK's one has to be. */
export function secretOf(format, data, extractable, usages, { name, alg, uses }) {
  if (format === 'raw') return data;
  if (format !== 'jwk') throw failure('NotSupportedError', `a key of ${name} has no format ${format}`);
  checkJwk(data, extractable, usages, uses);
  if (data.alg !== undefined && data.alg !== alg) throw failure('DataError', `alg of the JWK is not ${alg}`);
  return attempt('DataError', () => readSecret(data));
}

export function secretIn(format, { material, usages, extractable }, { name, alg }) {
  if (format === 'raw') return new Uint8Array(material).buffer;
  if (format !== 'jwk') throw failure('NotSupportedError', `a key of ${name} has no format ${format}`);
  return { ...secretMembers(material), alg, key_ops: [...usages], ext: extractable };
}

export function secretKey(algorithm, material, extractable, usages) {
  return makeKey({ type: 'secret', extractable, algorithm, usages, material });
}
