// The keys for encryption, and for key exchange, which have the same master key.

import { bytes } from '../bytes.js';
import * as names from '../names.js';
import {
  ENCRYPTION,
  EXCHANGE,
  HID_ENCRYPT,
  HID_EXCHANGE,
  MasterPublicKey,
  PrivateKey,
  UserKey,
  UserPublicKey,
  derived,
  done,
  given,
  identity,
  keyLength,
  masterKeys,
  oneByte,
  userKeys,
  withMaster,
} from './key.js';

/** The master key for encryption and key exchange. Who holds it can read everything. */
export class MasterEncryptionKey extends PrivateKey {
  #publicKey;

  get publicKey() {
    return (this.#publicKey ??= derived(this, MasterEncryptionKey, MasterEncryptionPublicKey, 'sm9_public_key'));
  }

  /** The decryption key of a user. */
  extract(id, options) {
    const { hid = HID_ENCRYPT } = given(options);
    return derived(this, MasterEncryptionKey, DecryptionKey, 'sm9_extract', ENCRYPTION, identity(id), oneByte(hid));
  }

  /** The key of a user for key exchange. */
  extractExchange(id, options) {
    const { hid = HID_EXCHANGE } = given(options);
    return derived(this, MasterEncryptionKey, ExchangeKey, 'sm9_extract', EXCHANGE, identity(id), oneByte(hid));
  }
}

/** The master public key for encryption: with an identity, it encrypts for that user. */
export class MasterEncryptionPublicKey extends MasterPublicKey {
  /** What encrypts for a user. */
  encryptionKey(id, options) {
    const { hid = HID_ENCRYPT } = given(options);
    return derived(this, MasterEncryptionPublicKey, EncryptionKey, 'sm9_user_public', identity(id), oneByte(hid));
  }
}

/** What encrypts for a user. */
export class EncryptionKey extends UserPublicKey {
  /** Encrypts a message of at least one byte. */
  encrypt(message, options) {
    const { mode = 'stream', mac = 'sm3', form = 'der' } = given(options);
    return done(
      this,
      EncryptionKey,
      'sm9_encrypt',
      bytes(message, 'message'),
      names.sm9Mode(mode),
      names.sm9Mac(mac),
      names.writtenSm9(form),
    );
  }

  /** A new key of `length` bytes, and its encapsulation for the user: a point of 64 bytes. */
  encapsulate(length) {
    const both = done(this, EncryptionKey, 'sm9_encapsulate', keyLength(length));
    return { key: both.slice(0, length), encapsulated: both.slice(length) };
  }
}

/** A user's decryption key. It shows nothing of itself. */
export class DecryptionKey extends UserKey {
  #encryptionKey;

  /** What encrypts for this key. */
  get encryptionKey() {
    return (this.#encryptionKey ??= derived(this, DecryptionKey, EncryptionKey, 'sm9_public_key'));
  }

  /** Decrypts. The form is found, where it is not given; DER names its mode. */
  decrypt(ciphertext, options) {
    const { mode = 'stream', mac = 'sm3', form } = given(options);
    return done(
      this,
      DecryptionKey,
      'sm9_decrypt',
      bytes(ciphertext, 'ciphertext'),
      names.sm9Mode(mode),
      names.sm9Mac(mac),
      names.readSm9(form),
    );
  }

  /** The key of `length` bytes in an encapsulation. One for another user gives another key. */
  decapsulate(encapsulated, length) {
    return done(this, DecryptionKey, 'sm9_decapsulate', bytes(encapsulated, 'encapsulated'), keyLength(length));
  }
}

/** A user's key for key exchange. It shows nothing of itself. */
export class ExchangeKey extends UserKey {}

masterKeys(MasterEncryptionKey, MasterEncryptionPublicKey, ENCRYPTION);
userKeys(DecryptionKey, MasterEncryptionPublicKey, ENCRYPTION, HID_ENCRYPT);
userKeys(ExchangeKey, MasterEncryptionPublicKey, EXCHANGE, HID_EXCHANGE);
withMaster(MasterEncryptionPublicKey, EncryptionKey, DecryptionKey, ExchangeKey);
