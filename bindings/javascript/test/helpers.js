// What several tests use.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The project's folder. */
export const PROJECT = process.env.KUAIMI_PROJECT;

/** A folder of target/ that a script has made. */
export function made(folder, script) {
  const place = path.join(PROJECT, 'target', folder);
  if (!existsSync(place)) throw new Error(`there is no target/${folder}: run ${script}`);
  return place;
}

/** A file of vectors/. */
export function vectors(name) {
  return JSON.parse(readFileSync(path.join(PROJECT, 'vectors', name), 'utf8'));
}

/** Asserts that a call fails with this code. */
export function fails(code, call) {
  assert.throws(call, (error) => {
    assert.equal(error.name, 'KuaimiError', String(error.stack));
    assert.equal(error.code, code, error.message);
    return true;
  });
}

/** Random numbers that repeat, from a number (mulberry32). */
export function repeatable(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
