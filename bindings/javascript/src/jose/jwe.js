// JSON Web Encryption (RFC 7516) with the algorithms of GM/T 0125-2022: SM2 encrypts a key of SM4.

import { bytes, utf8 } from '../bytes.js';
import { fromBase64url, malformed, toBase64url } from '../base64url.js';
import { KuaimiError } from '../errors.js';
import { writtenCiphertext } from '../names.js';
import { randomBytes } from '../random.js';
import { PrivateKey, PublicKey } from '../sm2.js';
import { Ccm, Gcm, generateKey } from '../sm4.js';
import { allowList, open, permit, writeHeader } from './compact.js';

const SM2 = 'SGD_SM2_3';
const CIPHERS = { SGD_SM4_GCM: Gcm, SGD_SM4_CCM: Ccm };
const ENCRYPTIONS = Object.keys(CIPHERS);
const KEY = 16;
const NONCE = 12;
const TAG = 16;

function using(enc, key, work) {
  const cipher = CIPHERS[enc].create(key);
  try {
    return work(cipher);
  } finally {
    cipher.dispose();
    key.fill(0);
  }
}

/** The compact JWE of a message for the holder of an sm2.PublicKey's private key. */
export function encryptJwe(message, publicKey, { enc = 'SGD_SM4_GCM', form = 'der', header } = {}) {
  const data = bytes(message, 'message');
  const [name] = allowList([enc], ENCRYPTIONS, 'enc');
  writtenCiphertext(form);
  if (!(publicKey instanceof PublicKey)) throw new KuaimiError('OtherKey', `${SM2} takes an sm2.PublicKey`);
  const key = generateKey();
  const nonce = randomBytes(NONCE);
  const first = writeHeader({ alg: SM2, enc: name }, header);
  const encryptedKey = publicKey.encrypt(key, { form });
  const sealed = using(name, key, (cipher) => cipher.seal(nonce, data, utf8(first)));
  const end = sealed.length - TAG;
  return [first, ...[encryptedKey, nonce, sealed.subarray(0, end), sealed.subarray(end)].map(toBase64url)].join('.');
}

const refused = () => new KuaimiError('DecryptionFailed', 'decryption failed: another key, or altered data');

/** One sentence for SM2's failure and for SM4's, so that none can be told from another. */
function unlessRefused(work) {
  try {
    return work();
  } catch (error) {
    throw error.code === 'DecryptionFailed' ? refused() : error;
  }
}

/** The header and the message of a JWE that was made for a key, and not altered since. */
export function decryptJwe(token, privateKey, { encryptions = ENCRYPTIONS, form = 'der' } = {}) {
  const allowed = allowList(encryptions, ENCRYPTIONS, 'encryptions');
  writtenCiphertext(form);
  if (!(privateKey instanceof PrivateKey)) throw new KuaimiError('OtherKey', `${SM2} takes an sm2.PrivateKey`);
  const { header, texts } = open(token, 5);
  permit(header.alg, [SM2], 'alg');
  permit(header.enc, allowed, 'enc');
  const names = ['the encrypted key', 'the nonce', 'the ciphertext', 'the tag'];
  const [encryptedKey, nonce, ciphertext, tag] = names.map((name, i) => fromBase64url(texts[i + 1], name));
  if (nonce.length !== NONCE || tag.length !== TAG) throw malformed(`a nonce has ${NONCE} bytes, a tag ${TAG}`);
  const sealed = new Uint8Array(ciphertext.length + TAG);
  sealed.set(ciphertext);
  sealed.set(tag, ciphertext.length);
  const message = unlessRefused(() => {
    const key = privateKey.decrypt(encryptedKey, { form });
    if (key.length !== KEY) throw refused();
    return using(header.enc, key, (cipher) => cipher.open(nonce, sealed, utf8(texts[0])));
  });
  return { header, message };
}
