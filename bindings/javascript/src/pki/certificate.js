// Certificates and requests, read.

import { fromHex, textOrBytes } from '../bytes.js';
import { PublicKey } from '../sm2.js';
import {
  Document,
  INSPECT,
  attributes,
  document,
  extension,
  extensionsOf,
  identities,
  keyOf,
  pem,
  pki,
  said,
  withExtensions,
} from './document.js';
import { dateOf, takeItems } from './frame.js';

const facts = (certificate) => Document.factsOf(certificate, 'pki_certificate_facts');

/** A certificate, as it was read. Nothing of it is verified: that is what chains are for. */
export class Certificate extends Document {
  #extensions;
  #publicKey;

  /** The certificate in a file: PEM, DER, Base64 or hexadecimal; of several the first. */
  static load(data) {
    return Certificate.loadAll(data)[0];
  }

  /** All certificates in a file. */
  static loadAll(data) {
    return certificatesOf(pki().pki_certificates_read(textOrBytes(data, 'the certificate')));
  }

  /** The holder's name, as RFC 4514 writes it: `CN=leaf,O=Example`. */
  get subject() {
    return facts(this).subject;
  }

  get issuer() {
    return facts(this).issuer;
  }

  /** The parts of the holder's name, in the order of the certificate. */
  get subjectAttributes() {
    return attributes(facts(this).subjectParts);
  }

  get issuerAttributes() {
    return attributes(facts(this).issuerParts);
  }

  /** In hexadecimal, as Node and OpenSSL show it. */
  get serialNumber() {
    return facts(this).serialNumber;
  }

  /** The first second in which it is valid. */
  get notBefore() {
    return dateOf(facts(this).notBefore);
  }

  /** The last one. */
  get notAfter() {
    return dateOf(facts(this).notAfter);
  }

  /** The key of SM2. */
  get publicKey() {
    return (this.#publicKey ??= keyOf(facts(this)));
  }

  /** `SM2`, `P-256`, `P-384`, `RSA`, or an object identifier. */
  get keyAlgorithm() {
    return facts(this).keyAlgorithm;
  }

  get signatureAlgorithm() {
    return facts(this).signatureAlgorithm;
  }

  get extensions() {
    return (this.#extensions ??= extensionsOf(facts(this)));
  }

  /** The extension with a name or an object identifier. */
  extension(name) {
    return extension(this.extensions, name);
  }

  /** Whether its basicConstraints say that it is an authority. */
  get ca() {
    return said(this.extensions, 'basicConstraints')?.ca === true;
  }

  get authorityKeyIdentifier() {
    return said(this.extensions, 'authorityKeyIdentifier');
  }

  /** Whether the key of `issuer` signed it. Names, dates and uses are not looked at. */
  verifySignature(issuer, { emptyIdentity = false } = {}) {
    const key = Document.derOf(issuer, Certificate, 'issuer');
    return pki().pki_certificate_verify(Document.derOf(this, Certificate, 'this'), key, identities(emptyIdentity));
  }

  /** Whether it is of this key, private or public. */
  isFor(key) {
    if (facts(this).point === null) return false;
    return this.publicKey.equals(key instanceof PublicKey ? key : key?.publicKey);
  }

  toPem() {
    return pem('CERTIFICATE', Document.derOf(this, Certificate, 'this'));
  }

  [INSPECT](_depth, options, inspect) {
    const { subject, issuer, serialNumber, notBefore, notAfter } = this;
    return `Certificate ${inspect({ subject, issuer, serialNumber, notBefore, notAfter }, options)}`;
  }
}
withExtensions(Certificate);

const asked = (request) => Document.factsOf(request, 'pki_request_facts');

/** A request for a certificate (PKCS #10), as it was read. */
export class CertificateRequest extends Document {
  #extensions;
  #publicKey;

  /** The request in a file: PEM, DER, Base64 or hexadecimal. */
  static load(data) {
    return document(CertificateRequest, pki().pki_request_read(textOrBytes(data, 'the request')));
  }

  get subject() {
    return asked(this).subject;
  }

  get subjectAttributes() {
    return attributes(asked(this).subjectParts);
  }

  get publicKey() {
    return (this.#publicKey ??= keyOf(asked(this)));
  }

  get keyAlgorithm() {
    return asked(this).keyAlgorithm;
  }

  /** What its holder asks for. */
  get extensions() {
    return (this.#extensions ??= extensionsOf(asked(this)));
  }

  extension(name) {
    return extension(this.extensions, name);
  }

  get challengePassword() {
    return asked(this).challengePassword ?? undefined;
  }

  /** The temporary key of a request to CFCA, for which an encrypting key comes back. */
  get cfcaTemporaryKey() {
    const point = asked(this).temporaryPoint;
    return point === null ? undefined : PublicKey.fromBytes(fromHex(point));
  }

  /** Whether the holder of its key signed it. */
  verify({ emptyIdentity = false } = {}) {
    return pki().pki_request_verify(Document.derOf(this, CertificateRequest, 'this'), identities(emptyIdentity));
  }

  toPem() {
    return pem('CERTIFICATE REQUEST', Document.derOf(this, CertificateRequest, 'this'));
  }

  [INSPECT](_depth, options, inspect) {
    return `CertificateRequest ${inspect({ subject: this.subject }, options)}`;
  }
}
withExtensions(CertificateRequest);

/** The certificates of a list. */
export function certificatesOf(list) {
  return takeItems(list).map((der) => document(Certificate, der));
}
