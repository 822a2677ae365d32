// PKCS #12 and CFCA's files: of other programs, for them, and with the wrong password.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sm2, utf8 } from 'kuaimi';
import { pkcs12, x509 } from 'kuaimi/pki';
import { fails } from './helpers.js';
import { data, lab, withOpenssl } from './pki-lab.js';

const { keys, root, middle, signer, reader } = lab();
const key = (name) => sm2.PrivateKey.load(data(`pkcs12/${name}.key`));
const certificate = (name) => x509.Certificate.load(data(`pkcs12/${name}.pem`));

test('files of OpenSSL, Bouncy Castle, gmsm and a CA', () => {
  const expected = [key('sign'), certificate('sign')];
  for (const name of [
    'openssl-default', 'openssl-rc2-40', 'openssl-rc2-128', 'openssl-3des', 'openssl-pbes2-3des', 'openssl-sm4-sm3', 'openssl-sha512',
    'openssl-sha384', 'openssl-clear', 'bouncycastle', 'bouncycastle-aes', 'go-shangmi', 'go-modern', 'go-rc2', 'go-des',
  ]) {
    const { identities, certificates, otherKeys } = pkcs12.load(data(`pkcs12/${name}.p12`), '密码');
    assert.equal(identities.length, 1, name);
    const [found] = identities;
    assert.ok(found.key.equals(expected[0]) && found.certificate.equals(expected[1]), name);
    assert.deepEqual(found.chain.map(({ subject }) => subject), ['CN=middle', 'CN=root'], name);
    assert.deepEqual(certificates.map(({ subject }) => subject).sort(), ['CN=middle', 'CN=root'], name);
    assert.equal(otherKeys, 0);
    if (name.startsWith('openssl')) assert.equal(found.friendlyName, '签名');
  }
  assert.equal(pkcs12.load(data('pkcs12/openssl-empty.p12'), '').identities.length, 1);
  assert.equal(pkcs12.load(data('pkcs12/openssl-beyond-bmp.p12'), '🔑钥').identities.length, 1);
  assert.equal(pkcs12.load(data('pkcs12/gmcert.p12'), '123456').identities.length, 1);
});

test('keys of other algorithms are counted, not lost without a word', () => {
  for (const name of ['openssl-rsa', 'openssl-p256', 'keytool', 'keytool-legacy']) {
    const found = pkcs12.load(data(`pkcs12/${name}.p12`), 'password');
    assert.deepEqual([found.identities.length, found.otherKeys], [0, 1], name);
    assert.equal(found.certificates.length > 0, true, name);
  }
});

test('written with every profile, and read again', () => {
  const identities = [
    { key: keys.signer, certificate: signer, friendlyName: '签名' },
    { key: keys.reader, certificate: reader },
  ];
  for (const profile of ['compatible', 'sm', 'sm-openssl', 'legacy']) {
    const file = pkcs12.create({ identities, certificates: [middle, root], password: '密码', profile, iterations: 1000 });
    const found = pkcs12.load(file, utf8('密码'));
    assert.deepEqual(found.identities.map(({ friendlyName }) => friendlyName), ['签名', undefined]);
    found.identities.forEach((one, i) => {
      assert.ok(one.key.equals(identities[i].key) && one.certificate.equals(identities[i].certificate));
      assert.deepEqual(one.chain.map(String), [middle, root].map(String));
    });
    assert.deepEqual(found.certificates.map(String), [middle, root].map(String));
    // What was read can be written: each certificate once.
    const again = pkcs12.load(pkcs12.create({ identities: found.identities, certificates: found.certificates, password: 'x', profile, iterations: 1 }), 'x');
    assert.deepEqual(again.identities.map(({ chain }) => chain.length), [2, 2]);
    assert.equal(again.certificates.length, 2);
    // A wrong password and an altered file look the same.
    for (const [data_, password] of [[file, '密'], [file, ''], [altered(file), '密码']]) {
      fails('WrongPassword', () => pkcs12.load(data_, password));
    }
  }
});

function altered(file) {
  const out = file.slice();
  out[out.length >> 1] ^= 1;
  return out;
}

