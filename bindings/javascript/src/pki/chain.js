// Chains, verified (RFC 5280, RFC 9525).

import { bytes, fromUtf8, whole } from '../bytes.js';
import { KuaimiError, invalid } from '../errors.js';
import { names } from '../names.js';
import { held, own, Owned } from '../owned.js';
import { Certificate } from './certificate.js';
import { derOfList } from './crl.js';
import { Document, ders, document, pki } from './document.js';
import { extendedUsage } from './identifiers.js';
import { known, list, many, options, seconds, takeItems, text } from './frame.js';

const purposeNumber = names('purpose', { any: 0, server: 1, client: 2, signing: 3, encryption: 4, code: 5, ocsp: 6 });
const revocationNumber = names('revocation', { off: 0, 'if-given': 1, end: 2, all: 3 });
const keyUseNumber = names('keyUse', { signing: 0, encryption: 1 });

const STORE = ['roots', 'intermediates', 'crls', 'ocspResponses'];
const POLICY = [
  'purpose', 'at', 'host', 'revocation', 'emptyIdentity', 'maxIntermediates', 'keyUse', 'acceptCommonName',
  'extendedKeyUsage', 'certificatePolicies',
];

/** A chain is refused: which certificate, and which rule it breaks. */
export class CertificateRefusedError extends KuaimiError {
  constructor({ rule, depth, subject, message }) {
    super('CertificateRefused', message);
    this.rule = rule;
    this.depth = depth;
    this.subject = subject;
  }
}

function policy(given) {
  if (given.purpose === undefined) throw invalid("say what the certificate is used for: purpose is 'server', 'signing', …, or 'any'");
  const pairs = [
    [0, seconds(given.at ?? new Date(), 'at')],
    [1, purposeNumber(given.purpose)],
    [3, revocationNumber(given.revocation ?? 'if-given')],
    [4, given.emptyIdentity ? 1 : 0],
    [7, given.acceptCommonName ? 1 : 0],
  ];
  if (given.host !== undefined) {
    pairs.push([2, text(given.host, 'host')]);
  }
  if (given.maxIntermediates !== undefined) pairs.push([5, whole(given.maxIntermediates, 'maxIntermediates', 0, 30)]);
  if (given.keyUse !== undefined) pairs.push([6, keyUseNumber(given.keyUse)]);
  if (given.extendedKeyUsage !== undefined) pairs.push([8, text(extendedUsage(given.extendedKeyUsage), 'extendedKeyUsage')]);
  for (const oid of many(given.certificatePolicies, 'certificatePolicies')) pairs.push([9, text(oid, 'certificatePolicies')]);
  return options(pairs);
}

/** Whom to trust, and what else is known. Makes no request over a network. */
export class ChainVerifier extends Owned {
  static create(store) {
    const { roots, intermediates, crls, ocspResponses } = known(store, STORE);
    const trusted = ders(many(roots, 'roots'), Certificate, 'roots');
    if (trusted.length === 0) throw invalid('roots are the certificates that are trusted: there is none');
    const core = pki();
    const handle = core.pki_verifier_new(
      list(trusted),
      list(ders(many(intermediates, 'intermediates'), Certificate, 'intermediates')),
      list(many(crls, 'crls').map((one, i) => derOfList(one, `crls[${i}]`))),
      list(many(ocspResponses, 'ocspResponses').map((one, i) => bytes(one, `ocspResponses[${i}]`))),
    );
    return own(ChainVerifier, core, handle);
  }

  /** The path from a certificate to a trusted one. Throws CertificateRefusedError. */
  verify(certificate, given) {
    const { intermediates, ...rest } = known(given ?? {}, [...POLICY, 'intermediates']);
    const chain = [certificate, ...many(intermediates, 'intermediates')];
    const [found] = verdicts(this, [chain], rest);
    if (found.error !== undefined) throw found.error;
    return found.path;
  }

  /** The same of many chains, each its certificate and then others, at once: a path or an error of each. */
  verifyBatch(chains, given) {
    if (!Array.isArray(chains)) throw invalid('chains is an array of arrays of certificates');
    return verdicts(this, chains.map((chain) => many(chain, 'a chain')), known(given ?? {}, POLICY));
  }
}

const ALL_CORES = 1;

function verdicts(verifier, chains, given) {
  if (chains.length === 0) return [];
  const [core, handle] = held(verifier, ChainVerifier, 'this');
  const presented = list(chains.map((chain) => list(ders(chain, Certificate, 'chain'))));
  return takeItems(core.pki_verifier_verify(handle, presented, policy(given), ALL_CORES)).map((one) => {
    const [refusal, ...path] = takeItems(one);
    if (refusal.length > 0) return { error: new CertificateRefusedError(JSON.parse(fromUtf8(refusal))) };
    return { path: path.map((der) => document(Certificate, der)) };
  });
}

/** The path from one certificate to a trusted one. For more of them, make a ChainVerifier once. */
export function verifyChain(certificate, given) {
  const { roots, crls, ocspResponses, ...rest } = known(given, [...STORE, ...POLICY]);
  Document.derOf(certificate, Certificate, 'certificate');
  const verifier = ChainVerifier.create({ roots, crls, ocspResponses });
  try {
    return verifier.verify(certificate, rest);
  } finally {
    verifier.dispose();
  }
}

