// SM3 of a text or a file, beside the page: with progress, and to be stopped.

import { KuaimiError, sm3 } from 'kuaimi/slim';
import { source } from '../field.js';
import { element, result, tool } from '../form.js';
import { feed } from '../hash.js';
import { label } from '../language.js';

/** A page that was opened from a folder may not start workers. */
const here = location.protocol === 'file:';

export function digestTool() {
  const page = tool('digest');
  const message = page.add(source('digest.message'));
  const bar = element('progress', { hidden: true, max: 1, value: 0 });
  label(bar, 'digest.progress');
  const digest = result('digest.hex');
  let stop;
  page.buttons({
    async 'digest.do'() {
      stop?.();
      digest.set();
      const blob = await message.value();
      bar.value = 0;
      bar.hidden = false;
      page.plain('digest.working');
      const began = performance.now();
      const stopped = new Promise((resolve) => (stop = () => resolve(undefined)));
      const mine = stop;
      const text = await (here ? inPage : inWorker)(blob, stopped, (done) => (bar.value = done / blob.size));
      if (stop !== mine) return;
      stop = undefined;
      bar.hidden = true;
      if (text === undefined) return page.plain('digest.stopped');
      digest.set(text);
      const rate = Math.round(blob.size / 1000 / (performance.now() - began));
      // Of a short one, the worker's start is all that would be measured.
      if (blob.size < 1e6) return page.right('digest.short', blob.size);
      return page.right('digest.done', blob.size, rate);
    },
    async 'digest.stop'() {
      if (stop === undefined) page.plain('digest.idle');
      else stop();
    },
  });
  page.add(bar, digest);
}

async function inWorker(blob, stopped, progress) {
  const worker = new Worker('worker.js');
  try {
    const finished = new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message));
      worker.onmessage = ({ data: { done, digest, failure } }) => {
        if (done !== undefined) progress(done);
        if (digest !== undefined) resolve(digest);
        if (failure !== undefined) reject(new KuaimiError(failure.code, failure.message));
      };
    });
    worker.postMessage(blob);
    return await Promise.race([finished, stopped]);
  } finally {
    worker.terminate();
  }
}

async function inPage(blob, stopped, progress) {
  let over = false;
  stopped.then(() => (over = true));
  const hash = sm3.createHash();
  try {
    await feed(hash, blob, async (done) => {
      progress(done);
      await new Promise((resolve) => setTimeout(resolve));
      if (over) throw stopped;
    });
    return hash.hexDigest();
  } catch (error) {
    if (error !== stopped) throw error;
    return undefined;
  } finally {
    hash.dispose();
  }
}
