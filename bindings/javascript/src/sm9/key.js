// What all keys of SM9 have, master keys and those of users.

import { bytes, fromUtf8, kindOf, maybeText, textOrBytes, whole } from '../bytes.js';
import { engine } from '../core.js';
import { invalid } from '../errors.js';
import * as names from '../names.js';
import { held, own, Owned } from '../owned.js';

/** What a key is made for (operations/src/sm9/mod.rs). */
export const SIGNATURES = 0;
export const ENCRYPTION = 1;
export const EXCHANGE = 2;

/** The function identifiers of GB/T 41389-2022. */
export const HID_SIGN = 1;
export const HID_EXCHANGE = 2;
export const HID_ENCRYPT = 3;

/** The DER of GB/T 41389-2022 alone (names.js). */
const BARE = 3;

export const identity = (id, what = 'identity') => textOrBytes(id, what);
export const oneByte = (hid, what = 'hid') => whole(hid, what, 0, 255);
export const keyLength = (length) => whole(length, 'length', 1, 2 ** 26);

export function given(options = {}) {
  if (options === null || typeof options !== 'object') throw invalid(`options are an object, not ${kindOf(options)}`);
  return options;
}

/** An object of a class, from an operation without a key. */
export function made(Class, operation, ...values) {
  const core = engine('sm9');
  return own(Class, core, core[operation](...values));
}

/** What an operation with a key gives. */
export function done(key, Class, operation, ...values) {
  const [core, handle] = held(key, Class, 'this');
  return core[operation](handle, ...values);
}

/** An object of another class, from an operation with a key. */
export function derived(key, Class, Result, operation, ...values) {
  return own(Result, held(key, Class, 'this')[0], done(key, Class, operation, ...values));
}

// Files: the module `formats` reads and writes the parts of a key, and SM9's own makes a key of
// them, which it checks.

/** What is made of the parts of a key in a file, or of the DER of GB/T 41389-2022 alone. */
function fromFile(data, password, ofParts, ofDer) {
  const files = engine('formats');
  let parts;
  try {
    parts = files.formats_sm9_read(data, password);
  } catch (why) {
    if (ofDer === undefined) throw why;
    // That DER does not say what it is: if it is no key, then by what is wrong with the file.
    try {
      return ofDer();
    } catch (error) {
      throw error.code === 'NotAKey' ? why : error;
    }
  }
  try {
    return ofParts(parts);
  } finally {
    parts.fill(0);
  }
}

function masterFromFile(Class, operation, purpose, file, password) {
  return fromFile(
    file,
    password,
    (parts) => made(Class, `${operation}_of_parts`, purpose, parts),
    () => made(Class, `${operation}_of_der`, purpose, file),
  );
}

/** A key in a form that files have. */
function written(key, Class, operation, ...values) {
  const parts = done(key, Class, 'sm9_parts');
  try {
    return engine('formats')[operation](parts, ...values);
  } finally {
    parts.fill(0);
  }
}

class Key extends Owned {
  /** Whether this is the same key; in constant time where it is secret. */
  equals(other) {
    if (!(other instanceof Key)) return false;
    const [core, handle] = held(this, Key, 'this');
    return core.sm9_equal(handle, held(other, Key, 'other', core)[1]);
  }
}

class PublicKey extends Key {
  /** Computes the key's tables now; they are made at the second use. */
  prepare() {
    done(this, PublicKey, 'sm9_prepare');
    return this;
  }
}

export class PrivateKey extends Key {
  /** The number of a master key, 32 bytes, or the point of a user's. JavaScript does not wipe it. */
  toBytes() {
    return done(this, PrivateKey, 'sm9_private_write', 0);
  }

  /** PKCS#8 as PEM, under a password, if there is one. */
  toPem(options) {
    const { password } = given(options);
    return fromUtf8(written(this, PrivateKey, 'formats_sm9_private_write', 1, maybeText(password, 'password')));
  }

  /** The same as DER; or the DER of GB/T 41389-2022 alone, which says nothing about itself. */
  toDer(options) {
    const { format = 'pkcs8', password } = given(options);
    const number = names.sm9PrivateDer(format);
    const secret = maybeText(password, 'password');
    if (number === BARE && secret === undefined) return done(this, PrivateKey, 'sm9_private_write', number);
    return written(this, PrivateKey, 'formats_sm9_private_write', number, secret);
  }
}

export class MasterPublicKey extends PublicKey {
  /** The point after the byte 04: 129 bytes for signatures, 65 for encryption. */
  toBytes() {
    return done(this, MasterPublicKey, 'sm9_public_write', 0);
  }

