// Streams of Node. Text is refused, as everywhere: what is written into them is bytes.

import { Transform } from 'node:stream';
import { bytes, maybe, whole } from '../bytes.js';
import { engine } from '../core.js';
import { invalid, KuaimiError } from '../errors.js';
import { held, own, Owned } from '../owned.js';
import { createHash, Hash, Hmac } from '../sm3.js';
import { createDecryptor, createEncryptor, Gcm } from '../sm4.js';

const NOTHING = new Uint8Array(0);

/** A stream of what `update` makes of each piece and `finish` at the end. `owned` is wiped. */
function transform(owned, highWaterMark, update, finish) {
  const give = (stream, done, make) => {
    try {
      const out = make();
      if (out.length > 0) stream.push(out);
      done();
    } catch (error) {
      done(error);
    }
  };
  return new Transform({
    highWaterMark,
    decodeStrings: false,
    transform(piece, _encoding, done) {
      give(this, done, () => update(bytes(piece, 'the piece')));
    },
    flush(done) {
      give(this, done, finish);
    },
    destroy(error, done) {
      owned.dispose();
      done(error);
    },
  });
}

function cipherStream(create, key, { highWaterMark, ...options } = {}) {
  if (options.mode === 'xts') throw invalid('XTS takes a sector as one piece: call sm4.encrypt or sm4.decrypt for each');
  const cipher = create(key, options);
  return transform(cipher, highWaterMark, (piece) => cipher.update(piece), () => cipher.finish());
}

/** A stream that encrypts: modes 'ecb', 'cbc', 'ctr', 'cfb', 'ofb'. */
export const encryptStream = (key, options) => cipherStream(createEncryptor, key, options);

/** A stream that decrypts. These modes do not notice what somebody has altered. */
export const decryptStream = (key, options) => cipherStream(createDecryptor, key, options);

/** A stream that gives one piece at its end, the digest of what was written: of SM3, or of `hash`. */
export function digestStream(hash = createHash(), { highWaterMark } = {}) {
  if (!(hash instanceof Hash || hash instanceof Hmac)) throw invalid('hash is a Hash or an Hmac');
  return transform(
    hash,
    highWaterMark,
    (piece) => {
      hash.update(piece);
      return NOTHING;
    },
    () => hash.digest(),
  );
}

/** A message of GCM that comes in pieces. */
class Seal extends Owned {
  static create(key, nonce, associatedData) {
    const core = engine();
    const handle = core.sm4_seal_new(
      bytes(key, 'key'),
      bytes(nonce, 'nonce'),
      maybe(associatedData, 'associatedData') ?? NOTHING,
    );
    return own(Seal, core, handle);
  }

  update(piece) {
    const [core, handle] = held(this, Seal, 'this');
    return core.sm4_seal_update(handle, piece);
  }

  finish() {
    const [core, handle] = held(this, Seal, 'this');
    return core.sm4_seal_finish(handle);
  }
}

/** A stream that encrypts with SM4-GCM, and gives the tag at its end: what Gcm.seal gives. */
export function sealStream(key, nonce, { associatedData, highWaterMark } = {}) {
  const seal = Seal.create(key, nonce, associatedData);
  return transform(seal, highWaterMark, (piece) => seal.update(piece), () => seal.finish());
}

/**
 * A stream that decrypts with SM4-GCM. It keeps all of the ciphertext, at most `maxLength` bytes of
 * it, and gives the message once the tag is verified, or nothing.
 */
export function openStream(key, nonce, { associatedData, maxLength = 2 ** 26, highWaterMark } = {}) {
  const most = whole(maxLength, 'maxLength', 16, 2 ** 31 - 1);
  const gcm = Gcm.create(key);
  const iv = bytes(nonce, 'nonce').slice();
  const associated = maybe(associatedData, 'associatedData')?.slice();
  const pieces = [];
  let length = 0;
  return transform(
    gcm,
    highWaterMark,
    (piece) => {
      length += piece.length;
      if (length > most) {
        throw new KuaimiError('MessageTooLong', `the ciphertext is longer than maxLength, ${most} bytes`);
      }
      pieces.push(piece.slice());
      return NOTHING;
    },
    () => gcm.open(iv, Buffer.concat(pieces, length), associated),
  );
}
