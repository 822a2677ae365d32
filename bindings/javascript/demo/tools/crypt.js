// Encrypts and decrypts a file or a text.

import { fromUtf8 } from 'kuaimi/slim';
import { decodedText, source } from '../field.js';
import { download, FieldError, result, tool } from '../form.js';
import { privateKey, publicKey } from './sign.js';

/** The message and its ciphertext are in memory at once. */
const MOST = 256 << 20;

async function bytesOf(field) {
  const blob = await field.value();
  if (blob.size === 0) throw new FieldError(field, 'error.empty');
  if (blob.size > MOST) throw new FieldError(field, 'error.fileSize', MOST >> 20);
  return { name: blob.name, data: new Uint8Array(await blob.arrayBuffer()) };
}

export function encryptTool() {
  const page = tool('encrypt');
  const key = publicKey(page, 'encrypt.key');
  const message = page.add(source('encrypt.message'));
  page.buttons({
    async 'encrypt.do'() {
      const read = await key.read();
      const { name, data } = await bytesOf(message);
      const file = `${name ?? 'message.txt'}.sm2`;
      const ciphertext = read.encrypt(data);
      download(file, ciphertext);
      page.right('encrypt.done', file, ciphertext.length);
    },
  });
  return { key: key.field };
}

export function decryptTool() {
  const page = tool('decrypt');
  const key = privateKey(page, 'decrypt.key');
  const ciphertext = page.add(source('decrypt.ciphertext', { hint: 'decrypt.ciphertextHint' }));
  const shown = result('decrypt.text');
  page.buttons({
    async 'decrypt.do'() {
      shown.set();
      const read = await key.read();
      const { name, data } = await bytesOf(ciphertext);
      const message = read.decrypt(name === undefined ? decodedText(ciphertext, new TextDecoder().decode(data)) : data);
      read.dispose();
      if (name === undefined) {
        try {
          shown.set(fromUtf8(message));
          return page.right('decrypt.shown', message.length);
        } catch {
          // It is no text: a file, then.
        }
      }
      const file = name === undefined ? 'message' : name.replace(/\.(sm2|enc)$/i, '') || 'message';
      download(file, message);
      return page.right('decrypt.done', file, message.length);
    },
  });
  page.add(shown);
  return { key: key.field, password: key.word };
}
