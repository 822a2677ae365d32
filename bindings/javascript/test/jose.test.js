// Tokens: what was signed is verified, what was altered or is meant for another is not, and nothing
// in a token chooses how it is verified.

import assert from 'node:assert/strict';
import { createHmac, hkdfSync } from 'node:crypto';
import { test } from 'node:test';
import { fromHex, fromUtf8, sm2, sm3, sm4, utf8 } from 'kuaimi';
import { decryptJwe, encryptJwe, fromJwk, protectedHeader, signJws, signJwt, toJwk, verifyJws, verifyJwt } from 'kuaimi/jose';
import { fails } from './helpers.js';

const key = sm2.PrivateKey.fromBytes(hkdfSync('sha256', 'kuaimi', '', 'jose', 32));
const other = sm2.PrivateKey.generate();
const secret = new Uint8Array(32).map((_, i) => i);
const payload = utf8('{"a":1}');
const SM2 = { algorithms: ['SGD_SM3_SM2'] };
const HMAC = { algorithms: ['SGD_SM3_HMAC'] };
const BOTH = { algorithms: ['SGD_SM3_SM2', 'SGD_SM3_HMAC'] };

const url = (data) => Buffer.from(data).toString('base64url');
const json = (text) => JSON.parse(Buffer.from(text, 'base64url').toString());
/** A token with a right signature over any header and payload. */
function coded(header, body = payload) {
  const given = typeof header === 'string' || ArrayBuffer.isView(header);
  const input = `${url(given ? header : JSON.stringify(header))}.${url(body)}`;
  return `${input}.${url(sm3.hmac(secret, utf8(input)))}`;
}

test('HMAC as Node computes it', () => {
  const token = signJws(payload, secret, { header: { kid: '1' } });
  const [header, body, code] = token.split('.');
  assert.deepEqual(json(header), { alg: 'SGD_SM3_HMAC', kid: '1' });
  assert.equal(code, createHmac('sm3', secret).update(`${header}.${body}`).digest('base64url'));
  const verified = verifyJws(token, secret, HMAC);
  assert.deepEqual(verified, { header: { alg: 'SGD_SM3_HMAC', kid: '1' }, payload });
});

test('SM2 over the text of header and payload, under the identity in the header', () => {
  for (const [uid, id] of [[undefined, '1234567812345678'], ['alice', 'alice'], [utf8('bob'), 'bob']]) {
    for (const form of [undefined, 'raw']) {
      const token = signJws(payload, key, { uid, form });
      const [header, body, signature] = token.split('.');
      assert.deepEqual(json(header), uid === undefined ? { alg: 'SGD_SM3_SM2' } : { alg: 'SGD_SM3_SM2', uid: url(id) });
      const bytes = new Uint8Array(Buffer.from(signature, 'base64url'));
      assert.equal(key.publicKey.verify(bytes, utf8(`${header}.${body}`), { id, form: form ?? 'der' }), true);
      assert.deepEqual(verifyJws(token, key.publicKey, { ...SM2, form }).payload, payload);
      // One token has one text.
      fails('InvalidSignature', () => verifyJws(token, key.publicKey, { ...SM2, form: form === 'raw' ? 'der' : 'raw' }));
    }
  }
  const token = signJws(payload, key, { uid: 'alice' });
  assert.deepEqual(verifyJws(token, key.publicKey, { ...SM2, uid: 'alice' }).payload, payload);
  fails('InvalidSignature', () => verifyJws(token, key.publicKey, { ...SM2, uid: 'bob' }));
  fails('InvalidSignature', () => verifyJws(signJws(payload, key), key.publicKey, { ...SM2, uid: 'alice' }));
  for (const given of [undefined, '1234567812345678']) {
    verifyJws(signJws(payload, key, { uid: given }), key.publicKey, { ...SM2, uid: '1234567812345678' });
  }
  fails('InvalidArgument', () => verifyJws(token, key.publicKey, { ...SM2, uid: undefined }));
  fails('IdentityTooLong', () => signJws(payload, key, { uid: 'x'.repeat(8192) }));
});

