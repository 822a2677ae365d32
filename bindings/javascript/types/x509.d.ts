/**
 * Certificates, requests, lists of revoked certificates, and chains (GM/T 0015, RFC 5280).
 *
 * Every function throws a {@link KuaimiError} for what it cannot take: `'Malformed'` for what is no
 * certificate, `'OtherAlgorithm'` where a key of SM2 is needed, `'InvalidArgument'` for options.
 */

import type { Bytes, BytesOrText } from './common.js';
import { KuaimiError, Owned } from './common.js';
import type { PrivateKey, PublicKey } from './sm2.js';

/** A part of a name: `name` is that of RFC 4514 (`CN`, `O`, …) if there is one, `value` its text. */
export interface NameAttribute {
  oid: string;
  name: string | undefined;
  value: string | undefined;
}

/** A name of a holder. `ip` is an address, in name constraints with its mask behind a slash. */
export interface GeneralName {
  type: 'dns' | 'email' | 'uri' | 'ip' | 'directory' | 'id' | 'other' | 'ediParty';
  value: string;
}

export type KeyUsage =
  | 'digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement'
  | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly';

/** A name of RFC 5280, or an object identifier. */
export type ExtendedKeyUsage =
  | 'serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'OCSPSigning'
  | 'anyExtendedKeyUsage' | `${number}.${string}`;

export interface BasicConstraints {
  ca: boolean;
  /** How many authorities there may be below this one. */
  pathLength?: number;
}

/** What the extension of each name says. */
export interface ExtensionValues {
  basicConstraints: BasicConstraints;
  keyUsage: KeyUsage[];
  extendedKeyUsage: ExtendedKeyUsage[];
  subjectAltName: GeneralName[];
  issuerAltName: GeneralName[];
  /** In hexadecimal. */
  subjectKeyIdentifier: string;
  /** In hexadecimal; empty if the key is named in another way. */
  authorityKeyIdentifier: string;
  /** Where lists of revoked certificates are. */
  crlDistributionPoints: GeneralName[];
  /** `method` is `'ocsp'`, `'caIssuers'` or an object identifier. */
  authorityInfoAccess: { method: string; location: GeneralName }[];
  /** Object identifiers. */
  certificatePolicies: string[];
  nameConstraints: { permitted: GeneralName[]; excluded: GeneralName[] };
}

export interface Extension<Name extends keyof ExtensionValues = keyof ExtensionValues> {
  oid: string;
  /** The name, for those that are known. */
  name: Name | undefined;
  critical: boolean;
  /** The value in DER. */
  der: Uint8Array;
  /** What it says; nothing for an extension that is not known, or malformed. */
  value: ExtensionValues[Name] | undefined;
}

export type FingerprintHash = 'sm3' | 'sha256' | 'sha1';

/** What certificates and requests have in common. They do not change. */
declare abstract class Document {
  protected constructor(...never: never[]);
  /** The holder's name, as RFC 4514 writes it: `CN=leaf,O=Example`. */
  readonly subject: string;
  /** Its parts, in the order of the certificate. */
  readonly subjectAttributes: NameAttribute[];
  /** Throws `'OtherAlgorithm'` for a key that is not of SM2. */
  readonly publicKey: PublicKey;
  /** `'SM2'`, `'P-256'`, `'P-384'`, `'RSA'`, or an object identifier. */
  readonly keyAlgorithm: string;
  readonly extensions: Extension[];
  /** The extension of a name or with an object identifier. */
  extension<Name extends keyof ExtensionValues>(name: Name): Extension<Name> | undefined;
  extension(oid: string): Extension | undefined;
  // These are undefined where there is no such extension; a malformed one throws 'Malformed'.
  readonly basicConstraints: BasicConstraints | undefined;
  readonly keyUsage: KeyUsage[] | undefined;
  readonly extendedKeyUsage: ExtendedKeyUsage[] | undefined;
  readonly subjectAltName: GeneralName[] | undefined;
  readonly subjectKeyIdentifier: string | undefined;
  /** The bytes that were read. */
  toDer(): Uint8Array;
  toPem(): string;
  /** PEM. */
  toString(): string;
  /** PEM. */
  toJSON(): string;
  /** The hash of the DER, in hexadecimal: SM3's by default. */
  fingerprint(hash?: FingerprintHash): string;
  /** Whether the other one has the same bytes. */
  equals(other: unknown): boolean;
}

