// The names that users write, and the numbers that the engines take for them
// (bindings/javascript/operations).

import { invalid, KuaimiError } from './errors.js';

function names(what, table) {
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

export { KuaimiError };