test('every altered character is found', () => {
  for (const [token, verifying, options] of [
    [signJws(payload, secret), secret, HMAC],
    [signJws(payload, key, { uid: 'a' }), key.publicKey, SM2],
  ]) {
    for (let i = 0; i < token.length; i += 1) {
      const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
      assert.throws(() => verifyJws(changed, verifying, options), { name: 'KuaimiError' }, `${i}`);
    }
    fails('InvalidSignature', () => verifyJws(token, verifying === secret ? new Uint8Array(32) : other.publicKey, options));
  }
});

test('the token does not choose its algorithm', () => {
  const body = url(payload);
  for (const alg of ['none', 'None', 'NONE', '', 'HS256', 'ES256', 'sgd_sm3_sm2', 'constructor', '__proto__', 'toString']) {
    for (const signature of ['', url(new Uint8Array(32)), url(sm3.hmac(secret, utf8(`${url(JSON.stringify({ alg }))}.${body}`)))]) {
      const token = `${url(JSON.stringify({ alg }))}.${body}.${signature}`;
      fails('OtherAlgorithm', () => verifyJws(token, key.publicKey, BOTH));
      fails('OtherAlgorithm', () => verifyJws(token, secret, BOTH));
    }
  }
  // A public key is known to all: as a secret it would sign anything.
  for (const bytes of [key.publicKey.toBytes(), key.publicKey.toDer(), utf8(key.publicKey.toPem())]) {
    const token = signJws(payload, bytes);
    fails('OtherKey', () => verifyJws(token, key.publicKey, BOTH));
    fails('OtherAlgorithm', () => verifyJws(token, key.publicKey, SM2));
  }
  fails('InvalidArgument', () => verifyJws(signJws(payload, secret), key.publicKey.toPem(), BOTH));
  fails('InvalidArgument', () => signJws(payload, key.toPem()));
  fails('OtherKey', () => verifyJws(signJws(payload, key), secret, BOTH));
  fails('OtherKey', () => verifyJws(signJws(payload, key), key, BOTH));
  fails('OtherAlgorithm', () => verifyJws(signJws(payload, key), key.publicKey, HMAC));
  // The allow-list has to be given, and is one.
  for (const options of [undefined, {}, { algorithms: [] }, { algorithms: 'SGD_SM3_SM2' }, { algorithms: ['none'] }, { algorithms: ['SGD_SM3_SM2', 'none'] }, { algorithms: null }]) {
    fails('InvalidArgument', () => verifyJws(signJws(payload, key), key.publicKey, options));
  }
  // A key in the header is not looked at.
  const jwk = toJwk(other.publicKey);
  fails('InvalidSignature', () => verifyJws(signJws(payload, other, { header: { jwk } }), key.publicKey, SM2));
});

