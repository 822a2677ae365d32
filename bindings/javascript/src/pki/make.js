// Certificates, requests and lists, made: what is signed, and then the signature, which may come
// from a device.

import { bytes, whole } from '../bytes.js';
import { invalid } from '../errors.js';
import { names } from '../names.js';
import { held, own, Owned } from '../owned.js';
import { PrivateKey, PublicKey } from '../sm2.js';
import { Certificate, CertificateRequest } from './certificate.js';
import { crlOf, positive } from './crl.js';
import { Document, document, pki, serialBytes } from './document.js';
import { eightBytes, known, list, many, options, record, seconds, takeItems, text } from './frame.js';
import { extendedUsage, keyUsageBits, reasonNumber } from './identifiers.js';

const purposeNumber = names('purpose', { ca: 0, general: 1, server: 2, client: 3, signing: 4, encryption: 5, ocsp: 6 });
const nameType = names('type of a name', { dns: 0, email: 1, uri: 2, ip: 3, directory: 4, id: 5 });

const EXTENSIONS = [
  'purpose', 'pathLength', 'keyUsage', 'extendedKeyUsage', 'subjectAltName', 'crlDistributionPoints', 'ocsp', 'caIssuers', 'extensions',
];
const VALIDITY = ['notBefore', 'notAfter', 'days'];
const DAY = 86_400_000;

/** What waits for its signature. The digest is that of SM2, with Z in it. */
export class UnsignedDocument extends Owned {
  #parts;

  #said() {
    const [core, handle] = held(this, UnsignedDocument, 'this');
    return (this.#parts ??= takeItems(core.pki_unsigned(handle)));
  }

  /** SM3(Z ‖ M), 32 bytes: what a signature of SM2 is computed of. */
  get digest() {
    return this.#said()[0].slice();
  }

