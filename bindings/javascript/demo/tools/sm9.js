// SM9: a centre that lives in this page alone, and users who are their names.

import { fromUtf8, toHex, utf8 } from 'kuaimi/slim';
import * as sm9 from 'kuaimi/sm9/slim';
import { area, decoded, filled, line } from '../field.js';
import { from, result, tool } from '../form.js';
import { readySm9 } from '../modules.js';

let centre;

async function opened() {
  await readySm9();
  centre ??= { signing: sm9.MasterSigningKey.generate(), encryption: sm9.MasterEncryptionKey.generate() };
  return centre;
}

export function sm9Tool() {
  const page = tool('sm9');
  const id = page.add(line('sm9.id', { value: 'alice@example.com' }));
  const message = page.add(area('sm9.message'));
  const signature = page.add(area('sm9.signature', { code: true }));
  const ciphertext = page.add(area('sm9.ciphertext', { code: true }));
  const master = result('sm9.master');
  const user = () => from(id, async () => utf8(await filled(id)));
  /** The centre, which shows its public keys. */
  const ask = async () => {
    const { signing, encryption } = await opened();
    master.set([signing, encryption].map((key) => toHex(key.publicKey.toBytes())).join('\n'));
    return centre;
  };
  page.buttons({
    async 'sm9.sign'() {
      const [name, data] = [await user(), await from(message, utf8)];
      const { signing } = await ask();
      signature.set(toHex(signing.extract(name).sign(data)));
      page.right('sm9.signed', fromUtf8(name));
    },
    async 'sm9.verify'() {
      const [name, data, bytes] = [await user(), await from(message, utf8), await decoded(signature)];
      const { signing } = await ask();
      const fits = signing.publicKey.verifyingKey(name).verify(bytes, data);
      page[fits ? 'right' : 'wrong'](fits ? 'sm9.verified' : 'sm9.unverified', fromUtf8(name));
    },
    async 'sm9.encrypt'() {
      const name = await user();
      const data = utf8(await filled(message));
      const { encryption } = await ask();
      ciphertext.set(toHex(encryption.publicKey.encryptionKey(name).encrypt(data)));
      page.right('sm9.encrypted', fromUtf8(name));
    },
    async 'sm9.decrypt'() {
      const [name, bytes] = [await user(), await decoded(ciphertext)];
      const { encryption } = await ask();
      message.set(await from(ciphertext, () => fromUtf8(encryption.extract(name).decrypt(bytes))));
      page.right('sm9.decrypted', fromUtf8(name));
    },
    async 'sm9.renew'() {
      centre = undefined;
      await ask();
      page.plain('sm9.renewed');
    },
  });
  page.add(master);
}
