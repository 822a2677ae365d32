// Objects that hold something of an engine: keys, hashes, ciphers.

import { KuaimiError, invalid } from './errors.js';

const registry =
  typeof FinalizationRegistry === 'undefined'
    ? undefined
    : new FinalizationRegistry(({ engine, handle }) => engine.drop(handle));

let isOwned;
let read;
const TOKEN = {};

/**
 * The base of these classes. Its fields are private, so that neither `console.log`,
 * `JSON.stringify` nor `structuredClone` sees them. What it holds is wiped by `dispose()`, at the
 * end of a block with `using`, or some time after the object is no longer reachable.
 */
export class Owned {
  #engine;
  #handle;

  static {
    isOwned = (object) => typeof object === 'object' && object !== null && #handle in object;
    read = (object) => [object.#engine, object.#handle];
  }

  constructor(token, engine, handle) {
    if (token !== TOKEN) {
      throw invalid(`${new.target.name} has no public constructor: see its static methods`);
    }
    this.#engine = engine;
    this.#handle = handle;
    if (!engine.collects) registry?.register(this, { engine, handle }, this);
  }

  /** Wipes what this object holds; it is of no use afterwards. */
  dispose() {
    if (this.#handle === undefined) return;
    if (!this.#engine.collects) registry?.unregister(this);
    this.#engine.dispose(this.#handle);
    this.#engine.drop(this.#handle);
    this.#handle = undefined;
  }

  /** What JSON has of it: nothing. */
  toJSON() {
    return {};
  }
}
if (typeof Symbol.dispose === 'symbol') {
  Object.defineProperty(Owned.prototype, Symbol.dispose, {
    value() {
      this.dispose();
    },
    writable: true,
    configurable: true,
  });
}

/** An object of a class, for a handle of an engine. */
export function own(Class, engine, handle) {
  return new Class(TOKEN, engine, handle);
}

/** The engine of an object, and its handle. Of two objects in one call, both are of one engine. */
export function held(object, Class, what, core) {
  if (!isOwned(object) || !(object instanceof Class)) throw invalid(`${what} is a ${Class.name}`);
  const both = read(object);
  if (both[1] === undefined) {
    throw new KuaimiError('AlreadyFinalized', 'this object was disposed of');
  }
  if (core !== undefined && both[0] !== core) {
    // Its number is another object's there.
    throw invalid(`${what} was made by a module that was loaded at another time`);
  }
  return both;
}