export interface IdentityOptions {
  /** Whether a signature under the empty identity is right, too: OpenSSL 3 makes such. */
  emptyIdentity?: boolean;
}

/** A certificate, as it was read. **Nothing of it is verified**: {@link verifyChain} does that. */
export class Certificate extends Document {
  private constructor();
  /** The certificate in a file: PEM, DER, Base64 or hexadecimal; of several the first. */
  static load(data: BytesOrText): Certificate;
  /** All certificates in a file. */
  static loadAll(data: BytesOrText): Certificate[];
  readonly issuer: string;
  readonly issuerAttributes: NameAttribute[];
  /** In hexadecimal, as Node and OpenSSL show it. */
  readonly serialNumber: string;
  /** The first second in which it is valid. */
  readonly notBefore: Date;
  /** The last one. */
  readonly notAfter: Date;
  /** Such as `'SM2 with SM3'`, or an object identifier. */
  readonly signatureAlgorithm: string;
  /** Whether it says that it is an authority. */
  readonly ca: boolean;
  readonly authorityKeyIdentifier: string | undefined;
  /** Whether the key of `issuer` signed it. **Names, dates and uses are not looked at.** */
  verifySignature(issuer: Certificate, options?: IdentityOptions): boolean;
  /** Whether it is of this key. */
  isFor(key: PrivateKey | PublicKey): boolean;
}

/** A request for a certificate (PKCS #10), as it was read. */
export class CertificateRequest extends Document {
  private constructor();
  static load(data: BytesOrText): CertificateRequest;
  readonly challengePassword: string | undefined;
  /** The temporary key of a request to CFCA, for which an encrypting key comes back. */
  readonly cfcaTemporaryKey: PublicKey | undefined;
  /** Whether the holder of its key signed it. */
  verify(options?: IdentityOptions): boolean;
}

export type RevocationReason =
  | 'unspecified' | 'keyCompromise' | 'cACompromise' | 'affiliationChanged' | 'superseded' | 'cessationOfOperation'
  | 'certificateHold' | 'removeFromCRL' | 'privilegeWithdrawn' | 'aACompromise';

export interface RevokedCertificate {
  /** In hexadecimal. */
  serialNumber: string;
  date: Date;
  reason: RevocationReason | undefined;
  /** From when on the key may have been in wrong hands. */
  invalidityDate: Date | undefined;
}

/** A list of revoked certificates (CRL), as it was read. */
export class CertificateRevocationList extends Owned {
  private constructor();
  static load(data: BytesOrText): CertificateRevocationList;
  static loadAll(data: BytesOrText): CertificateRevocationList[];
  readonly issuer: string;
  readonly thisUpdate: Date;
  /** When the next list comes at the latest. */
  readonly nextUpdate: Date | undefined;
  /** It grows from list to list. */
  readonly number: bigint | undefined;
  /** The number of the complete list whose changes these are, if this is a delta. */
  readonly baseNumber: bigint | undefined;
  readonly signatureAlgorithm: string;
  /** How many certificates are in it. */
  readonly size: number;
  /** Its certificates in the order of their serial numbers, or some of them. */
  entries(options?: { from?: number; count?: number }): RevokedCertificate[];
  /** What it says of a certificate or a serial number; undefined, if it is not in it. */
  find(certificate: Certificate | string): RevokedCertificate | undefined;
  /** Whether the key of `issuer` signed it. **Names and dates are not looked at.** */
  verifySignature(issuer: Certificate, options?: IdentityOptions): boolean;
  toDer(): Uint8Array;
  toPem(): string;
  toString(): string;
}

