// Chains: a path, or a refusal that says which certificate and which rule.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KuaimiError } from 'kuaimi';
import { x509 } from 'kuaimi/pki';
import { fails } from './helpers.js';
import { after, data, lab, START, withOpenssl } from './pki-lab.js';

const { keys, root, middle, server, signer, reader, leaf } = lab();
const given = { roots: [root], intermediates: [middle], at: after(10), purpose: 'server', host: 'www.example' };

/** Why a certificate is refused: the rule, and the place in the path. */
function refusal(certificate, options) {
  try {
    x509.verifyChain(certificate, { ...given, ...options });
  } catch (error) {
    assert.ok(error instanceof x509.CertificateRefusedError && error instanceof KuaimiError, String(error.stack));
    assert.equal(error.code, 'CertificateRefused');
    return [error.rule, error.depth];
  }
  return undefined;
}

test('a path from a certificate to a trusted one', () => {
  const path = x509.verifyChain(server, given);
  assert.deepEqual(path.map(String), [server, middle, root].map(String));
  assert.equal(refusal(server, { host: '2001:db8::1' }), undefined);
  // Whoever is trusted need not be a root.
  assert.deepEqual(x509.verifyChain(server, { ...given, roots: middle, intermediates: undefined }).map(String), [server, middle].map(String));
  assert.equal(refusal(signer, { purpose: 'signing', host: undefined, keyUse: 'signing' }), undefined);
  assert.equal(refusal(reader, { purpose: 'encryption', host: undefined }), undefined);
});

test('each refusal has its rule and its place', () => {
  const other = lab();
  const alone = x509.createSelfSigned({ key: keys.server, subject: 'CN=alone', notBefore: START, days: 99 });
  const cases = [
    [server, { at: after(-1) }, 'notYetValid', 0],
    [server, { at: after(366) }, 'expired', 0],
    [server, { host: 'other.example' }, 'peerName', 0],
    [server, { intermediates: [] }, 'unknownIssuer', 0],
    [server, { roots: [other.root] }, 'signature', 1],
    [server, { roots: [other.server] }, 'unknownIssuer', 1],
    [server, { purpose: 'client', host: undefined }, 'extendedKeyUsage', 0],
    [signer, { purpose: 'encryption', host: undefined }, 'keyUsage', 0],
    [reader, { purpose: 'signing', host: undefined }, 'keyUsage', 0],
    [alone, { purpose: 'any', host: undefined }, 'selfSigned', 0],
    [server, { maxIntermediates: 0 }, 'tooManyCertificates', 0],
    [server, { revocation: 'end' }, 'revocationUnknown', 0],
    [server, { certificatePolicies: ['1.2.3'] }, 'policy', undefined],
  ];
  for (const [certificate, options, rule, depth] of cases) {
    const found = refusal(certificate, options);
    assert.equal(found?.[0], rule, JSON.stringify(Object.keys(options)));
    if (depth !== undefined) assert.equal(found[1], depth, rule);
  }
  assert.throws(() => x509.verifyChain(server, { ...given, at: after(366) }), {
    message: 'the certificate of CN=server,O=Example expired on 2027-01-01 00:00:00 UTC',
    subject: 'CN=server,O=Example',
  });
  // The same name, another key; and an issuer that is no authority.
  const forged = other.leaf(keys.server, 'CN=server,O=Example', { purpose: 'server', subjectAltName: [{ type: 'dns', value: 'www.example' }] });
  assert.equal(refusal(forged, {})?.[0], 'signature');
  const below = x509.createCertificate({ issuer: server, issuerKey: keys.server, publicKey: keys.reader.publicKey, subject: 'CN=x', notBefore: START, days: 99 });
  assert.equal(refusal(below, { purpose: 'any', host: undefined, intermediates: [server, middle] })?.[0], 'notAnAuthority');
});

test('revoked certificates', () => {
  const list = (revoked, more) => x509.createCrl({ issuer: middle, issuerKey: keys.middle, thisUpdate: after(9), days: 30, number: 1, revoked, ...more });
  const revoked = list([{ certificate: server, reason: 'keyCompromise' }]);
  assert.deepEqual(refusal(server, { crls: [revoked] }), ['revoked', 0]);
  assert.equal(refusal(server, { crls: [revoked], revocation: 'off' }), undefined);
  assert.equal(refusal(server, { crls: [list([])], revocation: 'end' }), undefined);
  assert.deepEqual(refusal(server, { crls: [list([])], revocation: 'all' }), ['revocationUnknown', 1]);
  // A list of somebody else counts for nothing; an old one proves nothing.
  const stranger = lab();
  const foreign = x509.createCrl({ issuer: stranger.middle, issuerKey: stranger.keys.middle, thisUpdate: after(9), days: 30, number: 1, revoked: [{ certificate: server }] });
  assert.equal(refusal(server, { crls: [foreign] }), undefined);
  assert.deepEqual(refusal(server, { crls: [list([], { thisUpdate: START, days: 1 })], revocation: 'end' }), ['revocationUnknown', 0]);
});

