// SM4 (GB/T 32907-2016) in its modes.

import { bytes, maybe, whole } from './bytes.js';
import { engine } from './core.js';
import { gcmColumns, gcmItems, gcmOpened, gcmOpenEach, gcmSealed, gcmSealEach } from './gcm.js';
import { cipherMode, padding, xtsStandard } from './names.js';
import { held, own, Owned } from './owned.js';

const DECRYPT = 1;
const NOTHING = new Uint8Array(0);

/** A message that is encrypted or decrypted in pieces. */
export class Cipher extends Owned {
  /** The next piece. In ECB and CBC, bytes that fill no block wait for the next call. */
  update(data) {
    const [core, handle] = held(this, Cipher, 'this');
    return core.sm4_update(handle, bytes(data, 'data'));
  }

  /** The end of the message; the cipher is used up. */
  finish() {
    const [core, handle] = held(this, Cipher, 'this');
    const end = core.sm4_finish(handle);
    this.dispose();
    return end;
  }
}

function settings({ mode, iv, padding: pad, standard } = {}, direction) {
  const number = cipherMode(mode);
  return [
    number,
    mode === 'ecb' ? NOTHING : bytes(iv, 'iv'),
    direction | padding(pad ?? 'pkcs7') | xtsStandard(standard ?? 'gb'),
  ];
}

/** Encrypts a message: `mode` is 'ecb', 'cbc', 'ctr', 'cfb', 'ofb' or 'xts'. */
export function encrypt(key, data, options) {
  return engine().sm4_crypt(bytes(key, 'key'), ...settings(options, 0), bytes(data, 'data'));
}

/** Decrypts a message. */
export function decrypt(key, data, options) {
  return engine().sm4_crypt(bytes(key, 'key'), ...settings(options, DECRYPT), bytes(data, 'data'));
}

export function createEncryptor(key, options) {
  const core = engine();
  return own(Cipher, core, core.sm4_new(bytes(key, 'key'), ...settings(options, 0)));
}

export function createDecryptor(key, options) {
  const core = engine();
  return own(Cipher, core, core.sm4_new(bytes(key, 'key'), ...settings(options, DECRYPT)));
}

class Aead extends Owned {
  /** The ciphertext with the tag at its end. No nonce may be used twice with a key. */
  seal(nonce, data, associatedData) {
    const [core, handle] = held(this, Aead, 'this');
    return core.sm4_aead_seal(
      handle,
      bytes(nonce, 'nonce'),
      maybe(associatedData, 'associatedData') ?? NOTHING,
      bytes(data, 'data'),
    );
  }

  /** The message. Fails with 'DecryptionFailed' if anything was altered. */
  open(nonce, data, associatedData) {
    const [core, handle] = held(this, Aead, 'this');
    return core.sm4_aead_open(
      handle,
      bytes(nonce, 'nonce'),
      maybe(associatedData, 'associatedData') ?? NOTHING,
      bytes(data, 'data'),
    );
  }
}

/** SM4-GCM under a key. */
export class Gcm extends Aead {
  static create(key) {
    const core = engine();
    return own(Gcm, core, core.sm4_aead_new(bytes(key, 'key'), 0, 16));
  }
}

/** SM4-CCM under a key, with tags of `tagLength` bytes. */
export class Ccm extends Aead {
  static create(key, { tagLength = 16 } = {}) {
    const core = engine();
    const length = whole(tagLength, 'tagLength', 4, 16);
    return own(Ccm, core, core.sm4_aead_new(bytes(key, 'key'), 1, length));
  }
}

/**
 * Encrypts many messages in GCM, each under its own key: as Gcm.seal, and in Node's addon faster. No
 * nonce may be used twice with a key.
 */
export function gcmEncryptBatch(items) {
  const list = gcmItems(items);
  const core = engine();
  if (core.sm4_gcm_seal_batch === undefined) return gcmSealEach(core, list);
  const { values, dataLengths } = gcmColumns(list);
  return gcmSealed(core.sm4_gcm_seal_batch(...values, 0), dataLengths);
}

/** Decrypts what gcmEncryptBatch or Gcm.seal made. An item that was altered gives null. */
export function gcmDecryptBatch(items) {
  const list = gcmItems(items);
  const core = engine();
  if (core.sm4_gcm_open_batch === undefined) return gcmOpenEach(core, list);
  const { values, dataLengths } = gcmColumns(list);
  return gcmOpened(core.sm4_gcm_open_batch(...values, 0), dataLengths);
}

/** A new key of 16 bytes. */
export function generateKey() {
  return engine().random_bytes(16);
}
