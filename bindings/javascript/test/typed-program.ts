// Every function with the types that a careful program gives it.

import { backend, fromHex, KuaimiError, randomBytes, ready, sm2, sm3, sm4, toHex, utf8 } from 'kuaimi';
import type { Bytes } from 'kuaimi';

export async function program(): Promise<string> {
  await ready();
  const engine: 'native' | 'wasm-simd' | 'wasm' = backend();
  const message: Uint8Array = utf8('a message');
  const key: sm2.PrivateKey = sm2.PrivateKey.generate();
  const { publicKey } = key;
  const signature: Uint8Array = key.sign(message, { id: 'alice', form: 'raw' });
  const right: boolean = publicKey.verify(signature, message, { id: utf8('alice') });
  const why: string | undefined = publicKey.explain(signature, message);
  const { recoveryId } = key.signDigestRecoverable(sm3.digest(message));
  const again: sm2.PublicKey = sm2.PublicKey.recover(sm3.digest(message), signature, recoveryId);
  const ciphertext: Uint8Array = again.encrypt(message, { form: 'der' });
  const plain: Uint8Array = key.decrypt(ciphertext);
  const loaded = sm2.PrivateKey.load(key.toPem({ password: 'x' }), { password: 'x' });
  const initiator = sm2.KeyExchangeInitiator.create(key, publicKey, { peerId: 'bob' });
  const responder = sm2.KeyExchangeResponder.respond(loaded, publicKey, initiator.point, 16);
  const { key: shared } = initiator.finish(responder.point, responder.confirmation, 16);
  const view: Bytes = new DataView(shared.buffer);
  const cipher = sm4.Gcm.create(view);
  const sealed = cipher.seal(randomBytes(12), message, fromHex('00'));
  const piece = sm4.createEncryptor(sm4.generateKey(), { mode: 'cbc', iv: randomBytes(16) }).update(sealed);
  const verdicts: Uint8Array = sm2.verifyBatch(publicKey, sm3.digestMany([message]), signature);
  try {
    sm4.decrypt(view, piece, { mode: 'ecb', padding: 'none' });
  } catch (error) {
    if (error instanceof KuaimiError && error.code === 'PartialBlock') return error.message;
    throw error;
  } finally {
    key.dispose();
  }
  return [engine, right, why, toHex(plain), verdicts.length].join();
}
