// Engines in Node: the addon for this machine where it is installed, else WebAssembly.

import { readFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';
import { createRequire } from 'node:module';
import { invalid, KuaimiError } from '../errors.js';
import { fill } from '../random.js';
import { nativeEngine } from './native.js';
import { hasSimd, wasmEngine } from './wasm.js';

/** The modules are beside the sources, of which there are two sets: ES modules and CommonJS. */
const FOLDER = new URL('../../wasm/', import.meta.url);

export function nodeSource(name) {
  return { open: () => chosen(process.env.KUAIMI_JAVASCRIPT_ENGINE || undefined) ?? wasm(name) };
}

/** The addon as an engine, unless WebAssembly was asked for or is all there is. */
function chosen(wanted) {
  if (wanted !== undefined && wanted !== 'native' && wanted !== 'wasm') {
    throw invalid(`KUAIMI_JAVASCRIPT_ENGINE is 'native' or 'wasm', not '${wanted}'`);
  }
  if (wanted === 'wasm') return undefined;
  const { engine, trouble } = (found ??= find());
  if (engine === undefined && wanted === 'native') {
    throw new KuaimiError('NotReady', `KUAIMI_JAVASCRIPT_ENGINE is 'native', but ${trouble ?? `none of ${packages().join(', ')} is installed`}`);
  }
  return engine;
}

/** What came of looking for the addon, which has the operations of all engines. */
let found;

function find() {
  const load = createRequire(import.meta.url);
  const { version } = load('../../package.json');
  let trouble;
  for (const name of packages()) {
    try {
      const addon = load(name);
      if (addon.version === version) return { engine: nativeEngine(addon) };
      trouble = `${name} has version ${addon.version}, not ${version}`;
    } catch (error) {
      const missing = error.code === 'MODULE_NOT_FOUND' && error.message.includes(`'${name}'`);
      if (!missing) trouble ??= `${name} cannot be loaded: ${error.message}`;
    }
  }
  if (trouble !== undefined) {
    process.emitWarning(`${trouble}. WebAssembly is used, which is slower.`, { code: 'KUAIMI_ADDON' });
  }
  return { trouble };
}

/** The packages that may have the addon. Of those for Linux's two C libraries, the wrong one does not load. */
function packages() {
  const machine = `@kuaimi/${process.platform}-${process.arch}`;
  if (process.platform === 'linux') return [`${machine}-gnu`, `${machine}-musl`];
  return process.platform === 'win32' ? [`${machine}-msvc`] : [machine];
}

function wasm(name) {
  const file = new URL(`${name}${name !== 'formats' && hasSimd() ? '-simd' : ''}.wasm`, FOLDER);
  const module = new WebAssembly.Module(readFileSync(file));
  return wasmEngine((imports) => new WebAssembly.Instance(module, imports), fromNode);
}

function fromNode(view) {
  if (typeof webcrypto?.getRandomValues !== 'function') {
    throw new KuaimiError('Random', "this Node has no crypto.webcrypto: it was built without OpenSSL");
  }
  fill(webcrypto, view);
}
