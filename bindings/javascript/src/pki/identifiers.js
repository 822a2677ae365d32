// Object identifiers and bits, and the names that users write for them.

import { invalid } from '../errors.js';

const ATTRIBUTES = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.42': 'GN',
  '2.5.4.43': 'initials',
  '2.5.4.65': 'pseudonym',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
};

/** The names of RFC 5280, in the order of their bits. */
const KEY_USAGES = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
];

const EXTENDED = {
  '1.3.6.1.5.5.7.3.1': 'serverAuth',
  '1.3.6.1.5.5.7.3.2': 'clientAuth',
  '1.3.6.1.5.5.7.3.3': 'codeSigning',
  '1.3.6.1.5.5.7.3.4': 'emailProtection',
  '1.3.6.1.5.5.7.3.8': 'timeStamping',
  '1.3.6.1.5.5.7.3.9': 'OCSPSigning',
  '2.5.29.37.0': 'anyExtendedKeyUsage',
};

const ACCESS = { '1.3.6.1.5.5.7.48.1': 'ocsp', '1.3.6.1.5.5.7.48.2': 'caIssuers' };

/** RFC 5280's reasons by their numbers. */
export const REASONS = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  undefined,
  'removeFromCRL',
  'privilegeWithdrawn',
  'aACompromise',
];

export const attributeName = (oid) => ATTRIBUTES[oid];
export const extendedUsageName = (oid) => EXTENDED[oid] ?? oid;
export const accessMethod = (oid) => ACCESS[oid] ?? oid;
export const keyUsages = (bits) => KEY_USAGES.filter((_, bit) => (bits & (1 << bit)) !== 0);

/** The bits of key usages, as two bytes. */
export function keyUsageBits(names) {
  let bits = 0;
  for (const name of names) {
    const bit = KEY_USAGES.indexOf(name);
    if (bit < 0) throw invalid(`keyUsage has ${KEY_USAGES.join(', ')}, and not '${name}'`);
    bits |= 1 << bit;
  }
  return Uint8Array.of(bits & 255, bits >> 8);
}

/** The object identifier of an extended key usage, which may be one itself. */
export function extendedUsage(name) {
  if (typeof name === 'string' && /^\d+(\.\d+)+$/.test(name)) return name;
  const found = Object.entries(EXTENDED).find(([, known]) => known === name);
  if (found === undefined) {
    throw invalid(`extendedKeyUsage has ${Object.values(EXTENDED).join(', ')} or object identifiers, and not '${name}'`);
  }
  return found[0];
}

export function reasonNumber(name) {
  const number = name === undefined ? -1 : REASONS.indexOf(name);
  if (number < 0) throw invalid(`reason is one of ${REASONS.filter(Boolean).join(', ')}`);
  return number;
}
