// Engines in Node: the addon for this machine where it is installed, else WebAssembly.

import { readFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';
import { KuaimiError } from '../errors.js';
import { hasSimd, wasmEngine } from './wasm.js';

/** The modules are beside the sources, of which there are two sets: ES modules and CommonJS. */
const FOLDER = new URL('../../wasm/', import.meta.url);

export function nodeSource(name) {
  return { open: () => wasm(name) };
}

function wasm(name) {
  const file = new URL(`${name}${name !== 'formats' && hasSimd() ? '-simd' : ''}.wasm`, FOLDER);
  const module = new WebAssembly.Module(readFileSync(file));
  return wasmEngine((imports) => new WebAssembly.Instance(module, imports), fromNode);
}

/** What `getRandomValues` gives at a time. */
const MOST = 65536;

function fromNode(view) {
  if (typeof webcrypto?.getRandomValues !== 'function') {
    throw new KuaimiError('Random', "this Node has no crypto.webcrypto: it was built without OpenSSL");
  }
  for (let at = 0; at < view.length; at += MOST) webcrypto.getRandomValues(view.subarray(at, at + MOST));
}
