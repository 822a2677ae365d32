// Every function of SM9 with the types that a careful program gives it.

import * as sm9 from 'kuaimi/sm9';
import type { Bytes, Form, Mac, Mode } from 'kuaimi/sm9';

export async function program(): Promise<string> {
  await sm9.ready();
  const message: Uint8Array = sm9.utf8('a message');
  const centre: sm9.MasterSigningKey = sm9.MasterSigningKey.generate();
  const alice: sm9.SigningKey = centre.extract('alice', { hid: 1 });
  const form: Form = 'raw';
  const signature: Uint8Array = alice.sign(message, { form });
  const verifier: sm9.VerifyingKey = centre.publicKey.verifyingKey(sm9.utf8('alice')).prepare();
  const right: boolean = verifier.verify(signature, message, { form });
  const again = sm9.SigningKey.load(alice.toPem({ password: 'x' }), 'alice', { password: 'x' });
  const bare: Uint8Array = again.toDer({ format: 'gbt' });
  const same: boolean = sm9.SigningKey.load(bare, 'alice', { masterPublicKey: centre.publicKey }).equals(alice);
  const published: string = centre.publicKey.toPem({ format: 'gmssl' });
  const master = sm9.MasterEncryptionKey.load(sm9.MasterEncryptionKey.generate().toDer());
  const [mode, mac]: [Mode, Mac] = ['cbc', 'hmac-sm3'];
  const bob: sm9.DecryptionKey = master.extract('bob');
  const plain: Uint8Array = bob.decrypt(bob.encryptionKey.encrypt(message, { mode, mac, form }), { mode, mac });
  const { key, encapsulated } = master.publicKey.encryptionKey('bob').encapsulate(32);
  const secret: Bytes = new DataView(bob.decapsulate(encapsulated, key.length).buffer);
  const carol: sm9.ExchangeKey = master.extractExchange('carol');
  const initiator = sm9.KeyExchangeInitiator.create(carol, 'dave', { peerHid: 2 });
  const responder = sm9.KeyExchangeResponder.respond(master.extractExchange('dave'), 'carol', initiator.point, 16);
  try {
    const shared = initiator.finish(responder.point, responder.confirmation, 16);
    return [right, same, published, sm9.toHex(plain), secret.byteLength, responder.confirm(shared.confirmation), bob.hid].join();
  } catch (error) {
    if (error instanceof sm9.KuaimiError && error.code === 'ConfirmationFailed') return error.message;
    throw error;
  } finally {
    carol.dispose();
  }
}
