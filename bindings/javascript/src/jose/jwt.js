// JSON Web Tokens (RFC 7519): claims in a JWS.

import { kindOf } from '../bytes.js';
import { invalid, KuaimiError } from '../errors.js';
import { given } from './compact.js';
import { isObject, parseObject, writeObject } from './json.js';
import { signJws, verifyJws } from './jws.js';

const seconds = () => Math.floor(Date.now() / 1000);

function number(value, what) {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw invalid(`${what} is a number of seconds`);
  return value;
}

function refuse(claim, message) {
  const error = new KuaimiError('InvalidClaim', message);
  error.claim = claim;
  return error;
}

/** A time that a token claims. JSON has numbers that are none, such as 1e999. */
function time(claims, name) {
  if (!Object.hasOwn(claims, name)) return undefined;
  const value = claims[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw refuse(name, `${name} is no number of seconds`);
  return value;
}

/** The token of claims. `iat` is added, and `exp` where `expiresIn` says after how many seconds. */
export function signJwt(claims, key, { expiresIn, now = seconds(), header, ...options } = {}) {
  if (!isObject(claims)) throw invalid(`claims are an object, not ${kindOf(claims)}`);
  const all = { iat: number(now, 'now'), ...claims };
  if (expiresIn !== undefined) {
    if (all.exp !== undefined) throw invalid('the claims have exp, and expiresIn is given, too');
    all.exp = now + number(expiresIn, 'expiresIn');
  }
  for (const name of ['iat', 'nbf', 'exp']) {
    if (all[name] !== undefined) number(all[name], name);
  }
  if (header !== undefined && !isObject(header)) throw invalid(`header is an object, not ${kindOf(header)}`);
  return signJws(writeObject(all, 'claims'), key, { ...options, header: { typ: 'JWT', ...header } });
}

/**
 * The header and the claims of a token whose signature is right, that is valid now, and that is
 * what the options ask for. `algorithms` has to be given.
 */
export function verifyJwt(token, key, options = {}) {
  const { issuer, audience, subject, type, required = [], clockTolerance = 0, now = seconds() } = options;
  given(options, ['issuer', 'audience', 'subject', 'type', 'required', 'clockTolerance', 'now']);
  number(now, 'now');
  if (number(clockTolerance, 'clockTolerance') < 0) throw invalid('clockTolerance is not negative');
  if (!Array.isArray(required)) throw invalid('required is an array of names of claims');
  if (type !== undefined && typeof type !== 'string') throw invalid('type is text');
  const { header, payload } = verifyJws(token, key, options);
  const claims = parseObject(payload, 'the payload');
  if (type !== undefined && mediaType(header.typ) !== mediaType(type)) throw refuse('typ', 'the token is of another type');
  for (const name of required) {
    if (!Object.hasOwn(claims, name)) throw refuse(name, `the token has no ${name}`);
  }
  time(claims, 'iat');
  const [from, until] = [time(claims, 'nbf'), time(claims, 'exp')];
  if (from !== undefined && now < from - clockTolerance) throw refuse('nbf', 'the token is not valid yet');
  if (until !== undefined && now >= until + clockTolerance) throw refuse('exp', 'the token has expired');
  if (issuer !== undefined && !texts(issuer, 'issuer').includes(claims.iss)) throw refuse('iss', 'the token is of another issuer');
  if (subject !== undefined && !texts(subject, 'subject').includes(claims.sub)) throw refuse('sub', 'the token is about another subject');
  if (audience !== undefined) {
    const named = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
    if (!texts(audience, 'audience').some((one) => named.includes(one))) throw refuse('aud', 'the token is for another audience');
  }
  return { header, claims };
}

/** One text or several. */
function texts(value, what) {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0 || list.some((one) => typeof one !== 'string')) throw invalid(`${what} is a text or an array of them`);
  return list;
}

/** `typ` names a media type, mostly without the beginning (RFC 7515, 4.1.9). */
function mediaType(name) {
  return typeof name === 'string' ? name.toLowerCase().replace(/^application\//, '') : undefined;
}
