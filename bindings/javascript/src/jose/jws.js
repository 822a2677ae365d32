// JSON Web Signatures (RFC 7515) with the algorithms of GM/T 0125-2022.

import { bytes, kindOf, maybeText, utf8 } from '../bytes.js';
import { fromBase64url, malformed, toBase64url } from '../base64url.js';
import { invalid, KuaimiError } from '../errors.js';
import { writtenSignature } from '../names.js';
import { Owned } from '../owned.js';
import { PrivateKey, PublicKey } from '../sm2.js';
import { createHmac, hmac } from '../sm3.js';
import { allowList, given, open, permit, writeHeader } from './compact.js';

const SM2 = 'SGD_SM3_SM2';
const HMAC = 'SGD_SM3_HMAC';

/** The identity of a token without `uid`. */
const DEFAULT = utf8('1234567812345678');

/** Of HMAC's keys, as RFC 7518, 3.2 asks: the length of the digest. */
const LEAST = 32;

/** A secret of HMAC. Text is none: it would be a public key in PEM, as often as a secret. */
function secret(key) {
  const data = bytes(key, 'the secret');
  if (data.length < LEAST) throw new KuaimiError('KeyLength', `a secret has at least ${LEAST} bytes, not ${data.length}`);
  return data;
}

/**
 * The compact JWS of a payload: with an sm2.PrivateKey SGD_SM3_SM2, with a secret SGD_SM3_HMAC. An
 * identity that is given as `uid` is written into the header.
 */
export function signJws(payload, key, { uid, form = 'der', header } = {}) {
  const body = toBase64url(bytes(payload, 'payload'));
  if (key instanceof PrivateKey) {
    writtenSignature(form);
    const id = maybeText(uid, 'uid');
    const own = id === undefined ? { alg: SM2 } : { alg: SM2, uid: toBase64url(id) };
    const input = `${writeHeader(own, header)}.${body}`;
    return `${input}.${toBase64url(key.sign(utf8(input), { id, form }))}`;
  }
  const data = secret(key);
  if (uid !== undefined) throw invalid('uid belongs to a key of SM2');
  const input = `${writeHeader({ alg: HMAC }, header)}.${body}`;
  return `${input}.${toBase64url(hmac(data, utf8(input)))}`;
}

/**
 * The header and the payload of a JWS whose signature is right. Its algorithm is one of `algorithms`
 * and fits the key: SGD_SM3_SM2 an sm2.PublicKey, SGD_SM3_HMAC a secret.
 */
export function verifyJws(token, key, options = {}) {
  const { algorithms, uid, form = 'der' } = options;
  const allowed = allowList(algorithms, [SM2, HMAC], 'algorithms');
  writtenSignature(form);
  given(options, ['uid']);
  const expected = maybeText(uid, 'uid');
  const { header, texts } = open(token, 3);
  permit(header.alg, allowed, 'alg');
  const payload = fromBase64url(texts[1], 'the payload');
  const signature = fromBase64url(texts[2], 'the signature');
  const input = utf8(`${texts[0]}.${texts[1]}`);
  const right = header.alg === SM2 ? signed(key, signature, input, header, expected, form) : coded(key, signature, input);
  if (!right) throw new KuaimiError('InvalidSignature', "the token's signature is not this key's");
  return { header, payload };
}

function signed(key, signature, input, header, expected, form) {
  if (!(key instanceof PublicKey)) throw new KuaimiError('OtherKey', `${SM2} takes an sm2.PublicKey, not ${kindOf(key)}`);
  const id = Object.hasOwn(header, 'uid') ? fromBase64url(header.uid, 'uid') : undefined;
  // Z has room for no more (GB/T 32918.2, 5.5).
  if (id?.length === 0 || id?.length > 8191) throw malformed('uid has 1 to 8191 bytes');
  if (expected !== undefined && toBase64url(expected) !== toBase64url(id ?? DEFAULT)) return false;
  return key.verify(signature, input, { id, form });
}

function coded(key, signature, input) {
  if (key instanceof Owned) throw new KuaimiError('OtherKey', `${HMAC} takes a secret as bytes, not a ${key.constructor.name}`);
  const code = createHmac(secret(key)).update(input);
  try {
    return code.verify(signature);
  } finally {
    code.dispose();
  }
}
