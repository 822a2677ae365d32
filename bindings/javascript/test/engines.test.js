// The addon and WebAssembly beside one another, in threads of their own, and what the addon does to
// the process.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { backend, sm2, sm3, sm4 } from 'kuaimi';
import { fails, PROJECT, repeatable } from './helpers.js';

const native = process.env.KUAIMI_JAVASCRIPT_ENGINE === 'native';
const package_ = path.dirname(createRequire(import.meta.url).resolve('kuaimi/package.json'));

const workers = [];
// A thread that a failed test has left would keep the process.
after(() => Promise.all(workers.map((worker) => worker.terminate())));

/** A worker with an engine of its choice, which answers calls: `await ask('sm2', 'name', …)`. */
function other(engine) {
  const worker = new Worker(new URL('other-engine.js', import.meta.url), {
    env: { ...process.env, KUAIMI_JAVASCRIPT_ENGINE: engine },
  });
  workers.push(worker);
  const ask = async (...call) => {
    worker.postMessage(call);
    const [answer] = await once(worker, 'message');
    return answer;
  };
  return { worker, ask };
}

test('both engines agree', { skip: !native && 'the addon is not there' }, async () => {
  const { worker, ask } = other('wasm');
  assert.match(await ask('backend'), /^wasm/);
  assert.equal(backend(), 'native');
  const random = repeatable(11);
  const bytes = (length) => Uint8Array.from({ length }, () => Math.floor(random() * 256));
  for (let round = 0; round < 20; round += 1) {
    const secret = bytes(32);
    secret[0] &= 127;
    const key = sm2.PrivateKey.fromBytes(secret);
    const message = bytes(1 + Math.floor(random() * 300));
    const point = await ask('point', secret);
    assert.deepEqual(point, key.publicKey.toBytes());
    assert.equal(await ask('verify', point, key.sign(message), message), true);
    assert.equal(await ask('verify', point, key.sign(message), secret), false);
    assert.ok(key.publicKey.verify(await ask('sign', secret, message), message));
    assert.deepEqual(key.sign(message, { deterministic: true }), await ask('sign', secret, message, { deterministic: true }));
    for (const form of ['c1c3c2', 'der']) {
      assert.deepEqual(await ask('decrypt', secret, key.publicKey.encrypt(message, { form }), { form }), message);
      assert.deepEqual(key.decrypt(await ask('encrypt', point, message, { form }), { form }), message);
    }
    assert.deepEqual(await ask('digest', message), sm3.digest(message));
    const [sm4Key, nonce] = [bytes(16), bytes(12)];
    const sealed = await ask('seal', sm4Key, nonce, message);
    assert.deepEqual(sealed, sm4.Gcm.create(sm4Key).seal(nonce, message));
  }
  // The same error, too, though not in the same words.
  const { code } = await ask('point', new Uint8Array(32));
  fails(code, () => sm2.PrivateKey.fromBytes(new Uint8Array(32)));
  assert.equal(code, 'PrivateKeyRange');
  await worker.terminate();
});

test('threads use the engine at the same time, and end', async () => {
  const engine = native ? 'native' : 'wasm';
  const key = sm2.PrivateKey.generate();
  const message = new Uint8Array(100).fill(9);
  const others = Array.from({ length: 4 }, () => other(engine));
  await Promise.all(
    others.map(async ({ ask }) => {
      for (let i = 0; i < 20; i += 1) {
        const signature = await ask('sign', key.toBytes(), message);
        assert.ok(key.publicKey.verify(signature, message));
      }
    }),
  );
  // One ends on its own, one in the middle of its work, the others when told.
  others[0].worker.postMessage(['end']);
  const [code] = await once(others[0].worker, 'exit');
  assert.equal(code, 0);
  others[1].worker.postMessage(['busy']);
  await others[1].worker.terminate();
  await Promise.all(others.slice(2).map(({ worker }) => worker.terminate()));
  assert.ok(key.publicKey.verify(key.sign(message), message));
});

