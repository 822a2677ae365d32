// Private keys between the modules of WebAssembly: as numbers of 32 bytes, which are wiped.

import { PrivateKey } from './sm2.js';

/** Does `work` with the number of a private key. */
export function withNumber(key, work) {
  const number = key.toBytes();
  try {
    return work(number);
  } finally {
    number.fill(0);
  }
}

/** A private key from its number. */
export function privateKeyOf(number) {
  try {
    return PrivateKey.fromBytes(number);
  } finally {
    number.fill(0);
  }
}
