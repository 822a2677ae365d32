// Certificates and messages, with their module in the script.

import { sm2, utf8 } from 'kuaimi';
import { cms, pkcs12, ready, x509 } from 'kuaimi/pki';

/** What came out of a chain, a signed and an encrypted message, and a file. */
function check() {
  const key = sm2.PrivateKey.generate();
  const root = x509.createSelfSigned({ key, subject: 'CN=Root', purpose: 'ca', days: 9 });
  const names = [{ type: 'dns', value: 'leaf.example' }];
  const leaf = x509.createCertificate({ issuer: root, issuerKey: key, publicKey: key.publicKey, subject: 'CN=leaf', subjectAltName: names, days: 9 });
  const path = x509.verifyChain(leaf, { roots: root, purpose: 'server', host: 'leaf.example' });
  const signed = cms.verify(cms.sign(utf8('signed'), { certificate: leaf, key }));
  const opened = cms.decrypt(cms.encrypt(utf8('encrypted'), leaf, { cipher: 'sm4-gcm' }), key);
  const file = pkcs12.create({ identities: [{ key, certificate: leaf }], password: 'x', profile: 'sm', iterations: 10 });
  return [path.length, signed.content.length, opened.content.length, pkcs12.load(file, 'x').identities[0].key.equals(key)];
}

Object.assign(globalThis, { check, ready });
