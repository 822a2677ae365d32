// The folder for mini-programs, in a stand-in for WeChat.

import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { brotliDecompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { made, PROJECT } from './helpers.js';
import { miniprogram } from './wechat.js';

const BUILT = made('javascript/miniprogram', 'scripts/javascript-miniprogram');
let folder;
let check;

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kuaimi-'));
  symlinkSync(BUILT, path.join(folder, 'kuaimi'));
  // The checks of browsers, as a script.
  const { outputFiles } = await build({
    entryPoints: [new URL('browser/check.js', import.meta.url).pathname],
    alias: { '#vectors': path.join(PROJECT, 'vectors') },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'checks',
    target: 'es2018',
  });
  check = outputFiles[0].text;
});

after(() => rmSync(folder, { recursive: true, force: true }));

function opened(options) {
  const app = miniprogram(folder, options);
  app.load('kuaimi/kuaimi.js');
  app.run(check);
  return app;
}

/** The code of the error of a call, or 'none'. */
const code = (app, call) => app.run(`(() => { try { ${call}; return 'none'; } catch (error) { return error.code ?? String(error); } })()`);
const later = (app, call) => app.run(`(async () => { try { await ${call}; return 'none'; } catch (error) { return error.code ?? String(error); } })()`);

const RANDOM = [
  'kuaimi.sm2.PrivateKey.generate()',
  'kuaimi.randomBytes(16)',
  'kuaimi.sm2.PrivateKey.fromBytes(new Uint8Array(32).fill(7)).sign(kuaimi.utf8("m"))',
  'kuaimi.sm2.PrivateKey.fromBytes(new Uint8Array(32).fill(7)).publicKey.encrypt(kuaimi.utf8("m"))',
];
/** With the module of keys in files. */
const READY = "kuaimi.ready({ formatsPath: '/kuaimi/formats.wasm.br' })";
const SIGNS = 'kuaimi.sm2.PrivateKey.fromBytes(new Uint8Array(32).fill(7)).sign(kuaimi.utf8("m"), { deterministic: true })';

test('the app: nothing before ready(), then all of it', async () => {
  for (const [simd, backend] of [[true, 'wasm-simd'], [false, 'wasm']]) {
    const app = opened({ simd });
    for (const call of [...RANDOM, SIGNS, 'kuaimi.sm3.digest(new Uint8Array(1))', 'kuaimi.seed(new Uint8Array(48))']) {
      assert.equal(code(app, call), 'NotReady', call);
    }
    await app.run(READY);
    assert.equal(app.run('kuaimi.backend()'), backend);
    assert.deepEqual(app.seen.random, [48]);
    assert.equal(app.run('checks.check(kuaimi)'), 38);
    // Once is enough.
    const tried = simd ? 2 : 3;
    await app.run(READY);
    assert.equal(app.seen.instantiated.length, tried);
    assert.deepEqual(app.seen.random, [48]);
    assert.equal(app.seen.timers.length, 1);
  }
});

test('two apps do not repeat each other, and a seed of the host is all of it', async () => {
  const [a, b] = [opened(), opened()];
  // The same seed gives the same bytes: nothing else, such as the clock, goes in.
  const fixed = (length, resolve) => resolve({ randomValues: new Uint8Array(length).fill(5).buffer });
  const [c, d] = [opened({ random: fixed }), opened({ random: fixed })];
  const drawn = [];
  for (const app of [a, b, c, d]) {
    await app.run('kuaimi.ready()');
    drawn.push(app.run('kuaimi.toHex(kuaimi.randomBytes(32))'));
  }
  assert.equal(new Set(drawn).size, 3);
  assert.equal(drawn[2], drawn[3]);
  // A later seed leads them apart, and is as long.
  c.host.wx.getRandomValues = a.host.wx.getRandomValues;
  assert.ok(c.seen.timers[0].wait <= 3_600_000);
  c.seen.timers[0].call();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(a.seen.random, [48, 48]);
  assert.notEqual(c.run('kuaimi.toHex(kuaimi.randomBytes(32))'), d.run('kuaimi.toHex(kuaimi.randomBytes(32))'));
  // One that fails changes nothing.
  d.host.wx.getRandomValues = ({ fail }) => fail({ errMsg: 'getRandomValues:fail' });
  d.seen.timers[0].call();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(code(d, RANDOM[0]), 'none');
});

