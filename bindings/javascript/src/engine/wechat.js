// WebAssembly and random bytes in WeChat's mini-programs.
//
// https://developers.weixin.qq.com/miniprogram/dev/framework/performance/wasm.html (base library
// 2.13.0; in a Worker 2.15.0; .wasm.br 2.14.0; vector instructions from WeChat 8.0.25) and
// https://developers.weixin.qq.com/miniprogram/dev/api/device/crypto/wx.getRandomValues.html
// (2.15.0; it answers later).

/* global WXWebAssembly, wx */

import { KuaimiError } from '../errors.js';
import { wasmEngine } from './wasm.js';

/** The least that the generator takes (bindings/javascript/operations/src/random/drbg.rs). */
const SEED = 48;

/** The engine of the first of these files that this host can run: paths in the mini-program's package. */
export async function engineOfFiles(paths, random) {
  if (typeof WXWebAssembly === 'undefined') {
    throw new KuaimiError(
      'FeatureNeeded',
      'this host has no WXWebAssembly (WeChat has it from base library 2.13.0), and plain JavaScript would not be constant time',
    );
  }
  const reasons = [];
  for (const path of paths) {
    try {
      return await wasmEngine(async (imports) => (await WXWebAssembly.instantiate(path, imports)).instance, random);
    } catch (error) {
      reasons.push(`${path}: ${error?.message ?? error?.errMsg ?? error}`);
    }
  }
  throw new KuaimiError('Io', `no WebAssembly can be instantiated: ${reasons.join('; ')}`);
}

/** Whether the host gives random bytes here: a Worker's does not. */
export function hasRandom() {
  return typeof wx !== 'undefined' && typeof wx.getRandomValues === 'function';
}

/** A seed of the host's. */
export async function seedOfHost() {
  const answer = await new Promise((success, fail) => wx.getRandomValues({ length: SEED, success, fail })).catch((error) => {
    throw new KuaimiError('Random', `wx.getRandomValues failed: ${error?.errMsg ?? error}`);
  });
  const seed = new Uint8Array(answer.randomValues);
  if (seed.length !== SEED) throw new KuaimiError('Random', `wx.getRandomValues gave ${seed.length} bytes in place of ${SEED}`);
  return seed;
}
