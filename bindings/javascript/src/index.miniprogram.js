// The entry for WeChat's mini-programs. WebAssembly and random bytes come later there, so that
// every call waits for `ready`. A generator (HMAC_DRBG with SM3) gives random bytes from then on.

import { bytes } from './bytes.js';
import { engine, install } from './core.js';
import { engineOfFiles, hasRandom, seedOfHost } from './engine/wechat.js';
import { KuaimiError } from './errors.js';

export * from './index.js';
export * as sm9 from './sm9.js';

const FILES = ['/kuaimi/sm2-simd.wasm.br', '/kuaimi/sm2.wasm.br'];
/** Milliseconds between two seeds. */
const RESEED = 10 * 60 * 1000;

const list = (path) => (Array.isArray(path) ? path : [path]);

function unseeded() {
  throw new KuaimiError(
    'Random',
    'there is no wx.getRandomValues here: in a Worker, first seed(bytes) with 48 bytes of randomBytes(48) in the main context',
  );
}

const started = {};

function once(name, start) {
  started[name] ??= start().catch((error) => {
    delete started[name];
    throw error;
  });
  return started[name];
}

/** Of the generator of the first module: two that share a seed would repeat each other. */
const shared = (view) => view.set(engine().random_bytes(view.length));

async function more(name, path) {
  if (path !== undefined) await once(name, async () => install(name, await engineOfFiles(list(path), shared)));
}

/**
 * Loads the module, or the first that runs of several, from the mini-program's package, and seeds
 * the generator. `formatsPath` also loads that of keys in files, `sm9Path` SM9's. Without
 * wx.getRandomValues, what needs random bytes fails with 'Random' until `seed` was called.
 */
export async function ready({ path = FILES, formatsPath, sm9Path } = {}) {
  await once('sm2', async () => {
    const made = await engineOfFiles(list(path), unseeded);
    if (hasRandom()) {
      made.random_seed(await seedOfHost());
      // A seed is added to the state: one that fails takes nothing away.
      setInterval(() => seedOfHost().then(made.random_seed).catch(() => {}), RESEED);
    }
    install('sm2', made);
  });
  await more('formats', formatsPath);
  await more('sm9', sm9Path);
}

/** Adds at least 48 random bytes to the generator's state: in a Worker, where it has no other seed. */
export function seed(data) {
  engine().random_seed(bytes(data, 'the seed'));
}
