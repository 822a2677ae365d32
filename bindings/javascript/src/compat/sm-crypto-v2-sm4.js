// SM4 of the npm package `sm-crypto-v2`.

import { toHex } from '../bytes.js';
import { invalid } from '../errors.js';
import * as cipher from '../sm4.js';
import { decrypted } from './sm-crypto.js';
import { block, hexOrOctets, looseText, message, options as checked, wholeOctets } from './values.js';

const DECRYPT = 0;
const TAG = 16;

function gcm(inArray, key, cryptFlag, { iv, output, associatedData, outputTag, tag }) {
  const seals = cryptFlag !== DECRYPT;
  const aead = cipher.Gcm.create(block(key, 'key'));
  try {
    // Under the same key, a nonce that repeats gives away both messages and the key of the tag:
    // sm-crypto-v2 takes zeros where none is given. What was encrypted so can still be decrypted.
    if (iv === undefined && seals) throw invalid('iv is invalid: GCM needs one that is new for each message');
    const nonce = iv === undefined ? new Uint8Array(TAG) : hexOrOctets(iv, 'iv');
    const associated = associatedData ? hexOrOctets(associatedData, 'associatedData') : undefined;
    if (!seals) {
      const ciphertext = wholeOctets(inArray);
      const code = tag ? hexOrOctets(tag, 'tag') : new Uint8Array(0);
      const found = opened(aead, nonce, ciphertext, code, associated);
      return output === 'array' ? found : looseText(found);
    }
    const sealed = aead.seal(nonce, message(inArray, 'the message'), associated);
    const [ciphertext, code] = [sealed.slice(0, -TAG), sealed.slice(-TAG)];
    if (output !== 'array') return { output: toHex(ciphertext), tag: toHex(code) };
    return outputTag ? { output: ciphertext, tag: code } : ciphertext;
  } finally {
    aead.dispose();
  }
}

function opened(aead, nonce, ciphertext, tag, associated) {
  // Without a tag, nobody knows who wrote the message; one of another length is no tag of SM4-GCM.
  if (tag.length !== TAG) throw invalid(`authentication tag mismatch: a tag of ${TAG} bytes is needed`);
  const whole = new Uint8Array(ciphertext.length + TAG);
  whole.set(ciphertext);
  whole.set(tag, ciphertext.length);
  try {
    return aead.open(nonce, whole, associated);
  } catch (error) {
    if (error.code === 'DecryptionFailed') error.message = 'authentication tag mismatch';
    throw error;
  }
}

export function sm4(inArray, key, cryptFlag, options) {
  const given = checked(options);
  const { padding = 'pkcs#7', mode, iv = new Uint8Array(16), output } = given;
  if (mode === 'gcm') return gcm(inArray, key, cryptFlag, given);
  if (mode && mode !== 'cbc' && !/^ecb$/i.test(mode)) {
    throw invalid(`mode is 'ecb', 'cbc' or 'gcm', not '${String(mode)}'`);
  }
  const how = {
    mode: mode === 'cbc' ? 'cbc' : 'ecb',
    iv: mode === 'cbc' ? block(iv, 'iv') : undefined,
    padding: padding === 'pkcs#7' || padding === 'pkcs#5' ? 'pkcs7' : 'none',
  };
  const secret = block(key, 'key');
  if (cryptFlag === DECRYPT) {
    const data = decrypted(secret, wholeOctets(inArray), how);
    return output === 'array' ? data : looseText(data);
  }
  const data = cipher.encrypt(secret, message(inArray, 'the message'), how);
  return output === 'array' ? data : toHex(data);
}

export function encrypt(inArray, key, options) {
  return sm4(inArray, key, 1, options);
}

export function decrypt(inArray, key, options) {
  return sm4(inArray, key, DECRYPT, options);
}
