// Items of batches of SM4-GCM, in the columns that the engines take.

import { bytes, columns, maybe } from './bytes.js';
import { invalid } from './errors.js';

const NOTHING = new Uint8Array(0);
/** The bytes of a tag. */
const TAG = 16;

/** What the operations take of items, and the length of each one's data. */
export function gcmColumns(items) {
  if (items === null || typeof items !== 'object' || typeof items[Symbol.iterator] !== 'function') {
    throw invalid('items is an array of objects with key, nonce, data and perhaps associatedData');
  }
  const list = [...items].map((item, i) => {
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
  const parts = [0, 1, 2, 3].map((part) => columns(list.map((item) => item[part])));
  const [lengths] = columns(parts.map(([, each]) => each));
  return { values: [...parts.map(([column]) => column), lengths], dataLengths: list.map((item) => item[3].length) };
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
