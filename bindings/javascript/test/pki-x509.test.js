// Certificates, requests and lists of revoked certificates: made, read, and beside OpenSSL.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { fromBase64, sm2, sm3, toBase64, toHex } from 'kuaimi';
import { x509 } from 'kuaimi/pki';
import { fails } from './helpers.js';
import { after, data, DISTID, lab, START, withOpenssl } from './pki-lab.js';

const { keys, root, middle, server } = lab();

test('a certificate says what it was made with', () => {
  assert.equal(server.subject, 'CN=server,O=Example');
  assert.equal(server.issuer, middle.subject);
  assert.deepEqual(server.subjectAttributes, [
    { oid: '2.5.4.10', name: 'O', value: 'Example' },
    { oid: '2.5.4.3', name: 'CN', value: 'server' },
  ]);
  assert.deepEqual(server.notBefore, START);
  assert.deepEqual(server.notAfter, after(365));
  assert.ok(server.publicKey.equals(keys.server.publicKey));
  assert.equal(server.isFor(keys.server) && server.isFor(keys.server.publicKey), true);
  assert.equal(server.isFor(keys.root), false);
  assert.equal(server.keyAlgorithm, 'SM2');
  assert.equal(server.signatureAlgorithm, 'SM2 with SM3');
  assert.deepEqual(server.keyUsage, ['digitalSignature', 'keyEncipherment', 'keyAgreement']);
  assert.deepEqual(server.extendedKeyUsage, ['serverAuth']);
  assert.deepEqual(server.subjectAltName, [{ type: 'dns', value: 'www.example' }, { type: 'ip', value: '2001:db8::1' }]);
  assert.equal(server.ca, false);
  assert.deepEqual(middle.basicConstraints, { ca: true, pathLength: 0 });
  assert.deepEqual(root.basicConstraints, { ca: true });
  assert.deepEqual(root.keyUsage, ['keyCertSign', 'cRLSign']);
  assert.equal(server.authorityKeyIdentifier, middle.subjectKeyIdentifier);
  assert.equal(server.extension('keyUsage').critical, true);
  assert.equal(server.extension('2.5.29.15').name, 'keyUsage');
  assert.equal(server.extension('1.2.3'), undefined);
  assert.match(inspect(server), /subject: 'CN=server,O=Example'/);
});

test("Node's X509Certificate says the same", () => {
  const node = new X509Certificate(server.toPem());
  assert.equal(node.serialNumber, server.serialNumber);
  assert.equal(new Date(node.validTo).getTime(), server.notAfter.getTime());
  assert.equal(node.fingerprint256.replaceAll(':', '').toLowerCase(), server.fingerprint('sha256'));
  assert.equal(node.fingerprint.replaceAll(':', '').toLowerCase(), server.fingerprint('sha1'));
  assert.equal(node.toString(), server.toString());
  assert.equal(server.fingerprint(), sm3.hexDigest(server.toDer()));
  fails('InvalidArgument', () => server.fingerprint('md5'));
});

test('every form of a file is read; what is none is an error that says so', () => {
  const der = server.toDer();
  for (const form of [der, server.toPem(), Buffer.from(server.toPem()), toBase64(der), toHex(der), `text\r\n${server.toPem().replaceAll('\n', '\r\n')}`]) {
    const read = x509.Certificate.load(form);
    assert.ok(read.equals(server));
    assert.deepEqual(read.toDer(), der);
  }
  assert.deepEqual(x509.Certificate.loadAll(server.toPem() + middle.toPem() + root.toPem()).map(String), [server, middle, root].map(String));
  for (const nothing of ['', 'a text', keys.root.toPem(), new Uint8Array(0), Uint8Array.of(0x30, 0x80), der.slice(0, -1)]) {
    assert.throws(() => x509.Certificate.load(nothing), { name: 'KuaimiError' });
  }
  fails('Malformed', () => x509.Certificate.load(der.slice(0, -1)));
  fails('InvalidArgument', () => x509.Certificate.load(keys.root.toPem()));
  fails('InvalidArgument', () => x509.Certificate.load(7));
  fails('InvalidArgument', () => new x509.Certificate(der));
});

test('what is given out cannot change a certificate', () => {
  const before = server.toPem();
  server.toDer().fill(0);
  server.extensions[0].der.fill(0);
  const file = server.toDer();
  const read = x509.Certificate.load(file);
  file.fill(0);
  assert.equal(server.toPem(), before);
  assert.equal(read.toPem(), before);
});

