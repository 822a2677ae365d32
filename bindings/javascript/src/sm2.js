// SM2 (GB/T 32918-2016): keys, signatures, encryption, key exchange.

import { bytes, fromUtf8, maybeText, textOrBytes, whole } from './bytes.js';
import { engine } from './core.js';
import { invalid } from './errors.js';
import * as names from './names.js';
import { held, own, Owned } from './owned.js';
import { privateKeyOf, withNumber } from './secret.js';
import { Hash } from './sm3.js';

/** The bit beside a signature's form. */
const DETERMINISTIC = 8;
const POINT = 65;
/** The bytes of a private key, and of a shared x-coordinate. */
const SECRET = 32;

const identity = (id) => maybeText(id, 'id');

function written(key, form, password) {
  const secret = maybeText(password, 'password');
  return withNumber(key, (number) => engine('formats').formats_private_write(number, form, secret));
}

/** A private key: signs and decrypts. It shows nothing of itself. */
export class PrivateKey extends Owned {
  #publicKey;

  static generate() {
    const core = engine();
    return own(PrivateKey, core, core.sm2_generate());
  }

  /** The key with this number: 32 bytes, most significant first. */
  static fromBytes(data) {
    const core = engine();
    return own(PrivateKey, core, core.sm2_private_of_bytes(bytes(data, 'the private key')));
  }

  /** A key from a file in any form: PKCS#8, encrypted or not, SEC 1, the number; PEM, DER, text. */
  static load(data, { password } = {}) {
    const number = engine('formats').formats_private_read(textOrBytes(data, 'the key'), maybeText(password, 'password'));
    return privateKeyOf(number);
  }

  get publicKey() {
    if (this.#publicKey === undefined) {
      const [core, handle] = held(this, PrivateKey, 'this');
      this.#publicKey = own(PublicKey, core, core.sm2_public_of_private(handle));
    }
    return this.#publicKey;
  }

  /** The number of the key, 32 bytes. JavaScript does not wipe it. */
  toBytes() {
    const [core, handle] = held(this, PrivateKey, 'this');
    return core.sm2_private_to_bytes(handle);
  }

  /** PKCS#8 or SEC 1 as PEM; PKCS#8 under a password, if there is one. */
  toPem({ format = 'pkcs8', password } = {}) {
    return fromUtf8(written(this, names.privateForm(format), password));
  }

  /** The same as DER. */
  toDer({ format = 'pkcs8', password } = {}) {
    return written(this, names.privateForm(format) + 1, password);
  }

  /** Signs a message under an identity. */
  sign(message, { id, form = 'der', deterministic = false } = {}) {
    const [core, handle] = held(this, PrivateKey, 'this');
    const settings = names.writtenSignature(form) | (deterministic ? DETERMINISTIC : 0);
    return core.sm2_sign(handle, bytes(message, 'message'), identity(id), settings);
  }

  /** Signs a digest e = SM3(Z ‖ M) of 32 bytes. */
  signDigest(digest, { form = 'der', deterministic = false } = {}) {
    const [core, handle] = held(this, PrivateKey, 'this');
    const settings = names.writtenSignature(form) | (deterministic ? DETERMINISTIC : 0);
    return core.sm2_sign_digest(handle, bytes(digest, 'digest'), settings);
  }

  /** Signs a digest, and says which of the keys that fit is this one. */
  signDigestRecoverable(digest, { form = 'der' } = {}) {
    const [core, handle] = held(this, PrivateKey, 'this');
    const both = core.sm2_sign_recoverable(handle, bytes(digest, 'digest'), names.writtenSignature(form));
    return { signature: both.slice(0, -1), recoveryId: both[both.length - 1] };
  }

  /** Decrypts. The form is found, where it is not given. */
  decrypt(ciphertext, { form } = {}) {
    const [core, handle] = held(this, PrivateKey, 'this');
    return core.sm2_decrypt(handle, bytes(ciphertext, 'ciphertext'), names.readCiphertext(form));
  }

