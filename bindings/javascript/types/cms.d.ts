/**
 * Messages: signed, encrypted (GM/T 0010, RFC 5652, RFC 5083). They are in memory.
 */

import type { Bytes, BytesOrText } from './common.js';
import { Owned } from './common.js';
import type { PrivateKey } from './sm2.js';
import type { Certificate, IdentityOptions, SignDigest } from './x509.js';

export interface SignOptions extends IdentityOptions {
  /** `'cms'` (RFC 5652, the default) or `'gm'` (GM/T 0010). */
  form?: 'cms' | 'gm';
  /** Leaves the content out. */
  detached?: boolean;
  /** False signs the content alone, as CFCA's SADK does. */
  attributes?: boolean;
  /** Names the signers' certificates by their keys, not by issuer and serial number. */
  keyIdentifier?: boolean;
  /** More certificates for the message: those of the authorities. */
  certificates?: readonly Certificate[];
  /** False leaves all certificates out, the signers', too. */
  includeCertificates?: boolean;
  /** When the signer says that it signed: now by default; null for nothing. */
  signingTime?: Date | null;
}
export interface SignerOptions {
  certificate: Certificate;
  key: PrivateKey;
}
/** Signs a content: the message in DER. */
export function sign(content: Bytes, signers: readonly SignerOptions[] | SignerOptions, options?: SignOptions): Uint8Array;

/** A message that waits for its signatures. It has a copy of the content. */
export class UnsignedMessage extends Owned {
  private constructor();
  /** What each signer signs: `SM3(Z ‖ M)`, 32 bytes, in the order of the certificates. */
  readonly digests: Uint8Array[];
  /** The message. A signature that does not fit is an error: `'InvalidSignature'`. Uses this up. */
  finish(signatures: readonly Bytes[]): Uint8Array;
  /** The same with a function for each signer. */
  signWith(...signDigest: SignDigest[]): Promise<Uint8Array>;
}
/** A message that the holders of these certificates' keys will sign, which are elsewhere. */
export function prepareSigned(
  content: Bytes,
  certificates: readonly Certificate[] | Certificate,
  options?: SignOptions,
): UnsignedMessage;

export interface Signer {
  certificate: Certificate | undefined;
  /** What the signer says. **Nothing proves it.** */
  signingTime: Date | undefined;
  /** How the message names the certificate, in hexadecimal: by this, */
  serialNumber: string | undefined;
  /** or by this. */
  keyIdentifier: string | undefined;
}
export interface Opened {
  /** `'signedData'`, `'envelopedData'`, … */
  kind: string;
  content: Uint8Array;
  signers: Signer[];
  /** The certificates in the message, for which nobody has vouched. */
  certificates: Certificate[];
}

export interface CertificatesOptions extends IdentityOptions {
  /** Certificates that signers may have, besides those in the message. */
  certificates?: readonly Certificate[];
}
export interface VerifyOptions extends CertificatesOptions {
  /** The content of a message that does not have it inside. */
  content?: Bytes;
}
/**
 * What is in a signed message in DER, BER or PEM, if there is a signer and every signature is right;
 * else throws `'InvalidSignature'`. **Anybody can sign**: whether to trust the signers is for
 * `x509.verifyChain(signer.certificate, { purpose: 'signing', … })`.
 */
export function verify(message: BytesOrText, options?: VerifyOptions): Opened;

export interface EncryptOptions {
  /** `'cms'` (RFC 5652, the default), `'gm'` (GM/T 0010), or `'gmssl'`, which GmSSL 3 reads. */
  form?: 'cms' | 'gm' | 'gmssl';
  /**
   * `'sm4-cbc'` (the default) is what most programs read, and is **not authenticated**. `'sm4-gcm'`
   * detects any change. `'sm4-cbc-sadk'` is CBC as CFCA's SADK names it.
   */
  cipher?: 'sm4-cbc' | 'sm4-gcm' | 'sm4-cbc-sadk';
  keyIdentifier?: boolean;
}
/** Encrypts a content for the holders of these certificates' keys, **which are not verified**. */
export function encrypt(content: Bytes, recipients: readonly Certificate[] | Certificate, options?: EncryptOptions): Uint8Array;

export interface SignAndEncryptOptions extends IdentityOptions {
  /** `'gm'` (GM/T 0010) by default. */
  form?: 'cms' | 'gm';
  cipher?: 'sm4-cbc' | 'sm4-cbc-sadk';
  keyIdentifier?: boolean;
  /** More certificates for the message: those of the authorities. */
  certificates?: readonly Certificate[];
}
/**
 * Signs a content and encrypts it in one message: signedAndEnvelopedData of GM/T 0010, for those who
 * ask for it. It shows the signers to everybody: `encrypt(sign(…))` does not.
 */
export function signAndEncrypt(
  content: Bytes,
  signers: readonly SignerOptions[] | SignerOptions,
  recipients: readonly Certificate[] | Certificate,
  options?: SignAndEncryptOptions,
): Uint8Array;

export interface DecryptOptions extends CertificatesOptions {
  /** The certificate of the key, by which its part of the message is found. Else the key is tried. */
  certificate?: Certificate;
}
/**
 * Decrypts a message in DER, BER or PEM. If it is signed, too, its signatures are right. Throws
 * `'DecryptionFailed'`, whatever is wrong, and `'OtherKey'` where the certificate is no recipient's.
 * **Do not tell senders of messages without authentication even that.**
 */
export function decrypt(message: BytesOrText, key: PrivateKey, options?: DecryptOptions): Opened;

/** What a message is: `'signedData'`, `'envelopedData'`, … */
export function kind(message: BytesOrText): string;
/** A message in PEM. */
export function toPem(message: Bytes): string;