test('headers that are read differently by different programs are refused', () => {
  assert.deepEqual(verifyJws(coded({ alg: 'SGD_SM3_HMAC' }), secret, HMAC).payload, payload);
  for (const header of [
    '{"alg":"SGD_SM3_HMAC","alg":"none"}',
    '{"alg":"none","alg":"SGD_SM3_HMAC"}',
    '{"alg":"SGD_SM3_HMAC","\\u0061lg":"SGD_SM3_HMAC"}',
    '{"alg":"SGD_SM3_HMAC","x":{"y":1,"y":2}}',
    '{"alg":"SGD_SM3_HMAC","x":[{"y":1,"y":2}]}',
    '{"alg":"SGD_SM3_HMAC","__proto__":{"x":1}}',
    '{"alg":"SGD_SM3_HMAC","x":{"__proto__":{"y":1}}}',
    '{"__proto__":{"alg":"SGD_SM3_HMAC"}}',
    '{"alg":"SGD_SM3_HMAC","crit":["exp"],"exp":1}',
    '{"alg":"SGD_SM3_HMAC","crit":[]}',
    '{"alg":"SGD_SM3_HMAC","crit":null}',
    '{"alg":"SGD_SM3_HMAC","b64":false}',
    '{"alg":"SGD_SM3_HMAC","b64":true}',
    '{"alg":["SGD_SM3_HMAC"]}',
    '{"alg":null}',
    '{"ALG":"SGD_SM3_HMAC"}',
    '{}',
    '[]',
    '["SGD_SM3_HMAC"]',
    '"SGD_SM3_HMAC"',
    'null',
    '7',
    '',
    '{"alg":"SGD_SM3_HMAC"',
    '{"alg":"SGD_SM3_HMAC"}{}',
    '\ufeff{"alg":"SGD_SM3_HMAC"}',
    '['.repeat(5000),
    `{"alg":"SGD_SM3_HMAC","x":"${'x'.repeat(20000)}"}`,
  ]) {
    fails('Malformed', () => verifyJws(coded(header), secret, HMAC));
  }
  fails('Malformed', () => verifyJws(coded(Buffer.from('{"alg":"SGD_SM3_HMAC","x":"\xff"}', 'latin1')), secret, HMAC));
  // The same name in different objects, and names as values, are none twice.
  const header = { alg: 'SGD_SM3_HMAC', x: { alg: 1, y: [{ alg: 'alg' }, { alg: ':' }] }, z: 'alg', '\\"': '\\' };
  assert.deepEqual(verifyJws(coded(header), secret, HMAC).header, header);
  assert.equal(Object.prototype.alg, undefined);
});

test('Base64url has one text for the same bytes', () => {
  const token = signJws(payload, secret);
  const [header, body, code] = token.split('.');
  const last = (text) => text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1);
  for (const changed of [
    `${header}=.${body}.${code}`, `${header}.${body}=.${code}`, `${header}.${body}.${code}=`, `${header}.${body}.${code}==`,
    ` ${token}`, `${token} `, `${token}\n`, `${header}.${body} .${code}`, `${header}.${body}\n.${code}`, `${header}. ${body}.${code}`,
    `${header}.${body}.${last(code)}`, `${header}.${body}.${code.slice(0, -1)}\u0434`,
    `${header}.${body}.+${code.slice(1)}`, `${header}.${body}./${code.slice(1)}`, `${token}.`, `.${token}`, `${header}.${body}`,
    header, '', '..', '....', `${token}.${token}`, '.'.repeat(100_000),
  ]) {
    fails('Malformed', () => verifyJws(changed, secret, HMAC));
  }
  for (const changed of [`${header}..`, `${header}.${body}.`, `${header}.${body}.${code}A`, `${header}..${code}`]) {
    fails('InvalidSignature', () => verifyJws(changed, secret, HMAC));
  }
  // A payload whose last digit has bits too many decodes to the same bytes with careless programs.
  const loose = utf8('{"a":12}');
  const text = url(loose);
  const signed = `${header}.${last(text)}`;
  fails('Malformed', () => verifyJws(`${signed}.${url(sm3.hmac(secret, utf8(signed)))}`, secret, HMAC));
  for (const value of [undefined, null, 7, {}, [token], utf8('x')]) fails('InvalidArgument', () => verifyJws(value, secret, HMAC));
});

test('tokens that are huge', () => {
  fails('Malformed', () => verifyJws(`${'A'.repeat(2 ** 24)}.A.A`, secret, HMAC));
  fails('Malformed', () => protectedHeader('x'.repeat(2 ** 24 + 1)));
  const large = new Uint8Array(2 ** 20);
  assert.equal(verifyJws(signJws(large, secret), secret, HMAC).payload.length, large.length);
  fails('InvalidArgument', () => signJws(payload, secret, { header: { x: 'x'.repeat(20000) } }));
});

