// SM4 of a text. The result begins with the nonce or initialization vector.

import { fromHex, fromUtf8, randomBytes, sm4, toHex, utf8 } from 'kuaimi/slim';
import { area, choice, decoded, filled, secret } from '../field.js';
import { from, FieldError, tool } from '../form.js';

const LENGTHS = { gcm: 12, ccm: 12, cbc: 16, ctr: 16 };
const AEADS = { gcm: sm4.Gcm, ccm: sm4.Ccm };

const joined = (a, b) => {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
};

export function sm4Tool() {
  const page = tool('sm4');
  const key = page.add(secret('sm4.key', { hint: 'sm4.keyHint' }));
  const mode = page.add(choice('sm4.mode', Object.keys(LENGTHS)));
  const message = page.add(area('sm4.message'));
  const ciphertext = page.add(area('sm4.ciphertext', { code: true, hint: 'sm4.ciphertextHint' }));
  const readKey = () => from(key, async () => {
    const bytes = fromHex((await filled(key)).replace(/\s+/g, ''));
    if (bytes.length !== 16) throw new FieldError(key, 'sm4.keyLength', bytes.length);
    return bytes;
  });
  page.buttons({
    async 'sm4.encrypt'() {
      const [bytes, name] = [await readKey(), await mode.value()];
      const data = await from(message, utf8);
      const iv = randomBytes(LENGTHS[name]);
      const out = name in AEADS ? AEADS[name].create(bytes).seal(iv, data) : sm4.encrypt(bytes, data, { mode: name, iv });
      ciphertext.set(toHex(joined(iv, out)));
      page.right('sm4.encrypted', data.length);
    },
    async 'sm4.decrypt'() {
      const [bytes, name] = [await readKey(), await mode.value()];
      const all = await decoded(ciphertext);
      const [iv, data] = [all.slice(0, LENGTHS[name]), all.slice(LENGTHS[name])];
      const open = () =>
        name in AEADS ? AEADS[name].create(bytes).open(iv, data) : sm4.decrypt(bytes, data, { mode: name, iv });
      message.set(await from(ciphertext, () => fromUtf8(open())));
      page.right('sm4.decrypted');
    },
    async 'sm4.generate'() {
      key.set(toHex(sm4.generateKey()));
      page.plain('sm4.generated');
    },
  });
}
