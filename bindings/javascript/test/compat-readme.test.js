// The examples of the replaced packages' READMEs, statement by statement, with the package's name
// changed and nothing else.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import vm from 'node:vm';
import { createRequire } from 'node:module';
import { outcome, PEERS } from './peers.js';

const require = createRequire(import.meta.url);

/** The statements of the page's blocks: lines, joined until the brackets close. */
function statements(name) {
  const page = readFileSync(path.resolve('node_modules', name, 'README.md'), 'utf8');
  const all = [];
  for (const [, code] of page.matchAll(/```js\n([\s\S]*?)```/g)) {
    let statement = '';
    const plain = code.replace(/\/\*[\s\S]*?\*\//g, '').replaceAll("require('sm-crypto).sm2", "require('sm-crypto').sm2");
    for (const line of plain.split('\n')) {
      statement += `${line.replace(/(^|\s)\/\/.*$/, '')}\n`;
      const open = (statement.match(/[([{]/g) ?? []).length - (statement.match(/[)\]}]/g) ?? []).length;
      if (open > 0) continue;
      if (statement.trim() !== '') all.push(statement.trim());
      statement = '';
    }
    all.push('// the end of a block');
  }
  return all;
}

/** What a block leaves in these is no random number. */
const FIXED = /^(decrypt(ed)?Data|verifyResult\d?|hashData|kdfData|derivedKey|expected)/;

/** What the pages use and do not define. */
const given = ({ sm2 }) => ({
  msg: 'a message',
  msgString: 'a message',
  msgArray: [1, 2, 250],
  iv: 'fedcba98765432100123456789abcdef',
  associatedData: 'abcd',
  expectedAuthTag: '00'.repeat(16),
  encryptData: '',
  ...sm2?.generateKeyPairHex(),
});

function run(name, statement, it, context) {
  const code = statement
    .replace(/^(let|const) (\{[^}]*\}|\w+) = /, (_, word, target) => (target.startsWith('{') ? `(${target} = ` : `${target} = `))
    .replace(/^\((\{.*\}) = (.*)$/s, '($1 = $2)')
    .replace(/^import \{([^}]*)\} from .*$/, '({$1} = it)')
    .replaceAll(`require('${name}')`, 'it')
    .replaceAll("require('sm-crypto')", 'it')
    .replace(/^await /, '');
  context.it = it;
  context.require = require;
  return outcome(() => vm.runInContext(code, context));
}

for (const name of ['sm-crypto', 'miniprogram-sm-crypto', 'sm-crypto-v2', 'gm-crypto', 'sm3']) {
  test(`the README of ${name}`, () => {
    const { theirs, ours } = PEERS[name];
    const values = given(PEERS['sm-crypto'].ours);
    const [one, other] = [vm.createContext({ ...values, console: { log() {} } }), vm.createContext({ ...values, console: { log() {} } })];
    let compared = 0;
    let right = 0;
    for (const statement of statements(name)) {
      const [a, b] = [run(name, statement, theirs, one), run(name, statement, ours, other)];
      // 33 bytes without padding: theirs loses the last one, or writes a zero for it.
      if (/sm4\.encrypt\(msg, key, \{padding: 'none'/.test(statement)) {
        assert.equal(b.error?.code, 'PartialBlock', statement);
        continue;
      }
      // SecureRandom of a package whose random numbers are none, and the tag of another message.
      if (/SecureRandom|expectedAuthTag/.test(statement)) continue;
      assert.equal('error' in b, 'error' in a, `${statement}\n${a.error?.stack}\n${b.error?.stack}`);
      for (const key of Object.keys(one).filter((key) => FIXED.test(key))) {
        assert.deepEqual(other[key], one[key], `${key} after ${statement}`);
        compared += 1;
        if (key.startsWith('verifyResult')) right += other[key] === true;
      }
    }
    if (name !== 'sm3') assert.ok(compared > 10, `${compared} values`);
    if (name.includes('sm-crypto')) assert.ok(right > 10, `${right} signatures`);
  });
}
