// Makes a key.

import { sm2, toHex } from 'kuaimi/slim';
import { choice, password } from '../field.js';
import { from, result, tool } from '../form.js';

/** `used` is told of a key that the other tools shall take. */
export function keyTool(used) {
  const page = tool('key');
  const format = page.add(choice('key.format', ['pkcs8', 'sec1']));
  const secretWord = page.add(password('key.password', { hint: 'key.passwordHint' }));
  const results = {
    pem: result('key.pem', { secret: true, file: 'sm2-private.pem' }),
    hex: result('key.hex', { secret: true }),
    publicPem: result('key.publicPem', { file: 'sm2-public.pem' }),
    publicHex: result('key.publicHex'),
  };
  page.buttons({
    async 'key.make'() {
      const [form, key] = [await format.value(), sm2.PrivateKey.generate()];
      results.pem.set(await from(secretWord, (word) => key.toPem({ format: form, password: word === '' ? undefined : word })));
      results.hex.set(toHex(key.toBytes()));
      results.publicPem.set(key.publicKey.toPem());
      results.publicHex.set(toHex(key.publicKey.toBytes()));
      page.right('key.made');
      key.dispose();
    },
    async 'key.use'() {
      if (results.pem.value === '') return page.wrong('key.none');
      used(results.hex.value, results.publicPem.value);
      return page.right('key.used');
    },
  });
  page.add(...Object.values(results));
}
