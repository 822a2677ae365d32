// The keys for signatures.

import { bytes } from '../bytes.js';
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
  given,
  identity,
  masterKeys,
  oneByte,
  userKeys,
  withMaster,
} from './key.js';

/** The master key for signatures, of a key generation centre. Who holds it can sign for everybody. */
export class MasterSigningKey extends PrivateKey {
  #publicKey;

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
  /** What verifies the signatures of a user. */
  verifyingKey(id, options) {
    const { hid = HID_SIGN } = given(options);
    return derived(this, MasterSigningPublicKey, VerifyingKey, 'sm9_user_public', identity(id), oneByte(hid));
  }
}

/** A user's signing key. It shows nothing of itself. */
export class SigningKey extends UserKey {
  #verifyingKey;

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

masterKeys(MasterSigningKey, MasterSigningPublicKey, SIGNATURES);
userKeys(SigningKey, MasterSigningPublicKey, SIGNATURES, HID_SIGN);
withMaster(MasterSigningPublicKey, SigningKey, VerifyingKey);
