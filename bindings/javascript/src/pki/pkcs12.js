// Private keys with their certificates under a password: PKCS #12 (RFC 7292, RFC 9579), and CFCA's
// forms.

import { bytes, fromUtf8, textOrBytes, whole } from '../bytes.js';
import { names } from '../names.js';
import { held } from '../owned.js';
import { privateKeyOf, withNumber } from '../secret.js';
import { PrivateKey } from '../sm2.js';
import { Certificate } from './certificate.js';
import { Document, ders, document, parsed, pki } from './document.js';
import { known, list, many, takeItems } from './frame.js';

const profileNumber = names('profile', { compatible: 0, sm: 1, 'sm-openssl': 2, legacy: 3 });

const certificateOf = (der) => document(Certificate, der);

/** The keys of SM2 in a file, each with its certificate and those above it; and the other certificates. */
export function load(data, password) {
  const parts = takeItems(pki().pki_pkcs12_read(bytes(data, 'the file'), textOrBytes(password, 'password')));
  const { identities, others, skipped } = parsed(parts.shift());
  const certificates = parts.slice(identities.length).map(certificateOf);
  return {
    identities: identities.map(({ key, certificate, chain, friendlyName }) => ({
      key: privateKeyOf(parts[key]),
      certificate: certificate === null ? undefined : certificates[certificate],
      chain: chain.map((place) => certificates[place]),
      friendlyName: friendlyName ?? undefined,
    })),
    certificates: others.map((place) => certificates[place]),
    otherKeys: skipped,
  };
}

/** A file in DER. */
export function create(given) {
  const { identities, certificates, password, profile = 'compatible', iterations } = known(given, [
    'identities', 'certificates', 'password', 'profile', 'iterations',
  ]);
  const above = [];
  const entries = many(identities, 'identities').map((one, i) => {
    const { key, certificate, chain, friendlyName = '' } = known(one, ['key', 'certificate', 'chain', 'friendlyName']);
    above.push(...ders(many(chain, 'chain'), Certificate, `identities[${i}].chain`));
    held(key, PrivateKey, `identities[${i}].key`);
    const der = Document.derOf(certificate, Certificate, `identities[${i}].certificate`);
    const name = textOrBytes(friendlyName, 'friendlyName');
    return withNumber(key, (number) => list([number, der, name]));
  });
  const all = list(entries);
  try {
    return pki().pki_pkcs12_write(
      all,
      list([...above, ...ders(many(certificates, 'certificates'), Certificate, 'certificates')]),
      textOrBytes(password, 'password'),
      profileNumber(profile),
      iterations === undefined ? 0 : whole(iterations, 'iterations', 1, 10_000_000),
    );
  } finally {
    for (const secret of [all, ...entries]) secret.fill(0);
  }
}

/**
 * What an authority answers to the request for a pair (GM/T 0092): the certificates for the key that
 * asked, and an encrypting key, which it opens, with its certificates.
 */
export function openKeyResponse(data, key) {
  held(key, PrivateKey, 'key');
  const view = textOrBytes(data, 'the response');
  const [number, signing, encryption] = takeItems(withNumber(key, (own) => pki().pki_key_response_open(view, own)));
  return {
    signingCertificates: takeItems(signing).map(certificateOf),
    encryptionKey: number.length === 0 ? undefined : privateKeyOf(number),
    encryptionCertificates: takeItems(encryption).map(certificateOf),
  };
}

/** The key and the certificate in an `.sm2` file of CFCA. */
export function loadCfca(data, password) {
  const parts = pki().pki_cfca_read(textOrBytes(data, 'the file'), textOrBytes(password, 'password'));
  const [number, certificate] = takeItems(parts);
  return { key: privateKeyOf(number), certificate: certificateOf(certificate) };
}

/** Such a file, as text. Its form protects the password badly: take a random one. */
export function createCfca(key, certificate, password) {
  held(key, PrivateKey, 'key');
  const der = Document.derOf(certificate, Certificate, 'certificate');
  const secret = textOrBytes(password, 'password');
  return fromUtf8(withNumber(key, (number) => pki().pki_cfca_write(number, der, secret)));
}

/** The encrypting key that CFCA returns for the temporary key of a request. */
export function openCfcaReturnedKey(temporaryKey, returned) {
  held(temporaryKey, PrivateKey, 'temporaryKey');
  const text = textOrBytes(returned, 'returned');
  return privateKeyOf(withNumber(temporaryKey, (number) => pki().pki_cfca_returned_key(number, text)));
}