test('secrets, and what a caller may put into a header', () => {
  fails('KeyLength', () => signJws(payload, new Uint8Array(31)));
  fails('KeyLength', () => verifyJws(signJws(payload, secret), new Uint8Array(31), HMAC));
  fails('InvalidArgument', () => signJws('text', secret));
  fails('InvalidArgument', () => signJws(payload, secret, { uid: 'alice' }));
  fails('InvalidArgument', () => signJws(payload, key, { form: 'hex' }));
  for (const header of [{ alg: 'none' }, { crit: ['b64'] }, { b64: false }, { uid: 'x' }, { zip: 'DEF' }, JSON.parse('{"__proto__":1}'), { a: 1n }, [], 7, null]) {
    fails('InvalidArgument', () => signJws(payload, secret, { header }));
    fails('InvalidArgument', () => signJwt({}, secret, { header }));
    fails('InvalidArgument', () => encryptJwe(payload, key.publicKey, { header }));
  }
  for (const uid of ['', 7, null, '=', url('x'.repeat(8192))]) {
    const input = `${url(JSON.stringify({ alg: 'SGD_SM3_SM2', uid }))}.${url(payload)}`;
    const token = `${input}.${url(key.sign(utf8(input)))}`;
    fails('Malformed', () => verifyJws(token, key.publicKey, SM2));
  }
});

for (const enc of ['SGD_SM4_GCM', 'SGD_SM4_CCM']) {
  test(`JWE with ${enc}`, () => {
    for (const length of [0, 1, 40]) {
      const message = new Uint8Array(length).fill(7);
      const token = encryptJwe(message, key.publicKey, { enc, header: { kid: 'k' } });
      const parts = token.split('.');
      assert.deepEqual(json(parts[0]), { alg: 'SGD_SM2_3', enc, kid: 'k' });
      assert.deepEqual(protectedHeader(token), { alg: 'SGD_SM2_3', enc, kid: 'k' });
      const [encryptedKey, nonce, ciphertext, tag] = parts.slice(1).map((part) => Buffer.from(part, 'base64url'));
      assert.deepEqual([nonce.length, ciphertext.length, tag.length], [12, length, 16]);
      const inner = key.decrypt(encryptedKey, { form: 'der' });
      assert.equal(inner.length, 16);
      const cipher = sm4[enc === 'SGD_SM4_GCM' ? 'Gcm' : 'Ccm'].create(inner);
      assert.deepEqual(cipher.open(nonce, Buffer.concat([ciphertext, tag]), utf8(parts[0])), message);
      assert.deepEqual(decryptJwe(token, key), { header: { alg: 'SGD_SM2_3', enc, kid: 'k' }, message });
    }
    const again = [encryptJwe(payload, key.publicKey, { enc }), encryptJwe(payload, key.publicKey, { enc })].map((token) => token.split('.'));
    for (const part of [1, 2, 3]) assert.notEqual(again[0][part], again[1][part]);
  });

  test(`JWE with ${enc}, altered`, () => {
    const token = encryptJwe(payload, key.publicKey, { enc });
    for (let i = 0; i < token.length; i += 1) {
      const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1);
      assert.throws(() => decryptJwe(changed, key), { name: 'KuaimiError' }, `${i}`);
    }
    fails('DecryptionFailed', () => decryptJwe(token, other));
    const parts = token.split('.');
    // The header is associated data, also where it says the same in other words.
    const spaced = url(Buffer.from(parts[0], 'base64url').toString().replace(',', ', '));
    fails('DecryptionFailed', () => decryptJwe([spaced, ...parts.slice(1)].join('.'), key));
    fails('Malformed', () => decryptJwe([...parts.slice(0, 4), parts[4].slice(0, 20)].join('.'), key));
    fails('Malformed', () => decryptJwe([...parts.slice(0, 2), url(new Uint8Array(16)), ...parts.slice(3)].join('.'), key));
    fails('Malformed', () => decryptJwe(parts.slice(0, 4).join('.'), key));
    const messages = new Set();
    for (const length of [1, 15, 16, 17, 32]) {
      const wrapped = url(key.publicKey.encrypt(new Uint8Array(length), { form: 'der' }));
      assert.throws(
        () => decryptJwe([parts[0], wrapped, ...parts.slice(2)].join('.'), key),
        (error) => error.code === 'DecryptionFailed' && messages.add(error.message).size > 0,
      );
    }
    assert.throws(() => decryptJwe(token, other), (error) => messages.add(error.message).size > 0);
    assert.equal(messages.size, 1, [...messages].join());
  });
}

