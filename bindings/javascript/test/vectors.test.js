// The standards' examples, OpenSSL's and Wycheproof's, which every language's tests read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex, sm2, sm3, sm4, toHex, utf8 } from 'kuaimi';
import { fails, vectors } from './helpers.js';

const hex = (bytes) => toHex(bytes).toUpperCase();

test('SM3', () => {
  for (const { message, digest } of [...vectors('sm3_sm4.json').sm3, ...vectors('openssl.json').sm3]) {
    assert.equal(hex(sm3.digest(fromHex(message))), digest.toUpperCase());
    const hash = sm3.createHash();
    for (const byte of fromHex(message)) hash.update(Uint8Array.of(byte));
    assert.equal(hex(hash.digest()), digest.toUpperCase());
  }
});

test('HMAC', () => {
  for (const { key, message, mac } of vectors('openssl.json').hmac_sm3) {
    assert.equal(hex(sm3.hmac(fromHex(key), fromHex(message))), mac.toUpperCase());
  }
  const { columns, cases } = vectors('wycheproof.json').hmac_sm3;
  assert.deepEqual(columns, ['key', 'message', 'tag', 'valid']);
  for (const [key, message, tag, valid] of cases) {
    const hmac = sm3.createHmac(fromHex(key)).update(fromHex(message));
    // Some tags are shortened, which verify does not take.
    assert.equal(toHex(hmac.digest()).startsWith(tag), valid, message);
    assert.equal(hmac.verify(fromHex(tag)), valid && tag.length === 64, message);
  }
});

test('SM4, a block a million times', () => {
  for (const { key, plaintext, rounds_applied: rounds, ciphertext } of vectors('sm3_sm4.json').sm4) {
    // CBC with an iv of zeros over zeros after the first block is the block again and again.
    const data = new Uint8Array(16 * rounds);
    data.set(fromHex(plaintext));
    const out = sm4.encrypt(fromHex(key), data, { mode: 'cbc', iv: new Uint8Array(16), padding: 'none' });
    assert.equal(hex(out.slice(-16)), ciphertext);
  }
});

test('SM4 in its modes', () => {
  const cases = vectors('openssl.json').sm4;
  const feedback = vectors('sm4_modes.json').feedback.map((one) => ({ ...one, name: `SM4-${one.mode.toUpperCase()}` }));
  assert.ok(cases.length > 10 && feedback.length === 4);
  for (const { name, key, iv, aad, tag, plaintext, ciphertext, xts_standard: standard } of [...cases, ...feedback]) {
    const [secret, message, expected] = [key, plaintext, ciphertext].map(fromHex);
    const mode = name.slice(4).toLowerCase();
    if (mode === 'gcm' || mode === 'ccm') {
      const cipher = { gcm: sm4.Gcm, ccm: sm4.Ccm }[mode].create(secret);
      const sealed = cipher.seal(fromHex(iv), message, fromHex(aad));
      assert.equal(hex(sealed), ciphertext + tag);
      assert.equal(hex(cipher.open(fromHex(iv), sealed, fromHex(aad))), plaintext);
      continue;
    }
    const options = { mode, padding: 'none', standard: standard?.toLowerCase() };
    if (iv !== undefined) options.iv = fromHex(iv);
    assert.equal(hex(sm4.encrypt(secret, message, options)), ciphertext, name);
    assert.equal(hex(sm4.decrypt(secret, expected, options)), plaintext, name);
  }
});

for (const [name, create] of [
  ['gcm', (key) => sm4.Gcm.create(key)],
  ['ccm', (key, tagLength) => sm4.Ccm.create(key, { tagLength })],
]) {
  test(`Wycheproof's cases of ${name.toUpperCase()}`, () => {
    const { cases } = vectors('wycheproof.json')[`sm4_${name}`];
    assert.ok(cases.length > 100);
    for (const [key, nonce, aad, plaintext, ciphertext, tag, valid] of cases) {
      const open = () =>
        toHex(create(fromHex(key), tag.length / 2).open(fromHex(nonce), fromHex(ciphertext + tag), fromHex(aad)));
      if (valid) assert.equal(open(), plaintext);
      else assert.throws(open, { name: 'KuaimiError' });
    }
  });
}

