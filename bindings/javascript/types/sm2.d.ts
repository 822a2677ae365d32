import type { Bytes, BytesOrText } from './common.js';
import { Owned } from './common.js';
import type { Hash } from './sm3.js';

/** `'der'` (GM/T 0009, about 70 bytes) or `'raw'`: r and s, 64 bytes. */
export type SignatureForm = 'der' | 'raw';
/** What is read, too: DER as some vendors write it against the rules. */
export type ReadSignatureForm = SignatureForm | 'der-lenient';
/**
 * The parts of a ciphertext in the order of the standard of 2016, `'c1c3c2'`, or of the draft before
 * it, `'c1c2c3'`; the same without the byte 04 in front, as sm-crypto has them; or DER (GM/T 0009).
 */
export type CiphertextForm = 'c1c3c2' | 'c1c2c3' | 'bare-c1c3c2' | 'bare-c1c2c3' | 'der';
export type ReadCiphertextForm = CiphertextForm | 'der-lenient';

/** A user's identity, at most 8191 bytes; by default `'1234567812345678'`. */
export interface IdentityOption {
  id?: BytesOrText;
}
export interface SignOptions {
  /** `'der'` by default. */
  form?: SignatureForm;
  /** The nonce comes from the key and the message alone, without fresh randomness. */
  deterministic?: boolean;
}
export interface KeyFormOptions {
  /** `'pkcs8'` by default. */
  format?: 'pkcs8' | 'sec1';
  /** Encrypts PKCS #8 with SM4-CBC, the key from PBKDF2 with HMAC-SM3. */
  password?: BytesOrText;
}

/** A private key: signs and decrypts. Constant time in the key. */
export class PrivateKey extends Owned {
  private constructor();
  static generate(): PrivateKey;
  /** The key with this number: 32 bytes, most significant first, from 1 to n − 2. */
  static fromBytes(data: Bytes): PrivateKey;
  /**
   * A key from a file in any form: PKCS #8, encrypted or not, SEC 1, or the number; in PEM, DER,
   * hexadecimal or Base64. Fails with `'PasswordNeeded'`, `'WrongPassword'`, and others that say
   * what the file is.
   */
  static load(data: BytesOrText, options?: { password?: BytesOrText }): PrivateKey;
  readonly publicKey: PublicKey;
  /** The number of the key, 32 bytes. JavaScript does not wipe it. */
  toBytes(): Uint8Array;
  toPem(options?: KeyFormOptions): string;
  toDer(options?: KeyFormOptions): Uint8Array;
  /** Signs a message under an identity (GB/T 32918.2-2016, clause 6). */
  sign(message: Bytes, options?: SignOptions & IdentityOption): Uint8Array;
  /** Signs a digest e = SM3(Z ‖ M) of 32 bytes: what `messageHash` gives. */
  signDigest(digest: Bytes, options?: SignOptions): Uint8Array;
  /** Signs a digest, and says for `PublicKey.recover` which of the keys that fit is this one. */
  signDigestRecoverable(
    digest: Bytes,
    options?: { form?: SignatureForm },
  ): { signature: Uint8Array; recoveryId: number };
  /**
   * Decrypts (GB/T 32918.4-2016, clause 7). Where no form is given, it is found. Fails with
   * `'DecryptionFailed'`, whatever is wrong.
   */
  decrypt(ciphertext: Bytes, options?: { form?: ReadCiphertextForm }): Uint8Array;
  /** The x-coordinate of the shared point, 32 bytes, for TLS 1.3 (RFC 8998). */
  diffieHellman(publicKey: PublicKey): Uint8Array;
  /** This key for the holder of another: an enveloped key (GB/T 35276-2017, 7.4), in DER. */
  toEnvelopedKey(recipient: PublicKey): Uint8Array;
  /** The key in an enveloped key that was made for this one. */
  openEnvelopedKey(envelope: Bytes): PrivateKey;
  /** Whether this is the same key; in constant time. */
  equals(other: unknown): boolean;
}

