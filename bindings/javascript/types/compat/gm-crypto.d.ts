/** Text in an encoding, or bytes. */
export type Data = string | ArrayBuffer | ArrayBufferView;

export type Encoding =
  | 'utf8' | 'utf-8' | 'hex' | 'base64' | 'base64url' | 'latin1' | 'binary' | 'ascii'
  | 'ucs2' | 'ucs-2' | 'utf16le' | 'utf-16le';

interface Read {
  /** The encoding of data that is text; UTF-8 by default. */
  inputEncoding?: Encoding | undefined;
}
interface Written {
  /** The encoding of the result; without it, an ArrayBuffer is given. */
  outputEncoding: Encoding;
}
interface SM2Options extends Read {
  /** `SM2.constants.C1C3C2` by default. */
  mode?: 0 | 1 | undefined;
  /** The ciphertext begins with the byte 04. */
  pc?: boolean | undefined;
}
interface SM4Options extends Read {
  /** `SM4.constants.ECB` by default. */
  mode?: 1 | 2 | undefined;
  /** 32 hexadecimal digits, for CBC. */
  iv?: string | undefined;
}

/** Every function fails with a `KuaimiError` where an argument is wrong. */
export declare const SM2: {
  constants: { C1C2C3: 0; C1C3C2: 1; PC: '04' };
  generateKeyPair(): { privateKey: string; publicKey: string };
  encrypt(data: Data, key: string, options: SM2Options & Written): string;
  encrypt(data: Data, key: string, options?: SM2Options): ArrayBuffer;
  /** Nothing (`''`, or an empty ArrayBuffer) where the ciphertext is not for this key. */
  decrypt(data: Data, key: string, options: SM2Options & Written): string;
  decrypt(data: Data, key: string, options?: SM2Options): ArrayBuffer;
};

export declare const SM3: {
  digest(data: Data, inputEncoding: Encoding | undefined, outputEncoding: Encoding): string;
  digest(data: Data, inputEncoding?: Encoding): ArrayBuffer;
};

export declare const SM4: {
  constants: { ECB: 1; CBC: 2 };
  encrypt(data: Data, key: string, options: SM4Options & Written): string;
  encrypt(data: Data, key: string, options?: SM4Options): ArrayBuffer;
  /** Fails with `'DecryptionFailed'` for wrong padding. */
  decrypt(data: Data, key: string, options: SM4Options & Written): string;
  decrypt(data: Data, key: string, options?: SM4Options): ArrayBuffer;
};

declare const all: { SM2: typeof SM2; SM3: typeof SM3; SM4: typeof SM4 };
export default all;
