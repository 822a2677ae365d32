// Messages: signed, encrypted (GM/T 0010, RFC 5652, RFC 5083). They are in memory.

import { bytes, fromUtf8, textOrBytes } from '../bytes.js';
import { KuaimiError, invalid } from '../errors.js';
import { names } from '../names.js';
import { held, own, Owned } from '../owned.js';
import { withNumber } from '../secret.js';
import { PrivateKey } from '../sm2.js';
import { Certificate } from './certificate.js';
import { Document, ders, document, identities, parsed, pem, pki } from './document.js';
import { dateOf, known, list, many, record, seconds, takeItems } from './frame.js';

const signedForm = names('form', { cms: 0, gm: 1 });
const encryptedForm = names('form', { cms: 0, gm: 1, gmssl: 2 });
const cipherNumber = names('cipher', { 'sm4-cbc': 0, 'sm4-gcm': 1, 'sm4-cbc-sadk': 2 });

// Bits beside the form (operations/src/pki/message.rs).
const DETACHED = 4;
const WITHOUT_ATTRIBUTES = 8;
const BY_KEY = 16;
const WITHOUT_CERTIFICATES = 32;
const EMPTY_IDENTITY = 64;

const SIGNING = [
  'form', 'detached', 'attributes', 'keyIdentifier', 'certificates', 'includeCertificates', 'emptyIdentity', 'signingTime',
];

const DIGEST = 32;

/** A message that waits for its signatures. It has a copy of the content. */
export class UnsignedMessage extends Owned {
  /** What each signer signs, SM3(Z ‖ M) of 32 bytes, in the order of the certificates. */
  get digests() {
    const [core, handle] = held(this, UnsignedMessage, 'this');
    const all = core.pki_message_digests(handle);
    return Array.from({ length: all.length / DIGEST }, (_, i) => all.slice(i * DIGEST, (i + 1) * DIGEST));
  }

  /** The message with the signatures, which are verified: DER, or r ‖ s of 64 bytes. Uses this up. */
  finish(signatures) {
    const [core, handle] = held(this, UnsignedMessage, 'this');
    const all = many(signatures, 'signatures').map((one, i) => bytes(one, `signatures[${i}]`));
    try {
      return core.pki_message_finish(handle, list(all));
    } finally {
      this.dispose();
    }
  }

  /** The same, signed by functions that give, or promise, the signature of a digest. */
  async signWith(...signDigest) {
    const { digests } = this;
    if (signDigest.length !== digests.length) throw invalid(`there are ${digests.length} signers: give a function for each`);
    return this.finish(await Promise.all(digests.map((digest, i) => signDigest[i](digest))));
  }
}

/** A message that the holders of the certificates' keys will sign. */
export function prepareSigned(content, certificates, given = {}) {
  const {
    form = 'cms', detached = false, attributes = true, keyIdentifier = false, includeCertificates = true, emptyIdentity = false,
    certificates: others, signingTime = attributes ? new Date() : null,
  } = known(given, SIGNING);
  const settings =
    signedForm(form) |
    (detached ? DETACHED : 0) |
    (attributes ? 0 : WITHOUT_ATTRIBUTES) |
    (keyIdentifier ? BY_KEY : 0) |
    (includeCertificates ? 0 : WITHOUT_CERTIFICATES) |
    (emptyIdentity ? EMPTY_IDENTITY : 0);
  const core = pki();
  const handle = core.pki_message_prepare(
    bytes(content, 'content'),
    list(ders(many(certificates, 'certificates'), Certificate, 'certificates')),
    list(ders(many(others, 'certificates'), Certificate, 'certificates')),
    settings,
    signingTime === null ? undefined : seconds(signingTime, 'signingTime'),
  );
  return own(UnsignedMessage, core, handle);
}

/** Signers as { certificate, key }, which belong together. */
function signersOf(signers) {
  const all = many(signers, 'signers');
  all.forEach((signer, i) => {
    const { certificate, key } = record(signer, `signers[${i}]`);
    Document.derOf(certificate, Certificate, `signers[${i}].certificate`);
    held(key, PrivateKey, `signers[${i}].key`);
    if (!certificate.isFor(key)) throw invalid(`signers[${i}]: the certificate is of another key`);
  });
  return all;
}

/** Signs a content: the message in DER. Each signer is { certificate, key }. */
export function sign(content, signers, given) {
  const all = signersOf(signers);
  const message = prepareSigned(content, all.map(({ certificate }) => certificate), given);
  return message.finish(message.digests.map((digest, i) => all[i].key.signDigest(digest)));
}

