/** Bytes: a view, or an array of numbers, of which each counts modulo 256. */
export type Octets = ArrayLike<number>;
/** Text stands for its UTF-8. */
export type Message = string | Octets;

export interface KeyPairHex {
  /** 64 hexadecimal digits. */
  privateKey: string;
  /** 130 hexadecimal digits, of which the first are 04. */
  publicKey: string;
}

export interface KeyPairPoint extends KeyPairHex {
  k: bigint;
  x1: bigint;
}

/** The order of the parts of a ciphertext: 1, C1C3C2, or 0, C1C2C3. */
export type CipherMode = 0 | 1;

export interface VerifyOptions {
  /** The signature is DER; by default it is r and s, 128 digits. */
  der?: boolean | undefined;
  /**
   * The signature is over SM3(Z ‖ M): true by default in `kuaimi/compat/sm-crypto`, and false in
   * `kuaimi/compat/miniprogram-sm-crypto`. If false, the message is itself the number that is signed.
   */
  hash?: boolean | undefined;
  /** At most 8191 bytes of UTF-8; by default 1234567812345678. */
  userId?: string | undefined;
}

export interface SignOptions extends VerifyOptions {
  /** Loses a point with each signature; the points are not used. */
  pointPool?: KeyPairPoint[] | undefined;
  /** The public key for Z, where it is known. */
  publicKey?: string | undefined;
}

export interface RandomBits {
  /** Fills an array with random bytes. */
  nextBytes(array: number[]): void;
}

/** Every function fails with a `KuaimiError` where an argument is wrong. */
export declare const sm2: {
  generateKeyPairHex(): KeyPairHex;
  /** The pair of a number, in digits of a radix (10 by default): taken to 1 to n − 1. */
  generateKeyPairHex(digits: string, radix?: number): KeyPairHex;
  /** The pair of so many bits of the caller's generator. */
  generateKeyPairHex(bits: number, rng: RandomBits): KeyPairHex;
  /** 66 digits. */
  compressPublicKeyHex(publicKey: string): string;
  comparePublicKeyHex(publicKey1: string, publicKey2: string): boolean;
  verifyPublicKey(publicKey: string): boolean;
  getPublicKeyFromPrivateKey(privateKey: string): string;
  /** Hexadecimal digits without 04 in front. */
  doEncrypt(msg: Message, publicKey: string, cipherMode?: CipherMode): string;
  /** The message; `[]` where the ciphertext is not for this key. */
  doDecrypt(encryptData: string, privateKey: string, cipherMode: CipherMode | undefined, options: { output: 'array' }): number[];
  /** The text; `''` where the ciphertext is not for this key. */
  doDecrypt(encryptData: string, privateKey: string, cipherMode?: CipherMode, options?: { output?: 'string' | undefined }): string;
  doSignature(msg: Message, privateKey: string, options?: SignOptions): string;
  doVerifySignature(msg: Message, signHex: string, publicKey: string, options?: VerifyOptions): boolean;
  getPoint(): KeyPairPoint;
};

/** SM3, or HMAC with SM3, in hexadecimal. A key that is text is hexadecimal. */
export declare function sm3(input: Message, options?: { key: string | Octets; mode?: 'hmac' | undefined }): string;

export interface SM4Options {
  /** pkcs#7 by default; pkcs#5 is the same. */
  padding?: 'pkcs#7' | 'pkcs#5' | 'none' | null | undefined;
  /** ECB by default. */
  mode?: 'cbc' | 'ecb' | undefined;
  /** 16 bytes or 32 hexadecimal digits, for CBC. */
  iv?: string | Octets | undefined;
}

export declare const sm4: {
  encrypt(inArray: Message, key: string | Octets, options: SM4Options & { output: 'array' }): number[];
  encrypt(inArray: Message, key: string | Octets, options?: SM4Options & { output?: 'string' | undefined }): string;
  /** A ciphertext that is text is hexadecimal. Fails with `'DecryptionFailed'` for wrong padding. */
  decrypt(inArray: string | Octets, key: string | Octets, options: SM4Options & { output: 'array' }): number[];
  decrypt(inArray: string | Octets, key: string | Octets, options?: SM4Options & { output?: 'string' | undefined }): string;
};

declare const all: { sm2: typeof sm2; sm3: typeof sm3; sm4: typeof sm4 };
export default all;