test('OCSP responses, which OpenSSL makes', () => {
  const own = x509.createSelfSigned({ key: keys.root, subject: 'CN=Now', purpose: 'ca', days: 9 });
  const issued = x509.createCertificate({ issuer: own, issuerKey: keys.root, publicKey: keys.server.publicKey, subject: 'CN=x', days: 9 });
  withOpenssl(({ put, get, run }) => {
    put('ca', own.toPem());
    put('key', keys.root.toPem());
    put('leaf', issued.toPem());
    run('ocsp', '-issuer', 'ca', '-cert', 'leaf', '-no_nonce', '-reqout', 'request');
    const expires = '300101000000Z';
    const response = (line) => {
      put('index', `${line}\t${issued.serialNumber}\tunknown\t/CN=x\n`);
      run('ocsp', '-index', 'index', '-CA', 'ca', '-rsigner', 'ca', '-rkey', 'key', '-rmd', 'sm3', '-ndays', '1', '-reqin', 'request', '-respout', 'response');
      return get('response');
    };
    // It signs under the empty identity.
    const options = { roots: own, purpose: 'any', revocation: 'end', emptyIdentity: true };
    assert.throws(() => x509.verifyChain(issued, options), { rule: 'revocationUnknown' });
    const good = response(`V\t${expires}\t`);
    assert.equal(x509.verifyChain(issued, { ...options, ocspResponses: [good] }).length, 2);
    assert.throws(() => x509.verifyChain(issued, { ...options, emptyIdentity: false, ocspResponses: [good] }), { rule: 'revocationUnknown' });
    const revoked = response(`R\t${expires}\t260101000000Z,keyCompromise`);
    assert.throws(() => x509.verifyChain(issued, { ...options, ocspResponses: [revoked] }), { rule: 'revoked' });
    revoked[revoked.length - 1] ^= 1;
    assert.throws(() => x509.verifyChain(issued, { ...options, ocspResponses: [revoked.slice(0, -2)] }), { code: 'Malformed' });
  });
});

test('the time is now, unless it is said', () => {
  const now = x509.createSelfSigned({ key: keys.root, subject: 'CN=now', days: 1 });
  assert.equal(x509.verifyChain(now, { roots: [now], purpose: 'any' }).length, 1);
  const past = x509.createSelfSigned({ key: keys.root, subject: 'CN=past', notBefore: new Date('2020-01-01'), days: 1 });
  assert.throws(() => x509.verifyChain(past, { roots: [past], purpose: 'any' }), { rule: 'expired' });
});

test('many chains give what each gives', () => {
  const verifier = x509.ChainVerifier.create({ roots: root, intermediates: [middle] });
  const policy = { at: after(10), purpose: 'server', host: 'www.example' };
  const stranger = lab().server;
  const altered = server.toDer();
  altered[altered.length - 1] ^= 1;
  const chains = [[server], [stranger], [server, middle], [x509.Certificate.load(altered)], [signer], [server]];
  const found = verifier.verifyBatch(chains, policy);
  assert.deepEqual(found.map((one) => one.error?.rule ?? one.path.length), [3, 'signature', 3, 'signature', 'peerName', 3]);
  chains.forEach(([certificate, ...intermediates], i) => {
    let alone;
    try {
      alone = verifier.verify(certificate, { ...policy, intermediates }).map(String);
    } catch (error) {
      alone = error.message;
    }
    assert.deepEqual(alone, found[i].error?.message ?? found[i].path.map(String));
  });
  assert.deepEqual(verifier.verifyBatch([], policy), []);
  fails('InvalidArgument', () => verifier.verifyBatch([[]], policy));
  verifier.dispose();
  fails('AlreadyFinalized', () => verifier.verify(server, policy));
});

test("gmsm's chains are judged as it meant them", () => {
  const file = (name) => x509.Certificate.load(data(`chain/${name}.pem`));
  const verifier = x509.ChainVerifier.create({
    roots: [file('root')],
    intermediates: [file('middle')],
    crls: x509.CertificateRevocationList.loadAll(data('chain/list.pem')),
  });
  const verify = (name, host) => verifier.verify(file(name), { at: after(1), purpose: 'server', host, revocation: 'end' });
  assert.equal(verify('end', 'www.bank.example').length, 3);
  for (const [name, host, rule] of [
    ['end', 'bank.example', 'peerName'],
    ['outside', 'www.other.example', 'nameConstraints'],
    ['revoked', 'old.bank.example', 'revoked'],
  ]) {
    assert.throws(() => verify(name, host), { rule });
  }
});

test('options that are wrong are errors', () => {
  for (const more of [
    { purpose: undefined }, { purpose: 'tls' }, { hst: 'www.example' }, { host: 7 }, { host: '*.example' }, { host: '' }, { at: 7 }, { at: new Date(Number.NaN) },
    { roots: [] }, { roots: undefined }, { roots: root.toPem() }, { roots: [root.toPem()] }, { intermediates: [root.toDer()] }, { crls: ['x'] },
    { revocation: 'yes' }, { maxIntermediates: 31 }, { keyUse: 'both' }, { certificatePolicies: ['x'] },
  ]) {
    fails('InvalidArgument', () => x509.verifyChain(server, { ...given, ...more }));
  }
  fails('InvalidArgument', () => x509.verifyChain(server.toPem(), given));
  fails('InvalidArgument', () => x509.verifyChain(server));
});
