// How the demonstration page looks: nothing overflows, and axe finds nothing to complain of. The
// screenshots go to target/web-demo-check.

import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { builtFiles, openPage, SHOTS } from './page.js';
import { chromium, serve } from './web.js';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
let server;
let browser;

before(async () => {
  rmSync(SHOTS, { recursive: true, force: true });
  server = await serve(builtFiles());
  browser = await chromium();
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/** Uses every tool, so that results, answers and errors are there to look at. */
async function fill({ press, type, tab }) {
  await press('#key-make');
  await press('#key-use');
  assert.notEqual(await tab.$eval('#sign-key', (field) => field.value), '');
  await type('#sign-message', 'A message. 一条消息。');
  await press('#sign-do');
  await type('#verify-message', 'A message. 一条消息。\n');
  await type('#verify-signature', await tab.$eval('#sign-hex', (output) => output.textContent));
  await press('#verify-do');
  await press('#encrypt-do');
  await type('#digest-message', 'abc');
  await press('#digest-do');
  await type('#inspect-what', await tab.$eval('#key-publicPem', (output) => output.textContent));
  await press('#inspect-do');
  await press('#sm4-generate');
  await type('#sm4-message', 'A message');
  await press('#sm4-encrypt');
  if ((await tab.$('#sm9')) !== null) {
    await type('#sm9-message', 'A message');
    await press('#sm9-sign');
  }
}

/** What is wider than the window, or than what it is in, and what is cut off. */
const overflowing = () => {
  const found = document.scrollingElement.scrollWidth > innerWidth ? ['the page'] : [];
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.table table, .skip, [hidden]')) continue;
    const { left, right, width } = element.getBoundingClientRect();
    const name = element.id || element.className || element.localName;
    if (width > 0 && (right > innerWidth + 0.5 || left < -0.5)) found.push(name);
    if (['BUTTON', 'SELECT', 'OUTPUT', 'P', 'LABEL', 'DD'].includes(element.tagName) && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) found.push(`${name}: cut off`);
  }
  return found;
};

const complaints = async (tab) => {
  // As the browser's debugger, which no content policy holds back.
  await tab.evaluate(AXE);
  const { violations } = await tab.evaluate(() => axe.run());
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target} ${failureSummary}`));
};

for (const language of ['zh', 'en']) {
  for (const [width, scheme] of [[320, 'light'], [768, 'dark'], [1280, 'light'], [1280, 'dark'], [320, 'dark']]) {
    test(`${language}, ${width} px, ${scheme}`, async () => {
      const page = await openPage(browser, server.url, { language, width, scheme });
      assert.deepEqual(await complaints(page.tab), []);
      await fill(page);
      if (width === 320 && scheme === 'light') {
        await page.press('#speed-do', { answered: false });
        await page.answer('speed');
      }
      assert.deepEqual(await page.tab.evaluate(overflowing), []);
      assert.deepEqual(await complaints(page.tab), []);
      await page.shot(`${language}-${width}-${scheme}`);
      await page.close();
    });
  }
}

test('the focus is seen, and goes through the page in its order', async () => {
  const { tab, close } = await openPage(browser, server.url, {});
  const places = [];
  for (let presses = 0; presses < 300; presses += 1) {
    await tab.keyboard.press('Tab');
    const place = await tab.evaluate(() => {
      const { activeElement: at } = document;
      if (at === document.body) return undefined;
      const { top } = at.getBoundingClientRect();
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      return { top: top + scrollY, seen: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2, name: at.id || at.textContent };
    });
    if (place === undefined) break;
    places.push(place);
  }
  assert.ok(places.length > 60, String(places.length));
  assert.deepEqual(places.filter(({ seen }) => !seen), []);
  for (let i = 2; i < places.length; i += 1) {
    // Buttons of one row are side by side.
    assert.ok(places[i].top >= places[i - 1].top - 60, `${places[i - 1].name}, then ${places[i].name}`);
  }
  await close();
});
