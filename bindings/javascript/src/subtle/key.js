// CryptoKey: what may be done with a key, and the key itself, which it does not show.

import { kindOf } from '../bytes.js';

export const USAGES = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey'];

const TOKEN = {};
let read;
let isKey;

export class CryptoKey {
  // Not on the object or its prototype, where a page could replace it.
  #slots;

  static {
    read = (key) => key.#slots;
    isKey = (key) => #slots in key;
  }

  constructor(token, slots) {
    if (token !== TOKEN) throw new TypeError('Illegal constructor: see generateKey and importKey');
    this.#slots = slots;
    Object.freeze(this);
  }

  get type() {
    return this.#slots.type;
  }

  get extractable() {
    return this.#slots.extractable;
  }

  get algorithm() {
    return this.#slots.algorithm;
  }

  get usages() {
    return this.#slots.usages;
  }

  get [Symbol.toStringTag]() {
    return 'CryptoKey';
  }
}
for (const name of ['type', 'extractable', 'algorithm', 'usages']) {
  Object.defineProperty(CryptoKey.prototype, name, { enumerable: true });
}
Object.freeze(CryptoKey.prototype);
Object.freeze(CryptoKey);

/** `material` is the key: bytes, or an object of SM2's. */
export function makeKey({ type, extractable, algorithm, usages, material }) {
  if (algorithm.hash !== undefined) Object.freeze(algorithm.hash);
  const slots = { type, extractable, algorithm: Object.freeze(algorithm), usages: Object.freeze(usages), material };
  return new CryptoKey(TOKEN, Object.freeze(slots));
}

/** What a key is and may do. */
export function slotsOf(value, what) {
  if (value === null || typeof value !== 'object' || !isKey(value)) {
    throw new TypeError(`${what} is a CryptoKey of kuaimi/subtle, not ${kindOf(value)}`);
  }
  return read(value);
}
