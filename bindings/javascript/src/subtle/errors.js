// The errors of the Web Cryptography API.

import { KuaimiError } from '../errors.js';

/** An error with one of the names of the API, a DOMException where the host has them. */
export function failure(name, message) {
  if (typeof DOMException === 'function') return new DOMException(message, name);
  const error = new Error(message);
  error.name = name;
  return error;
}

/** What `work` gives; where the library refuses, an error with this name. */
export function attempt(name, work) {
  try {
    return work();
  } catch (error) {
    // A host that is not ready or has no random bytes is no fault of the data.
    if (!(error instanceof KuaimiError) || error.code === 'Random' || error.code === 'NotReady') throw error;
    throw failure(name, error.message);
  }
}
