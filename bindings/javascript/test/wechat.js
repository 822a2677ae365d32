// A stand-in for WeChat's mini-programs, after WeChat's documentation: a context without the web's
// objects, WXWebAssembly that takes paths in the package alone, and random bytes that come later.

import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';

/** What the oldest phones have not: what came to JavaScript after 2018, and the web's WebAssembly. */
const MISSING = `
  for (const name of ['WebAssembly', 'FinalizationRegistry', 'WeakRef', 'BigInt', 'BigInt64Array', 'BigUint64Array',
    'SharedArrayBuffer', 'Atomics', 'AggregateError']) delete globalThis[name];
  for (const [object, names] of [[Object, ['hasOwn', 'groupBy']], [Array.prototype, ['at', 'findLast', 'toSorted']],
    [String.prototype, ['at', 'replaceAll', 'matchAll']], [Uint8Array.prototype, ['at', 'findLast']],
    [Symbol, ['dispose', 'asyncDispose']], [Promise, ['any', 'allSettled', 'withResolvers']]]) {
    for (const name of names) delete object[name];
  }
`;

/**
 * A context of a mini-program, `app` or `worker`, whose package is a folder. `simd`: whether its
 * WebAssembly has vector instructions. `random`: what wx.getRandomValues does, or null where there
 * is none.
 */
export function miniprogram(folder, { worker = false, simd = true, random = given } = {}) {
  const seen = { instantiated: [], random: [], timers: [] };
  const host = {
    console,
    setTimeout,
    clearTimeout,
    setInterval: (call, wait) => seen.timers.push({ call, wait }),
    clearInterval() {},
    WXWebAssembly: {
      async instantiate(name, imports) {
        if (typeof name !== 'string' || !/^\/?[\w./-]+\.wasm(\.br)?$/.test(name)) {
          throw new TypeError('WebAssembly.instantiate: not support wxfile: or http: path');
        }
        seen.instantiated.push(name);
        const file = readFileSync(path.join(folder, name));
        const bytes = name.endsWith('.br') ? brotliDecompressSync(file) : file;
        if (!simd && name.includes('simd')) throw new WebAssembly.CompileError('invalid opcode 253');
        const module = await WebAssembly.compile(bytes);
        const kinds = WebAssembly.Module.exports(module).map(({ kind }) => kind);
        // "iOS 平台暂不支持 Global".
        if (kinds.includes('global')) throw new WebAssembly.LinkError('a Global is exported');
        return { module, instance: await WebAssembly.instantiate(module, imports) };
      },
    },
  };
  if (worker) {
    host.worker = { onMessage() {}, postMessage() {} };
  } else {
    host.wx = {};
    if (random !== null) {
      host.wx.getRandomValues = (options) => {
        seen.random.push(options.length);
        const answer = new Promise((resolve, reject) => setTimeout(() => random(options.length, resolve, reject), 1));
        if (options.success === undefined && options.fail === undefined && options.complete === undefined) return answer;
        answer.then(options.success, options.fail).finally(options.complete);
        return undefined;
      };
    }
  }
  const context = createContext(host, { codeGeneration: { strings: false, wasm: false } });
  runInContext(MISSING, context);
  const run = (text) => runInContext(text, context);
  /** `require` of a file of the package, which is called kuaimi.js. */
  const load = (name) => {
    const text = readFileSync(path.join(folder, name), 'utf8');
    run(`{ const module = { exports: {} }; (function (module, exports) {${text}\n})(module, module.exports); globalThis.kuaimi = module.exports; }`);
  };
  return { run, load, seen, host };
}

function given(length, resolve) {
  resolve({ errMsg: 'getRandomValues:ok', randomValues: webcrypto.getRandomValues(new Uint8Array(length)).buffer });
}
