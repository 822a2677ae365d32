// Lists of revoked certificates, read (RFC 5280, clause 5).

import { textOrBytes, whole } from '../bytes.js';
import { held, own, Owned } from '../owned.js';
import { Certificate } from './certificate.js';
import { Document, identities, parsed, pem, pki, serialBytes } from './document.js';
import { dateOf, takeItems } from './frame.js';
import { REASONS } from './identifiers.js';

function entry({ serialNumber, date, reason, invalidityDate }) {
  return {
    serialNumber,
    date: dateOf(date),
    reason: reason === null ? undefined : REASONS[reason],
    invalidityDate: invalidityDate === null ? undefined : dateOf(invalidityDate),
  };
}

/** A list of revoked certificates, as it was read. */
export class CertificateRevocationList extends Owned {
  #facts;

  /** The list in a file: PEM, DER, Base64 or hexadecimal; of several the first. */
  static load(data) {
    return CertificateRevocationList.loadAll(data)[0];
  }

  static loadAll(data) {
    return takeItems(pki().pki_crls_read(textOrBytes(data, 'the list'))).map(crlOf);
  }

  #of(name, ...values) {
    const [core, handle] = held(this, CertificateRevocationList, 'this');
    return core[name](handle, ...values);
  }

  #said() {
    return (this.#facts ??= parsed(this.#of('pki_crl_facts')));
  }

  get issuer() {
    return this.#said().issuer;
  }

  get thisUpdate() {
    return dateOf(this.#said().thisUpdate);
  }

  /** When the next one comes at the latest. */
  get nextUpdate() {
    const { nextUpdate } = this.#said();
    return nextUpdate === null ? undefined : dateOf(nextUpdate);
  }

  /** The list's number, which grows from list to list. */
  get number() {
    const { number } = this.#said();
    return number === null ? undefined : BigInt(`0x${number}`);
  }

  /** The number of the complete list whose changes these are, if it is a delta. */
  get baseNumber() {
    const { baseNumber } = this.#said();
    return baseNumber === null ? undefined : BigInt(`0x${baseNumber}`);
  }

  get signatureAlgorithm() {
    return this.#said().signatureAlgorithm;
  }

  /** How many certificates are in it. */
  get size() {
    return this.#said().size;
  }

  /** Its certificates in the order of their numbers, or some of them. */
  entries({ from = 0, count = this.size } = {}) {
    const most = 2 ** 31;
    return parsed(this.#of('pki_crl_entries', whole(from, 'from', 0, most), whole(count, 'count', 0, most))).map(entry);
  }

  /** What it says of a certificate, or of a serial number; nothing, if it is not in it. */
  find(certificate) {
    const serial = certificate instanceof Certificate ? certificate.serialNumber : certificate;
    const found = this.#of('pki_crl_find', positive(serialBytes(serial, 'the serial number')));
    return found.length === 0 ? undefined : entry(parsed(found));
  }

  /** Whether the key of `issuer` signed it. Names and dates are not looked at. */
  verifySignature(issuer, { emptyIdentity = false } = {}) {
    return this.#of('pki_crl_verify', Document.derOf(issuer, Certificate, 'issuer'), identities(emptyIdentity));
  }

  toDer() {
    return this.#of('pki_crl_der');
  }

  toPem() {
    return pem('X509 CRL', this.toDer());
  }

  toString() {
    return this.toPem();
  }
}

/** A positive number as DER has it: a zero before a byte above 7f, and no others. */
export function positive(bytes) {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  return digits[0] < 128 ? digits : Uint8Array.of(0, ...digits);
}

export function crlOf(der) {
  const core = pki();
  return own(CertificateRevocationList, core, core.pki_crl_new(der));
}

export function derOfList(crl, what) {
  const [core, handle] = held(crl, CertificateRevocationList, what);
  return core.pki_crl_der(handle);
}