test('OpenSSL and this package open each other’s files', () => {
  withOpenssl(({ put, get, run, fails: refuses }) => {
    const file = pkcs12.create({ identities: [{ key: keys.signer, certificate: signer, friendlyName: 'name' }], certificates: [middle], password: 'a password' });
    put('ours', file);
    run('pkcs12', '-in', 'ours', '-passin', 'pass:a password', '-nodes', '-out', 'opened');
    assert.ok(sm2.PrivateKey.load(get('opened')).equals(keys.signer));
    assert.deepEqual(x509.Certificate.loadAll(get('opened')).map(String).sort(), [signer, middle].map(String).sort());
    assert.ok(refuses('pkcs12', '-in', 'ours', '-passin', 'pass:another', '-nodes'));
    put('key', keys.reader.toPem());
    put('certificate', reader.toPem());
    run('pkcs12', '-export', '-inkey', 'key', '-in', 'certificate', '-passout', 'pass:x', '-out', 'theirs');
    assert.ok(pkcs12.load(get('theirs'), 'x').identities[0].key.equals(keys.reader));
  });
});

test('what is no file, or should not be one', () => {
  for (const nothing of [new Uint8Array(0), utf8('text'), signer.toDer(), data('pkcs12/openssl-default.p12').slice(0, -9)]) {
    assert.throws(() => pkcs12.load(nothing, 'x'), { name: 'KuaimiError' });
  }
  fails('InvalidArgument', () => pkcs12.load('text', 'x'));
  fails('InvalidArgument', () => pkcs12.load(new Uint8Array(1)));
  assert.throws(() => pkcs12.load(data('pkcs12/openssl-no-mac.p12'), '密码'), { code: 'Malformed' });
  for (const name of ['rfc9579-a4', 'rfc9579-a5', 'rfc9579-a6']) assert.throws(() => pkcs12.load(data(`pkcs12/${name}.p12`), '1234'), { name: 'KuaimiError' });
  const given = { identities: [{ key: keys.signer, certificate: signer }], password: 'x' };
  for (const more of [
    { password: '' }, { password: undefined }, { profile: 'best' }, { iterations: 0 }, { iterations: 2 ** 30 }, { certificate: signer },
    { identities: [{ key: keys.signer, certificate: reader }] }, { identities: [{ key: keys.signer }] }, { identities: 'x' },
  ]) {
    fails('InvalidArgument', () => pkcs12.create({ ...given, ...more }));
  }
});

test("CFCA's files", () => {
  for (const [name, password] of [['field.sm2', '123456'], ['gmsm.sm2', '密码'], ['sadk.pem', 'ys123456']]) {
    const found = pkcs12.loadCfca(data(`cfca/${name}`), password);
    assert.ok(found.certificate.isFor(found.key), name);
    const written = pkcs12.createCfca(found.key, found.certificate, password);
    const again = pkcs12.loadCfca(written, password);
    assert.ok(again.key.equals(found.key) && again.certificate.equals(found.certificate));
    fails('WrongPassword', () => pkcs12.loadCfca(data(`cfca/${name}`), `${password}0`));
    fails('InvalidArgument', () => pkcs12.createCfca(found.key, signer, password));
    fails('InvalidArgument', () => pkcs12.createCfca(found.key, found.certificate, ''));
  }
  assert.ok(pkcs12.loadCfca(data('cfca/gmsm.sm2'), '密码').key.equals(key('sign')));
  assert.throws(() => pkcs12.loadCfca('text', 'x'), { name: 'KuaimiError' });
});

test('the encrypting key that CFCA returns', () => {
  const returned = data('cfca/returned-c1c2c3.txt');
  assert.ok(pkcs12.openCfcaReturnedKey(key('sign'), returned).equals(key('encrypt')));
  fails('DecryptionFailed', () => pkcs12.openCfcaReturnedKey(key('encrypt'), returned));
  for (const line of new TextDecoder().decode(data('cfca/returned-wrong.txt')).trim().split('\n').filter((one) => !one.includes(', '))) {
    assert.throws(() => pkcs12.openCfcaReturnedKey(key('sign'), line), { name: 'KuaimiError' });
  }
});

test('the answer of an authority to the request for a pair', () => {
  const opened = pkcs12.openKeyResponse(data('key_response/gmsm.der'), key('sign'));
  assert.ok(opened.encryptionKey.equals(key('encrypt')));
  assert.ok(opened.signingCertificates[0].isFor(key('sign')));
  assert.ok(opened.encryptionCertificates[0].isFor(opened.encryptionKey));
  const alone = pkcs12.openKeyResponse(data('key_response/gmsm-sign-only.der'), key('sign'));
  assert.deepEqual([alone.encryptionKey, alone.encryptionCertificates], [undefined, []]);
  assert.ok(alone.signingCertificates[0].isFor(key('sign')));
  assert.throws(() => pkcs12.openKeyResponse(data('key_response/gmsm.der'), key('root')), { name: 'KuaimiError' });
  assert.throws(() => pkcs12.openKeyResponse('text', key('sign')), { name: 'KuaimiError' });
});
