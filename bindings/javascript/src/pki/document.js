// What certificates and requests have in common: the bytes that were signed, and extensions.

import { bytes, fromHex, fromUtf8, toBase64, toHex } from '../bytes.js';
import { engine } from '../core.js';
import { invalid, KuaimiError } from '../errors.js';
import { names } from '../names.js';
import { PublicKey } from '../sm2.js';
import { accessMethod, attributeName, extendedUsageName, keyUsages } from './identifiers.js';

const TOKEN = {};
const hash = names('hash', { sm3: 0, sha256: 1, sha1: 2 });

export const pki = () => engine('pki');
export const parsed = (json) => JSON.parse(fromUtf8(json));

/** Text of DER, as files have it (RFC 7468). */
export function pem(label, der) {
  const lines = toBase64(der).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

/** The number of the identities under which signatures are accepted. */
export const identities = (emptyIdentity) => (emptyIdentity ? 1 : 0);

/** A structure in DER that was read, and does not change. */
export class Document {
  #der;
  #facts;

  constructor(token, der) {
    if (token !== TOKEN) throw invalid(`${new.target.name} has no public constructor: see its static methods`);
    this.#der = der;
  }

  /** The DER of a document of a class: what is passed on is checked here. */
  static derOf(document, Class, what) {
    if (!(document instanceof Class) || !(#der in document)) throw invalid(`${what} is a ${Class.name}`);
    return document.#der;
  }

  /** What it says. */
  static factsOf(document, operation) {
    return (document.#facts ??= parsed(pki()[operation](document.#der)));
  }

  toDer() {
    return this.#der.slice();
  }

  /** The hash of the DER, in hexadecimal. */
  fingerprint(algorithm = 'sm3') {
    return toHex(pki().pki_fingerprint(this.#der, hash(algorithm)));
  }

  equals(other) {
    return other instanceof this.constructor && #der in other && same(this.#der, other.#der);
  }

  toString() {
    return this.toPem();
  }

  toJSON() {
    return this.toPem();
  }
}

const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** A document of a class. */
export const document = (Class, der) => new Class(TOKEN, der);

/** DER of documents, for a list. */
export const ders = (documents, Class, what) => documents.map((one, i) => Document.derOf(one, Class, `${what}[${i}]`));

/** A public key of SM2, from what a document says. */
export function keyOf({ point, keyAlgorithm }) {
  if (point === null) throw new KuaimiError('OtherAlgorithm', `the public key is of ${keyAlgorithm}, not of SM2`);
  return PublicKey.fromBytes(fromHex(point));
}

export const attributes = (parts) =>
  parts.flat().map(({ oid, value }) => ({ oid, name: attributeName(oid), value: value ?? undefined }));

// What extensions say, in the names of users.
const READ = {
  keyUsage: keyUsages,
  extendedKeyUsage: (oids) => oids.map(extendedUsageName),
  authorityInfoAccess: (all) => all.map(({ method, location }) => ({ method: accessMethod(method), location })),
};

export function extensionsOf(facts) {
  return facts.extensions.map(({ oid, critical, der, name, value }) => ({
    oid,
    name: name ?? undefined,
    critical,
    der: fromHex(der),
    value: value === null ? undefined : (READ[name]?.(value) ?? value),
  }));
}

/** What the extension of a name says; nothing, where there is none. */
export function said(extensions, name) {
  const found = extensions.find((one) => one.name === name);
  if (found !== undefined && found.value === undefined) throw new KuaimiError('Malformed', `the extension ${name} is malformed`);
  return found?.value;
}

/** The extension with a name or an object identifier. */
export const extension = (extensions, name) => extensions.find((one) => one.name === name || one.oid === name);

/** Adds getters for extensions to a class. */
export function withExtensions(Class) {
  for (const name of ['keyUsage', 'extendedKeyUsage', 'subjectAltName', 'basicConstraints', 'subjectKeyIdentifier']) {
    Object.defineProperty(Class.prototype, name, {
      get() {
        return said(this.extensions, name);
      },
      configurable: true,
    });
  }
}

/** What `console.log` shows in Node. */
export const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** A serial number as its bytes: of a document that has one, of hexadecimal digits, of bytes. */
export function serialBytes(value, what) {
  if (typeof value === 'string') return fromHex(value.length % 2 === 0 ? value : `0${value}`);
  return bytes(value, what);
}