test('certificates of authorities, of gmsm, and with keys of other algorithms', () => {
  const cfca = x509.Certificate.load(data('certificates/cfca-test-sm2-oca1.pem'));
  assert.match(cfca.subject, /CFCA/);
  assert.equal(cfca.ca, true);
  const [theirs, below] = ['root', 'middle'].map((name) => x509.Certificate.load(data(`chain/${name}.pem`)));
  assert.ok(theirs.verifySignature(theirs) && below.verifySignature(theirs));
  assert.equal(cfca.verifySignature(theirs), false);
  assert.deepEqual(below.extension('nameConstraints').value, { permitted: [{ type: 'dns', value: 'bank.example' }], excluded: [] });
  const rsa = x509.Certificate.load(data('message/rsa.pem'));
  assert.equal(rsa.keyAlgorithm, 'RSA');
  assert.equal(x509.Certificate.load(data('message/p256.pem')).keyAlgorithm, 'P-256');
  fails('OtherAlgorithm', () => rsa.publicKey);
  assert.equal(rsa.isFor(keys.root), false);
});

test('a signature is of one key, under one identity', () => {
  assert.equal(server.verifySignature(middle), true);
  assert.equal(server.verifySignature(root), false);
  assert.equal(root.verifySignature(root), true);
  const altered = server.toDer();
  altered[altered.length - 1] ^= 1;
  assert.equal(x509.Certificate.load(altered).verifySignature(middle), false);
  fails('InvalidArgument', () => server.verifySignature(keys.root.publicKey));
  withOpenssl(({ put, get, run }) => {
    // OpenSSL 3 signs under the empty identity unless it is told another.
    put('key', keys.root.toPem());
    run('req', '-x509', '-new', '-key', 'key', '-sm3', '-days', '9', '-subj', '/CN=empty', '-out', 'empty');
    const empty = x509.Certificate.load(get('empty'));
    assert.equal(empty.verifySignature(empty), false);
    assert.equal(empty.verifySignature(empty, { emptyIdentity: true }), true);
  });
});

test('OpenSSL verifies ours, and ours are its', () => {
  withOpenssl(({ put, get, run, fails: refuses }) => {
    put('root', root.toPem());
    put('middle', middle.toPem());
    put('server', server.toPem());
    const at = ['-attime', String(after(1).getTime() / 1000)];
    run('verify', ...at, '-CAfile', 'root', '-vfyopt', DISTID, 'middle');
    assert.ok(refuses('verify', ...at, '-CAfile', 'root', '-vfyopt', DISTID, 'server'));
    assert.match(run('x509', '-in', 'server', '-noout', '-text'), /DNS:www.example, IP Address:2001:DB8:0:0:0:0:0:1/);
    // A request of OpenSSL, a certificate for it, and the other way round.
    run('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:SM2', '-out', 'key');
    run('req', '-new', '-key', 'key', '-sm3', '-sigopt', DISTID, '-subj', '/O=Example/CN=theirs', '-addext', 'subjectAltName=DNS:theirs.example', '-out', 'csr');
    const request = x509.CertificateRequest.load(get('csr'));
    assert.equal(request.verify(), true);
    assert.equal(request.subject, 'CN=theirs,O=Example');
    const theirs = x509.createCertificate({ request, issuer: root, issuerKey: keys.root, notBefore: START, days: 9 });
    assert.deepEqual(theirs.subjectAltName, [{ type: 'dns', value: 'theirs.example' }]);
    assert.ok(theirs.isFor(sm2.PrivateKey.load(get('key'))));
    const own = x509.createRequest({ key: keys.server, subject: 'CN=ours', challengePassword: 'a word' });
    assert.equal(own.challengePassword, 'a word');
    put('own', own.toPem());
    run('req', '-in', 'own', '-verify', '-vfyopt', DISTID, '-noout');
    put('rootkey', keys.root.toPem());
    run('x509', '-req', '-in', 'own', '-vfyopt', DISTID, '-sm3', '-sigopt', DISTID, '-CA', 'root', '-CAkey', 'rootkey', '-CAcreateserial', '-out', 'made');
    assert.ok(x509.Certificate.load(get('made')).verifySignature(root));
    // A list.
    const list = x509.createCrl({ issuer: root, issuerKey: keys.root, thisUpdate: START, days: 30, number: 3, revoked: [{ certificate: middle, reason: 'superseded' }] });
    put('list', list.toPem());
    assert.match(run('crl', '-in', 'list', '-noout', '-text'), new RegExp(`Serial Number: ${middle.serialNumber}[^]*Superseded`));
  });
});

