/**
 * SM9 (GB/T 38635-2020): signatures, encryption and key exchange where an identity, such as an
 * e-mail address, is the public key.
 *
 * A key generation centre has a master key. It extracts the private keys of its users from their
 * identities; everybody else needs only the master public key.
 *
 * Every function throws a {@link KuaimiError} for what it cannot take. Its `code` is one of the kinds
 * of docs/errors.md; the ones below are those that a program may want to tell apart.
 */

import type { Bytes, BytesOrText } from './common.js';
import { Owned } from './common.js';

export { Bytes, BytesOrText, KuaimiError } from './common.js';

/** DER (GB/T 41389-2022), or the parts one after another. */
export type Form = 'der' | 'raw';
/** How a message is encrypted: added to a key stream, or with SM4. */
export type Mode = 'stream' | 'ecb' | 'cbc' | 'ofb' | 'cfb';
/** How a ciphertext is authenticated: as the standard has it, or as GmSSL 3 has it. */
export type Mac = 'sm3' | 'hmac-sm3';

export interface HidOptions {
  /** The function identifier, one byte: 1 for signatures, 2 for key exchange, 3 for encryption by default. */
  hid?: number;
}
export interface PasswordOptions {
  /** The password of an encrypted key. */
  password?: BytesOrText;
}
export interface LoadUserOptions<MasterPublicKey> extends HidOptions, PasswordOptions {
  /**
   * The master public key that the key belongs to. The DER of GB/T 41389-2022 alone needs it, since it
   * does not hold it; in other files, it must be the same.
   */
  masterPublicKey?: MasterPublicKey;
}
export interface PrivateDerOptions extends PasswordOptions {
  /** PKCS#8, or the DER of GB/T 41389-2022 alone, which takes no password. Default: 'pkcs8'. */
  format?: 'pkcs8' | 'gbt';
}
export interface PublicPemOptions {
  /** SubjectPublicKeyInfo, or what GmSSL writes. Default: 'spki'. */
  format?: 'spki' | 'gmssl';
}
export interface PublicDerOptions {
  /** SubjectPublicKeyInfo, or the DER of GB/T 41389-2022 alone. Default: 'spki'. */
  format?: 'spki' | 'gbt';
}
export interface SignOptions {
  /** Default: 'der', of 104 bytes; 'raw' is h ‖ x ‖ y, 96 bytes. */
  form?: Form;
}
export interface VerifyOptions {
  /** Found by default. */
  form?: Form;
}
export interface EncryptOptions {
  /** Default: 'stream'. */
  mode?: Mode;
  /** Default: 'sm3'. */
  mac?: Mac;
  /** Default: 'der', which names the mode; 'raw' is C1 ‖ C3 ‖ C2. */
  form?: Form;
}
export interface DecryptOptions {
  /** The mode of a raw ciphertext; DER names its own. Default: 'stream'. */
  mode?: Mode;
  /** Default: 'sm3'. No ciphertext says which one it has. */
  mac?: Mac;
  /** Found by default. */
  form?: Form;
}
export interface PeerOptions {
  /** The function identifier of the other side's key. Default: 2. */
  peerHid?: number;
}

declare abstract class Key extends Owned {
  /** Whether this is the same key, of the same kind; in constant time where it is secret. */
  equals(other: unknown): boolean;
}

declare abstract class PublicKey extends Key {
  /** Computes the key's tables now, and returns the key. They are made at the second use. */
  prepare(): this;
}

declare abstract class PrivateKey extends Key {
  /** The number of a master key, 32 bytes; the point of a user's, x ‖ y. JavaScript does not wipe it. */
  toBytes(): Uint8Array;
  /** PKCS#8 as PEM, encrypted where there is a password. */
  toPem(options?: PasswordOptions): string;
  /** PKCS#8 as DER, encrypted where there is a password; or the DER of GB/T 41389-2022 alone. */
  toDer(options?: PrivateDerOptions): Uint8Array;
}

declare abstract class MasterPublicKey extends PublicKey {
  /** The point after the byte 04: 129 bytes for signatures, 65 for encryption. */
  toBytes(): Uint8Array;
  toPem(options?: PublicPemOptions): string;
  toDer(options?: PublicDerOptions): Uint8Array;
}

declare abstract class UserKey extends PrivateKey {
  /** The identity, as bytes. */
  readonly identity: Uint8Array;
  /** The function identifier. */
  readonly hid: number;
  /** Computes the key's tables now, and returns the key. They are made at the second use. */
  prepare(): this;
}

