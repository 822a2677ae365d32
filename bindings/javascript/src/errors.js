/**
 * Why a call fails. `code` is one of the kinds of docs/errors.md, such as 'DecryptionFailed', and
 * does not change between versions; `message` is for people.
 */
export class KuaimiError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }

  get name() {
    return 'KuaimiError';
  }
}

/** An argument that is not what it should be. */
export function invalid(message) {
  return new KuaimiError('InvalidArgument', message);
}
