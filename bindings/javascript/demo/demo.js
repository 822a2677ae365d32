// The page: its tools, each of which is a file of tools/.

import { backend } from 'kuaimi/slim';
import * as sm9 from 'kuaimi/sm9/slim';
import { say, startLanguage } from './language.js';
import { ready } from './modules.js';
import { decryptTool, encryptTool } from './tools/crypt.js';
import { digestTool } from './tools/digest.js';
import { inspectTool } from './tools/inspect.js';
import { keyTool } from './tools/key.js';
import { signTool, verifyTool } from './tools/sign.js';
import { sm4Tool } from './tools/sm4.js';
import { sm9Tool } from './tools/sm9.js';
import { speedTool } from './tools/speed.js';

// A file that misses a field shall not replace the page.
for (const name of ['dragover', 'drop']) addEventListener(name, (event) => event.preventDefault());

const engine = document.getElementById('engine');

async function start() {
  say(engine, 'engine.loading');
  startLanguage();
  await ready;
  say(engine, backend() === 'wasm-simd' ? 'engine.simd' : 'engine.plain');
  const takers = { private: [], public: [] };
  keyTool((privateHex, publicPem) => {
    for (const { key, password } of takers.private) {
      key.set(privateHex);
      password.set('');
    }
    for (const { key } of takers.public) key.set(publicPem);
  });
  takers.private.push(signTool());
  takers.public.push(verifyTool(), encryptTool());
  takers.private.push(decryptTool());
  digestTool();
  inspectTool();
  sm4Tool();
  // SM9 may be missing from a build.
  if (sm9.MasterSigningKey !== undefined) sm9Tool();
  speedTool();
}

start().catch((error) => say(engine, 'engine.failed', { code: error.code, message: error.message }));