test('tokens that another library made', () => {
  // With gmsm 0.29.1 for Go: EncryptASN1 and SM4-GCM; SignWithSM2.
  const [encrypted, signed] = [
    'eyJhbGciOiJTR0RfU00yXzMiLCJlbmMiOiJTR0RfU000X0dDTSJ9.MHkCIQDDQYjNqWrJa4uUqqjxH6UVWH8YVWTGO6bbMBh' +
    'woJ10YwIgWK-y9pDVqs41S97zs1nTNi93dh9ToQMRM9Ja5LZaSfUEIFFkY9FRR9JyqKLyz4upEq7HBlbvq_Vbq4vQYz0JpWW' +
    'tBBCMBdWtlp2rHaoqeuqX2YNT.MwUS6SMX3yFcql0c.dUoK50sPpA.VBb3jG_EuayHrEkG-rQP5A',
    'eyJhbGciOiJTR0RfU00zX1NNMiJ9.ZnJvbSBHbw.MEUCIASkCC6ZQWcFRm3KrejyzQAW4JFN6VT-jKnCdtb6kRirAiEAlGMA' +
    'zz47YsWpH-Pp1KHE4DJf369MP7UlMsaODS966n0',
  ];
  assert.equal(fromUtf8(decryptJwe(encrypted, key).message), 'from Go');
  assert.equal(fromUtf8(verifyJws(signed, key.publicKey, SM2).payload), 'from Go');
});

test('JWE: algorithms, keys and options', () => {
  const token = encryptJwe(payload, key.publicKey, { form: 'c1c3c2' });
  assert.deepEqual(decryptJwe(token, key, { form: 'c1c3c2' }).message, payload);
  fails('DecryptionFailed', () => decryptJwe(token, key));
  fails('OtherAlgorithm', () => decryptJwe(token, key, { encryptions: ['SGD_SM4_CCM'], form: 'c1c3c2' }));
  for (const encryptions of [[], ['A128GCM'], 'SGD_SM4_GCM', null]) fails('InvalidArgument', () => decryptJwe(token, key, { encryptions }));
  for (const enc of ['A128GCM', 'toString', null, 7]) fails('InvalidArgument', () => encryptJwe(payload, key.publicKey, { enc }));
  fails('InvalidArgument', () => encryptJwe(payload, key.publicKey, { form: 'x' }));
  fails('OtherKey', () => encryptJwe(payload, key));
  fails('OtherKey', () => decryptJwe(token, key.publicKey));
  const rest = token.split('.').slice(1);
  for (const header of [{ alg: 'dir', enc: 'SGD_SM4_GCM' }, { alg: 'RSA1_5', enc: 'SGD_SM4_GCM' }, { alg: 'SGD_SM2_3', enc: 'A128GCM' }, { alg: 'SGD_SM2_3' }, { alg: 'SGD_SM2_3', enc: 'constructor' }]) {
    fails('OtherAlgorithm', () => decryptJwe([url(JSON.stringify(header)), ...rest].join('.'), key));
  }
  fails('Malformed', () => decryptJwe([url('{"alg":"SGD_SM2_3","enc":"SGD_SM4_GCM","zip":"DEF"}'), ...rest].join('.'), key));
  // A JWS is no JWE.
  fails('Malformed', () => decryptJwe(signJws(payload, secret), key));
  fails('Malformed', () => verifyJws(token, secret, HMAC));
});

const NOW = 1_800_000_000;
/** The claim that is refused. */
function refused(claim, call) {
  assert.throws(call, (error) => {
    assert.equal(error.name, 'KuaimiError', String(error.stack));
    assert.deepEqual([error.code, error.claim], ['InvalidClaim', claim]);
    return true;
  });
}