test('without random bytes there is no key', async () => {
  const none = opened({ random: null });
  await none.run('kuaimi.ready()');
  for (const call of RANDOM) assert.equal(code(none, call), 'Random', call);
  assert.equal(code(none, SIGNS), 'none');
  const broken = {
    'it fails': (_, resolve, reject) => reject({ errMsg: 'getRandomValues:fail' }),
    'too few': (length, resolve) => resolve({ randomValues: new ArrayBuffer(length - 1) }),
    nothing: (length, resolve) => resolve({ errMsg: 'getRandomValues:ok' }),
  };
  for (const [name, random] of Object.entries(broken)) {
    const app = opened({ random });
    assert.equal(await later(app, 'kuaimi.ready()'), 'Random', name);
    for (const call of [...RANDOM, SIGNS]) assert.equal(code(app, call), 'NotReady', name);
  }
  // A failure may pass.
  let times = 0;
  const app = opened({
    random(length, resolve, reject) {
      times += 1;
      if (times === 1) reject({ errMsg: 'getRandomValues:fail' });
      else resolve({ randomValues: new Uint8Array(length).fill(times).buffer });
    },
  });
  assert.equal(await later(app, 'kuaimi.ready()'), 'Random');
  assert.equal(await later(app, 'kuaimi.ready()'), 'none');
  assert.equal(code(app, RANDOM[0]), 'none');
});

test('a Worker: seeded with bytes of the main context', async () => {
  const worker = opened({ worker: true });
  await worker.run(READY);
  assert.deepEqual(worker.seen.timers, []);
  for (const call of RANDOM) assert.equal(code(worker, call), 'Random', call);
  assert.equal(code(worker, 'kuaimi.seed(new Uint8Array(47))'), 'InvalidArgument');
  assert.equal(code(worker, 'kuaimi.seed("text")'), 'InvalidArgument');
  assert.equal(code(worker, RANDOM[0]), 'Random');
  const app = opened();
  await app.run('kuaimi.ready()');
  const seed = app.run('kuaimi.toHex(kuaimi.randomBytes(48))');
  worker.run(`kuaimi.seed(kuaimi.fromHex('${seed}'))`);
  assert.equal(worker.run('checks.check(kuaimi)'), 38);
});

test('SM9 has a module of its own, and the same generator', async () => {
  const app = opened();
  await app.run("kuaimi.ready({ sm9Path: ['/kuaimi/sm9-simd.wasm.br', '/kuaimi/sm9.wasm.br'] })");
  assert.deepEqual(app.seen.instantiated, ['/kuaimi/sm2-simd.wasm.br', '/kuaimi/sm9-simd.wasm.br']);
  assert.deepEqual(app.seen.random, [48]);
  if (app.run('typeof kuaimi.sm9.MasterSigningKey') === 'undefined') return;
  assert.equal(app.run(`(() => {
    const centre = kuaimi.sm9.MasterSigningKey.generate();
    const message = kuaimi.utf8('message');
    const signature = centre.extract('alice').sign(message);
    return ['alice', 'bob'].map((id) => centre.publicKey.verifyingKey(id).verify(signature, message)).join();
  })()`), 'true,false');
});

test('another path, and paths that are none', async () => {
  const app = opened();
  assert.equal(await later(app, "kuaimi.ready({ path: '/kuaimi/none.wasm.br' })"), 'Io');
  assert.equal(await later(app, "kuaimi.ready({ path: 'https://example.com/sm2.wasm' })"), 'Io');
  assert.equal(code(app, SIGNS), 'NotReady');
  assert.equal(await later(app, "kuaimi.ready({ path: '/kuaimi/sm2.wasm.br' })"), 'none');
  assert.equal(app.run('kuaimi.backend()'), 'wasm');
});

test('other hosts are told why', async () => {
  const app = opened();
  app.run('delete globalThis.WXWebAssembly');
  assert.equal(await later(app, 'kuaimi.ready()'), 'FeatureNeeded');
  assert.equal(code(app, RANDOM[0]), 'NotReady');
});

test('it fits a package, and its module is of the first version of WebAssembly', () => {
  // What WeChat uploads: it leaves out types and licences.
  const names = readdirSync(BUILT).filter((name) => /\.(js|br)$/.test(name));
  const sizes = names.map((name) => statSync(path.join(BUILT, name)).size);
  assert.ok(sizes.reduce((sum, size) => sum + size, 0) <= 2 * 1024 * 1024);
  for (const name of ['sm2', 'sm9', 'formats']) {
    const bytes = brotliDecompressSync(readFileSync(path.join(BUILT, `${name}.wasm.br`)));
    // Bulk memory, sign extension and conversions that saturate would be listed.
    const [features] = WebAssembly.Module.customSections(new WebAssembly.Module(bytes), 'target_features');
    assert.doesNotMatch(features === undefined ? '' : Buffer.from(features).toString('latin1'), /\+(bulk|sign|nontrapping|reference|simd)/);
    // The section that bulk memory adds: how many segments of data there are.
    assert.ok(!hasSection(bytes, 12));
  }
});

function hasSection(bytes, wanted) {
  let at = 8;
  while (at < bytes.length) {
    const id = bytes[at];
    at += 1;
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      length |= (bytes[at] & 127) << shift;
      at += 1;
      if (bytes[at - 1] < 128) break;
    }
    if (id === wanted) return true;
    at += length;
  }
  return false;
}
