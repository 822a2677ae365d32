// The demonstration page (bindings/javascript/demo), used as a visitor uses it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fromHex, fromUtf8, sm2, sm3, toHex, utf8 } from 'kuaimi';
import { PROJECT } from './helpers.js';
import { BUILT, builtFiles, downloads, openPage, peakMemory } from './page.js';
import { chromium, serve } from './web.js';

const LANGUAGES = ['zh', 'en'];
const { texts, phrases } = await import(pathToFileURL(path.join(PROJECT, 'bindings/javascript/demo/texts.js')));
/** A text of the page, as a pattern. */
const said = (language, key) => {
  const words = texts[key][{ zh: 0, en: 1 }[language]];
  return new RegExp(words.replace(/[.*+?^$()[\]\\|]/g, '\\$&').replace(/\{\d\}/g, '.+'));
};

// openssl req -new -x509 -sm3 -days 36500 -subj /CN=kuaimi -sigopt distid:1234567812345678
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBeTCCAR+gAwIBAgIUKZ2rlu/qbT2Q+H24IIZtrjIjUUAwCgYIKoEcz1UBg3Uw
ETEPMA0GA1UEAwwGa3VhaW1pMCAXDTI2MTEyNjE2MjIwMVoYDzIxMjYxMTAyMTYy
MjAxWjARMQ8wDQYDVQQDDAZrdWFpbWkwWTATBgcqhkjOPQIBBggqgRzPVQGCLQNC
AATYMoroeCndsqh3aEVEscdNIL3zkHBssv1pAleiI4YhQPIciwnaaPRjNiASTx7w
AmFGn/KlaplNAkLVgqlDGpezo1MwUTAdBgNVHQ4EFgQUh9OSrAnjueMsmh33vZiR
fVwxCLkwHwYDVR0jBBgwFoAUh9OSrAnjueMsmh33vZiRfVwxCLkwDwYDVR0TAQH/
BAUwAwEB/zAKBggqgRzPVQGDdQNIADBFAiEAx1IcE17/8RdXpS3mhPFY6dVqPNwc
em/lZXWSQ9tPc38CIHexK2RW0ToOfmILDHzCNElm9PZc4Fa14LdkhEqNYs4Z
-----END CERTIFICATE-----`;

let folder;
let server;
let browser;
let downloaded;

before(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'kuaimi-'));
  server = await serve(builtFiles());
  browser = await chromium();
  downloaded = await downloads(browser, folder);
});

after(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const open = (options) => openPage(browser, server.url, options);

for (const language of LANGUAGES) {
  const is = (words, key) => assert.match(words, said(language, key));

  test(`${language}: a key, a signature, a ciphertext, by keyboard`, async () => {
    const { close, press, type, tabTo, text, answer, drop, tab, until } = await open({ language });
    assert.equal(await tab.$eval('html', (html) => html.lang), { zh: 'zh-CN', en: 'en' }[language]);
    await press('#key-use');
    is(await answer('key'), 'key.none');
    await press('#key-make');
    is(await answer('key'), 'key.made');
    const pem = await text('#key-publicPem');
    const publicKey = sm2.PublicKey.load(pem);
    assert.equal(toHex(publicKey.toBytes()), await text('#key-publicHex'));
    // Covered, and not in the page, until it is asked for.
    assert.match(await text('#key-hex'), /^•+$/);
    const hidden = await tab.content();
    await tabTo('[aria-describedby="key-hex-label"][aria-pressed]');
    await tab.keyboard.press('Space');
    const hex = await text('#key-hex');
    const key = sm2.PrivateKey.fromBytes(fromHex(hex));
    assert.ok(key.publicKey.equals(publicKey));
    assert.ok(!hidden.includes(hex.slice(8, 40)));
    await press('#key-use');
    is(await answer('key'), 'key.used');

    // The key's characters are covered in the fields, too.
    const covered = await tab.$eval('#sign-key', (field) => getComputedStyle(field).webkitTextSecurity);
    assert.equal(covered, 'disc');
    await type('#sign-message', '国密 message');
    await type('#sign-id', 'alice');
    await press('#sign-do');
    is(await answer('sign'), 'sign.done');
    const signature = await text('#sign-hex');
    assert.ok(publicKey.verify(fromHex(signature), utf8('国密 message'), { id: 'alice', form: 'der' }));

    await type('#verify-message', '国密 message');
    await type('#verify-signature', signature.toUpperCase());
    await type('#verify-id', 'alice');
    await press('#verify-do');
    is(await answer('verify'), 'verify.yes');
    await type('#verify-id', '');
    await press('#verify-do');
    is(await answer('verify'), 'verify.unexplained');
    await type('#verify-id', 'alice');
    await type('#verify-message', '国密 message\n');
    await press('#verify-do');
    const why = await answer('verify');
    is(why, 'verify.explained');
    assert.match(why, { zh: /去掉末尾换行/, en: /without the line end/ }[language]);

    await type('#encrypt-message', 'secret 秘密');
    await press('#encrypt-do');
    is(await answer('encrypt'), 'encrypt.done');
    const ciphertext = await downloaded('message.txt.sm2');
    rmSync(path.join(folder, 'message.txt.sm2'));
    assert.equal(fromUtf8(key.decrypt(ciphertext, { form: 'c1c3c2' })), 'secret 秘密');
    await type('#decrypt-ciphertext', ciphertext.toString('base64'));
    await press('#decrypt-do');
    is(await answer('decrypt'), 'decrypt.shown');
    assert.equal(await text('#decrypt-text'), 'secret 秘密');

    // Files, dropped: any bytes, to and fro.
    const data = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * i) & 255));
    await drop('#encrypt-message', 'report.bin', data);
    await press('#encrypt-do');
    const file = await downloaded('report.bin.sm2');
    await drop('#decrypt-ciphertext', 'report.bin.sm2', file);
    await drop('#decrypt-key', 'key.pem', key.toPem());
    await until('#decrypt-key', 'PRIVATE KEY');
    await press('#decrypt-do');
    is(await answer('decrypt'), 'decrypt.done');
    assert.deepEqual(await downloaded('report.bin'), data);
    for (const name of ['report.bin', 'report.bin.sm2']) rmSync(path.join(folder, name));
    // A signature over a file that is dropped.
    await drop('#sign-message', 'report.bin', data);
    await press('#sign-do');
    assert.ok(publicKey.verify(fromHex(await text('#sign-hex')), data, { id: 'alice' }));
    await drop('#verify-message', 'report.bin', data);
    await drop('#verify-key', 'key.der', publicKey.toDer());
    await drop('#verify-signature', 'report.sig', fromHex(await text('#sign-hex')));
    await until('#verify-signature', await text('#sign-hex'));
    await press('#verify-do');
    is(await answer('verify'), 'verify.yes');
    await close();
  });

  test(`${language}: a digest, inspecting, SM4, by keyboard`, async () => {
    const { close, press, type, text, answer, drop, until, tab } = await open({ language });
    await type('#digest-message', 'abc');
    await press('#digest-do');
    is(await answer('digest'), 'digest.short');
    assert.equal(await text('#digest-hex'), sm3.hexDigest(utf8('abc')));
    await drop('#digest-message', 'empty', '');
    await press('#digest-do');
    assert.equal(await text('#digest-hex'), sm3.hexDigest(new Uint8Array(0)));
    await press('#digest-stop');
    is(await answer('digest'), 'digest.idle');

    const key = sm2.PrivateKey.generate();
    const given = {
      'public key': key.publicKey.toPem(),
      'private key': key.toPem(),
      signature: toHex(key.sign(utf8('m'))),
      ciphertext: toHex(key.publicKey.encrypt(utf8('m'))),
      certificate: CERTIFICATE,
    };
    for (const [kind, what] of Object.entries(given)) {
      await drop('#inspect-what', 'file', what);
      await until('#inspect-what', what.trim().slice(-20));
      await press('#inspect-do');
      is(await answer('inspect'), 'inspect.done');
      const facts = await tab.$eval('#inspect dl', (list) => list.innerText);
      assert.ok(facts.includes(language === 'zh' ? phrases[kind] : kind), facts);
      if (kind.endsWith('key')) assert.ok(facts.includes(toHex(key.publicKey.toBytes()).slice(2, 66)), facts);
      assert.ok(!facts.includes(toHex(key.toBytes())));
    }

    for (const mode of ['gcm', 'ccm', 'cbc', 'ctr']) {
      await press('#sm4-generate');
      await tab.select('#sm4-mode', mode);
      await type('#sm4-message', '明文 text');
      await press('#sm4-encrypt');
      is(await answer('sm4'), 'sm4.encrypted');
      await type('#sm4-message', '');
      await press('#sm4-decrypt');
      is(await answer('sm4'), 'sm4.decrypted');
      assert.equal(await text('#sm4-message'), '明文 text');
    }
    await close();
  });

  test(`${language}: SM9, by keyboard`, async (t) => {
    const { close, press, type, text, answer, tab } = await open({ language });
    if ((await tab.$('#sm9')) === null) {
      await close();
      t.skip('this build has no SM9');
      return;
    }
    await type('#sm9-message', '消息 message');
    await press('#sm9-sign');
    is(await answer('sm9'), 'sm9.signed');
    await press('#sm9-verify');
    is(await answer('sm9'), 'sm9.verified');
    await press('#sm9-encrypt');
    is(await answer('sm9'), 'sm9.encrypted');
    await type('#sm9-id', 'bob@example.com');
    await press('#sm9-verify');
    is(await answer('sm9'), 'sm9.unverified');
    await press('#sm9-decrypt');
    assert.match(await answer('sm9'), { zh: /解密失败/, en: /./ }[language]);
    assert.equal(await tab.$eval('#sm9-ciphertext', (field) => field.ariaInvalid), 'true');
    await type('#sm9-id', 'alice@example.com');
    await type('#sm9-message', '');
    await press('#sm9-decrypt');
    is(await answer('sm9'), 'sm9.decrypted');
    assert.equal(await text('#sm9-message'), '消息 message');
    await press('#sm9-renew');
    await press('#sm9-verify');
    is(await answer('sm9'), 'sm9.unverified');
    await close();
  });

  test(`${language}: errors are in words, beside the field`, async () => {
    const { close, press, type, answer, tab } = await open({ language });
    const locked = sm2.PrivateKey.generate().toPem({ password: 'right' });
    const wrong = [
      ['#key-make', { '#key-password': 'open' }, 'key-password', ['#key-format', 'sec1']],
      ['#sign-do', {}, 'sign-key'],
      ['#sign-do', { '#sign-key': '00' }, 'sign-key'],
      ['#sign-do', { '#sign-key': locked }, 'sign-keyPassword'],
      ['#sign-do', { '#sign-keyPassword': 'wrong' }, 'sign-keyPassword'],
      ['#verify-do', { '#verify-key': '04'.repeat(65) }, 'verify-key'],
      ['#verify-do', { '#verify-key': sm2.PrivateKey.generate().publicKey.toPem(), '#verify-signature': 'no digits!' }, 'verify-signature'],
      ['#encrypt-do', { '#encrypt-key': 'text' }, 'encrypt-key'],
      ['#decrypt-do', { '#decrypt-key': '03'.repeat(32) }, 'decrypt-ciphertext'],
      ['#inspect-do', { '#inspect-what': 'nothing of the kind' }, 'inspect-what'],
      ['#sm4-encrypt', { '#sm4-key': '0123' }, 'sm4-key'],
      ['#sm4-decrypt', { '#sm4-key': '01'.repeat(16), '#sm4-ciphertext': '02'.repeat(40) }, 'sm4-ciphertext'],
    ];
    for (const [button, values, field, choice] of wrong) {
      if (choice !== undefined) await tab.select(...choice);
      for (const [selector, value] of Object.entries(values)) await type(selector, value);
      await press(button);
      await answer(field.split('-')[0]);
      const state = await tab.evaluate((id) => {
        const control = document.getElementById(id);
        const error = document.getElementById(`${id}-error`);
        return [control.ariaInvalid, error.textContent, document.activeElement.id, control.getAttribute('aria-describedby').includes(error.id)];
      }, field);
      assert.deepEqual([state[0], ...state.slice(2)], ['true', field, true], `${button} ${JSON.stringify(values)}`);
      assert.match(state[1], language === 'zh' ? /\p{Script=Han}/u : /^[\x20-\x7e]{10,}$/, field);
      assert.ok(!state[1].includes('[object'));
    }
    await close();
  });
}

test('the language is switched, with what is on the page', async () => {
  const { close, press, text, tab, tabTo, answer } = await open({ language: 'en' });
  await press('#sign-do');
  await press('#key-make');
  await tabTo('[data-language="zh"]');
  await tab.keyboard.press('Enter');
  assert.equal(await tab.$eval('html', (html) => html.lang), 'zh-CN');
  assert.match(await answer('key'), said('zh', 'key.made'));
  assert.match(await answer('sign'), said('zh', 'error.empty'));
  assert.equal(await text('#sign-title'), texts['sign.title'][0]);
  assert.match(await text('#key-publicPem'), /BEGIN PUBLIC KEY/);
  // Nothing is left in the other language, and nothing is empty.
  const left = await tab.$$eval('[data-text]', (all) =>
    all.filter((element) => element.textContent.trim() === '').map((element) => element.dataset.text));
  assert.deepEqual(left, []);
  await tabTo('[data-language="en"]');
  await tab.keyboard.press('Enter');
  const han = await tab.$$eval('[data-text]', (all) =>
    all.filter((element) => /\p{Script=Han}/u.test(element.textContent)).map((element) => element.dataset.text));
  assert.deepEqual(han, []);
  await close();
});

test('every sentence of a reason is there in Chinese', () => {
  const source = ['content', 'identity', 'mod'].map((name) =>
    readFileSync(path.join(PROJECT, `crates/kuaimi/src/sm2/explain/${name}.rs`), 'utf8')).join('\n');
  // Sentences begin with a space, or are put after one.
  const sentences = [...source.matchAll(/=>\s*(?:\{\s*)?"( ?[^"]{6,})"/g)].map(([, words]) => words);
  assert.ok(sentences.length > 30, String(sentences.length));
  const known = Object.keys(phrases).map((words) => words.trim());
  assert.deepEqual(sentences.filter((words) => !known.includes(words.trim())), []);
  for (const row of Object.values(texts)) assert.ok(row.length === 2 && row.every((words) => words !== ''));
});

test('a file of gigabytes: progress, flat memory, and stopping', async () => {
  const size = 2 ** 30;
  const file = path.join(folder, 'long');
  writeFileSync(file, 'the beginning');
  truncateSync(file, size);
  const { close, press, text, answer, tab, tabTo } = await open();
  const choose = async () => {
    const chooser = tab.waitForFileChooser();
    await tabTo('#digest button.small:not([hidden])');
    await tab.keyboard.press('Enter');
    await (await chooser).accept([file]);
    await tab.waitForFunction(() => document.querySelector('#digest-message').disabled);
  };
  await choose();
  await press('#digest-do', { answered: false });
  await tab.waitForFunction(() => document.querySelector('#digest progress').value > 0.02);
  await press('#digest-stop');
  assert.match(await answer('digest'), said('en', 'digest.stopped'));
  assert.equal(await tab.$eval('#digest-hex', (output) => output.closest('.result').hidden), true);

  await press('#digest-do', { answered: false });
  const seen = new Set();
  const watch = setInterval(() => tab.$eval('#digest progress', (bar) => bar.value).then((value) => seen.add(value), () => {}), 100);
  assert.match(await answer('digest'), said('en', 'digest.done'));
  clearInterval(watch);
  assert.ok(seen.size > 5, `${seen.size} steps`);
  const expected = createHash('sm3');
  const zeros = Buffer.alloc(2 ** 20);
  expected.update('the beginning').update(zeros.subarray(13));
  for (let i = 1; i < size / zeros.length; i += 1) expected.update(zeros);
  assert.equal(await text('#digest-hex'), expected.digest('hex'));
  const peak = peakMemory(browser);
  assert.ok(peak > 20 && peak < 600, `${peak} MiB`);
  await close();
});

test('the speed table: every package, checked, in this browser', async () => {
  const { close, press, answer, tab } = await open();
  await press('#speed-do', { answered: false });
  assert.match(await answer('speed'), said('en', 'speed.done'));
  const rows = await tab.$$eval('#speed tbody tr', (lines) => lines.map((line) => [...line.cells].map((cell) => cell.textContent)));
  assert.equal(rows.length, 8);
  for (const [name, ...cells] of rows) {
    assert.equal(cells.length, 4);
    for (const cell of cells) assert.match(cell, /^[\d.,]+( MB)?\/s$|^–$/, name);
    assert.doesNotMatch(cells[0], /–/);
  }
  assert.equal(rows.flat().filter((cell) => cell === '–').length, 2);
  await close();
});

test('no tool needs the network', async () => {
  const { close, press, answer, tab, type } = await open();
  // SM9's module is loaded when it is first used.
  if ((await tab.$('#sm9')) !== null) await press('#sm9-sign');
  await tab.setOfflineMode(true);
  await press('#key-make');
  await press('#key-use');
  await type('#sign-message', 'offline');
  await press('#sign-do');
  assert.match(await answer('sign'), said('en', 'sign.done'));
  await close();
  const policy = readFileSync(path.join(BUILT, 'index.html'), 'utf8').match(/content="(default-src[^"]+)"/)[1];
  assert.match(policy, /default-src 'none'.*connect-src 'none'/);
  // The policy holds: a connection is refused, even to the page's own server.
  const guarded = await browser.newPage();
  await guarded.goto(`${server.url}/index.html`);
  assert.equal(await guarded.evaluate(() => fetch('/index.html').then(() => 'sent', () => 'refused')), 'refused');
  await guarded.close();
});

test('without a server, from the folder', async () => {
  const page = await openPage(browser, pathToFileURL(BUILT).href, { url: 'file://' });
  await page.press('#key-make');
  await page.press('#key-use');
  await page.type('#digest-message', 'abc');
  await page.press('#digest-do');
  assert.equal(await page.text('#digest-hex'), sm3.hexDigest(utf8('abc')));
  await page.press('#sign-do');
  assert.match(await page.answer('sign'), said('en', 'sign.done'));
  await page.close();
});
