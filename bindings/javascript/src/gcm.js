// Batches of SM4-GCM: in columns for Node's addon, one item after another in WebAssembly.

import { bytes, columns, maybe } from './bytes.js';
import { invalid } from './errors.js';

const NOTHING = new Uint8Array(0);
const KEY = 16;
/** The bytes of a tag. */
const TAG = 16;

/** The key, the nonce, the associated data and the data of each item. */
export function gcmItems(items) {
  if (items === null || typeof items !== 'object' || typeof items[Symbol.iterator] !== 'function') {
    throw invalid('items is an array of objects with key, nonce, data and perhaps associatedData');
  }
  return [...items].map((item, i) => {
    if (item === null || typeof item !== 'object') throw invalid(`item ${i} is an object with key, nonce and data`);
    // Each is read once.
    const { key, nonce, data, associatedData } = item;
    return [
      bytes(key, `the key of item ${i}`),
      bytes(nonce, `the nonce of item ${i}`),
      maybe(associatedData, `the associatedData of item ${i}`) ?? NOTHING,
      bytes(data, `the data of item ${i}`),
    ];
  });
}

/** What the addon's operations take of items, and the length of each one's data. */
export function gcmColumns(items) {
  const parts = [0, 1, 2, 3].map((part) => columns(items.map((item) => item[part])));
  const [lengths] = columns(parts.map(([, each]) => each));
  return { values: [...parts.map(([column]) => column), lengths], dataLengths: items.map((item) => item[3].length) };
}

/** The ciphertexts in one array, as an array of them. */
export function gcmSealed(sealed, dataLengths) {
  let at = 0;
  return dataLengths.map((length) => {
    const start = at;
    at += length + TAG;
    return sealed.slice(start, at);
  });
}

/** The messages of what the operation gives, null for each that could not be decrypted. */
export function gcmOpened(opened, dataLengths) {
  let at = dataLengths.length;
  return dataLengths.map((length, i) => {
    const start = at;
    at += Math.max(0, length - TAG);
    return opened[i] === 1 ? opened.slice(start, at) : null;
  });
}

/** Does `work` with each item and a cipher with its key. As in columns, a wrong key comes first. */
function each(core, items, work) {
  for (const [key] of items) {
    if (key.length !== KEY) core.sm4_aead_new(key, 0, TAG);
  }
  return items.map(([key, ...rest]) => {
    const cipher = core.sm4_aead_new(key, 0, TAG);
    try {
      return work(cipher, ...rest);
    } finally {
      core.dispose(cipher);
      core.drop(cipher);
    }
  });
}

/** The ciphertexts of items, by an engine that has no batches. */
export function gcmSealEach(core, items) {
  return each(core, items, core.sm4_aead_seal);
}

/** The messages of items, by an engine that has no batches, null for each that was altered. */
export function gcmOpenEach(core, items) {
  return each(core, items, (...values) => {
    try {
      return core.sm4_aead_open(...values);
    } catch (error) {
      if (error.code === 'DecryptionFailed' || error.code === 'EmptyNonce') return null;
      throw error;
    }
  });
}
