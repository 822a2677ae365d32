// `kuaimi.js` in a mini-program: built by scripts/javascript-miniprogram.

import type { Bytes } from './common.js';

export * from './index.js';
export * as sm9 from './sm9.js';

/**
 * Loads the module that computes and seeds the generator of random bytes from `wx.getRandomValues`.
 * Every other call fails with `'NotReady'` before this is done.
 *
 * `path`, `formatsPath` and `sm9Path` are paths of the mini-program's package, or several, of which the first one
 * is taken that runs: `/kuaimi/sm2-simd.wasm.br`, then `/kuaimi/sm2.wasm.br`. SM9 is loaded where
 * `sm9Path` is given; its keys in files also need `formatsPath`.
 *
 * Fails with `'FeatureNeeded'` where the host has no `WXWebAssembly`, with `'Io'` where no module
 * can be instantiated, and with `'Random'` where `wx.getRandomValues` fails. Where there is no such
 * function (a Worker, a plugin), what needs random bytes fails with `'Random'` until `seed`.
 */
export function ready(options?: { path?: string | string[]; formatsPath?: string | string[]; sm9Path?: string | string[] }): Promise<void>;

/**
 * Adds random bytes to the generator's state, 48 or more. For a Worker: `randomBytes(48)` of the
 * main context.
 */
export function seed(data: Bytes): void;
