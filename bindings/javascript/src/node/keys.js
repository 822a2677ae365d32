// Keys of SM2 as node:crypto has them.
//
// Node reads and writes them, but signs with ECDSA under them, which is no signature of SM2; and
// with OpenSSL 3 `export({ type: 'sec1' })` of such a key ends the process. PKCS#8 is safe.

import { createPrivateKey, createPublicKey, KeyObject, X509Certificate } from 'node:crypto';
import { kindOf } from '../bytes.js';
import { invalid } from '../errors.js';
import { PrivateKey, PublicKey } from '../sm2.js';

/** The private key in a KeyObject. */
export function privateKeyFrom(key) {
  if (!(key instanceof KeyObject) || key.type !== 'private') {
    throw invalid(`key is a private KeyObject, not ${described(key)}`);
  }
  const der = key.export({ type: 'pkcs8', format: 'der' });
  try {
    return PrivateKey.load(der);
  } finally {
    der.fill(0);
  }
}

/** The public key in a KeyObject, private ones too, or in a certificate. */
export function publicKeyFrom(key) {
  if (key instanceof X509Certificate) return PublicKey.load(key.raw);
  if (!(key instanceof KeyObject) || key.type === 'secret') {
    throw invalid(`key is a KeyObject or an X509Certificate, not ${described(key)}`);
  }
  const shown = key.type === 'private' ? createPublicKey(key) : key;
  return PublicKey.load(shown.export({ type: 'spki', format: 'der' }));
}

/** A KeyObject of the same key. */
export function toKeyObject(key) {
  if (key instanceof PublicKey) return createPublicKey({ key: Buffer.from(key.toDer()), type: 'spki', format: 'der' });
  if (!(key instanceof PrivateKey)) throw invalid(`key is a PrivateKey or a PublicKey, not ${described(key)}`);
  const written = key.toDer();
  // The same memory, to wipe it.
  const der = Buffer.from(written.buffer, written.byteOffset, written.byteLength);
  try {
    return createPrivateKey({ key: der, type: 'pkcs8', format: 'der' });
  } finally {
    der.fill(0);
  }
}

function described(key) {
  return key instanceof KeyObject ? `a ${key.type} one` : kindOf(key);
}
