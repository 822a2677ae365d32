// The keys for signatures.

import { bytes, maybeText, textOrBytes } from '../bytes.js';
import * as names from '../names.js';
import {
  HID_SIGN,
  MasterPublicKey,
  PrivateKey,
  SIGNATURES,
  UserKey,
  UserPublicKey,
  derived,
  done,
  fromPoint,
  given,
  identity,
  made,
  masterFromFile,
  masterOf,
  oneByte,
  userFromFile,
} from './key.js';

/** The master key for signatures, of a key generation centre. Who holds it can sign for everybody. */
export class MasterSigningKey extends PrivateKey {
  #publicKey;

  static generate() {
    return made(MasterSigningKey, 'sm9_master_generate', SIGNATURES);
  }

  /** The key with this number: 32 bytes, most significant first. */
  static fromBytes(data) {
    return made(MasterSigningKey, 'sm9_master_of_bytes', SIGNATURES, bytes(data, 'the master key'));
  }

  /** A key from a file in any form: PKCS#8, encrypted or not, PEM or DER; or GB/T 41389-2022's DER. */
  static load(data, options) {
    const { password } = given(options);
    return masterFromFile(MasterSigningKey, 'sm9_master', SIGNATURES, textOrBytes(data, 'the master key'), maybeText(password, 'password'));
  }

  get publicKey() {
    return (this.#publicKey ??= derived(this, MasterSigningKey, MasterSigningPublicKey, 'sm9_public_key'));
  }

  /** The signing key of a user. */
  extract(id, options) {
    const { hid = HID_SIGN } = given(options);
    return derived(this, MasterSigningKey, SigningKey, 'sm9_extract', SIGNATURES, identity(id), oneByte(hid));
  }
}

/** The master public key for signatures: with an identity, it verifies that user's signatures. */
export class MasterSigningPublicKey extends MasterPublicKey {
  /** The key of a point of 129, 128 or 65 bytes. */
  static fromBytes(data) {
    const point = bytes(data, 'the master public key');
    return made(MasterSigningPublicKey, 'sm9_master_public_of_bytes', SIGNATURES, point);
  }

  /** A key from a file in any form: SubjectPublicKeyInfo, GmSSL's, GB/T 41389-2022's DER. */
  static load(data) {
    return masterFromFile(MasterSigningPublicKey, 'sm9_master_public', SIGNATURES, textOrBytes(data, 'the master public key'));
  }

  /** What verifies the signatures of a user. */
  verifyingKey(id, options) {
    const { hid = HID_SIGN } = given(options);
    return derived(this, MasterSigningPublicKey, VerifyingKey, 'sm9_user_public', identity(id), oneByte(hid));
  }
}

/** A user's signing key. It shows nothing of itself. */
export class SigningKey extends UserKey {
  #masterPublicKey;
  #verifyingKey;

  /** The key of a point, x ‖ y, if it is that of this user. */
  static fromBytes(data, id, masterPublicKey, options) {
    const { hid = HID_SIGN } = given(options);
    return fromPoint(SigningKey, MasterSigningPublicKey, SIGNATURES, data, id, masterPublicKey, hid);
  }

  /** A key from a file in any form. The DER of GB/T 41389-2022 alone needs the master public key. */
  static load(data, id, options) {
    const { hid = HID_SIGN, ...rest } = given(options);
    return userFromFile(SigningKey, MasterSigningPublicKey, SIGNATURES, data, id, hid, rest);
  }

  get masterPublicKey() {
    return (this.#masterPublicKey ??= masterOf(this, MasterSigningPublicKey));
  }

  /** What verifies this key's signatures. */
  get verifyingKey() {
    return (this.#verifyingKey ??= derived(this, SigningKey, VerifyingKey, 'sm9_public_key'));
  }

  /** Signs a message: DER, or h ‖ x ‖ y of 96 bytes. */
  sign(message, options) {
    const { form = 'der' } = given(options);
    return done(this, SigningKey, 'sm9_sign', bytes(message, 'message'), names.writtenSm9(form));
  }
}

/** What verifies a user's signatures. */
export class VerifyingKey extends UserPublicKey {
  #masterPublicKey;

  get masterPublicKey() {
    return (this.#masterPublicKey ??= masterOf(this, MasterSigningPublicKey));
  }

  /** Whether the signature is this user's over the message. */
  verify(signature, message, options) {
    const { form } = given(options);
    return done(
      this,
      VerifyingKey,
      'sm9_verify',
      bytes(signature, 'signature'),
      bytes(message, 'message'),
      names.readSm9(form),
    );
  }
}