test('a JWT and its times', () => {
  const token = signJwt({ sub: 'alice', nbf: NOW + 10 }, key, { expiresIn: 60, now: NOW, header: { kid: 'k' } });
  const at = (now, options) => verifyJwt(token, key.publicKey, { ...SM2, now, ...options });
  assert.deepEqual(at(NOW + 10), {
    header: { typ: 'JWT', alg: 'SGD_SM3_SM2', kid: 'k' },
    claims: { iat: NOW, sub: 'alice', nbf: NOW + 10, exp: NOW + 60 },
  });
  at(NOW + 59);
  refused('exp', () => at(NOW + 60));
  refused('nbf', () => at(NOW + 9));
  at(NOW + 64, { clockTolerance: 5 });
  refused('exp', () => at(NOW + 65, { clockTolerance: 5 }));
  at(NOW + 5, { clockTolerance: 5 });
  refused('nbf', () => at(NOW + 4, { clockTolerance: 5 }));
  fails('InvalidSignature', () => verifyJwt(token, other.publicKey, { ...SM2, now: NOW + 10 }));
  // By the clock.
  const { claims } = verifyJwt(signJwt({}, secret, { expiresIn: 60 }), secret, HMAC);
  assert.ok(Math.abs(claims.iat - Date.now() / 1000) < 30 && claims.exp === claims.iat + 60);
  refused('exp', () => verifyJwt(signJwt({ exp: 1 }, secret), secret, HMAC));
  refused('nbf', () => verifyJwt(signJwt({ nbf: 1e11 }, secret), secret, HMAC));
});

test('times that are none', () => {
  for (const name of ['exp', 'nbf', 'iat']) {
    for (const value of ['1e999', '-1e999', '"1900000000"', 'null', 'true', '[1900000000]', '{}']) {
      const token = coded({ alg: 'SGD_SM3_HMAC' }, `{"${name}":${value}}`);
      refused(name, () => verifyJwt(token, secret, { ...HMAC, now: NOW, clockTolerance: 10 }));
    }
    for (const value of [NaN, Infinity, '7', null, new Date()]) fails('InvalidArgument', () => signJwt({ [name]: value }, secret));
  }
  for (const options of [{ expiresIn: NaN }, { expiresIn: '1h' }, { now: NaN }, { now: new Date() }]) fails('InvalidArgument', () => signJwt({}, secret, options));
  fails('InvalidArgument', () => signJwt({ exp: NOW }, secret, { expiresIn: 1 }));
});

test('who a JWT is of and for', () => {
  const token = (claims) => signJwt(claims, secret, { now: NOW });
  const verify = (claims, options) => verifyJwt(token(claims), secret, { ...HMAC, now: NOW, ...options });
  for (const [option, claim] of [['issuer', 'iss'], ['subject', 'sub'], ['audience', 'aud']]) {
    verify({ [claim]: 'a' }, { [option]: 'a' });
    verify({ [claim]: 'a' }, { [option]: ['b', 'a'] });
    for (const value of ['b', 'A', 'aa', '', 7, null, { a: 'a' }, undefined]) refused(claim, () => verify({ [claim]: value }, { [option]: 'a' }));
    for (const value of [7, null, [], [7], {}]) fails('InvalidArgument', () => verify({ [claim]: 'a' }, { [option]: value }));
    // A setting that is missing must not mean that nothing is checked.
    fails('InvalidArgument', () => verify({ [claim]: 'a' }, { [option]: undefined }));
  }
  verify({ aud: ['x', 'a'] }, { audience: 'a' });
  refused('aud', () => verify({ aud: ['x', ['a']] }, { audience: 'a' }));
  refused('aud', () => verify({ aud: [] }, { audience: 'a' }));
  refused('iss', () => verify({ iss: ['a'] }, { issuer: 'a' }));
  verify({ jti: null }, { required: ['jti', 'iat'] });
  refused('exp', () => verify({}, { required: ['exp'] }));
  refused('toString', () => verify({}, { required: ['toString'] }));
  for (const options of [{ required: 'exp' }, { required: undefined }, { clockTolerance: -1 }, { clockTolerance: 'x' }, { clockTolerance: undefined }, { now: undefined }, { now: NaN }]) {
    fails('InvalidArgument', () => verify({}, options));
  }
  fails('InvalidArgument', () => verifyJwt(token({}), secret));
});