  /** The x-coordinate of the shared point, for TLS 1.3 (RFC 8998). */
  diffieHellman(publicKey) {
    const [core, handle] = held(this, PrivateKey, 'this');
    return core.sm2_diffie_hellman(handle, held(publicKey, PublicKey, 'publicKey', core)[1]);
  }

  /** This key for the holder of another (GB/T 35276-2017, 7.4). */
  toEnvelopedKey(recipient) {
    held(recipient, PublicKey, 'recipient');
    return withNumber(this, (number) => engine('formats').formats_envelope(number, recipient.toBytes()));
  }

  /** The key in an enveloped key that was made for this one. */
  openEnvelopedKey(envelope) {
    const view = bytes(envelope, 'envelope');
    return withNumber(this, (number) => privateKeyOf(engine('formats').formats_open_envelope(number, view)));
  }

  /** Whether this is the same key; in constant time. */
  equals(other) {
    if (!(other instanceof PrivateKey)) return false;
    const [core, handle] = held(this, PrivateKey, 'this');
    return core.sm2_private_equal(handle, held(other, PrivateKey, 'other', core)[1]);
  }
}

/** A public key: verifies and encrypts. Always a point of the curve. */
export class PublicKey extends Owned {
  /** The key of a point of 65, 64 or 33 bytes. */
  static fromBytes(data) {
    const core = engine();
    return own(PublicKey, core, core.sm2_public_of_bytes(bytes(data, 'the public key')));
  }

  /** A key from a file in any form, also a certificate, of which nothing else is read. */
  static load(data) {
    return PublicKey.fromBytes(engine('formats').formats_public_read(textOrBytes(data, 'the key')));
  }

  /** The public key of a signature over a digest. */
  static recover(digest, signature, recoveryId, { form } = {}) {
    const core = engine();
    const handle = core.sm2_recover(
      bytes(digest, 'digest'),
      bytes(signature, 'signature'),
      whole(recoveryId, 'recoveryId', 0, 3),
      names.readSignature(form),
    );
    return own(PublicKey, core, handle);
  }

  /** The point: 65 bytes, or 33. */
  toBytes({ compressed = false } = {}) {
    const [core, handle] = held(this, PublicKey, 'this');
    return core.sm2_public_to_bytes(handle, compressed ? 1 : 0);
  }

  /** SubjectPublicKeyInfo as PEM. */
  toPem() {
    return fromUtf8(engine('formats').formats_public_write(this.toBytes(), 1));
  }

  /** The same as DER. */
  toDer() {
    return engine('formats').formats_public_write(this.toBytes(), 2);
  }

  /** Whether the signature is this key's over the message under the identity. */
  verify(signature, message, { id, form } = {}) {
    const [core, handle] = held(this, PublicKey, 'this');
    return core.sm2_verify(
      handle,
      bytes(signature, 'signature'),
      bytes(message, 'message'),
      identity(id),
      names.readSignature(form),
    );
  }

  /** The same over a digest e = SM3(Z ‖ M). */
  verifyDigest(signature, digest, { form } = {}) {
    const [core, handle] = held(this, PublicKey, 'this');
    return core.sm2_verify_digest(
      handle,
      bytes(signature, 'signature'),
      bytes(digest, 'digest'),
      names.readSignature(form),
    );
  }

  /** What a signature that does not verify fits, in words, if it is something that people get wrong. */
  explain(signature, message, { id, form } = {}) {
    const found = engine('formats').formats_explain(
      this.toBytes(),
      bytes(signature, 'signature'),
      bytes(message, 'message'),
      identity(id),
      names.readSignature(form),
    );
    return found.length === 0 ? undefined : fromUtf8(found);
  }

  /** Encrypts a message of at least one byte. */
  encrypt(message, { form = 'c1c3c2' } = {}) {
    const [core, handle] = held(this, PublicKey, 'this');
    return core.sm2_encrypt(handle, bytes(message, 'message'), names.writtenCiphertext(form));
  }