test('a request whose signature is wrong gets no certificate', () => {
  const request = x509.createRequest({ key: keys.server, subject: 'CN=x' });
  const der = request.toDer();
  der[der.length - 1] ^= 1;
  const altered = x509.CertificateRequest.load(der);
  assert.equal(altered.verify(), false);
  fails('InvalidArgument', () => x509.createCertificate({ request: altered, issuer: root, issuerKey: keys.root, days: 1 }));
});

test('a request asks for names only: the issuer says what the key may do', () => {
  const request = x509.createRequest({ key: keys.server, subject: 'CN=x', purpose: 'ca', subjectAltName: [{ type: 'email', value: 'a@x.example' }] });
  assert.equal(request.basicConstraints.ca, true);
  const made = x509.createCertificate({ request, issuer: root, issuerKey: keys.root, days: 1 });
  assert.equal(made.ca, false);
  assert.deepEqual(made.subjectAltName, [{ type: 'email', value: 'a@x.example' }]);
  const other = x509.createCertificate({ request, subject: 'CN=y', subjectAltName: [], issuer: root, issuerKey: keys.root, days: 1 });
  assert.deepEqual([other.subject, other.subjectAltName], ['CN=y', undefined]);
});

test('options that are wrong are errors, and nothing is ignored', () => {
  const given = { key: keys.root, subject: 'CN=x', days: 1 };
  const wrong = [
    { purpse: 'ca' },
    { purpose: 'CA' },
    { pathLength: 1 },
    { purpose: 'ca', pathLength: 256 },
    { days: undefined },
    { notAfter: after(1) },
    { days: 0.5 },
    { notBefore: '2026-01-01' },
    { notBefore: new Date(Number.NaN) },
    { days: undefined, notBefore: after(1), notAfter: START },
    { subject: 'not a name' },
    { subject: undefined },
    { keyUsage: ['sign'] },
    { extendedKeyUsage: ['server'] },
    { subjectAltName: [{ type: 'dns', value: 'a b' }] },
    { subjectAltName: [{ type: 'host', value: 'a' }] },
    { subjectAltName: ['www.example'] },
    { subjectAltName: 'www.example' },
    { subjectAltName: [{ type: 'ip', value: '1.2.3' }] },
    { serialNumber: '00' },
    { serialNumber: 'ff'.repeat(21) },
    { serialNumber: 'xy' },
    { crlDistributionPoints: ['no URI'] },
    { extensions: [{ oid: 'x', der: new Uint8Array(2) }] },
    { key: keys.root.publicKey },
    { key: undefined },
    ...[null, 7, 'x'].flatMap((bad) => ['subjectAltName', 'extensions', 'crlDistributionPoints', 'ocsp', 'extendedKeyUsage', 'keyUsage'].map((name) => ({ [name]: [bad] }))),
    ...['purpose', 'serialNumber', 'notBefore', 'subject', 'extensions', 'days'].map((name) => ({ [name]: null })),
  ];
  for (const more of wrong) {
    assert.throws(() => x509.createSelfSigned({ ...given, ...more }), { name: 'KuaimiError' }, JSON.stringify(Object.keys(more)));
  }
  for (const create of [x509.createSelfSigned, x509.createCertificate, x509.createRequest, x509.createCrl, x509.prepareCrl, x509.prepareRequest]) {
    for (const nothing of [undefined, null, 7, {}]) fails('InvalidArgument', () => create(nothing));
  }
  fails('InvalidArgument', () => x509.createCrl({ issuer: root, issuerKey: keys.root, days: 1, revoked: [null] }));
  fails('InvalidArgument', () => Object.create(x509.Certificate.prototype).toPem());
  assert.equal(root.equals(Object.create(x509.Certificate.prototype)), false);
  // The wrong key of an issuer.
  fails('InvalidArgument', () => x509.createCertificate({ issuer: root, issuerKey: keys.middle, publicKey: keys.server.publicKey, subject: 'CN=x', days: 1 }));
  fails('InvalidArgument', () => x509.createCertificate({ issuer: root, issuerKey: keys.root, subject: 'CN=x', days: 1 }));
});

