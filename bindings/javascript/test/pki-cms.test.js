// Messages: signed, encrypted, in all forms, of other programs and for them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromUtf8, sm2, utf8 } from 'kuaimi';
import { cms, x509 } from 'kuaimi/pki';
import { fails } from './helpers.js';
import { after, data, lab, withOpenssl } from './pki-lab.js';

const { keys, root, middle, signer, reader, server } = lab();
const content = utf8('a payment, 付款');
const own = { certificate: signer, key: keys.signer };

test('a signed message in every form', () => {
  for (const form of ['cms', 'gm']) {
    for (const detached of [false, true]) {
      for (const attributes of [true, false]) {
        for (const keyIdentifier of [true, false]) {
          const options = { form, detached, attributes, keyIdentifier, certificates: [middle] };
          const message = cms.sign(content, own, options);
          assert.equal(cms.kind(message), 'signedData');
          for (const read of [message, cms.toPem(message)]) {
            const found = cms.verify(read, detached ? { content } : {});
            assert.deepEqual(found.content, content);
            const [one, ...none] = found.signers;
            assert.equal(none.length, 0);
            assert.ok(one.certificate.equals(signer));
            assert.equal(one.signingTime !== undefined, attributes);
            assert.equal(one.keyIdentifier, keyIdentifier ? signer.subjectKeyIdentifier : undefined);
            assert.equal(one.serialNumber, keyIdentifier ? undefined : signer.serialNumber);
            assert.deepEqual(found.certificates.map(String).sort(), [signer, middle].map(String).sort());
          }
          if (detached) {
            fails('InvalidArgument', () => cms.verify(message));
            fails('InvalidSignature', () => cms.verify(message, { content: utf8('another') }));
          } else {
            fails('InvalidArgument', () => cms.verify(message, { content }));
          }
        }
      }
    }
  }
});

test('whether to trust the signer is another question', () => {
  const found = cms.verify(cms.sign(content, own, { certificates: [middle] }));
  const path = x509.verifyChain(found.signers[0].certificate, { roots: root, intermediates: found.certificates, at: after(1), purpose: 'signing' });
  assert.equal(path.length, 3);
});

test('the signing time is what the signer says', () => {
  const time = (signingTime) => cms.verify(cms.sign(content, own, { signingTime })).signers[0].signingTime;
  assert.deepEqual(time(after(3)), after(3));
  assert.equal(time(null), undefined);
  assert.ok(Math.abs(time(undefined).getTime() - Date.now()) < 10_000);
  fails('InvalidArgument', () => time('today'));
  fails('InvalidArgument', () => cms.sign(content, own, { attributes: false, signingTime: after(3) }));
});

test('no altered byte is accepted', () => {
  const message = cms.sign(content, own, { signingTime: after(1) });
  for (let i = 0; i < message.length; i += 1) {
    const altered = message.slice();
    altered[i] ^= 4;
    let found;
    try {
      found = cms.verify(altered);
    } catch (error) {
      assert.equal(error.name, 'KuaimiError', `${i}: ${error.stack}`);
      continue;
    }
    // What is not signed may change: the certificate's own signature, for example.
    assert.deepEqual(found.content, content, `byte ${i}`);
  }
  const wrong = message.slice();
  wrong[message.length - 1] ^= 1;
  fails('InvalidSignature', () => cms.verify(wrong));
  fails('Malformed', () => cms.verify(message.slice(0, -1)));
});

test('several signers, and certificates that are not in the message', () => {
  const both = [own, { certificate: server, key: keys.server }];
  const found = cms.verify(cms.sign(content, both));
  assert.deepEqual(found.signers.map(({ certificate }) => certificate.subject).sort(), ['CN=server,O=Example', 'CN=signer,O=Example']);
  const bare = cms.sign(content, both, { includeCertificates: false });
  fails('InvalidSignature', () => cms.verify(bare));
  fails('InvalidSignature', () => cms.verify(bare, { certificates: [signer] }));
  assert.equal(cms.verify(bare, { certificates: [server, signer] }).certificates.length, 0);
  fails('InvalidArgument', () => cms.sign(content, []));
  fails('InvalidArgument', () => cms.sign(content, { certificate: signer, key: keys.reader }));
  fails('InvalidArgument', () => cms.sign(content, { certificate: signer }));
  for (const bad of [null, 7, undefined, [null]]) fails('InvalidArgument', () => cms.sign(content, bad));
  fails('InvalidArgument', () => cms.sign('text', own));
  fails('InvalidArgument', () => cms.sign(content, own, { form: 'gmssl' }));
  fails('InvalidArgument', () => cms.sign(content, own, { detach: true }));
});

