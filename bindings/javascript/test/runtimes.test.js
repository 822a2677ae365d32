// Deno and Bun, from npm: a hundred megabytes each, so that only KUAIMI_RUNTIMES=1 runs them.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

const skip = process.env.KUAIMI_RUNTIMES === '1' ? false : 'KUAIMI_RUNTIMES=1 runs it';
const program = `
  import { backend, fromUtf8, sm2, sm3, toHex, utf8 } from 'kuaimi';
  const key = sm2.PrivateKey.generate();
  const message = utf8('message');
  console.log([
    toHex(sm3.digest(utf8('abc'))),
    key.publicKey.verify(key.sign(message), message),
    fromUtf8(key.decrypt(key.publicKey.encrypt(message))),
    backend(),
  ].join());
`;
const DIGEST = '66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0';

function run(name, version, args) {
  const command = ['exec', '--yes', `--package=${name}@${version}`, '--', name, ...args];
  // On Windows it would be npm.cmd.
  return execFileSync('npm', command, { input: program, encoding: 'utf8' }).trim();
}

test('Deno, with no permission', { skip }, () => {
  const printed = run('deno', '2.9.6', ['run', '--no-prompt', '--node-modules-dir=manual', '-']);
  assert.equal(printed, `${DIGEST},true,message,wasm-simd`);
});

test('Bun', { skip }, () => {
  assert.match(run('bun', '1.4.5', ['run', '-']), new RegExp(`^${DIGEST},true,message,(native|wasm-simd)$`));
});