  /** A hash that has taken in Z: add the message, and sign or verify its digest. */
  messageHash({ id } = {}) {
    const [core, handle] = held(this, PublicKey, 'this');
    return own(Hash, core, core.sm2_message_hash(handle, identity(id)));
  }

  /** Z (GB/T 32918.2-2016, 5.5), 32 bytes. */
  identityDigest({ id } = {}) {
    const [core, handle] = held(this, PublicKey, 'this');
    return core.sm2_identity_digest(handle, identity(id));
  }

  /** Computes the key's table now; it is made at the second use. */
  prepare() {
    const [core, handle] = held(this, PublicKey, 'this');
    core.sm2_public_prepare(handle);
    return this;
  }

  equals(other) {
    if (!(other instanceof PublicKey)) return false;
    const [ours, theirs] = [this.toBytes(), other.toBytes()];
    return ours.every((byte, i) => byte === theirs[i]);
  }
}

const keyLength = (length) => whole(length, 'keyLength', 1, 2 ** 30);

/** The side of a key exchange that begins (GB/T 32918.3-2016). Each object serves one exchange. */
export class KeyExchangeInitiator extends Owned {
  static create(privateKey, peerPublicKey, { id, peerId } = {}) {
    const [core, handle] = held(privateKey, PrivateKey, 'privateKey');
    const peer = held(peerPublicKey, PublicKey, 'peerPublicKey', core)[1];
    const exchange = core.sm2_exchange_start(handle, peer, identity(id), maybeText(peerId, 'peerId'), undefined);
    return own(KeyExchangeInitiator, core, exchange);
  }

  /** For the other side, 65 bytes. */
  get point() {
    const [core, handle] = held(this, KeyExchangeInitiator, 'this');
    return core.sm2_exchange_point(handle);
  }

  /** The shared key, and the confirmation for the other side, from its point and confirmation. */
  finish(point, confirmation, length) {
    const [core, handle] = held(this, KeyExchangeInitiator, 'this');
    const both = core.sm2_exchange_finish(
      handle,
      bytes(point, 'point'),
      bytes(confirmation, 'confirmation'),
      keyLength(length),
    );
    this.dispose();
    return { key: both.slice(0, length), confirmation: both.slice(length) };
  }

  /** The shared key without confirmation. */
  finishUnconfirmed(point, length) {
    const [core, handle] = held(this, KeyExchangeInitiator, 'this');
    const key = core.sm2_exchange_finish(handle, bytes(point, 'point'), undefined, keyLength(length));
    this.dispose();
    return key;
  }
}

/** The side that answers. */
export class KeyExchangeResponder extends Owned {
  /** Answers the other side's point. */
  static respond(privateKey, peerPublicKey, point, length, { id, peerId } = {}) {
    const [core, handle] = held(privateKey, PrivateKey, 'privateKey');
    const exchange = core.sm2_exchange_respond(
      handle,
      held(peerPublicKey, PublicKey, 'peerPublicKey', core)[1],
      identity(id),
      maybeText(peerId, 'peerId'),
      bytes(point, 'point'),
      keyLength(length),
      undefined,
    );
    return own(KeyExchangeResponder, core, exchange);
  }

  /** For the other side, 65 bytes. */
  get point() {
    const [core, handle] = held(this, KeyExchangeResponder, 'this');
    return core.sm2_exchange_answer(handle).slice(0, POINT);
  }

  /** For the other side, 32 bytes. */
  get confirmation() {
    const [core, handle] = held(this, KeyExchangeResponder, 'this');
    return core.sm2_exchange_answer(handle).slice(POINT);
  }

  /** The shared key, once the other side's confirmation proves that it has the same. */
  confirm(confirmation) {
    const [core, handle] = held(this, KeyExchangeResponder, 'this');
    const key = core.sm2_exchange_confirm(handle, bytes(confirmation, 'confirmation'));
    this.dispose();
    return key;
  }

