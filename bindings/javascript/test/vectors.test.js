// The standards' examples, which every language's tests read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromHex, sm3, toHex } from 'kuaimi';
import { vectors } from './helpers.js';

test('SM3', () => {
  for (const { message, digest } of vectors('sm3_sm4.json').sm3) {
    assert.equal(toHex(sm3.digest(fromHex(message))), digest.toLowerCase());
  }
});
