// WebAssembly as an engine: an object with a function for each operation, and `drop`.
//
// The module lists its operations with the kinds of their arguments (bindings/javascript/wasm).

import { fromUtf8 } from '../bytes.js';
import { KuaimiError } from '../errors.js';

/** The letters of kinds (bindings/javascript/wasm/src/export.rs). */
const KINDS = { b: 1, m: 2, o: 3, n: 4 };

/** The smallest module with a vector instruction: whether it is valid says whether the host has them. */
const SIMD = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
);

/** Whether this host's WebAssembly has vector instructions. */
export function hasSimd() {
  return WebAssembly.validate(SIMD);
}

/**
 * The engine of an instantiated module. `random(view)` fills a view with random bytes, or throws.
 * `instantiate(imports)` gives the instance.
 */
export function wasmEngine(instantiate, random) {
  let memory;
  let failure;
  const imports = {
    kuaimi: {
      random(at, length) {
        try {
          random(memory().subarray(at, at + length));
          return 1;
        } catch (error) {
          failure = error;
          return 0;
        }
      },
    },
  };
  const finish = (instance) => {
    const { exports } = instance;
    let view = new Uint8Array(0);
    // The memory is another one after it has grown.
    memory = () => (view.length === 0 ? (view = new Uint8Array(exports.memory.buffer)) : view);
    const engine = { name: exports.has_simd() === 1 ? 'wasm-simd' : 'wasm' };
    const host = {
      exports,
      memory,
      short: exports.short(),
      shortInput: exports.short_input(),
      shortResult: exports.short_result(),
      takeFailure() {
        const error = failure;
        failure = undefined;
        return error;
      },
    };
    for (let part = 0; ; part += 1) {
      const length = exports.operations_length(part);
      if (length === 0) break;
      const at = exports.operations(part);
      const list = String.fromCharCode(...memory().slice(at, at + length));
      list.trimEnd().split('\n').forEach((line, index) => {
        const [name, kinds] = line.split(' ');
        engine[name] = operation(host, part, index, [...kinds.slice(0, -1)], kinds[kinds.length - 1]);
      });
    }
    engine.drop = (number) => exports.drop_object(number);
    return engine;
  };
  const instance = instantiate(imports);
  return typeof instance.then === 'function' ? instance.then(finish) : finish(instance);
}

function operation(host, part, index, kinds, result) {
  const { call } = host.exports;
  const codes = kinds.map((kind) => KINDS[kind]);
  return (...values) => {
    let total = 0;
    for (let i = 0; i < codes.length; i += 1) {
      if (codes[i] <= 2 && values[i] !== undefined) total += 4 + values[i].length;
    }
    const short = total <= host.short;
    const start = short ? host.shortInput : host.exports.input(total);
    if (start === 0) throw new KuaimiError('MessageTooLong', 'there is no memory for the data');
    if (total > 0) write(host.memory(), start, codes, values);
    let status;
    try {
      status = call(part, index, ...values);
      if (result === 'b' || status < 0) {
        const out = take(host, status < 0 ? host.exports.result_length() : status);
        if (status < 0) throw failed(out, host.takeFailure());
        return out;
      }
    } finally {
      if (short) host.memory().fill(0, start, start + total);
      else host.exports.release();
    }
    if (result === 'f') return status === 1;
    return result === '-' ? undefined : status;
  };
}

/** Writes the arguments that are bytes, each behind its length, and puts their places in their stead. */
function write(view, start, codes, values) {
  let offset = start;
  for (let i = 0; i < codes.length; i += 1) {
    if (codes[i] > 2) continue;
    const value = values[i];
    if (value === undefined) continue;
    const length = value.length;
    view[offset] = length;
    view[offset + 1] = length >> 8;
    view[offset + 2] = length >> 16;
    view[offset + 3] = length >> 24;
    view.set(value, offset + 4);
    values[i] = offset - start + 1;
    offset += 4 + length;
  }
}

/** The bytes that a call gave, which are wiped. */
function take(host, length) {
  const view = host.memory();
  if (length > host.short) {
    const at = host.exports.result();
    const out = view.slice(at, at + length);
    host.exports.release();
    return out;
  }
  const at = host.shortResult;
  const out = view.slice(at, at + length);
  view.fill(0, at, at + length);
  return out;
}

function failed(bytes, cause) {
  const [code, ...message] = fromUtf8(bytes).split('\n');
  // The host's own error says more than that there are no random bytes.
  if (code === 'Random' && cause instanceof KuaimiError) return cause;
  return new KuaimiError(code, message.join('\n'));
}