test('all that a certificate may have', () => {
  const der = Uint8Array.of(12, 1, 65);
  const made = x509.createSelfSigned({
    key: keys.root,
    subject: 'CN=全部,C=CN',
    serialNumber: '0f',
    notBefore: START,
    notAfter: new Date('2060-01-01T00:00:00Z'),
    keyUsage: ['digitalSignature', 'decipherOnly'],
    extendedKeyUsage: ['clientAuth', '1.2.3.4'],
    subjectAltName: [
      { type: 'uri', value: 'https://www.example/' },
      { type: 'directory', value: 'CN=other' },
      { type: 'id', value: '1.2.3' },
      { type: 'ip', value: '192.0.2.1' },
    ],
    crlDistributionPoints: ['http://a.example/1.crl', 'http://b.example/1.crl'],
    ocsp: ['http://ocsp.example'],
    caIssuers: ['http://a.example/ca.crt'],
    extensions: [{ oid: '1.2.3.4.5', critical: true, der }],
  });
  assert.equal(made.subject, 'CN=全部,C=CN');
  assert.equal(made.serialNumber, '0F');
  assert.equal(made.notAfter.getUTCFullYear(), 2060);
  assert.deepEqual(made.keyUsage, ['digitalSignature', 'decipherOnly']);
  assert.deepEqual(made.extendedKeyUsage, ['clientAuth', '1.2.3.4']);
  assert.deepEqual(made.subjectAltName.map(({ type }) => type), ['uri', 'directory', 'id', 'ip']);
  assert.deepEqual(made.extension('crlDistributionPoints').value.map(({ value }) => value), ['http://a.example/1.crl', 'http://b.example/1.crl']);
  assert.deepEqual(made.extension('authorityInfoAccess').value, [
    { method: 'ocsp', location: { type: 'uri', value: 'http://ocsp.example' } },
    { method: 'caIssuers', location: { type: 'uri', value: 'http://a.example/ca.crt' } },
  ]);
  const other = made.extension('1.2.3.4.5');
  assert.deepEqual([other.critical, other.der, other.value, other.name], [true, der, undefined, undefined]);
  withOpenssl(({ put, run }) => {
    put('made', made.toPem());
    const text = run('x509', '-in', 'made', '-noout', '-text');
    for (const part of ['TLS Web Client Authentication, 1.2.3.4', 'URI:http://b.example/1.crl', 'OCSP - URI:http://ocsp.example', 'Decipher Only']) {
      assert.ok(text.includes(part), part);
    }
  });
});

test('a malformed extension is not one that is not there', () => {
  const extensions = [{ oid: '2.5.29.15', critical: true, der: Uint8Array.of(4, 0) }];
  const made = x509.createSelfSigned({ key: keys.root, subject: 'CN=x', days: 1, extensions });
  fails('Malformed', () => made.keyUsage);
  assert.equal(made.extendedKeyUsage, undefined);
});

test('a key that is elsewhere signs a digest', async () => {
  const unsigned = x509.prepareSelfSigned({ publicKey: keys.root.publicKey, subject: 'CN=Module', purpose: 'ca', days: 10 });
  assert.equal(unsigned.digest.length, 32);
  const hash = keys.root.publicKey.messageHash();
  assert.deepEqual(hash.update(unsigned.toBeSigned).digest(), unsigned.digest);
  assert.ok(unsigned.publicKey.equals(keys.root.publicKey));
  // Another key, another digest, nothing.
  fails('InvalidSignature', () => unsigned.finish(keys.middle.signDigest(unsigned.digest)));
  fails('InvalidArgument', () => unsigned.sign(keys.middle));
  await assert.rejects(unsigned.signWith(async () => new Uint8Array(64)), { name: 'KuaimiError' });
  await assert.rejects(unsigned.signWith(async () => undefined), { code: 'InvalidArgument' });
  await assert.rejects(unsigned.signWith(async () => Promise.reject(new Error('no device'))), { message: 'no device' });
  for (const form of ['der', 'raw']) {
    const made = await unsigned.signWith(async (digest) => keys.root.signDigest(digest, { form }));
    assert.ok(made instanceof x509.Certificate && made.verifySignature(made));
  }
  const request = await x509.prepareRequest({ publicKey: keys.server.publicKey, subject: 'CN=x' }).signWith((digest) => keys.server.signDigest(digest));
  assert.ok(request instanceof x509.CertificateRequest && request.verify());
  const issued = x509.prepareCertificate({ request, issuer: root, days: 1 });
  assert.ok(issued.finish(keys.root.signDigest(issued.digest)).verifySignature(root));
  const list = x509.prepareCrl({ issuer: root, days: 1 });
  assert.ok(list.finish(keys.root.signDigest(list.digest)).verifySignature(root));
  unsigned.dispose();
  fails('AlreadyFinalized', () => unsigned.finish(new Uint8Array(64)));
});