test('the type of a JWT', () => {
  const token = signJwt({}, secret, { header: { typ: 'at+jwt' } });
  for (const type of ['at+jwt', 'AT+JWT', 'application/at+jwt']) verifyJwt(token, secret, { ...HMAC, type });
  refused('typ', () => verifyJwt(token, secret, { ...HMAC, type: 'JWT' }));
  refused('typ', () => verifyJwt(coded({ alg: 'SGD_SM3_HMAC' }), secret, { ...HMAC, type: 'JWT' }));
  for (const type of [7, null, undefined]) {
    fails('InvalidArgument', () => verifyJwt(coded({ alg: 'SGD_SM3_HMAC' }), secret, { ...HMAC, type }));
  }
});

test('claims that are no object, or are read differently', () => {
  for (const body of ['[]', '"x"', '7', 'null', '', '{', '{"exp":1,"exp":99999999999}', '{"__proto__":{"exp":1}}']) {
    fails('Malformed', () => verifyJwt(coded({ alg: 'SGD_SM3_HMAC' }, body), secret, HMAC));
  }
  const circular = {};
  circular.circular = circular;
  for (const claims of [[], 'x', 7, null, undefined, { a: 1n }, circular, { toJSON: () => 7 }, { toJSON: () => undefined }]) fails('InvalidArgument', () => signJwt(claims, secret));
});

test('JWKs come back as the same key', () => {
  const jwk = toJwk(key, { kid: 'k', use: 'sig' });
  assert.deepEqual(Object.keys(jwk), ['kid', 'use', 'kty', 'crv', 'x', 'y', 'd']);
  assert.deepEqual([jwk.kty, jwk.crv, jwk.d], ['EC', 'SM2-P-256', url(key.toBytes())]);
  assert.equal(fromJwk(JSON.parse(JSON.stringify(jwk))).equals(key), true);
  const open = toJwk(key.publicKey);
  assert.deepEqual(Object.keys(open), ['kty', 'crv', 'x', 'y']);
  assert.equal(Buffer.from(open.x + open.y, 'base64url').length, 64);
  assert.equal(fromJwk(open).equals(key.publicKey), true);
  assert.deepEqual(fromJwk(toJwk(secret)), secret);
  assert.equal(fromUtf8(fromJwk({ kty: 'oct', k: 'YQ' })), 'a');
  for (const crv of ['SM2', 'sm2p256v1']) assert.equal(fromJwk({ ...open, crv }).equals(key.publicKey), true);
  const wrong = toJwk(other);
  for (const [code, value] of [
    ['OtherKey', { ...open, crv: 'P-256' }], ['OtherKey', { ...open, kty: 'RSA' }], ['OtherKey', {}], ['OtherKey', { ...open, crv: undefined }],
    ['NotOnCurve', { ...open, y: open.x }], ['Malformed', { ...open, x: undefined }], ['Malformed', { ...open, x: `${open.x}=` }], ['Malformed', { ...open, x: 7 }],
    ['Malformed', { ...open, x: `AA${open.x}` }], ['Malformed', { ...open, y: open.y.slice(4) }],
    ['PublicKeyMismatch', { ...jwk, d: wrong.d }], ['PrivateKeyRange', { ...jwk, d: url(new Uint8Array(32)) }], ['PrivateKeyRange', { ...jwk, d: url(new Uint8Array(32).fill(255)) }],
    ['Malformed', { kty: 'oct' }], ['Malformed', { kty: 'oct', k: 'A' }], ['Malformed', { kty: 'oct', k: 'AA==' }],
    ['InvalidArgument', null], ['InvalidArgument', 'jwk'], ['InvalidArgument', [jwk]],
  ]) {
    fails(code, () => fromJwk(value));
  }
  fails('InvalidArgument', () => toJwk('secret'));
  fails('InvalidArgument', () => toJwk(secret, 7));
});
