// SM3 (GB/T 32905-2016), HMAC, key derivation.

import { bytes, columns, toHex, whole } from './bytes.js';
import { engine } from './core.js';
import { held, own, Owned } from './owned.js';

/** SM3 over data that comes in pieces. */
export class Hash extends Owned {
  update(data) {
    const [core, handle] = held(this, Hash, 'this');
    core.sm3_update(handle, bytes(data, 'data'));
    return this;
  }

  /** The digest of what came so far, 32 bytes. The hash may go on. */
  digest() {
    const [core, handle] = held(this, Hash, 'this');
    return core.sm3_finish(handle);
  }

  hexDigest() {
    return toHex(this.digest());
  }

  clone() {
    const [core, handle] = held(this, Hash, 'this');
    return own(Hash, core, core.sm3_clone(handle));
  }
}

/** HMAC-SM3 over data that comes in pieces. */
export class Hmac extends Owned {
  update(data) {
    const [core, handle] = held(this, Hmac, 'this');
    core.sm3_update(handle, bytes(data, 'data'));
    return this;
  }

  digest() {
    const [core, handle] = held(this, Hmac, 'this');
    return core.sm3_finish(handle);
  }

  /** Whether this is the code of what came so far; in constant time. */
  verify(code) {
    const [core, handle] = held(this, Hmac, 'this');
    return core.sm3_hmac_verify(handle, bytes(code, 'code'));
  }
}

export function createHash() {
  const core = engine();
  return own(Hash, core, core.sm3_new());
}

export function createHmac(key) {
  const core = engine();
  return own(Hmac, core, core.sm3_hmac_new(bytes(key, 'key')));
}

/** The digest of data, 32 bytes. */
export function digest(data) {
  return engine().sm3_digest(bytes(data, 'data'));
}

export function hexDigest(data) {
  return toHex(digest(data));
}

/** The digests of many messages, one after another, 32 bytes each. */
export function digestMany(messages) {
  return engine().sm3_digest_many(...columns(messages));
}

/** HMAC-SM3, 32 bytes. */
export function hmac(key, data) {
  return engine().sm3_hmac(bytes(key, 'key'), bytes(data, 'data'));
}

/** The key derivation function of SM2 and SM9 (GB/T 32918.4-2016, 5.4.3). */
export function kdf(z, length) {
  return engine().sm3_kdf(bytes(z, 'z'), whole(length, 'length', 1, 2 ** 30));
}

/** PBKDF2 with HMAC-SM3 (RFC 8018). */
export function pbkdf2(password, salt, iterations, length = 32) {
  return engine().sm3_pbkdf2(
    bytes(password, 'password'),
    bytes(salt, 'salt'),
    whole(iterations, 'iterations', 1, 10_000_000),
    whole(length, 'length', 1, 2 ** 30),
  );
}
