// Measures Kuaimi beside the packages that it replaces: `scripts/javascript-bench --help`.
//
// Processor time, so that other programs on the machine count less. The libraries take turns in each
// round, and the median of the rounds is shown.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { libraries, OPERATIONS } from './libraries.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    milliseconds: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    goals: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(`scripts/javascript-bench [--rounds 7] [--milliseconds 30] [--only REGULAR-EXPRESSION] [--json FILE] [--goals]

Each round takes at least so many milliseconds of each library. With --goals, the exit status is 1
where WebAssembly is not 80 times as fast as sm-crypto in SM2, 9 times in SM3, and twice as fast as
sm-crypto-v2 in everything.`);
  process.exit(0);
}
const [rounds, milliseconds] = [Number(values.rounds), Number(values.milliseconds)];

/** Microseconds of the processor for a call, of `count` calls. */
function measure(call, count) {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i += 1) call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** How many calls fill the time, after the compiler has seen them. */
function countOf(call) {
  for (let count = 1; ; count *= 2) {
    const took = measure(call, count) * count;
    if (took >= 1000 * milliseconds) return Math.max(1, Math.ceil((1000 * milliseconds * count) / took));
  }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

function bytesOf(result) {
  if (typeof result === 'boolean') return String(result);
  return typeof result === 'string' ? result.toLowerCase() : Buffer.from(result).toString('hex');
}

const all = libraries();
const machine = { machine: os.cpus()[0]?.model ?? 'unknown', system: `${os.platform()} ${os.arch()}`, node: process.version, openssl: process.versions.openssl };
console.log(`${machine.machine}, ${machine.system}, Node ${machine.node}, OpenSSL ${machine.openssl}; processor time, median of ${rounds} rounds`);

const results = {};
for (const [operation, { bytes, same }] of OPERATIONS) {
  if (!new RegExp(values.only).test(operation)) continue;
  const calls = [];
  let expected;
  for (const { name, use, functions } of all) {
    const call = functions[operation];
    if (call === undefined) continue;
    use();
    const result = bytesOf(same ? call() : '');
    // A library that computes something else is not measured with the others.
    assert.equal(result, (expected ??= result), `${name}: ${operation}`);
    calls.push({ name, use, call, count: countOf(call), times: [] });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { use, call, count, times } of calls) {
      use();
      times.push(measure(call, count));
    }
  }
  const [first] = calls;
  const lead = calls.find(({ name }) => name === 'kuaimi wasm-simd') ?? first;
  results[operation] = {};
  console.log(`\n${operation}`);
  for (const { name, times } of calls) {
    const microseconds = median(times);
    results[operation][name] = { microseconds, rounds: times };
    const speed = bytes === undefined ? `${Math.round(1e6 / microseconds)} /s` : `${(bytes / microseconds).toFixed(1)} MB/s`;
    const ratio = microseconds / median(lead.times);
    console.log(`  ${name.padEnd(18)}${microseconds.toFixed(1).padStart(12)} µs${speed.padStart(14)}${ratio.toFixed(2).padStart(10)} x`);
  }
}
console.log("\nx: the time in multiples of WebAssembly's with vector instructions");
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ ...machine, results }, undefined, 1)}\n`);

/** The least that WebAssembly aims at, as multiples of another library's speed. */
function missed() {
  const misses = [];
  const need = (operation, peer, least) => {
    const { [peer]: theirs, 'kuaimi wasm-simd': ours } = results[operation];
    if (theirs === undefined || ours === undefined) return;
    const ratio = theirs.microseconds / ours.microseconds;
    if (ratio < least) misses.push(`${operation}: ${ratio.toFixed(1)} x ${peer}, and the goal is ${least} x`);
  };
  for (const operation of Object.keys(results)) {
    if (operation.startsWith('SM2')) need(operation, 'sm-crypto', 80);
    if (operation.startsWith('SM3')) need(operation, 'sm-crypto', 9);
    need(operation, 'sm-crypto-v2', 2);
  }
  return misses;
}

if (values.goals) {
  const misses = missed();
  for (const miss of misses) console.log(`missed: ${miss}`);
  if (misses.length === 0) console.log('WebAssembly reaches every goal');
  process.exitCode = misses.length === 0 ? 0 : 1;
}