  /** SubjectPublicKeyInfo as PEM, or what GmSSL writes. */
  toPem(options) {
    const { format = 'spki' } = given(options);
    return fromUtf8(written(this, MasterPublicKey, 'formats_sm9_public_write', names.sm9PublicPem(format)));
  }

  /** SubjectPublicKeyInfo as DER, or the DER of GB/T 41389-2022 alone. */
  toDer(options) {
    const { format = 'spki' } = given(options);
    const number = names.sm9PublicDer(format);
    if (number === BARE) return done(this, MasterPublicKey, 'sm9_public_write', number);
    return written(this, MasterPublicKey, 'formats_sm9_public_write', number);
  }
}

// Users' keys.

const masterOf = (key, Master) => derived(key, Key, Master, 'sm9_master_public_key');
const identityOf = (key) => done(key, Key, 'sm9_identity');
const hidOf = (key) => done(key, Key, 'sm9_hid');

function userFromFile(Class, Master, purpose, data, id, hid, { password, masterPublicKey }) {
  if (masterPublicKey !== undefined) held(masterPublicKey, Master, 'masterPublicKey');
  const file = textOrBytes(data, 'the key');
  const user = [identity(id), oneByte(hid)];
  const master = masterPublicKey?.toBytes();
  return fromFile(
    file,
    maybeText(password, 'password'),
    (parts) => made(Class, 'sm9_user_of_parts', purpose, parts, ...user, master),
    // Without the master public key there is nothing to check the key with.
    master && (() => made(Class, 'sm9_user_of_der', purpose, file, ...user, master)),
  );
}

export class UserKey extends PrivateKey {
  /** The identity, as bytes. */
  get identity() {
    return identityOf(this);
  }

  /** The function identifier. */
  get hid() {
    return hidOf(this);
  }

  /** Computes the key's tables now; they are made at the second use. */
  prepare() {
    done(this, UserKey, 'sm9_prepare');
    return this;
  }
}

export class UserPublicKey extends PublicKey {
  /** The identity, as bytes. */
  get identity() {
    return identityOf(this);
  }

  /** The function identifier. */
  get hid() {
    return hidOf(this);
  }
}

// What the classes for signatures and those for encryption have alike.

function define(object, functions) {
  for (const [name, value] of Object.entries(functions)) {
    Object.defineProperty(object, name, { value, writable: true, configurable: true });
  }
}

/** Gives the classes of master keys and of their public keys the functions that make them. */
export function masterKeys(Class, Public, purpose) {
  define(Class, {
    generate() {
      return made(Class, 'sm9_master_generate', purpose);
    },
    /** The key with this number: 32 bytes, most significant first. */
    fromBytes(data) {
      return made(Class, 'sm9_master_of_bytes', purpose, bytes(data, 'the master key'));
    },
    /** A key from a file in any form: PKCS#8, encrypted or not, PEM or DER; or GB/T 41389-2022's DER. */
    load(data, options) {
      const { password } = given(options);
      return masterFromFile(Class, 'sm9_master', purpose, textOrBytes(data, 'the master key'), maybeText(password, 'password'));
    },
  });
  define(Public, {
    /** The key of a point: of 129, 128 or 65 bytes for signatures, of 65, 64 or 33 for encryption. */
    fromBytes(data) {
      return made(Public, 'sm9_master_public_of_bytes', purpose, bytes(data, 'the master public key'));
    },
    /** A key from a file in any form: SubjectPublicKeyInfo, GmSSL's, GB/T 41389-2022's DER. */
    load(data) {
      return masterFromFile(Public, 'sm9_master_public', purpose, textOrBytes(data, 'the master public key'));
    },
  });
}

/** Gives a class of users' keys the functions that make them. */
export function userKeys(Class, Master, purpose, usualHid) {
  define(Class, {
    /** The key of a point, x ‖ y, if it is that of this user. */
    fromBytes(data, id, masterPublicKey, options) {
      const { hid = usualHid } = given(options);
      const [core, master] = held(masterPublicKey, Master, 'masterPublicKey');
      const point = bytes(data, 'the key');
      return own(Class, core, core.sm9_user_of_bytes(purpose, point, identity(id), oneByte(hid), master));
    },
    /** A key from a file in any form. The DER of GB/T 41389-2022 alone needs the master public key. */
    load(data, id, options) {
      const { hid = usualHid, ...rest } = given(options);
      return userFromFile(Class, Master, purpose, data, id, hid, rest);
    },
  });
}

/** Gives classes of users' keys, private and public ones, their master public key. */
export function withMaster(Master, ...Classes) {
  const masters = new WeakMap();
  for (const Class of Classes) {
    Object.defineProperty(Class.prototype, 'masterPublicKey', {
      get() {
        if (!masters.has(this)) masters.set(this, masterOf(this, Master));
        return masters.get(this);
      },
      configurable: true,
    });
  }
}