test('keys that are elsewhere sign the digests', async () => {
  const mutable = content.slice();
  const message = cms.prepareSigned(mutable, [signer, server], { form: 'gm', signingTime: null });
  assert.deepEqual(message.digests.map(({ length }) => length), [32, 32]);
  // What was hashed is what is written.
  mutable.fill(0);
  const made = await message.signWith(async (digest) => keys.signer.signDigest(digest, { form: 'raw' }), (digest) => keys.server.signDigest(digest));
  assert.deepEqual(cms.verify(made).content, content);
  fails('AlreadyFinalized', () => message.digests);
  const wrong = cms.prepareSigned(content, signer);
  fails('InvalidSignature', () => wrong.finish([keys.server.signDigest(wrong.digests[0])]));
  await assert.rejects(cms.prepareSigned(content, signer).signWith(), { code: 'InvalidArgument' });
  const few = cms.prepareSigned(content, [signer, server]);
  fails('InvalidArgument', () => few.finish([keys.signer.signDigest(few.digests[0])]));
});

test('an encrypted message in every form, for several recipients', () => {
  for (const form of ['cms', 'gm', 'gmssl']) {
    for (const cipher of ['sm4-cbc', 'sm4-gcm', 'sm4-cbc-sadk']) {
      for (const keyIdentifier of [false, true]) {
        const message = cms.encrypt(content, [reader, server], { form, cipher, keyIdentifier });
        assert.equal(cms.kind(message), cipher === 'sm4-gcm' ? 'authEnvelopedData' : 'envelopedData');
        for (const [certificate, key] of [[reader, keys.reader], [server, keys.server]]) {
          for (const options of [{ certificate }, {}]) {
            const opened = cms.decrypt(message, key, options);
            assert.deepEqual(opened.content, content);
            assert.deepEqual(opened.signers, []);
          }
          assert.deepEqual(cms.decrypt(cms.toPem(message), key).content, content);
        }
      }
    }
  }
  assert.equal(cms.decrypt(cms.encrypt(new Uint8Array(0), reader), keys.reader).content.length, 0);
  const long = new Uint8Array(300_000).map((_, i) => i);
  assert.deepEqual(cms.decrypt(cms.encrypt(long, reader, { cipher: 'sm4-gcm' }), keys.reader).content, long);
});

test('signed and encrypted in one message', () => {
  for (const form of ['gm', 'cms']) {
    for (const keyIdentifier of [false, true]) {
      const both = [own, { certificate: server, key: keys.server }];
      const message = cms.signAndEncrypt(content, both, [reader, server], { form, keyIdentifier, certificates: [middle] });
      assert.equal(cms.kind(message), 'signedAndEnvelopedData');
      const opened = cms.decrypt(message, keys.reader, { certificate: reader });
      assert.deepEqual(opened.content, content);
      assert.deepEqual(opened.signers.map(({ certificate }) => certificate.subject).sort(), ['CN=server,O=Example', 'CN=signer,O=Example']);
      assert.equal(opened.certificates.length, 3);
      fails('DecryptionFailed', () => cms.decrypt(message, keys.signer));
    }
  }
  const message = cms.signAndEncrypt(content, own, reader);
  // A changed signature is a failed decryption, too: the same error.
  const altered = message.slice();
  altered[message.length - 1] ^= 1;
  fails('DecryptionFailed', () => cms.decrypt(altered, keys.reader, { certificate: reader }));
  fails('InvalidArgument', () => cms.signAndEncrypt(content, own, reader, { cipher: 'sm4-gcm' }));
  fails('InvalidArgument', () => cms.signAndEncrypt(content, [], reader));
  fails('InvalidArgument', () => cms.signAndEncrypt(content, own, []));
  fails('InvalidArgument', () => cms.signAndEncrypt(content, { certificate: signer, key: keys.reader }, reader));
});