export interface ExtensionOptions {
  /**
   * What the certificate is for, which decides the extensions. Without it, and without keyUsage, the
   * key may do everything that the key of a person or a service does.
   */
  purpose?: 'ca' | 'general' | 'server' | 'client' | 'signing' | 'encryption' | 'ocsp';
  /** For an authority: how many authorities there may be below it. */
  pathLength?: number;
  /** In the place of what `purpose` says. */
  keyUsage?: readonly KeyUsage[];
  extendedKeyUsage?: readonly ExtendedKeyUsage[];
  subjectAltName?: readonly GeneralName[];
  /** Where the issuer's list of revoked certificates is. */
  crlDistributionPoints?: readonly string[];
  /** Where the issuer's OCSP responder is. */
  ocsp?: readonly string[];
  /** Where the issuer's certificate is. */
  caIssuers?: readonly string[];
  /** Others, in DER. */
  extensions?: readonly { oid: string; critical?: boolean; der: Bytes }[];
}
export interface ValidityOptions {
  /** Now by default. */
  notBefore?: Date;
  /** This or `days` has to be given. */
  notAfter?: Date;
  days?: number;
}
export interface SubjectOptions {
  /** Such as `'CN=leaf,O=Example'` (RFC 4514). */
  subject: string;
}
export interface SerialOptions {
  /** Hexadecimal or bytes. 126 random bits by default. */
  serialNumber?: string | Bytes;
}

export interface SelfSignedOptions extends SubjectOptions, SerialOptions, ValidityOptions, ExtensionOptions {}
export interface IssueOptions extends Partial<SubjectOptions>, SerialOptions, ValidityOptions, ExtensionOptions {
  /** The authority's certificate. */
  issuer: Certificate;
  /**
   * The request that the certificate is for. Its signature is verified. Its subject and its
   * subjectAltName are taken, unless others are given, and nothing else that it asks for.
   */
  request?: CertificateRequest;
  /** In the place of a request. */
  publicKey?: PublicKey;
}
export interface RequestOptions extends SubjectOptions, ExtensionOptions {
  challengePassword?: string;
  /** For CFCA, which returns an encrypting key for it: `pkcs12.openCfcaReturnedKey`. */
  cfcaTemporaryKey?: PublicKey;
}
export interface RevokedOptions {
  /** This or `serialNumber`. */
  certificate?: Certificate;
  serialNumber?: string | Bytes;
  /** When it was revoked: when the list was made, by default. */
  date?: Date;
  reason?: RevocationReason;
  invalidityDate?: Date;
}
export interface CrlOptions {
  /** The authority's certificate. */
  issuer: Certificate;
  /** Now by default. */
  thisUpdate?: Date;
  /** When the next list comes. This or `days` has to be given. */
  nextUpdate?: Date;
  days?: number;
  /** One more than that of the list before. */
  number?: number | bigint;
  /** Makes this the changes to the complete list with this number. */
  baseNumber?: number | bigint;
  revoked?: readonly RevokedOptions[];
}

/** A certificate that is its own issuer. */
export function createSelfSigned(options: SelfSignedOptions & { key: PrivateKey }): Certificate;
/** A certificate that an authority issues. */
export function createCertificate(options: IssueOptions & { issuerKey: PrivateKey }): Certificate;
/** A request for a certificate. */
export function createRequest(options: RequestOptions & { key: PrivateKey }): CertificateRequest;
/** A list of revoked certificates. */
export function createCrl(options: CrlOptions & { issuerKey: PrivateKey }): CertificateRevocationList;

/**
 * A signature of SM2 by a key that is elsewhere, in a device or a service: DER, or `r ‖ s` of 64
 * bytes, over the digest `SM3(Z ‖ M)`, which is signed as it is.
 */
export type SignDigest = (digest: Uint8Array) => Bytes | Promise<Bytes>;

/** What waits for its signature. */
export class UnsignedDocument<Made> extends Owned {
  private constructor();
  /** `SM3(Z ‖ M)`, 32 bytes. */
  readonly digest: Uint8Array;
  /** The key that the signature has to fit. */
  readonly publicKey: PublicKey;
  /** `M`, in DER. */
  readonly toBeSigned: Uint8Array;
  /** The document. A signature that does not fit is an error: `'InvalidSignature'`. */
  finish(signature: Bytes): Made;
  sign(key: PrivateKey): Made;
  signWith(signDigest: SignDigest): Promise<Made>;
}

