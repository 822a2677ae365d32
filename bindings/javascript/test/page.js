// The demonstration page in Chromium: opened, used by keyboard, dropped on.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { made, PROJECT } from './helpers.js';

export const BUILT = made('web-demo', 'scripts/javascript-demo');
export const SHOTS = path.join(PROJECT, 'target/web-demo-check');

/** The page's files, for `serve`. */
export function builtFiles() {
  const names = readdirSync(BUILT, { recursive: true }).filter((name) => statSync(path.join(BUILT, name)).isFile());
  return new Map(names.map((name) => [`/${name}`, readFileSync(path.join(BUILT, name))]));
}

/** The page in a language. `close` asserts that nothing went wrong in it, and that it asked for its own files alone. */
export async function openPage(browser, url, { language = 'en', width = 1280, scheme = 'light', url: own = url } = {}) {
  const tab = await browser.newPage();
  const errors = [];
  tab.on('pageerror', (error) => errors.push(String(error.stack ?? error)));
  tab.on('console', (message) => ['error', 'warn'].includes(message.type()) && errors.push(message.text()));
  tab.on('request', (request) => {
    if (!request.url().startsWith(own) && !/^(data|blob):/.test(request.url())) errors.push(`request: ${request.url()}`);
  });
  tab.on('requestfailed', (request) => errors.push(`failed: ${request.url()}`));
  await tab.setViewport({ width, height: 900 });
  await tab.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await tab.evaluateOnNewDocument((value) => {
    Object.defineProperty(navigator, 'language', { value });
  }, { zh: 'zh-CN', en: 'en-GB' }[language]);
  await tab.goto(`${url}/index.html`);
  await tab.waitForSelector('#speed');
  return { ...actions(tab), tab, close: async () => {
    await tab.close();
    assert.deepEqual(errors, []);
  } };
}

function actions(tab) {
  const text = (selector) => tab.$eval(selector, (element) => element.value ?? element.textContent);
  /** Moves the focus with the keyboard alone. */
  const tabTo = async (selector) => {
    for (let presses = 0; presses < 200; presses += 1) {
      if (await tab.evaluate((wanted) => document.activeElement.matches(wanted), selector)) return;
      await tab.keyboard.press('Tab');
    }
    assert.fail(`the keyboard does not reach ${selector}`);
  };
  return {
    text,
    tabTo,
    /** Types into a field that the keyboard reaches, in place of what it has. */
    async type(selector, words) {
      await tabTo(selector);
      await tab.keyboard.down('Control');
      await tab.keyboard.press('a');
      await tab.keyboard.up('Control');
      await tab.keyboard.press('Delete');
      await tab.keyboard.sendCharacter(words);
    },
    /** Presses a button that the keyboard reaches, and waits for the answer of its tool. */
    async press(selector, { answered = true } = {}) {
      await tabTo(selector);
      await tab.$eval(selector, (button) => {
        const answer = button.closest('section').querySelector('.answer');
        answer.textContent = '';
      });
      await tab.keyboard.press('Enter');
      if (answered) await answer(tab, selector.slice(1).split('-')[0]);
    },
    answer: (id) => answer(tab, id),
    /** Drops a file on a field. */
    async drop(selector, name, data) {
      await tab.$eval(
        selector,
        (field, file, base64) => {
          const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([bytes], file));
          field.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }));
          field.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
        },
        name,
        Buffer.from(data).toString('base64'),
      );
    },
    /** Waits until a field has a text. */
    until: (selector, wanted) =>
      tab.waitForFunction(
        (where, what) => (document.querySelector(where).value ?? document.querySelector(where).textContent).includes(what),
        {},
        selector,
        wanted,
      ),
    async shot(name) {
      mkdirSync(SHOTS, { recursive: true });
      await tab.screenshot({ path: path.join(SHOTS, `${name}.png`), fullPage: true });
    },
  };
}

/** What a tool says in the end: its answer, or the error beside a field. */
async function answer(tab, id) {
  const said = await tab.waitForFunction((section) => {
    const shown = [...document.querySelectorAll(`#${section} .answer, #${section} .error:not([hidden])`)];
    return shown.map((element) => element.textContent).find((words) => words !== '' && !/…$|……$/.test(words));
  }, { timeout: 120_000 }, id);
  return said.jsonValue();
}

/** Where Chromium puts what is downloaded; `get(name)` waits for a file. */
export async function downloads(browser, folder) {
  const session = await browser.target().createCDPSession();
  await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
  return async (name) => {
    const file = path.join(folder, name);
    for (let tries = 0; tries < 200 && !existsSync(file); tries += 1) await pause(25);
    return readFileSync(file);
  };
}

/** The most memory that a page of this browser has had, in MiB (Linux). */
export function peakMemory(browser) {
  const parents = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      parents.set(pid, /\nPPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
    } catch {
      // It has ended.
    }
  }
  const ours = (pid) => pid !== undefined && (pid === String(browser.process().pid) || ours(parents.get(pid)));
  const peaks = [...parents.keys()].filter(ours).map((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer')) return 0;
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
    } catch {
      return 0;
    }
  });
  return Math.max(...peaks);
}
