// The modules of WebAssembly, each a script of Base64 that the page and its worker load when they
// need it: a page that is opened from a folder may load scripts, and nothing else.

import { fromBase64, init } from 'kuaimi/slim';
import { init as initSm9 } from 'kuaimi/sm9/slim';

const inWorker = typeof document === 'undefined';

function script(url) {
  if (inWorker) {
    importScripts(url);
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = url;
    element.onload = resolve;
    element.onerror = () => reject(new Error(`${url} cannot be loaded`));
    document.head.append(element);
  });
}

async function bytesOf(name) {
  await script(`wasm/${name}.js`);
  const text = globalThis.kuaimiModules[name];
  delete globalThis.kuaimiModules[name];
  return fromBase64(text);
}

/** Only the one is loaded that this browser can run. */
const either = (name) => ({
  get simd() {
    return bytesOf(`${name}-simd`);
  },
  get baseline() {
    return bytesOf(name);
  },
});

export const ready = init(either('sm2'));

let sm9;
export const readySm9 = () => (sm9 ??= initSm9(either('sm9')));

/** Another package, which its script puts into `kuaimiPeers`. */
export async function peer(name) {
  globalThis.kuaimiPeers ??= {};
  if (globalThis.kuaimiPeers[name] === undefined) await script(`peers/${name}.js`);
  return globalThis.kuaimiPeers[name];
}