test('another key, another certificate, altered bytes', () => {
  const message = cms.encrypt(content, reader, { cipher: 'sm4-gcm' });
  const errors = [];
  const failing = (call) => {
    try {
      call();
    } catch (error) {
      errors.push(error.message);
      assert.equal(error.code, 'DecryptionFailed', String(error.stack));
      return;
    }
    assert.fail('decrypted');
  };
  failing(() => cms.decrypt(message, keys.server));
  failing(() => cms.decrypt(message, keys.server, { certificate: reader }));
  const altered = message.slice();
  altered[message.length - 1] ^= 1;
  failing(() => cms.decrypt(altered, keys.reader, { certificate: reader }));
  assert.equal(new Set(errors).size, 1, errors.join('\n'));
  fails('OtherKey', () => cms.decrypt(message, keys.server, { certificate: server }));
  fails('InvalidArgument', () => cms.encrypt(content, []));
  fails('InvalidArgument', () => cms.encrypt(content, reader, { cipher: 'aes' }));
  fails('InvalidArgument', () => cms.decrypt(message, keys.reader.publicKey));
  fails('OtherAlgorithm', () => cms.encrypt(content, x509.Certificate.load(data('message/rsa.pem'))));
  for (const nothing of [new Uint8Array(0), utf8('text'), reader.toDer(), cms.sign(content, own)]) {
    assert.throws(() => cms.decrypt(nothing, keys.reader), { name: 'KuaimiError' });
    if (nothing.length < 9) assert.throws(() => cms.verify(nothing), { name: 'KuaimiError' });
  }
});

const file = (name) => data(`message/${name}`);
const [alice, bob] = ['alice', 'bob'].map((name) => ({
  certificate: x509.Certificate.load(file(`${name}.pem`)),
  key: sm2.PrivateKey.load(file(`${name}.key`)),
}));

test('messages of gmsm, Bouncy Castle and GmSSL', () => {
  const texts = { gmsm: 'a content by gmsm, 密信', bc: 'a content by Bouncy Castle, 密信' };
  for (const name of [
    'gmsm-signed', 'gmsm-signed-cms', 'gmsm-signed-cms-plain', 'gmsm-signed-plain', 'gmsm-signed-cfca', 'gmsm-signed-detached',
    'gmsm-signed-detached-plain', 'gmsm-signed-cms-detached', 'gmsm-signed-cms-detached-plain', 'gmsm-signed-cfca-detached',
    'bc-signed', 'bc-signed-plain', 'bc-signed-detached', 'bc-signed-detached-plain',
  ]) {
    const expected = utf8(texts[name.split('-')[0]]);
    const found = cms.verify(file(`${name}.der`), name.includes('detached') ? { content: expected } : {});
    assert.deepEqual(found.content, expected, name);
    assert.ok(found.signers[0].certificate.equals(alice.certificate), name);
  }
  for (const name of ['gmsm-enveloped-cbc', 'gmsm-enveloped-cms', 'gmsm-enveloped-gcm', 'gmsm-enveloped-sm4', 'gmsm-enveloped-cfca-legacy', 'gmssl-enveloped']) {
    const opened = cms.decrypt(file(`${name}.der`), bob.key, { certificate: bob.certificate });
    assert.match(fromUtf8(opened.content), /^a content by G?g?m(sm|SSL), 密信$/, name);
  }
  // Signed and encrypted: the signer is given, too.
  const both = cms.decrypt(file('gmsm-both.der'), alice.key, { certificate: alice.certificate });
  assert.equal(both.kind, 'signedAndEnvelopedData');
  assert.equal(fromUtf8(both.content), texts.gmsm);
  assert.ok(both.signers[0].certificate.equals(alice.certificate));
  fails('InvalidSignature', () => cms.verify(file('refused-gmssl-signed.der')));
});

test('OpenSSL reads what is made here', () => {
  withOpenssl(({ put, get, run, fails: refuses }) => {
    // It knows the empty identity alone.
    put('signed', cms.sign(content, own, { emptyIdentity: true }));
    run('cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'signed', '-out', 'content');
    assert.deepEqual(get('content'), content);
    fails('InvalidSignature', () => cms.verify(get('signed')));
    assert.deepEqual(cms.verify(get('signed'), { emptyIdentity: true }).content, content);
    put('usual', cms.sign(content, own));
    assert.ok(refuses('cms', '-verify', '-noverify', '-inform', 'DER', '-in', 'usual', '-out', 'content'));

    put('encrypted', cms.encrypt(content, [server, reader]));
    put('reader.pem', reader.toPem());
    put('reader.key', keys.reader.toPem());
    run('cms', '-decrypt', '-inform', 'DER', '-in', 'encrypted', '-recip', 'reader.pem', '-inkey', 'reader.key', '-out', 'opened');
    assert.deepEqual(get('opened'), content);
  });
});
