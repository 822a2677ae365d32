// WebAssembly as an engine: an object with a function for each operation, and `drop`.
//
// The module lists its operations with the kinds of their arguments (bindings/javascript/wasm).

import { fromUtf8 } from '../bytes.js';
import { KuaimiError } from '../errors.js';

const KINDS = { bytes: 1, maybe: 2, object: 3, number: 4 };

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
      for (const line of list.trimEnd().split('\n')) {
        const [name, ...kinds] = line.split(' ');
        engine[name] = operation(host, name, kinds.slice(0, -1), kinds[kinds.length - 1]);
      }
    }
    engine.drop = (number) => exports.drop_object(number);
    return engine;
  };
  const instance = instantiate(imports);
  return typeof instance.then === 'function' ? instance.then(finish) : finish(instance);
}

function operation({ exports, memory, takeFailure }, name, kinds, result) {
  const call = exports[name];
  const codes = kinds.map((kind) => KINDS[kind]);
  const hasBytes = codes.some((code) => code === 1 || code === 2);
  return (...values) => {
    let total = 0;
    if (hasBytes) {
      for (let i = 0; i < codes.length; i += 1) {
        if (codes[i] <= 2 && values[i] !== undefined) total += 4 + values[i].length;
      }
      let offset = exports.input(total);
      if (offset === 0) throw new KuaimiError('MessageTooLong', 'there is no memory for the data');
      const view = memory();
      const start = offset;
      for (let i = 0; i < codes.length; i += 1) {
        if (codes[i] > 2) continue;
        const value = values[i];
        if (value === undefined) {
          values[i] = 0;
          continue;
        }
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
    try {
      const status = call(...values);
      if (status < 0) throw failed(exports, memory(), takeFailure());
      if (result === 'bytes') {
        const at = exports.result();
        return memory().slice(at, at + status);
      }
      if (result === 'flag') return status === 1;
      return result === 'nothing' ? undefined : status;
    } finally {
      exports.release();
    }
  };
}

function failed(exports, memory, cause) {
  const at = exports.result();
  const text = fromUtf8(memory.slice(at, at + exports.result_length()));
  const [code, ...message] = text.split('\n');
  // The host's own error says more than that there are no random bytes.
  if (code === 'Random' && cause instanceof KuaimiError) return cause;
  return new KuaimiError(code, message.join('\n'));
}