declare abstract class UserPublicKey extends PublicKey {
  /** The identity, as bytes. */
  readonly identity: Uint8Array;
  /** The function identifier. */
  readonly hid: number;
}

/** The master key for signatures, of a key generation centre. Who holds it can sign for everybody. */
export class MasterSigningKey extends PrivateKey {
  private constructor();
  static generate(): MasterSigningKey;
  /** The key with this number: 32 bytes, most significant first; between 1 and N − 1. */
  static fromBytes(data: Bytes): MasterSigningKey;
  /**
   * A key from a file: PKCS#8, encrypted or not, in PEM or DER, or the DER of GB/T 41389-2022 alone.
   * @throws 'PasswordNeeded', 'WrongPassword', 'OtherKey', 'NotAKey'
   */
  static load(data: BytesOrText, options?: PasswordOptions): MasterSigningKey;
  readonly publicKey: MasterSigningPublicKey;
  /** The signing key of a user. @throws 'EmptyIdentity' */
  extract(identity: BytesOrText, options?: HidOptions): SigningKey;
}

/** The master public key for signatures: with an identity, it verifies that user's signatures. */
export class MasterSigningPublicKey extends MasterPublicKey {
  private constructor();
  /** The key of a point: x ‖ y, after the byte 04 or without it, or compressed. @throws 'NotOnCurve' */
  static fromBytes(data: Bytes): MasterSigningPublicKey;
  /** A key from a file: SubjectPublicKeyInfo, GmSSL's form, or the DER of GB/T 41389-2022 alone. */
  static load(data: BytesOrText): MasterSigningPublicKey;
  /** What verifies the signatures of a user. @throws 'EmptyIdentity' */
  verifyingKey(identity: BytesOrText, options?: HidOptions): VerifyingKey;
}

/** The master key for encryption and key exchange. Who holds it can read everything. */
export class MasterEncryptionKey extends PrivateKey {
  private constructor();
  static generate(): MasterEncryptionKey;
  /** The key with this number: 32 bytes, most significant first; between 1 and N − 1. */
  static fromBytes(data: Bytes): MasterEncryptionKey;
  /**
   * A key from a file: PKCS#8, encrypted or not, in PEM or DER, or the DER of GB/T 41389-2022 alone.
   * @throws 'PasswordNeeded', 'WrongPassword', 'OtherKey', 'NotAKey'
   */
  static load(data: BytesOrText, options?: PasswordOptions): MasterEncryptionKey;
  readonly publicKey: MasterEncryptionPublicKey;
  /** The decryption key of a user. @throws 'EmptyIdentity' */
  extract(identity: BytesOrText, options?: HidOptions): DecryptionKey;
  /** The key of a user for key exchange. @throws 'EmptyIdentity' */
  extractExchange(identity: BytesOrText, options?: HidOptions): ExchangeKey;
}

/** The master public key for encryption: with an identity, it encrypts for that user. */
export class MasterEncryptionPublicKey extends MasterPublicKey {
  private constructor();
  /** The key of a point: x ‖ y, after the byte 04 or without it, or compressed. @throws 'NotOnCurve' */
  static fromBytes(data: Bytes): MasterEncryptionPublicKey;
  /** A key from a file: SubjectPublicKeyInfo, GmSSL's form, or the DER of GB/T 41389-2022 alone. */
  static load(data: BytesOrText): MasterEncryptionPublicKey;
  /** What encrypts for a user. @throws 'EmptyIdentity' */
  encryptionKey(identity: BytesOrText, options?: HidOptions): EncryptionKey;
}

/** A user's signing key. */
export class SigningKey extends UserKey {
  private constructor();
  /** The key of a point, x ‖ y. @throws 'UserKeyMismatch' where it is not that of this user. */
  static fromBytes(
    data: Bytes,
    identity: BytesOrText,
    masterPublicKey: MasterSigningPublicKey,
    options?: HidOptions,
  ): SigningKey;
  /** A key from a file, which holds no identity: give it. @throws 'UserKeyMismatch', 'PasswordNeeded', 'WrongPassword' */
  static load(
    data: BytesOrText,
    identity: BytesOrText,
    options?: LoadUserOptions<MasterSigningPublicKey>,
  ): SigningKey;
  readonly masterPublicKey: MasterSigningPublicKey;
  /** What verifies this key's signatures. */
  readonly verifyingKey: VerifyingKey;
  /** Signs a message. */
  sign(message: Bytes, options?: SignOptions): Uint8Array;
}

