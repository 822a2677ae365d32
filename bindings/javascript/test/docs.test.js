// The JavaScript on the pages runs, and prints what its comments say. Both languages have the same.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { PROJECT } from './helpers.js';

const PAGES = ['README', 'docs/javascript', ...['README', 'pki', 'subtle', 'jose'].map((name) => `bindings/javascript/${name}`)];

/** The blocks of a page, with the word after `js`: `browser` or `wechat`, where it needs one. */
function blocks(page) {
  const text = readFileSync(path.join(PROJECT, page), 'utf8');
  return [...text.matchAll(/^```js([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, words, code]) => ({ words: words.trim(), code }));
}

const withoutComments = (code) => code.replace(/\s*\/\/.*$/gm, '').trim();

for (const page of PAGES) {
  test(`${page}.md`, () => {
    const [english, chinese] = ['.md', '.zh-CN.md'].map((end) => blocks(page + end));
    assert.ok(english.length > 0);
    assert.deepEqual(english.map(({ code }) => withoutComments(code)), chinese.map(({ code }) => withoutComments(code)));
    for (const { words, code } of english) {
      if (words === 'browser' || words === 'wechat') continue;
      const done = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
      assert.equal(done.status, 0, `${code}\n${done.stderr}`);
      const expected = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, value]) => value);
      const printed = done.stdout.trimEnd().split('\n');
      assert.equal((code.match(/console\.log\(/g) ?? []).length, done.stdout === '' ? 0 : printed.length);
      for (const value of expected) assert.ok(printed.includes(value), `${value} in ${done.stdout}`);
    }
  });
}

test('the pages that the package links to are there', () => {
  const text = readFileSync(path.join(PROJECT, 'docs/javascript.md'), 'utf8');
  for (const [, link] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)) {
    assert.ok(existsSync(path.join(PROJECT, 'docs', link)), link);
  }
});
