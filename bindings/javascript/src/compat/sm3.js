// The function of the npm package `sm3`.

import { kindOf, utf8 } from '../bytes.js';
import { invalid } from '../errors.js';
import { hexDigest } from '../sm3.js';

/** The digest of a text's UTF-8, in hexadecimal. Halves of characters do not count, as in `sm3`. */
export default function sm3(text) {
  if (typeof text !== 'string') throw invalid(`sm3 takes text, not ${kindOf(text)}`);
  return hexDigest(utf8(text.replace(/\p{Surrogate}/gu, '')));
}
