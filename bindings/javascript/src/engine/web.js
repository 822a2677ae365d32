// WebAssembly modules in browsers, workers, Deno and Bun.

import { fromBase64 } from '../bytes.js';
import { invalid, KuaimiError } from '../errors.js';
import { fromHost } from '../random.js';
import { hasSimd, wasmEngine } from './wasm.js';

/** An engine of a compiled module, at once. */
export function engineOf(module) {
  return wasmEngine((imports) => new WebAssembly.Instance(module, imports), fromHost);
}

/**
 * A source whose module is part of a script, as Base64. If it has vector instructions, `baseline` is
 * a function that imports the one without, for the few hosts that need it.
 */
export function inlined(text, baseline) {
  const runs = () => baseline === undefined || hasSimd();
  return {
    open() {
      if (!runs()) {
        throw new KuaimiError('NotReady', "this host's WebAssembly has no vector instructions: 'await ready()' first, which loads a module without them");
      }
      try {
        return engineOf(new WebAssembly.Module(fromBase64(text)));
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        // Some hosts compile only small modules while a page waits.
        throw new KuaimiError('NotReady', "this host does not compile WebAssembly at once: 'await ready()' first");
      }
    },
    async load() {
      const module = runs() ? text : (await baseline()).default;
      return engineOf(await WebAssembly.compile(fromBase64(module)));
    },
  };
}

/**
 * An engine from a URL, a Response, bytes or a WebAssembly.Module. Of an object with `simd` and
 * `baseline`, the one is taken that this host can run.
 */
export async function engineFrom(source) {
  let given = await source;
  if (given !== null && typeof given === 'object' && 'simd' in given && 'baseline' in given) {
    given = await (hasSimd() ? given.simd : given.baseline);
  }
  if (given instanceof WebAssembly.Module) return engineOf(given);
  if (typeof given === 'string' || given instanceof URL) given = await fetched(given);
  if (typeof Response !== 'undefined' && given instanceof Response) {
    if (!given.ok) throw new KuaimiError('Io', `the WebAssembly at ${given.url} answers with status ${given.status}`);
    // Not compileStreaming: many servers do not name the type application/wasm.
    given = await given.arrayBuffer();
  }
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) {
    return engineOf(await WebAssembly.compile(given));
  }
  throw invalid('init takes a URL, a Response, bytes, a WebAssembly.Module, or an object { simd, baseline } of these');
}

async function fetched(url) {
  try {
    return await fetch(url);
  } catch (error) {
    throw new KuaimiError('Io', `the WebAssembly at ${url} cannot be fetched: ${error.message}`);
  }
}
