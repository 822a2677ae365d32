// The names that users write, and the numbers that the engines take for them
// (bindings/javascript/operations).

import { invalid } from './errors.js';

/** A function from the names of a table to its numbers. */
export function names(what, table) {
  return (name) => {
    const number = Object.prototype.hasOwnProperty.call(table, name) ? table[name] : undefined;
    if (number === undefined) {
      const known = Object.keys(table).map((key) => `'${key}'`);
      throw invalid(`${what} is one of ${known.join(', ')}, not ${typeof name === 'string' ? `'${name}'` : typeof name}`);
    }
    return number;
  };
}

export const writtenSignature = names('form', { der: 1, raw: 2 });
const readForms = names('form', { der: 1, raw: 2, 'der-lenient': 3 });
export const readSignature = (form) => (form === undefined ? 0 : readForms(form));

const CIPHERTEXTS = { c1c3c2: 1, c1c2c3: 2, 'bare-c1c3c2': 3, 'bare-c1c2c3': 4, der: 5 };
export const ciphertextNames = Object.keys(CIPHERTEXTS);
export const writtenCiphertext = names('form', CIPHERTEXTS);
const readCiphertexts = names('form', { ...CIPHERTEXTS, 'der-lenient': 6 });
export const readCiphertext = (form) => (form === undefined ? 0 : readCiphertexts(form));

export const privateForm = names('format', { pkcs8: 1, sec1: 3 });

export const cipherMode = names('mode', { ecb: 0, cbc: 1, ctr: 2, cfb: 3, ofb: 4, xts: 5 });
export const padding = names('padding', { pkcs7: 2, none: 0 });
export const xtsStandard = names('standard', { gb: 0, ieee: 4 });

const SM9_FORMS = { der: 1, raw: 2 };
export const writtenSm9 = names('form', SM9_FORMS);
export const readSm9 = (form) => (form === undefined ? 0 : writtenSm9(form));
// The places of `Mode::ALL` and `Mac::ALL` of the library.
export const sm9Mode = names('mode', { stream: 0, ecb: 1, cbc: 2, ofb: 3, cfb: 4 });
export const sm9Mac = names('mac', { sm3: 0, 'hmac-sm3': 1 });
export const sm9PrivateDer = names('format', { pkcs8: 2, gbt: 3 });
export const sm9PublicPem = names('format', { spki: 1, gmssl: 4 });
export const sm9PublicDer = names('format', { spki: 2, gbt: 3 });