/** A public key: verifies and encrypts. Always a point of the curve. */
export class PublicKey extends Owned {
  private constructor();
  /** The key of a point: 65 bytes that begin with 04, 64 without it, or 33 (compressed). */
  static fromBytes(data: Bytes): PublicKey;
  /** A key from a file in any form; of a certificate, nothing but the key is read or checked. */
  static load(data: BytesOrText): PublicKey;
  /** The public key of a signature over a digest. */
  static recover(digest: Bytes, signature: Bytes, recoveryId: number, options?: { form?: ReadSignatureForm }): PublicKey;
  /** The point: 65 bytes, or 33. */
  toBytes(options?: { compressed?: boolean }): Uint8Array;
  /** SubjectPublicKeyInfo. */
  toPem(): string;
  toDer(): Uint8Array;
  /**
   * Whether the signature is this key's over the message under the identity (GB/T 32918.2-2016,
   * clause 7). What is no signature is not. Where no form is given, it is found.
   */
  verify(signature: Bytes, message: Bytes, options?: { form?: ReadSignatureForm } & IdentityOption): boolean;
  /** The same over a digest e = SM3(Z ‖ M) of 32 bytes. */
  verifyDigest(signature: Bytes, digest: Bytes, options?: { form?: ReadSignatureForm }): boolean;
  /**
   * What a signature that does not verify fits, in words, if it is one of the things that people get
   * wrong: another identity, a line feed, r and s swapped. It takes up to seconds.
   */
  explain(
    signature: Bytes,
    message: Bytes,
    options?: { form?: ReadSignatureForm } & IdentityOption,
  ): string | undefined;
  /** Encrypts a message of at least one byte (GB/T 32918.4-2016, clause 6); `'c1c3c2'` by default. */
  encrypt(message: Bytes, options?: { form?: CiphertextForm }): Uint8Array;
  /** A hash that has taken in Z: add the message; sign or verify its digest. */
  messageHash(options?: IdentityOption): Hash;
  /** Z (GB/T 32918.2-2016, 5.5), 32 bytes. */
  identityDigest(options?: IdentityOption): Uint8Array;
  /** Computes the key's table now; else it is made at the second use. */
  prepare(): this;
  equals(other: unknown): boolean;
}

/** The side of a key exchange that begins (GB/T 32918.3-2016). Each object serves one exchange. */
export class KeyExchangeInitiator extends Owned {
  private constructor();
  static create(
    privateKey: PrivateKey,
    peerPublicKey: PublicKey,
    options?: IdentityOption & { peerId?: BytesOrText },
  ): KeyExchangeInitiator;
  /** For the other side, 65 bytes. */
  readonly point: Uint8Array;
  /**
   * The shared key of `length` bytes and the confirmation for the other side, from its point and its
   * confirmation. Fails with `'ConfirmationFailed'` where it does not hold the same key.
   */
  finish(point: Bytes, confirmation: Bytes, length: number): { key: Uint8Array; confirmation: Uint8Array };
  /** The shared key without confirmation. */
  finishUnconfirmed(point: Bytes, length: number): Uint8Array;
}

/** The side that answers. */
export class KeyExchangeResponder extends Owned {
  private constructor();
  /** Answers the other side's point, for a key of `length` bytes. */
  static respond(
    privateKey: PrivateKey,
    peerPublicKey: PublicKey,
    point: Bytes,
    length: number,
    options?: IdentityOption & { peerId?: BytesOrText },
  ): KeyExchangeResponder;
  /** For the other side, 65 bytes. */
  readonly point: Uint8Array;
  /** For the other side, 32 bytes. */
  readonly confirmation: Uint8Array;
  /** The shared key, once the other side's confirmation proves that it has the same. */
  confirm(confirmation: Bytes): Uint8Array;
  /** The shared key without confirmation. */
  keyUnconfirmed(): Uint8Array;
}

/** A signature in another form. Where `from` is not given, it is found. */
export function convertSignature(signature: Bytes, to: SignatureForm, from?: ReadSignatureForm): Uint8Array;
/** A ciphertext in another form, without a key. */
export function convertCiphertext(ciphertext: Bytes, from: ReadCiphertextForm, to: CiphertextForm): Uint8Array;
/** The forms that a ciphertext may have by its looks: two orders of the same parts look alike. */
export function detectCiphertext(ciphertext: Bytes): CiphertextForm[];
/**
 * What bytes or text are, and their parts: `kind` is `'private key'`, `'encrypted private key'`,
 * `'public key'`, `'certificate'`, `'signature'` or `'ciphertext'`. Secrets are not shown.
 */
export function describe(data: BytesOrText): Record<string, string>;

/** Many keys: 32 bytes of each private key, 65 of each public key, one after another. */
export function generateBatch(count: number): { privateKeys: Uint8Array; publicKeys: Uint8Array };
/**
 * `PrivateKey.diffieHellman` of many pairs: private keys of 32 bytes, public keys of 65 and shared
 * x-coordinates of 32, one after another. Fails if one of them is no key.
 */
export function diffieHellmanBatch(privateKeys: Bytes, publicKeys: Bytes): Uint8Array;
/** The signatures of 64 bytes over digests of 32 bytes, one after another. */
export function signBatch(privateKey: PrivateKey, digests: Bytes): Uint8Array;
/**
 * A byte for each signature of 64 bytes: 1 where it is right, else 0. `keys` is one key for all, or
 * points of 65 bytes, one after another.
 */
export function verifyBatch(keys: PublicKey | Bytes, digests: Bytes, signatures: Bytes): Uint8Array;
