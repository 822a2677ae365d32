// What every host has to do: the standards' examples, round trips, and errors with their codes.
// It throws at the first thing that is wrong, and counts what was right.

import curve from '#vectors/sm2.json';
import symmetric from '#vectors/sm3_sm4.json';
import modes from '#vectors/sm4_modes.json';

export function check({ sm2, sm3, sm4, utf8, fromUtf8, fromHex, toHex, randomBytes, KuaimiError }) {
  let right = 0;
  const same = (ours, theirs, what) => {
    const [a, b] = [ours, theirs].map((value) => (value instanceof Uint8Array ? toHex(value) : value));
    if (a !== b) throw new Error(`${what}: ${a} is not ${b}`);
    right += 1;
  };
  const fails = (code, call, what) => {
    let error;
    try {
      call();
    } catch (thrown) {
      error = thrown;
    }
    if (!(error instanceof KuaimiError)) throw new Error(`${what}: no KuaimiError but ${error}`);
    same(error.code, code, what);
  };

  for (const { message, digest } of symmetric.sm3) same(sm3.digest(fromHex(message)), digest.toLowerCase(), 'SM3');
  const [block] = symmetric.sm4;
  same(
    sm4.encrypt(fromHex(block.key), fromHex(block.plaintext), { mode: 'ecb', padding: 'none' }),
    block.ciphertext.toLowerCase(),
    'SM4',
  );
  for (const { mode, key, nonce, associated_data: associated, plaintext, ciphertext, tag } of modes.aead) {
    const cipher = { gcm: sm4.Gcm, ccm: sm4.Ccm }[mode].create(fromHex(key));
    const sealed = cipher.seal(fromHex(nonce), fromHex(plaintext), fromHex(associated));
    same(sealed, (ciphertext + tag).toLowerCase(), mode);
    sealed[3] ^= 1;
    fails('DecryptionFailed', () => cipher.open(fromHex(nonce), sealed, fromHex(associated)), `altered ${mode}`);
  }
  for (const { mode, key, iv, plaintext, ciphertext } of modes.feedback) {
    same(sm4.encrypt(fromHex(key), fromHex(plaintext), { mode, iv: fromHex(iv) }), ciphertext.toLowerCase(), mode);
  }

  const { signature: signed, encryption } = curve;
  const key = sm2.PrivateKey.fromBytes(fromHex(signed.d));
  same(key.publicKey.toBytes(), `04${signed.px}${signed.py}`.toLowerCase(), 'the public key');
  const message = utf8(signed.message_ascii);
  same(key.publicKey.verify(fromHex(signed.r + signed.s), message), true, "the standard's signature");
  same(key.publicKey.verify(fromHex(signed.r + signed.s), utf8('another')), false, 'of another message');
  const { c1, c2, c3 } = encryption;
  same(fromUtf8(key.decrypt(fromHex(c1 + c3 + c2), { form: 'c1c3c2' })), encryption.message_ascii, 'C1C3C2');
  same(fromUtf8(key.decrypt(fromHex(encryption.der_gmt0009))), encryption.message_ascii, 'DER');

  const loaded = sm2.PrivateKey.load(key.toPem({ password: 'open' }), { password: 'open' });
  same(loaded.equals(key), true, 'a key under a password');

  for (const length of [1, 31, 32, 33, 1000, 70000]) {
    const mine = sm2.PrivateKey.generate();
    const data = randomBytes(length);
    same(mine.decrypt(mine.publicKey.encrypt(data)), data, `${length} bytes to and fro`);
    same(mine.publicKey.verify(mine.sign(data), data), true, `a signature over ${length} bytes`);
    mine.dispose();
    fails('AlreadyFinalized', () => mine.sign(data), 'a key that was disposed of');
  }
  // No two alike.
  same(new Set(Array.from({ length: 50 }, () => toHex(randomBytes(16)))).size, 50, 'random bytes');
  fails('InvalidArgument', () => sm3.digest('text'), 'text as a message');
  fails('NotOnCurve', () => sm2.PublicKey.fromBytes(new Uint8Array(64).fill(1)), 'a point off the curve');
  return right;
}
