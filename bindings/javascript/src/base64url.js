// Base64url (RFC 4648, clause 5) as JSON Web Tokens and keys have it: no padding.

import { fromBase64, kindOf, toBase64 } from './bytes.js';
import { KuaimiError } from './errors.js';

export function toBase64url(data) {
  return toBase64(data).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
}

/**
 * The bytes of Base64url. There is one text for them: padding, spaces, and bits too many in the last
 * digit are errors, so that a token that was verified cannot be written in another way.
 */
export function fromBase64url(text, what) {
  if (typeof text !== 'string') throw malformed(`${what} is text, not ${kindOf(text)}`);
  if (/[^A-Za-z0-9_-]/.test(text)) throw malformed(`${what} is no Base64url without padding`);
  try {
    return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch (error) {
    throw malformed(`${what}: ${error.message}`);
  }
}

export function malformed(message) {
  return new KuaimiError('Malformed', message);
}
