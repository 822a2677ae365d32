// Every function of certificates and messages with the types that a careful program gives it.

import { sm2 } from 'kuaimi';
import { KuaimiError, cms, fromUtf8, pkcs12, ready, utf8, x509 } from 'kuaimi/pki';
import type { Bytes } from 'kuaimi/pki';

export async function program(device: (digest: Uint8Array) => Promise<Bytes>): Promise<string> {
  await ready();
  const [rootKey, key] = [sm2.PrivateKey.generate(), sm2.PrivateKey.generate()];
  const root: x509.Certificate = x509.createSelfSigned({ key: rootKey, subject: 'CN=Root', purpose: 'ca', pathLength: 1, days: 3650 });
  const names: x509.GeneralName[] = [{ type: 'dns', value: 'www.example' }];
  const request: x509.CertificateRequest = x509.createRequest({ key, subject: 'CN=leaf', subjectAltName: names });
  const right: boolean = request.verify({ emptyIdentity: true });
  const leaf = x509.createCertificate({ request, issuer: root, issuerKey: rootKey, notAfter: new Date(), purpose: 'server', extendedKeyUsage: ['1.2.3'] });
  const unsigned: x509.UnsignedDocument<x509.Certificate> = x509.prepareCertificate({ publicKey: key.publicKey, subject: 'CN=x', issuer: root, days: 1 });
  const made: x509.Certificate = await unsigned.signWith(device);
  const pathLength: number | undefined = root.basicConstraints?.pathLength;
  const usage: x509.KeyUsage[] = leaf.extension('keyUsage')?.value ?? [];
  const other: Uint8Array | undefined = leaf.extension('1.2.3')?.der;
  const list: x509.CertificateRevocationList = x509.createCrl({ issuer: root, issuerKey: rootKey, days: 1, revoked: [{ certificate: leaf, reason: 'superseded' }] });
  const reason: x509.RevocationReason | undefined = list.find(leaf)?.reason;
  const verifier = x509.ChainVerifier.create({ roots: root, crls: [list] });
  const [first] = verifier.verifyBatch([[leaf]], { purpose: 'any', at: new Date() });
  if (first?.error) return first.error.rule;
  const path: x509.Certificate[] | undefined = first?.path;
  try {
    x509.verifyChain(leaf, { roots: [root], purpose: 'server', host: 'www.example', revocation: 'end' });
  } catch (error) {
    if (error instanceof x509.CertificateRefusedError) return `${error.code} ${error.rule satisfies x509.ChainRule} ${error.depth} ${error.subject}`;
    if (error instanceof KuaimiError) return error.code;
  }
  const message: Uint8Array = cms.sign(utf8('text'), [{ certificate: leaf, key }], { form: 'gm', signingTime: null });
  const { content, signers } = cms.verify(message, { certificates: [root] });
  const time: Date | undefined = signers[0]?.signingTime;
  const later: cms.UnsignedMessage = cms.prepareSigned(content, leaf);
  const done: Uint8Array = await later.signWith(device);
  const secret = cms.decrypt(cms.toPem(cms.encrypt(content, leaf, { cipher: 'sm4-gcm' })), key, { certificate: leaf });
  const both: Uint8Array = cms.signAndEncrypt(content, { certificate: leaf, key }, leaf, { form: 'gm' });
  const file: Uint8Array = pkcs12.create({ identities: [{ key, certificate: leaf, friendlyName: 'x' }], password: 'x', profile: 'sm' });
  const contents: pkcs12.Contents = pkcs12.load(file, 'x');
  const cfca = pkcs12.loadCfca(pkcs12.createCfca(key, leaf, 'x'), 'x');
  return [right, made, both, pathLength, usage, other, reason, path, time, done, fromUtf8(secret.content), contents.otherKeys, cfca.key, cms.kind(message)].join();
}
