// SM9 (GB/T 38635-2020): signatures, encryption and key exchange where an identity is the public key.

import { bytes, fromUtf8, kindOf, maybeText, textOrBytes, whole } from './bytes.js';
import { engine } from './core.js';
import { invalid } from './errors.js';
import * as names from './names.js';
import { held, own, Owned } from './owned.js';

export { fromBase64, fromHex, fromUtf8, toBase64, toHex, utf8 } from './bytes.js';
export { KuaimiError } from './errors.js';

/** What a key is made for (operations/src/sm9/mod.rs). */
const SIGNATURES = 0;
const ENCRYPTION = 1;
const EXCHANGE = 2;

/** The function identifiers of GB/T 41389-2022. */
const HID_SIGN = 1;
const HID_EXCHANGE = 2;
const HID_ENCRYPT = 3;

const POINT = 64;

const identity = (id, what = 'identity') => textOrBytes(id, what);
const oneByte = (hid, what = 'hid') => whole(hid, what, 0, 255);
const keyLength = (length) => whole(length, 'length', 1, 2 ** 26);

function given(options = {}) {
  if (options === null || typeof options !== 'object') throw invalid(`options are an object, not ${kindOf(options)}`);
  return options;
}

/** An object of a class, from an operation without a key. */
function made(Class, operation, ...values) {
  const core = engine('sm9');
  return own(Class, core, core[operation](...values));
}

/** What an operation with a key gives. */
function done(key, Class, operation, ...values) {
  const [core, handle] = held(key, Class, 'this');
  return core[operation](handle, ...values);
}

/** An object of another class, from an operation with a key. */
function derived(key, Class, Result, operation, ...values) {
  return own(Result, held(key, Class, 'this')[0], done(key, Class, operation, ...values));
}

class Key extends Owned {
  /** Whether this is the same key; in constant time where it is secret. */
  equals(other) {
    if (!(other instanceof Key)) return false;
    const [core, handle] = held(this, Key, 'this');
    return core.sm9_equal(handle, held(other, Key, 'other', core)[1]);
  }
}

class PublicKey extends Key {
  /** Computes the key's tables now; they are made at the second use. */
  prepare() {
    done(this, PublicKey, 'sm9_prepare');
    return this;
  }
}

class PrivateKey extends Key {
  /** The number of a master key, 32 bytes, or the point of a user's. JavaScript does not wipe it. */
  toBytes() {
    return done(this, PrivateKey, 'sm9_private_write', 0, undefined);
  }

  /** PKCS#8 as PEM, under a password, if there is one. */
  toPem(options) {
    const { password } = given(options);
    return fromUtf8(done(this, PrivateKey, 'sm9_private_write', 1, maybeText(password, 'password')));
  }

  /** The same as DER; or the DER of GB/T 41389-2022 alone, which says nothing about itself. */
  toDer(options) {
    const { format = 'pkcs8', password } = given(options);
    const number = names.sm9PrivateDer(format);
    return done(this, PrivateKey, 'sm9_private_write', number, maybeText(password, 'password'));
  }
}

class MasterPublicKey extends PublicKey {
  /** The point after the byte 04: 129 bytes for signatures, 65 for encryption. */
  toBytes() {
    return done(this, MasterPublicKey, 'sm9_public_write', 0);
  }

  /** SubjectPublicKeyInfo as PEM, or what GmSSL writes. */
  toPem(options) {
    const { format = 'spki' } = given(options);
    return fromUtf8(done(this, MasterPublicKey, 'sm9_public_write', names.sm9PublicPem(format)));
  }

  /** SubjectPublicKeyInfo as DER, or the DER of GB/T 41389-2022 alone. */
  toDer(options) {
    const { format = 'spki' } = given(options);
    return done(this, MasterPublicKey, 'sm9_public_write', names.sm9PublicDer(format));
  }
}

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
    const file = textOrBytes(data, 'the master key');
    return made(MasterSigningKey, 'sm9_master_load', SIGNATURES, file, maybeText(password, 'password'));
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
    const file = textOrBytes(data, 'the master public key');
    return made(MasterSigningPublicKey, 'sm9_master_public_load', SIGNATURES, file);
  }

  /** What verifies the signatures of a user. */
  verifyingKey(id, options) {
    const { hid = HID_SIGN } = given(options);
    return derived(this, MasterSigningPublicKey, VerifyingKey, 'sm9_user_public', identity(id), oneByte(hid));
  }
}