/** What verifies a user's signatures: see {@link MasterSigningPublicKey.verifyingKey}. */
export class VerifyingKey extends UserPublicKey {
  private constructor();
  readonly masterPublicKey: MasterSigningPublicKey;
  /** Whether the signature is this user's over the message. What is no signature is not. */
  verify(signature: Bytes, message: Bytes, options?: VerifyOptions): boolean;
}

/** What encrypts for a user: see {@link MasterEncryptionPublicKey.encryptionKey}. */
export class EncryptionKey extends UserPublicKey {
  private constructor();
  readonly masterPublicKey: MasterEncryptionPublicKey;
  /** Encrypts a message of at least one byte. @throws 'EmptyMessage' */
  encrypt(message: Bytes, options?: EncryptOptions): Uint8Array;
  /** A new key of `length` bytes, and its encapsulation for the user: a point of 64 bytes. */
  encapsulate(length: number): { key: Uint8Array; encapsulated: Uint8Array };
}

/** A user's decryption key. */
export class DecryptionKey extends UserKey {
  private constructor();
  /** The key of a point, x ‖ y. @throws 'UserKeyMismatch' where it is not that of this user. */
  static fromBytes(
    data: Bytes,
    identity: BytesOrText,
    masterPublicKey: MasterEncryptionPublicKey,
    options?: HidOptions,
  ): DecryptionKey;
  /** A key from a file, which holds no identity: give it. @throws 'UserKeyMismatch', 'PasswordNeeded', 'WrongPassword' */
  static load(
    data: BytesOrText,
    identity: BytesOrText,
    options?: LoadUserOptions<MasterEncryptionPublicKey>,
  ): DecryptionKey;
  readonly masterPublicKey: MasterEncryptionPublicKey;
  /** What encrypts for this key. */
  readonly encryptionKey: EncryptionKey;
  /** Decrypts. @throws 'DecryptionFailed', whatever is wrong with the ciphertext. */
  decrypt(ciphertext: Bytes, options?: DecryptOptions): Uint8Array;
  /**
   * The key of `length` bytes in an encapsulation, a point of 64 or 65 bytes. One for another user
   * gives another key. @throws 'DecryptionFailed' for what is no point.
   */
  decapsulate(encapsulated: Bytes, length: number): Uint8Array;
}

/** A user's key for key exchange. */
export class ExchangeKey extends UserKey {
  private constructor();
  /** The key of a point, x ‖ y. @throws 'UserKeyMismatch' where it is not that of this user. */
  static fromBytes(
    data: Bytes,
    identity: BytesOrText,
    masterPublicKey: MasterEncryptionPublicKey,
    options?: HidOptions,
  ): ExchangeKey;
  /** A key from a file, which holds no identity: give it. @throws 'UserKeyMismatch', 'PasswordNeeded', 'WrongPassword' */
  static load(
    data: BytesOrText,
    identity: BytesOrText,
    options?: LoadUserOptions<MasterEncryptionPublicKey>,
  ): ExchangeKey;
  readonly masterPublicKey: MasterEncryptionPublicKey;
}

/** The side of a key exchange that begins (GB/T 38635.2-2020, clause 7). Each object serves one. */
export class KeyExchangeInitiator extends Owned {
  private constructor();
  static create(exchangeKey: ExchangeKey, peerIdentity: BytesOrText, options?: PeerOptions): KeyExchangeInitiator;
  /** For the other side, 64 bytes. */
  readonly point: Uint8Array;
  /**
   * The shared key of `length` bytes, and the confirmation for the other side.
   * @throws 'ConfirmationFailed' where the other side does not have the same key.
   */
  finish(point: Bytes, confirmation: Bytes, length: number): { key: Uint8Array; confirmation: Uint8Array };
  /** The shared key without confirmation: whether the other side has it shows when it is used. */
  finishUnconfirmed(point: Bytes, length: number): Uint8Array;
}

/** The side that answers. */
export class KeyExchangeResponder extends Owned {
  private constructor();
  /** Answers the other side's point. */
  static respond(
    exchangeKey: ExchangeKey,
    peerIdentity: BytesOrText,
    point: Bytes,
    length: number,
    options?: PeerOptions,
  ): KeyExchangeResponder;
  /** For the other side, 64 bytes. */
  readonly point: Uint8Array;
  /** For the other side, 32 bytes. */
  readonly confirmation: Uint8Array;
  /** The shared key. @throws 'ConfirmationFailed' where the other side does not have the same key. */
  confirm(confirmation: Bytes): Uint8Array;
  /** The shared key without confirmation. */
  keyUnconfirmed(): Uint8Array;
}

export { fromBase64, fromHex, fromUtf8, ready, toBase64, toHex, utf8 } from './index.js';
