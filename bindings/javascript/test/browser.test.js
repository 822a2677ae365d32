// The package in Chromium, as bundlers give it to pages and workers. KUAIMI_FIREFOX=1: also in
// Firefox.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { bundled, chromium, firefox, serve } from './web.js';

/** What a careful site allows: its own scripts, which may compile WebAssembly. */
const POLICY = {
  'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src data:",
};
const wasm = (name) => readFileSync(new URL(import.meta.resolve(`kuaimi/wasm/${name}`)));
const page = (script) => `<!doctype html><title>Test</title><link rel="icon" href="data:,"><script type="module" src="${script}"></script>`;

let files;
let server;
let browser;

before(async () => {
  files = new Map([
    ...(await bundled('default', 'esm')),
    ...(await bundled('slim', 'esm')),
    ...(await bundled('pki', 'esm')),
    ...(await bundled('worker', 'esm')),
    ...(await bundled('worker', 'iife')).map(([, text]) => ['/classic.js', text]),
    ['/default.html', page('/default.js')],
    ['/slim.html', page('/slim.js')],
    ['/pki.html', page('/pki.js')],
    ...['sm2.wasm', 'sm2-simd.wasm', 'formats.wasm'].map((name) => [`/${name}`, wasm(name)]),
  ]);
  server = await serve(files, POLICY);
  browser = await chromium('--js-flags=--expose-gc');
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Opens a page of the server's; what goes wrong there fails the test. */
async function open(name, { of = browser, first } = {}) {
  const tab = await of.newPage();
  const errors = [];
  tab.on('pageerror', (error) => errors.push(error));
  tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  if (first !== undefined) await tab.evaluateOnNewDocument(first);
  await tab.goto(`${server.url}/${name}.html`);
  return {
    run: (...call) => tab.evaluate(...call),
    tab,
    async close() {
      await tab.close();
      assert.deepEqual(errors, []);
    },
  };
}

/** How many comparisons `check` makes, so that none is skipped. */
const RIGHT = 38;

test('the default entry: at once, with nothing fetched, without a network', async () => {
  const { run, tab, close } = await open('default');
  assert.ok(!server.requested.some((name) => name.endsWith('.wasm')));
  server.requested.length = 0;
  await tab.setOfflineMode(true);
  assert.equal(await run(() => kuaimi.backend()), 'wasm-simd');
  assert.equal(await run(() => check()), RIGHT);
  await run(() => kuaimi.ready());
  assert.deepEqual(server.requested, []);
  await close();
});

test('the slim entry: not before init, then from all that may hold a module', async () => {
  const sources = {
    url: () => '/sm2-simd.wasm',
    URL: () => new URL('/sm2.wasm', location),
    response: () => fetch('/sm2.wasm'),
    bytes: async () => (await fetch('/sm2.wasm')).arrayBuffer(),
    view: async () => new Uint8Array(await (await fetch('/sm2.wasm')).arrayBuffer()),
    module: async () => WebAssembly.compile(await (await fetch('/sm2.wasm')).arrayBuffer()),
    both: () => ({ simd: '/sm2-simd.wasm', baseline: '/no-such-file' }),
  };
  for (const [name, source] of Object.entries(sources)) {
    const { run, close } = await open('slim');
    const early = () => { try { kuaimi.sm3.digest(new Uint8Array(1)); } catch (error) { return error.code; } };
    assert.equal(await run(early), 'NotReady', name);
    await run(`(async () => kuaimi.init(await (${source})(), { formats: '/formats.wasm' }))()`);
    assert.equal(await run(() => check()), RIGHT, name);
    assert.equal(await run(() => kuaimi.backend()), ['url', 'both'].includes(name) ? 'wasm-simd' : 'wasm');
    await close();
  }
});

test('certificates and messages: at once, without a network', async () => {
  const { run, tab, close } = await open('pki');
  await tab.setOfflineMode(true);
  assert.deepEqual(await run(() => check()), [2, 6, 9, true]);
  await run(() => ready());
  await close();
});

test('a module that is not there, and what is no module', async () => {
  const { run, tab } = await open('slim');
  const code = (source) => kuaimi.init(source).then(() => 'none', (error) => error.code ?? error.name);
  assert.equal(await run(code, '/no-such-file.wasm'), 'Io');
  assert.equal(await run(code, 'http://127.0.0.1:1/'), 'Io');
  assert.equal(await run(code, 7), 'InvalidArgument');
  assert.equal(await run(code, '/slim.html'), 'CompileError');
  await tab.close();
});

const inWorker = (url, options) =>
  new Promise((resolve) => {
    const worker = new Worker(url, options);
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => resolve({ error: event.message });
  });

test('workers, of modules and classic', async () => {
  const { run, close } = await open('default');
  for (const [url, options] of [['/worker.js', { type: 'module' }], ['/classic.js', undefined]]) {
    assert.deepEqual(await run(inWorker, url, options), { right: RIGHT, backend: 'wasm-simd' });
  }
  await close();
});

test('a host without vector instructions takes the module without them', async () => {
  // V8 has none on x86-64 processors before SSE 4.1; on others the question is answered for it.
  const old = await chromium('--js-flags=--no-enable-sse4-1');
  try {
    const first = process.arch === 'x64' ? undefined : () => (WebAssembly.validate = () => false);
    const { run, close } = await open('default', { of: old, first });
    const early = () => { try { return kuaimi.backend(); } catch (error) { return error.code; } };
    assert.equal(await run(early), 'NotReady');
    await run(() => kuaimi.ready());
    assert.equal(await run(() => kuaimi.backend()), 'wasm');
    assert.equal(await run(() => check()), RIGHT);
    await close();
    const slim = await open('slim', { of: old, first });
    await slim.run(() => kuaimi.init({ simd: '/no-such-file', baseline: '/sm2.wasm' }, { formats: '/formats.wasm' }));
    assert.equal(await slim.run(() => check()), RIGHT);
    await slim.close();
  } finally {
    await old.close();
  }
});

test('a host that does not compile at once says so, and ready() waits', async () => {
  const first = () => {
    WebAssembly.Module = new Proxy(WebAssembly.Module, {
      construct() {
        throw new RangeError('WebAssembly.Compile is disallowed on the main thread');
      },
    });
  };
  const { run, close } = await open('default', { first });
  const early = () => { try { return kuaimi.backend(); } catch (error) { return error.code; } };
  assert.equal(await run(early), 'NotReady');
  await run(() => kuaimi.ready());
  assert.equal(await run(() => check()), RIGHT);
  await close();
});

test('without random bytes there is no key', async () => {
  const broken = {
    'no crypto': () => Object.defineProperty(globalThis, 'crypto', { value: undefined }),
    'no function': () => Object.defineProperty(crypto, 'getRandomValues', { value: undefined }),
    'it throws': () => (crypto.getRandomValues = () => { throw new Error('no entropy'); }),
  };
  for (const [name, first] of Object.entries(broken)) {
    const { run, close } = await open('default', { first });
    const codes = await run(() => {
      const { sm2, sm4, randomBytes, utf8 } = kuaimi;
      const key = sm2.PrivateKey.fromBytes(new Uint8Array(32).fill(7));
      const data = utf8('message');
      const calls = [
        () => sm2.PrivateKey.generate(),
        () => sm2.generateBatch(2),
        () => key.sign(data),
        () => key.publicKey.encrypt(data),
        () => key.toPem({ password: 'open' }),
        () => sm2.KeyExchangeInitiator.create(key, key.publicKey),
        () => sm4.generateKey(),
        () => randomBytes(16),
      ];
      const code = (call) => { try { return String(call()); } catch (error) { return error.code; } };
      // What needs none still works.
      const signature = key.sign(data, { deterministic: true });
      return [...calls.map(code), String(key.publicKey.verify(signature, data))];
    });
    assert.deepEqual(codes, [...Array(8).fill('Random'), 'true'], name);
    await close();
  }
});

test('keys show nothing to clones, messages and databases', async () => {
  const { run, close } = await open('default');
  const seen = await run(async () => {
    const key = kuaimi.sm2.PrivateKey.fromBytes(new Uint8Array(32).fill(7));
    const { port1, port2 } = new MessageChannel();
    const message = new Promise((resolve) => (port2.onmessage = ({ data }) => resolve(data)));
    port1.postMessage(key);
    const answer = (request) =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const request = indexedDB.open('keys');
    request.onupgradeneeded = () => request.result.createObjectStore('keys');
    const database = await answer(request);
    const store = database.transaction('keys', 'readwrite').objectStore('keys');
    await answer(store.put(key, 'mine'));
    const copies = [structuredClone(key), await message, await answer(store.get('mine'))];
    return [...copies, { ...key }].flatMap((copy) => [Reflect.ownKeys(copy).length, copy instanceof kuaimi.sm2.PrivateKey])
      .concat(JSON.stringify(key), Object.getOwnPropertyNames(key).length);
  });
  assert.deepEqual(seen, [0, false, 0, false, 0, false, 0, false, '{}', 0]);
  await close();
});

test('what is disposed of, leaves a block or is forgotten is dropped', async () => {
  // The exports are the module's own: an instance with others in their place counts.
  const first = () => {
    globalThis.dropped = 0;
    WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
      construct(Instance, given) {
        const { exports } = new Instance(...given);
        const drop_object = (number) => {
          dropped += 1;
          exports.drop_object(number);
        };
        return { exports: { ...exports, drop_object } };
      },
    });
  };
  const { run, close } = await open('default', { first });
  assert.deepEqual(await run(() => {
    const hash = kuaimi.sm3.createHash();
    hash.dispose();
    hash.dispose();
    const other = kuaimi.sm3.createHash();
    other[Symbol.dispose]();
    return dropped;
  }), 2);
  // As text: this file is also read by a Node that does not know the word.
  assert.equal(await run(`{ using hash = kuaimi.sm3.createHash(); hash.update(new Uint8Array(3)); } dropped`), 3);
  const forgotten = await run(async () => {
    for (let i = 0; i < 500; i += 1) kuaimi.sm3.createHash();
    for (let tries = 0; tries < 100 && dropped < 400; tries += 1) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return dropped;
  });
  assert.ok(forgotten >= 400, String(forgotten));
  await close();
});

test('Firefox', { skip: process.env.KUAIMI_FIREFOX === '1' ? false : 'KUAIMI_FIREFOX=1 runs it' }, async () => {
  const other = await firefox();
  try {
    const { run, close } = await open('default', { of: other });
    assert.match(await run(() => navigator.userAgent), /Firefox/);
    assert.equal(await run(() => kuaimi.backend()), 'wasm-simd');
    assert.equal(await run(() => check()), RIGHT);
    for (const [url, options] of [['/worker.js', { type: 'module' }], ['/classic.js', undefined]]) {
      assert.deepEqual(await run(inWorker, url, options), { right: RIGHT, backend: 'wasm-simd' });
    }
    await close();
    const slim = await open('slim', { of: other });
    await slim.run(() => kuaimi.init('/sm2.wasm', { formats: '/formats.wasm' }));
    assert.equal(await slim.run(() => check()), RIGHT);
    await slim.close();
  } finally {
    await other.close();
  }
});
