/// <reference lib="esnext.disposable" />

/** Bytes: a view of any kind, or a buffer. What other threads can change is copied first. */
export type Bytes = ArrayBufferView | ArrayBuffer | SharedArrayBuffer;

/** A user's identity, a password, a file of text: bytes, or text that stands for its UTF-8. */
export type BytesOrText = Bytes | string;

/** Why a call fails. */
export class KuaimiError extends Error {
  /** A kind of docs/errors.md, such as `'DecryptionFailed'`; stable between versions. */
  readonly code: string;
  constructor(code: string, message: string);
}

/**
 * An object that holds a secret or a state. `console.log`, `JSON.stringify` and `structuredClone`
 * show nothing of it.
 */
export abstract class Owned {
  protected constructor(...never: never[]);
  /** Wipes what the object holds; every later call fails with `'AlreadyFinalized'`. */
  dispose(): void;
  /** The same at the end of a block: `using key = sm2.PrivateKey.generate();` */
  [Symbol.dispose](): void;
  /** `{}` */
  toJSON(): object;
}
