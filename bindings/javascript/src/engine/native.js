// Node's addon as an engine (bindings/javascript/native).

import { KuaimiError } from '../errors.js';

/** A longer result comes as an array of its own. */
const ROOM = 65536;

/** The engine of a loaded addon. */
export function nativeEngine(addon) {
  // The garbage collector knows the handles, so that nobody has to drop them.
  const engine = { name: 'native', collects: true, drop() {} };
  const room = new Uint8Array(ROOM);
  const results = {};
  for (const line of addon.operations.trimEnd().split('\n')) {
    const [name, result] = [line.slice(0, line.indexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)];
    results[name] = result;
    engine[name] = operation(addon[name], result, room);
  }
  engine.later = async (name, ...values) => finish(await addon.later[name](...values), results[name]);
  return engine;
}

function operation(call, result, room) {
  if (result === 'bytes') {
    return (...values) => {
      const answer = call(room, ...values);
      if (typeof answer !== 'number') return finish(answer, result);
      const out = room.slice(0, answer);
      room.fill(0, 0, answer);
      return out;
    };
  }
  return (...values) => finish(call(room, ...values), result);
}

function finish(answer, result) {
  if (typeof answer === 'string') {
    const end = answer.indexOf('\n');
    throw new KuaimiError(answer.slice(0, end), answer.slice(end + 1));
  }
  if (result === 'flag') return answer === 1;
  return result === 'nothing' ? undefined : answer;
}