  /** The key that the signature has to fit. */
  get publicKey() {
    return PublicKey.fromBytes(this.#said()[1]);
  }

  /** M: the DER that is signed. */
  get toBeSigned() {
    return this.#said()[2].slice();
  }

  /** The document with its signature, which is verified: DER, or r ‖ s of 64 bytes. */
  finish(signature) {
    const [core, handle] = held(this, UnsignedDocument, 'this');
    return READERS.get(this)(core.pki_unsigned_finish(handle, bytes(signature, 'signature')));
  }

  /** The same, signed with a key in memory. */
  sign(key) {
    held(key, PrivateKey, 'key');
    if (!this.publicKey.equals(key.publicKey)) throw invalid('the private key does not belong to the public key of who signs');
    return this.finish(key.signDigest(this.digest));
  }

  /** The same, signed by a function that gives, or promises, the signature of a digest. */
  async signWith(signDigest) {
    if (typeof signDigest !== 'function') throw invalid('signDigest is a function of a digest');
    return this.finish(await signDigest(this.digest));
  }
}

/** What becomes of the DER of each. */
const READERS = new WeakMap();

function unsigned(read, operation, ...values) {
  const core = pki();
  const made = own(UnsignedDocument, core, core[operation](...values));
  READERS.set(made, read);
  return made;
}

const certificateOf = (der) => document(Certificate, der);
const requestOf = (der) => document(CertificateRequest, der);

function alternativeName(name) {
  const { type, value } = record(name, 'a name of subjectAltName');
  return [6, Uint8Array.of(nameType(type), ...text(value, 'the value of a name'))];
}

const texts = (option, values, what) => many(values, what).map((value) => [option, text(value, what)]);

function extensionPairs(given) {
  const pairs = [];
  if (given.purpose !== undefined) {
    const most = given.pathLength === undefined ? [] : [whole(given.pathLength, 'pathLength', 0, 255)];
    pairs.push([5, Uint8Array.of(purposeNumber(given.purpose), ...most)]);
  }
  if (given.pathLength !== undefined && given.purpose !== 'ca') throw invalid("pathLength is for purpose 'ca'");
  pairs.push(...many(given.subjectAltName, 'subjectAltName').map(alternativeName));
  pairs.push(...texts(7, given.crlDistributionPoints, 'crlDistributionPoints'), ...texts(8, given.ocsp, 'ocsp'), ...texts(9, given.caIssuers, 'caIssuers'));
  if (given.keyUsage !== undefined) pairs.push([10, keyUsageBits(many(given.keyUsage, 'keyUsage'))]);
  pairs.push(...many(given.extendedKeyUsage, 'extendedKeyUsage').map((name) => [11, text(extendedUsage(name), 'extendedKeyUsage')]));
  for (const extension of many(given.extensions, 'extensions')) {
    const { oid, critical = false, der } = record(extension, 'an extension');
    pairs.push([12, list([text(oid, 'oid'), Uint8Array.of(critical ? 1 : 0), bytes(der, 'der')])]);
  }
  return pairs;
}

function validityPairs({ notBefore = new Date(), notAfter, days }) {
  if ((notAfter === undefined) === (days === undefined)) throw invalid('say until when the certificate is valid: notAfter or days');
  const begin = seconds(notBefore, 'notBefore');
  const end = notAfter ?? new Date(notBefore.getTime() + whole(days, 'days', 1, 3_000_000) * DAY);
  return [[3, begin], [4, seconds(end, 'notAfter')]];
}

function subjectPair(subject) {
  return [1, text(subject, "subject, such as 'CN=leaf,O=Example',")];
}

const pointOf = (key, what) => {
  held(key, PublicKey, what);
  return key.toBytes();
};

const serialPair = (serial) => (serial === undefined ? [] : [[2, serialBytes(serial, 'serialNumber')]]);

/** A certificate that its own key will sign. */
export function prepareSelfSigned(given) {
  const { publicKey, subject, serialNumber, ...rest } = known(given, ['publicKey', 'subject', 'serialNumber', ...VALIDITY, ...EXTENSIONS]);
  const pairs = [subjectPair(subject), ...serialPair(serialNumber), ...validityPairs(rest), ...extensionPairs(rest)];
  return unsigned(certificateOf, 'pki_certificate_prepare', options(pairs), pointOf(publicKey, 'publicKey'), undefined);
}

/** A certificate that is its own issuer. */
export function createSelfSigned(given) {
  const { key, ...rest } = record(given);
  held(key, PrivateKey, 'key');
  return prepareSelfSigned({ publicKey: key.publicKey, ...rest }).sign(key);
}

const ISSUED = ['issuer', 'request', 'publicKey', 'subject', 'serialNumber', ...VALIDITY, ...EXTENSIONS];

/** A certificate that the key of `issuer` will sign: for a key, or for a request, which is verified. */
export function prepareCertificate(given) {
  const { issuer, request, publicKey, subject, serialNumber, ...rest } = known(given, ISSUED);
  const authority = Document.derOf(issuer, Certificate, 'issuer');
  if ((request === undefined) === (publicKey === undefined)) throw invalid('say whose certificate it is: request or publicKey');
  if (request !== undefined) {
    Document.derOf(request, CertificateRequest, 'request');
    if (!request.verify()) throw invalid('the request was not signed with its key');
    // What else it asks for is for its issuer to say.
    rest.subjectAltName ??= request.subjectAltName;
  }
  const pairs = [
    subjectPair(subject ?? request?.subject),
    ...serialPair(serialNumber),
    ...validityPairs(rest),
    ...extensionPairs(rest),
  ];
  const point = pointOf(publicKey ?? request.publicKey, 'publicKey');
  return unsigned(certificateOf, 'pki_certificate_prepare', options(pairs), point, authority);
}

/** A certificate that an authority issues. */
export function createCertificate(given) {
  const { issuerKey, ...rest } = record(given);
  held(issuerKey, PrivateKey, 'issuerKey');
  return prepareCertificate(rest).sign(issuerKey);
}

const ASKED = ['publicKey', 'subject', 'challengePassword', 'cfcaTemporaryKey', ...EXTENSIONS];

/** A request that its own key will sign. */
export function prepareRequest(given) {
  const { publicKey, subject, challengePassword, cfcaTemporaryKey, ...rest } = known(given, ASKED);
  const pairs = [subjectPair(subject), ...extensionPairs(rest)];
  if (challengePassword !== undefined) pairs.push([13, text(challengePassword, 'challengePassword')]);
  if (cfcaTemporaryKey !== undefined) pairs.push([14, pointOf(cfcaTemporaryKey, 'cfcaTemporaryKey')]);
  return unsigned(requestOf, 'pki_request_prepare', options(pairs), pointOf(publicKey, 'publicKey'));
}

/** A request for a certificate. */
export function createRequest(given) {
  const { key, ...rest } = record(given);
  held(key, PrivateKey, 'key');
  return prepareRequest({ publicKey: key.publicKey, ...rest }).sign(key);
}

const REVOKED = ['certificate', 'serialNumber', 'date', 'reason', 'invalidityDate'];
const LISTED = ['issuer', 'thisUpdate', 'nextUpdate', 'days', 'number', 'baseNumber', 'revoked'];

/** A list of revoked certificates that the key of `issuer` will sign. */
export function prepareCrl(given) {
  const { issuer, thisUpdate = new Date(), nextUpdate, days, number, baseNumber, revoked } = known(given, LISTED);
  const authority = Document.derOf(issuer, Certificate, 'issuer');
  if ((nextUpdate === undefined) === (days === undefined)) throw invalid('say when the next list comes: nextUpdate or days');
  const begin = seconds(thisUpdate, 'thisUpdate');
  const end = nextUpdate ?? new Date(thisUpdate.getTime() + whole(days, 'days', 1, 3_000_000) * DAY);
  const pairs = [[1, begin], [2, seconds(end, 'nextUpdate')]];
  if (number !== undefined) pairs.push([3, eightBytes(Number(number), 'number')]);
  if (baseNumber !== undefined) pairs.push([4, eightBytes(Number(baseNumber), 'baseNumber')]);
  for (const one of many(revoked, 'revoked')) {
    const { certificate, serialNumber = certificate?.serialNumber, date = thisUpdate, reason = 'unspecified', invalidityDate } = known(one, REVOKED);
    const entry = [
      positive(serialBytes(serialNumber, 'serialNumber')),
      seconds(date, 'date'),
      Uint8Array.of(reasonNumber(reason)),
      invalidityDate === undefined ? new Uint8Array(0) : seconds(invalidityDate, 'invalidityDate'),
    ];
    pairs.push([5, list(entry)]);
  }
  return unsigned(crlOf, 'pki_crl_prepare', options(pairs), authority);
}

/** A list of revoked certificates. */
export function createCrl(given) {
  const { issuerKey, ...rest } = record(given);
  held(issuerKey, PrivateKey, 'issuerKey');
  return prepareCrl(rest).sign(issuerKey);
}