  /** The shared key without confirmation. */
  keyUnconfirmed() {
    const [core, handle] = held(this, KeyExchangeResponder, 'this');
    const key = core.sm2_exchange_confirm(handle, undefined);
    this.dispose();
    return key;
  }
}

/** A signature in another form. */
export function convertSignature(signature, to, from) {
  return engine().sm2_convert_signature(
    bytes(signature, 'signature'),
    names.readSignature(from),
    names.writtenSignature(to),
  );
}

/** A ciphertext in another form. */
export function convertCiphertext(ciphertext, from, to) {
  return engine().sm2_convert_ciphertext(
    bytes(ciphertext, 'ciphertext'),
    names.readCiphertext(from),
    names.writtenCiphertext(to),
  );
}

/** The forms that a ciphertext may have, by its looks. */
export function detectCiphertext(ciphertext) {
  const found = engine().sm2_detect_ciphertext(bytes(ciphertext, 'ciphertext'));
  return Array.from(found, (number) => names.ciphertextNames[number - 1]);
}

/** What bytes or text are: a key, a certificate, a signature or a ciphertext. Secrets are not shown. */
export function describe(data) {
  const lines = fromUtf8(engine('formats').formats_describe(textOrBytes(data, 'data')));
  return Object.fromEntries(lines.trimEnd().split('\n').map((line) => line.split('\t')));
}

/** Many private keys of 32 bytes and their public keys of 65 bytes, one after another. */
export function generateBatch(count) {
  const both = engine().sm2_generate_batch(whole(count, 'count', 0, 2 ** 20), 0);
  return { privateKeys: both.slice(0, 32 * count), publicKeys: both.slice(32 * count) };
}

/** The shared x-coordinates, as PrivateKey.diffieHellman, of private keys of 32 bytes and public keys of 65. */
export function diffieHellmanBatch(privateKeys, publicKeys) {
  const [keys, peers] = [bytes(privateKeys, 'privateKeys'), bytes(publicKeys, 'publicKeys')];
  const core = engine();
  if (core.sm2_diffie_hellman_batch === undefined) return diffieHellmanEach(keys, peers);
  return core.sm2_diffie_hellman_batch(keys, peers, 0);
}

/** The same, by an engine that has no batch of them. */
function diffieHellmanEach(keys, peers) {
  if (keys.length % SECRET !== 0 || peers.length % POINT !== 0) {
    throw invalid('a column has items of 32 bytes (private keys) or 65 (keys), and no part of one');
  }
  const count = keys.length / SECRET;
  if (peers.length !== POINT * count) throw invalid('the columns have different numbers of items: give as many of each');
  const secrets = new Uint8Array(SECRET * count);
  for (let i = 0; i < count; i += 1) {
    const key = PrivateKey.fromBytes(keys.subarray(SECRET * i, SECRET * (i + 1)));
    let peer;
    try {
      peer = PublicKey.fromBytes(peers.subarray(POINT * i, POINT * (i + 1)));
      const secret = key.diffieHellman(peer);
      secrets.set(secret, SECRET * i);
      secret.fill(0);
    } finally {
      peer?.dispose();
      key.dispose();
    }
  }
  return secrets;
}

/** The signatures of 64 bytes over digests of 32 bytes, one after another. */
export function signBatch(privateKey, digests) {
  const [core, handle] = held(privateKey, PrivateKey, 'privateKey');
  return core.sm2_sign_batch(handle, bytes(digests, 'digests'), 0);
}

/**
 * A byte for each signature: 1 where it is right. `keys` is one key for all, or points of 65 bytes,
 * one after another.
 */
export function verifyBatch(keys, digests, signatures) {
  const columns = [bytes(digests, 'digests'), bytes(signatures, 'signatures'), 0];
  if (keys instanceof PublicKey) {
    const [core, handle] = held(keys, PublicKey, 'keys');
    return core.sm2_verify_batch_with(handle, ...columns);
  }
  return engine().sm2_verify_batch(bytes(keys, 'keys'), ...columns);
}