test('lists of revoked certificates', () => {
  const revoked = [
    { certificate: server, reason: 'keyCompromise', date: after(1), invalidityDate: START },
    { serialNumber: '80' },
    ...Array.from({ length: 50 }, (_, i) => ({ serialNumber: (1000 + i).toString(16) })),
  ];
  const list = x509.createCrl({ issuer: middle, issuerKey: keys.middle, thisUpdate: after(2), nextUpdate: after(9), number: 2n ** 40n, revoked });
  assert.equal(list.issuer, middle.subject);
  assert.deepEqual([list.thisUpdate, list.nextUpdate], [after(2), after(9)]);
  assert.deepEqual([list.number, list.baseNumber, list.size], [2n ** 40n, undefined, 52]);
  const first = { serialNumber: server.serialNumber, date: after(1), reason: 'keyCompromise', invalidityDate: START };
  assert.deepEqual(list.entries().at(-1), first);
  assert.equal(list.entries().length, 52);
  assert.deepEqual(list.find(server), first);
  assert.deepEqual(list.find('80'), { serialNumber: '80', date: after(2), reason: undefined, invalidityDate: undefined });
  assert.deepEqual(list.entries({ from: 1, count: 2 }).map(({ serialNumber }) => serialNumber), ['03E8', '03E9']);
  assert.equal(list.find(middle), undefined);
  assert.equal(list.verifySignature(middle), true);
  assert.equal(list.verifySignature(root), false);
  const read = x509.CertificateRevocationList.load(list.toPem());
  assert.deepEqual(read.toDer(), list.toDer());
  assert.equal(x509.CertificateRevocationList.loadAll(list.toPem() + list.toPem()).length, 2);
  const delta = x509.createCrl({ issuer: middle, issuerKey: keys.middle, days: 1, number: 3, baseNumber: 2 });
  assert.deepEqual([delta.number, delta.baseNumber, delta.size], [3n, 2n, 0]);
  for (const more of [{ days: undefined }, { baseNumber: 1, number: undefined }, { revoked: [{}] }, { revoked: [{ serialNumber: '1', reason: 'x' }] }, { numbr: 1 }]) {
    assert.throws(() => x509.createCrl({ issuer: middle, issuerKey: keys.middle, days: 1, number: 1, ...more }), { name: 'KuaimiError' }, JSON.stringify(more));
  }
  fails('InvalidArgument', () => x509.CertificateRevocationList.load(server.toPem()));
});

test('a request to CFCA has a temporary key', () => {
  const request = x509.CertificateRequest.load(data('cfca/gmsm-request.der'));
  assert.equal(request.challengePassword, '111111');
  assert.ok(request.cfcaTemporaryKey.equals(sm2.PrivateKey.load(data('pkcs12/encrypt.key')).publicKey));
  const own = x509.createRequest({ key: keys.server, subject: 'CN=x', challengePassword: '111111', cfcaTemporaryKey: keys.reader.publicKey });
  assert.ok(own.verify());
  assert.ok(own.cfcaTemporaryKey.equals(keys.reader.publicKey));
  assert.equal(x509.createRequest({ key: keys.server, subject: 'CN=x' }).cfcaTemporaryKey, undefined);
});

test('Base64 in lines of any length', () => {
  const lines = (text, length) => text.match(new RegExp(`.{1,${length}}`, 'g')).join('\n');
  const text = toBase64(server.toDer());
  for (const length of [64, 76, 10_000]) {
    assert.ok(x509.Certificate.load(`-----BEGIN CERTIFICATE-----\n${lines(text, length)}\n-----END CERTIFICATE-----\n`).equals(server));
  }
  assert.deepEqual(fromBase64(text), server.toDer());
});