export function prepareSelfSigned(options: SelfSignedOptions & { publicKey: PublicKey }): UnsignedDocument<Certificate>;
export function prepareCertificate(options: IssueOptions): UnsignedDocument<Certificate>;
export function prepareRequest(options: RequestOptions & { publicKey: PublicKey }): UnsignedDocument<CertificateRequest>;
export function prepareCrl(options: CrlOptions): UnsignedDocument<CertificateRevocationList>;

export interface PolicyOptions extends IdentityOptions {
  /** What the certificate is used for. `'any'` looks at neither keyUsage nor extendedKeyUsage. */
  purpose: 'any' | 'server' | 'client' | 'signing' | 'encryption' | 'code' | 'ocsp';
  /** When it has to be valid: now by default. */
  at?: Date;
  /** Whom it has to be for: the name of a host, an address of IP, or a mailbox (RFC 9525). */
  host?: string;
  /**
   * What must be known: `'if-given'` refuses what a list that was given has; `'end'` asks for a list
   * that has the certificate's issuer, `'all'` for one of each authority.
   */
  revocation?: 'off' | 'if-given' | 'end' | 'all';
  /** 8 by default. */
  maxIntermediates?: number;
  /** Which half of a pair of certificates it has to be (GM/T 0015). */
  keyUse?: 'signing' | 'encryption';
  /** Takes the common name for the host's, where there is no subjectAltName, as old programs did. */
  acceptCommonName?: boolean;
  /** What its extKeyUsage has to have, too. */
  extendedKeyUsage?: ExtendedKeyUsage;
  /** Object identifiers of policies, of which one has to be valid for the whole path. */
  certificatePolicies?: readonly string[];
}
export interface StoreOptions {
  /** Who is trusted. */
  roots: readonly Certificate[] | Certificate;
  /** Over which paths may lead. They are not trusted. */
  intermediates?: readonly Certificate[];
  crls?: readonly CertificateRevocationList[];
  /** OCSP responses in DER. They are verified. */
  ocspResponses?: readonly Bytes[];
}

export type ChainRule =
  | 'malformed' | 'version' | 'repeatedExtension' | 'unknownCriticalExtension' | 'notYetValid' | 'expired' | 'unknownIssuer'
  | 'selfSigned' | 'emptyIssuer' | 'signature' | 'algorithm' | 'weakKey' | 'notAnAuthority' | 'pathLength'
  | 'tooManyCertificates' | 'keyUsage' | 'extendedKeyUsage' | 'peerName' | 'nameConstraints' | 'unsupportedConstraint'
  | 'policy' | 'revoked' | 'revocationUnknown' | 'limit' | 'other';

/** A chain is refused. If several paths were tried, this is of the one that led furthest. */
export class CertificateRefusedError extends KuaimiError {
  private constructor();
  readonly code: 'CertificateRefused';
  /** The rule that is broken. The message says it in words. */
  readonly rule: ChainRule;
  /** Which certificate breaks it: 0 is the one that was verified, 1 its issuer. */
  readonly depth: number;
  /** Its subject. */
  readonly subject: string;
}

/** Whom to trust. Nothing is fetched over a network. */
export class ChainVerifier extends Owned {
  private constructor();
  static create(store: StoreOptions): ChainVerifier;
  /** The certificates from this one to a trusted one. Throws {@link CertificateRefusedError}. */
  verify(certificate: Certificate, options: PolicyOptions & { intermediates?: readonly Certificate[] }): Certificate[];
  /** The same of many chains at once, each the certificate and then others. A result for each. */
  verifyBatch(
    chains: readonly (readonly Certificate[])[],
    options: PolicyOptions,
  ): ({ path: Certificate[]; error?: never } | { error: CertificateRefusedError; path?: never })[];
}

/** The same of one certificate. */
export function verifyChain(certificate: Certificate, options: StoreOptions & PolicyOptions): Certificate[];
export {};