test('a key shows nothing to another thread', () => {
  const key = sm2.PrivateKey.generate();
  const clone = structuredClone(key);
  assert.deepEqual(Object.getOwnPropertyNames(clone), []);
  fails('InvalidArgument', () => sm2.signBatch(clone, new Uint8Array(32)));
  assert.equal(JSON.stringify(key), '{}');
});

test('keys that nobody holds are freed', { timeout: 120_000 }, () => {
  const script = `
    import { sm2 } from 'kuaimi';
    import { setImmediate } from 'node:timers/promises';
    const rss = () => process.memoryUsage.rss() / 2 ** 20;
    const run = async (count) => {
      for (let i = 0; i < count; i += 1) {
        sm2.PrivateKey.generate();
        if (i % 1000 === 0) await setImmediate();
      }
      gc();
      await setImmediate();
    };
    await run(100_000);
    const before = rss();
    await run(200_000);
    console.log(Math.round(rss() - before));`;
  const run = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', script], {
    cwd: path.dirname(path.dirname(package_)),
    encoding: 'utf8',
  });
  assert.equal(run.status, 0, run.stderr);
  // Kept, they would be 200 MB.
  assert.ok(Number(run.stdout) < 60, `200000 keys left ${run.stdout.trim()} MB`);
});

/** A copy of the package with an addon of these files, and what a script in it prints. */
function withAddon(files, env, script = "console.log(require('kuaimi').backend())") {
  const folder = mkdtempSync(path.join(tmpdir(), 'kuaimi-'));
  try {
    cpSync(package_, path.join(folder, 'node_modules/kuaimi'), { recursive: true });
    const libc = process.platform === 'linux' ? '-gnu' : '';
    const place = path.join(folder, 'node_modules/@kuaimi', `${process.platform}-${process.arch}${libc}`);
    mkdirSync(place, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(place, name), content);
    const clean = { ...process.env };
    delete clean.KUAIMI_JAVASCRIPT_ENGINE;
    return spawnSync(process.execPath, ['-e', script], { cwd: folder, env: { ...clean, ...env }, encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const manifest = (main) => ({ 'package.json': JSON.stringify({ main }) });

test('no addon: WebAssembly, without a word', () => {
  const run = withAddon({}, {});
  assert.match(run.stdout, /^wasm/);
  assert.equal(run.stderr, '');
  const forced = withAddon({}, { KUAIMI_JAVASCRIPT_ENGINE: 'native' });
  assert.match(forced.stderr, /NotReady/);
  assert.match(forced.stderr, /is installed/);
  assert.match(withAddon({}, { KUAIMI_JAVASCRIPT_ENGINE: 'fast' }).stderr, /InvalidArgument/);
});

test('a broken addon, or one of another version: WebAssembly, and one warning', () => {
  // The engine of SM9 looks for the addon, too.
  const both = `require('./node_modules/kuaimi/cjs/engine/node.js').nodeSource('sm9').open();
    console.log(require('kuaimi').backend())`;
  const broken = withAddon({ ...manifest('kuaimi.node'), 'kuaimi.node': 'no library' }, {}, both);
  assert.match(broken.stdout, /^wasm/);
  assert.equal(broken.stderr.match(/KUAIMI_ADDON/g)?.length, 1, broken.stderr);
  const older = withAddon({ ...manifest('main.js'), 'main.js': "exports.version = '0.0.1'" }, {});
  assert.match(older.stdout, /^wasm/);
  assert.match(older.stderr, /0\.0\.1/);
});

test('the package names an addon of its own version for each platform', () => {
  const { version, optionalDependencies } = JSON.parse(readFileSync(path.join(package_, 'package.json'), 'utf8'));
  const platforms = JSON.parse(readFileSync(path.join(PROJECT, 'bindings/javascript/native/platforms.json'), 'utf8'));
  assert.deepEqual(optionalDependencies, Object.fromEntries(Object.keys(platforms).map((name) => [`@kuaimi/${name}`, version])));
});