/** The master key for encryption and key exchange. Who holds it can read everything. */
export class MasterEncryptionKey extends PrivateKey {
  #publicKey;

  static generate() {
    return made(MasterEncryptionKey, 'sm9_master_generate', ENCRYPTION);
  }

  /** The key with this number: 32 bytes, most significant first. */
  static fromBytes(data) {
    return made(MasterEncryptionKey, 'sm9_master_of_bytes', ENCRYPTION, bytes(data, 'the master key'));
  }

  /** A key from a file in any form: PKCS#8, encrypted or not, PEM or DER; or GB/T 41389-2022's DER. */
  static load(data, options) {
    const { password } = given(options);
    const file = textOrBytes(data, 'the master key');
    return made(MasterEncryptionKey, 'sm9_master_load', ENCRYPTION, file, maybeText(password, 'password'));
  }

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
  /** The key of a point of 65, 64 or 33 bytes. */
  static fromBytes(data) {
    const point = bytes(data, 'the master public key');
    return made(MasterEncryptionPublicKey, 'sm9_master_public_of_bytes', ENCRYPTION, point);
  }

  /** A key from a file in any form: SubjectPublicKeyInfo, GmSSL's, GB/T 41389-2022's DER. */
  static load(data) {
    const file = textOrBytes(data, 'the master public key');
    return made(MasterEncryptionPublicKey, 'sm9_master_public_load', ENCRYPTION, file);
  }

  /** What encrypts for a user. */
  encryptionKey(id, options) {
    const { hid = HID_ENCRYPT } = given(options);
    return derived(this, MasterEncryptionPublicKey, EncryptionKey, 'sm9_user_public', identity(id), oneByte(hid));
  }
}

// Users' keys.

const masterOf = (key, Master) => derived(key, Key, Master, 'sm9_master_public_key');
const identityOf = (key) => done(key, Key, 'sm9_identity');
const hidOf = (key) => done(key, Key, 'sm9_hid');

function fromPoint(Class, Master, purpose, data, id, masterPublicKey, hid) {
  const [core, master] = held(masterPublicKey, Master, 'masterPublicKey');
  const point = bytes(data, 'the key');
  return own(Class, core, core.sm9_user_of_bytes(purpose, point, identity(id), oneByte(hid), master));
}

function fromFile(Class, Master, purpose, data, id, hid, { password, masterPublicKey }) {
  if (masterPublicKey !== undefined) held(masterPublicKey, Master, 'masterPublicKey');
  const file = textOrBytes(data, 'the key');
  const master = masterPublicKey?.toBytes();
  return made(Class, 'sm9_user_load', purpose, file, identity(id), oneByte(hid), maybeText(password, 'password'), master);
}

class UserKey extends PrivateKey {
  /** The identity, as bytes. */
  get identity() {
    return identityOf(this);
  }

  /** The function identifier. */
  get hid() {
    return hidOf(this);
  }

