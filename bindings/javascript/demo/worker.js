// Hashes beside the page, so that it stays alive.

import { sm3 } from 'kuaimi/slim';
import { feed } from './hash.js';
import { ready } from './modules.js';

addEventListener('message', async ({ data: blob }) => {
  try {
    await ready;
    const hash = await feed(sm3.createHash(), blob, (done) => postMessage({ done }));
    postMessage({ digest: hash.hexDigest() });
  } catch (error) {
    postMessage({ failure: { code: error.code, message: error.message } });
  }
});