/**
 * Signs a content and encrypts it in one message, signedAndEnvelopedData (GM/T 0010): the message in
 * DER. It shows the signers to everybody, and is not authenticated: better encrypt what `sign` gives.
 */
export function signAndEncrypt(content, signers, recipients, given = {}) {
  const { form = 'gm', cipher = 'sm4-cbc', certificates, keyIdentifier = false, emptyIdentity = false } = known(given, [
    'form', 'cipher', 'certificates', 'keyIdentifier', 'emptyIdentity',
  ]);
  const all = signersOf(signers);
  const own = all.map(({ certificate }) => certificate);
  const copy = bytes(content, 'content').slice();
  const plain = prepareSigned(copy, own, { form, keyIdentifier, emptyIdentity, attributes: false });
  const signatures = plain.digests.map((digest, i) => all[i].key.signDigest(digest));
  plain.dispose();
  try {
    return pki().pki_message_sign_and_encrypt(
      copy,
      list(ders(own, Certificate, 'signers')),
      list(signatures),
      list(ders(many(certificates, 'certificates'), Certificate, 'certificates')),
      list(ders(many(recipients, 'recipients'), Certificate, 'recipients')),
      signedForm(form) | (keyIdentifier ? BY_KEY : 0) | (emptyIdentity ? EMPTY_IDENTITY : 0),
      cipherNumber(cipher),
    );
  } finally {
    copy.fill(0);
  }
}

function opened(parts) {
  const [json, content, ...certificates] = takeItems(parts);
  const { kind, signers } = parsed(json);
  const all = certificates.map((der) => document(Certificate, der));
  const found = signers.map(({ signingTime, serialNumber, keyIdentifier, certificate }) => ({
    certificate: certificate ? all.shift() : undefined,
    signingTime: signingTime === null ? undefined : dateOf(signingTime),
    serialNumber: serialNumber ?? undefined,
    keyIdentifier: keyIdentifier ?? undefined,
  }));
  return { kind, content, signers: found, certificates: all };
}

/**
 * What is in a signed message in DER, BER or PEM, if every signature is right. Anybody can sign:
 * whether to trust the signers' certificates is for x509.verifyChain.
 */
export function verify(message, given = {}) {
  const { content, certificates, emptyIdentity = false } = known(given, ['content', 'certificates', 'emptyIdentity']);
  const elsewhere = content === undefined ? undefined : bytes(content, 'content');
  const found = opened(
    pki().pki_message_verify(
      textOrBytes(message, 'message'),
      elsewhere,
      list(ders(many(certificates, 'certificates'), Certificate, 'certificates')),
      identities(emptyIdentity),
    ),
  );
  return elsewhere === undefined ? found : { ...found, content: elsewhere.slice() };
}

/** Encrypts a content for the holders of certificates' keys: the message in DER. */
export function encrypt(content, recipients, given = {}) {
  const { form = 'cms', cipher = 'sm4-cbc', keyIdentifier = false } = known(given, ['form', 'cipher', 'keyIdentifier']);
  const settings = encryptedForm(form) | (keyIdentifier ? BY_KEY : 0);
  const all = ders(many(recipients, 'recipients'), Certificate, 'recipients');
  return pki().pki_message_encrypt(bytes(content, 'content'), list(all), settings, cipherNumber(cipher));
}

/**
 * Decrypts a message in DER, BER or PEM. With `certificate`, its part of the message is found by
 * that; else the key is tried. One error, whatever is wrong.
 */
export function decrypt(message, key, given = {}) {
  const { certificate, certificates, emptyIdentity = false } = known(given, ['certificate', 'certificates', 'emptyIdentity']);
  held(key, PrivateKey, 'key');
  const values = [
    certificate === undefined ? undefined : Document.derOf(certificate, Certificate, 'certificate'),
    list(ders(many(certificates, 'certificates'), Certificate, 'certificates')),
    identities(emptyIdentity),
  ];
  const view = textOrBytes(message, 'message');
  return opened(withNumber(key, (number) => pki().pki_message_decrypt(view, number, ...values)));
}

/** What a message is: `signedData`, `envelopedData`, … */
export function kind(message) {
  return fromUtf8(pki().pki_message_kind(textOrBytes(message, 'message')));
}

/** A message as text. */
export function toPem(message) {
  const view = bytes(message, 'message');
  if (view[0] !== 0x30) throw new KuaimiError('Malformed', 'this is no message in DER');
  return pem('CMS', view);
}