  /** Computes the key's tables now; they are made at the second use. */
  prepare() {
    done(this, UserKey, 'sm9_prepare');
    return this;
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
    return fromFile(SigningKey, MasterSigningPublicKey, SIGNATURES, data, id, hid, rest);
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

class UserPublicKey extends PublicKey {
  /** The identity, as bytes. */
  get identity() {
    return identityOf(this);
  }

  /** The function identifier. */
  get hid() {
    return hidOf(this);
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

/** What encrypts for a user. */
export class EncryptionKey extends UserPublicKey {
  #masterPublicKey;

  get masterPublicKey() {
    return (this.#masterPublicKey ??= masterOf(this, MasterEncryptionPublicKey));
  }

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
  #masterPublicKey;
  #encryptionKey;

  /** The key of a point, x ‖ y, if it is that of this user. */
  static fromBytes(data, id, masterPublicKey, options) {
    const { hid = HID_ENCRYPT } = given(options);
    return fromPoint(DecryptionKey, MasterEncryptionPublicKey, ENCRYPTION, data, id, masterPublicKey, hid);
  }

  /** A key from a file in any form. The DER of GB/T 41389-2022 alone needs the master public key. */
  static load(data, id, options) {
    const { hid = HID_ENCRYPT, ...rest } = given(options);
    return fromFile(DecryptionKey, MasterEncryptionPublicKey, ENCRYPTION, data, id, hid, rest);
  }

  get masterPublicKey() {
    return (this.#masterPublicKey ??= masterOf(this, MasterEncryptionPublicKey));
  }

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
export class ExchangeKey extends UserKey {
  #masterPublicKey;

  /** The key of a point, x ‖ y, if it is that of this user. */
  static fromBytes(data, id, masterPublicKey, options) {
    const { hid = HID_EXCHANGE } = given(options);
    return fromPoint(ExchangeKey, MasterEncryptionPublicKey, EXCHANGE, data, id, masterPublicKey, hid);
  }

  /** A key from a file in any form. The DER of GB/T 41389-2022 alone needs the master public key. */
  static load(data, id, options) {
    const { hid = HID_EXCHANGE, ...rest } = given(options);
    return fromFile(ExchangeKey, MasterEncryptionPublicKey, EXCHANGE, data, id, hid, rest);
  }

  get masterPublicKey() {
    return (this.#masterPublicKey ??= masterOf(this, MasterEncryptionPublicKey));
  }
}

/** The side of a key exchange that begins (GB/T 38635.2-2020, clause 7). Each object serves one. */
export class KeyExchangeInitiator extends Owned {
  static create(exchangeKey, peerIdentity, options) {
    const { peerHid = HID_EXCHANGE } = given(options);
    const [core, handle] = held(exchangeKey, ExchangeKey, 'exchangeKey');
    const peer = identity(peerIdentity, 'peerIdentity');
    return own(KeyExchangeInitiator, core, core.sm9_exchange_start(handle, peer, oneByte(peerHid, 'peerHid')));
  }

  /** For the other side, 64 bytes. */
  get point() {
    return done(this, KeyExchangeInitiator, 'sm9_exchange_point');
  }

  /** The shared key, and the confirmation for the other side, from its point and confirmation. */
  finish(point, confirmation, length) {
    const values = [bytes(point, 'point'), bytes(confirmation, 'confirmation'), keyLength(length)];
    const both = done(this, KeyExchangeInitiator, 'sm9_exchange_finish', ...values);
    this.dispose();
    return { key: both.slice(0, length), confirmation: both.slice(length) };
  }

  /** The shared key without confirmation. */
  finishUnconfirmed(point, length) {
    const values = [bytes(point, 'point'), undefined, keyLength(length)];
    const key = done(this, KeyExchangeInitiator, 'sm9_exchange_finish', ...values);
    this.dispose();
    return key;
  }
}

/** The side that answers. */
export class KeyExchangeResponder extends Owned {
  /** Answers the other side's point. */
  static respond(exchangeKey, peerIdentity, point, length, options) {
    const { peerHid = HID_EXCHANGE } = given(options);
    const [core, handle] = held(exchangeKey, ExchangeKey, 'exchangeKey');
    const exchange = core.sm9_exchange_respond(
      handle,
      identity(peerIdentity, 'peerIdentity'),
      oneByte(peerHid, 'peerHid'),
      bytes(point, 'point'),
      keyLength(length),
    );
    return own(KeyExchangeResponder, core, exchange);
  }

  /** For the other side, 64 bytes. */
  get point() {
    return done(this, KeyExchangeResponder, 'sm9_exchange_answer').slice(0, POINT);
  }

  /** For the other side, 32 bytes. */
  get confirmation() {
    return done(this, KeyExchangeResponder, 'sm9_exchange_answer').slice(POINT);
  }

  /** The shared key, once the other side's confirmation proves that it has the same. */
  confirm(confirmation) {
    const key = done(this, KeyExchangeResponder, 'sm9_exchange_confirm', bytes(confirmation, 'confirmation'));
    this.dispose();
    return key;
  }

  /** The shared key without confirmation. */
  keyUnconfirmed() {
    const key = done(this, KeyExchangeResponder, 'sm9_exchange_confirm', undefined);
    this.dispose();
    return key;
  }
}