test('SM2, the example of the standard', () => {
  const { signature, encryption } = vectors('sm2.json');
  const publicKey = sm2.PublicKey.fromBytes(fromHex(`04${signature.px}${signature.py}`));
  const privateKey = sm2.PrivateKey.fromBytes(fromHex(signature.d));
  assert.ok(privateKey.publicKey.equals(publicKey));
  const id = signature.id_ascii;
  assert.equal(hex(publicKey.identityDigest({ id })), signature.z);
  const message = utf8(signature.message_ascii);
  assert.equal(hex(publicKey.messageHash({ id }).update(message).digest()), signature.e);
  const raw = fromHex(signature.r + signature.s);
  assert.equal(publicKey.verify(raw, message, { id }), true);
  assert.equal(publicKey.verify(raw, message, { id: 'alice' }), false);
  assert.equal(publicKey.verifyDigest(raw, fromHex(signature.e)), true);

  const key = sm2.PrivateKey.fromBytes(fromHex(encryption.d));
  const c1 = encryption.c1.length === 128 ? `04${encryption.c1}` : encryption.c1;
  const { c2, c3 } = encryption;
  for (const [form, ciphertext] of [
    ['c1c3c2', c1 + c3 + c2],
    ['c1c2c3', c1 + c2 + c3],
    ['bare-c1c3c2', c1.slice(2) + c3 + c2],
    ['bare-c1c2c3', c1.slice(2) + c2 + c3],
    ['der', encryption.der_gmt0009],
  ]) {
    assert.deepEqual(key.decrypt(fromHex(ciphertext), { form }), utf8(encryption.message_ascii), form);
    assert.deepEqual(key.decrypt(fromHex(ciphertext)), utf8(encryption.message_ascii), form);
    const converted = sm2.convertCiphertext(fromHex(c1 + c3 + c2), 'c1c3c2', form);
    assert.equal(hex(converted), ciphertext.toUpperCase(), form);
    assert.ok(sm2.detectCiphertext(fromHex(ciphertext)).includes(form), form);
  }
});

test("OpenSSL's keys, signatures and ciphertexts", () => {
  const { sm2: cases } = vectors('openssl.json');
  const key = sm2.PrivateKey.load(fromHex(cases.private_key));
  for (const { digest, signature } of cases.signatures) {
    assert.equal(key.publicKey.verifyDigest(fromHex(signature), fromHex(digest)), true);
    const other = fromHex(digest);
    other[31] ^= 1;
    assert.equal(key.publicKey.verifyDigest(fromHex(signature), other), false);
  }
  for (const { ciphertext, message } of cases.ciphertexts) {
    assert.equal(hex(key.decrypt(fromHex(ciphertext))), message.toUpperCase());
  }
});

test('what must be refused', () => {
  const refused = vectors('refused.json');
  const verify = ({ public_key: key, id, message, signature }) => {
    const publicKey = sm2.PublicKey.fromBytes(fromHex(key));
    return publicKey.verify(fromHex(signature), fromHex(message), { id: fromHex(id) });
  };
  assert.equal(verify(refused.good_signature), true);
  for (const wrong of refused.wrong_signatures) {
    let verdict = false;
    try {
      verdict = verify(wrong);
    } catch (error) {
      assert.match(error.code, /^(PointEncoding|NotOnCurve|IdentityTooLong)$/);
    }
    assert.equal(verdict, false, wrong.wrong);
  }
  const zero = refused.sum_is_zero;
  const publicKey = sm2.PublicKey.fromBytes(fromHex(zero.public_key));
  assert.equal(publicKey.verifyDigest(fromHex(zero.signature), fromHex(zero.digest)), false);

  const decrypt = ({ private_key: key, ciphertext }) => sm2.PrivateKey.fromBytes(fromHex(key)).decrypt(fromHex(ciphertext));
  decrypt(refused.good_ciphertext);
  for (const wrong of refused.wrong_ciphertexts) fails('DecryptionFailed', () => decrypt(wrong));
});

test('forms of keys that people have', () => {
  const { private_key: d, public_key: point, cases } = vectors('key_forms.json');
  for (const { name, input, private: asPrivate, public: asPublic } of cases) {
    for (const [expected, load, bytes, wanted] of [
      [asPrivate, sm2.PrivateKey.load, (key) => key.toBytes(), d],
      [asPublic, sm2.PublicKey.load, (key) => key.toBytes(), point],
    ]) {
      if (expected === 'key') {
        const found = toHex(bytes(load(fromHex(input))));
        assert.ok(found === wanted.toLowerCase() || found === `04${wanted}`.toLowerCase(), name);
      } else {
        assert.throws(
          () => load(fromHex(input)),
          (error) => error.name === 'KuaimiError' && error.message.includes(expected),
          `${name}: ${expected}`,
        );
      }
    }
  }
});
