// Signs a text or a file of any size, and verifies.

import { sm2, toBase64, toHex } from 'kuaimi/slim';
import { area, choice, decoded, filled, identity, line, password, secret, source } from '../field.js';
import { FieldError, from, result, tool } from '../form.js';
import { feed } from '../hash.js';

/** Of longer messages, the reason of a failure is not looked for. */
const EXPLAINED = 4 << 20;

/** A private key and its password, as two fields. */
export function privateKey(page, id) {
  const key = page.add(secret(id));
  const word = page.add(password(`${id}Password`));
  const read = async () => {
    const text = await filled(key);
    const given = await word.value();
    try {
      return await from(key, () => sm2.PrivateKey.load(text, { password: given === '' ? undefined : given }));
    } catch (error) {
      const about = { PasswordNeeded: word, WrongPassword: word }[error.args?.[0]?.code];
      throw about === undefined ? error : new FieldError(about, error.key, ...error.args);
    }
  };
  return { field: key, word, read };
}

/** A public key, as a field. */
export function publicKey(page, id) {
  const field = page.add(area(id, { code: true, opens: true }));
  return { field, read: async () => from(field, async () => sm2.PublicKey.load(await filled(field))) };
}

/** e = SM3(Z ‖ M). */
async function digestOf(key, message, id) {
  const hash = await from(id, async () => key.messageHash({ id: await identity(id) }));
  return (await feed(hash, await message.value())).digest();
}

export function signTool() {
  const page = tool('sign');
  const key = privateKey(page, 'sign.key');
  const message = page.add(source('sign.message'));
  const id = page.add(line('sign.id', { hint: 'sign.idHint' }));
  const form = page.add(choice('sign.form', ['der', 'raw']));
  const hex = result('sign.hex');
  const base64 = result('sign.base64');
  page.buttons({
    async 'sign.do'() {
      const read = await key.read();
      const digest = await digestOf(read.publicKey, message, id);
      const signature = read.signDigest(digest, { form: await form.value() });
      hex.set(toHex(signature));
      base64.set(toBase64(signature));
      page.right('sign.done', (await message.value()).size);
      read.dispose();
    },
  });
  page.add(hex, base64);
  return { key: key.field, password: key.word };
}

export function verifyTool() {
  const page = tool('verify');
  const key = publicKey(page, 'verify.key');
  const message = page.add(source('verify.message'));
  const signature = page.add(area('verify.signature', { code: true, opens: true, hint: 'verify.signatureHint' }));
  const id = page.add(line('verify.id', { hint: 'sign.idHint' }));
  page.buttons({
    async 'verify.do'() {
      const read = await key.read();
      const bytes = await decoded(signature);
      const digest = await digestOf(read, message, id);
      if (read.verifyDigest(bytes, digest)) return page.right('verify.yes');
      const blob = await message.value();
      if (blob.size > EXPLAINED) return page.wrong('verify.no');
      const data = await blob.arrayBuffer();
      const english = read.explain(bytes, data, { id: await identity(id) });
      return english === undefined ? page.wrong('verify.unexplained') : page.wrong('verify.explained', { english });
    },
  });
  return { key: key.field };
}
