import type { CipherMode, KeyPairHex, KeyPairPoint, Message, Octets, SM4Options as Padding, VerifyOptions } from './sm-crypto.js';

export type KeyPair = KeyPairHex;
export type SignaturePoint = { k: bigint; x1: bigint };

/** A public key whose table is made: `doEncrypt`, `doVerifySignature` and others take it. */
export interface PrecomputedPublicKey {
  toHex(isCompressed?: boolean): string;
}
export type PublicKey = string | Uint8Array | PrecomputedPublicKey;

export interface SignOptions extends VerifyOptions {
  pointPool?: SignaturePoint[] | undefined;
  publicKey?: string | undefined;
}

/**
 * Every function fails with a `KuaimiError` where an argument is wrong. Signatures are over no hash
 * by default: `hash: true` for what the standard says.
 */
export declare const sm2: {
  EmptyArray: Uint8Array;
  /** A new pair; or that of a whole number, taken to 1 to n − 1. */
  generateKeyPairHex(str?: string): KeyPair;
  compressPublicKeyHex(s: string): string;
  /** Fails where one of them is no public key. */
  comparePublicKeyHex(publicKey1: PublicKey, publicKey2: PublicKey): boolean;
  /** `true`, or an error. */
  verifyPublicKey(publicKey: PublicKey): boolean;
  precomputePublicKey(publicKey: PublicKey, windowSize?: number): PrecomputedPublicKey;
  getPublicKeyFromPrivateKey(privateKey: string): string;
  getPoint(): KeyPairPoint;
  /** Hexadecimal digits without 04 in front; DER with `asn1`. */
  doEncrypt(msg: Message, publicKey: PublicKey, cipherMode?: CipherMode, options?: { asn1?: boolean | undefined }): string;
  /** The message; an empty array where it was altered. Fails where C1 is no point. */
  doDecrypt(encryptData: string, privateKey: string, cipherMode: CipherMode | undefined, options: { output: 'array'; asn1?: boolean | undefined }): Uint8Array;
  doDecrypt(encryptData: string, privateKey: string, cipherMode?: CipherMode, options?: { output?: 'string' | undefined; asn1?: boolean | undefined }): string;
  doSignature(msg: Message, privateKey: string, options?: SignOptions): string;
  doVerifySignature(msg: Message, signHex: string, publicKey: PublicKey, options?: VerifyOptions): boolean;
  /** Z of the standard, 32 bytes. */
  getZ(publicKey: PublicKey, userId?: string): Uint8Array;
  /** e = SM3(Z ‖ M) in hexadecimal; a message that is text is hexadecimal. */
  getHash(hashHex: string | Octets, publicKey: PublicKey, userId?: string): string;
  /** The key of an exchange (GB/T 32918.3) of at least one byte, unconfirmed. */
  calculateSharedKey(
    keypairA: KeyPair,
    ephemeralKeypairA: KeyPair,
    publicKeyB: PublicKey,
    ephemeralPublicKeyB: PublicKey,
    sharedKeyLength: number,
    isRecipient?: boolean,
    idA?: string,
    idB?: string,
  ): Uint8Array;
  /** The shared point, 33 bytes; 65 if it is not to be compressed. */
  ecdh(privateA: string | Uint8Array, publicB: PublicKey, isCompressed?: boolean): Uint8Array;
  /** Resolves when every function can be called. */
  initRNGPool(): Promise<void>;
  utf8ToHex(input: string): string;
  hexToArray(hexStr: string): Uint8Array;
  arrayToHex(arr: Octets): string;
  arrayToUtf8(arr: Octets): string;
  leftPad(input: string, num: number): string;
};

/** SM3, or HMAC with SM3, in hexadecimal. A key that is text is hexadecimal. */
export declare function sm3(input: Message, options?: { key: string | Octets; mode?: 'hmac' | undefined }): string;
/** The key derivation of SM2 (GB/T 32918.4, 5.4.3); with `iv`, one that hashes that behind the counter. */
export declare function kdf(z: Message, keylen: number, iv?: Message): Uint8Array;
/** HKDF (RFC 5869) with SM3, at most 8160 bytes. */
export declare function hkdf(ikm: Message, salt: Message | undefined, info: Message | undefined, length?: number): Uint8Array;

export interface SM4Options extends Omit<Padding, 'mode'> {
  mode?: 'cbc' | 'ecb' | 'gcm' | undefined;
  output?: 'string' | 'array' | undefined;
  /** Hexadecimal or bytes, for GCM. */
  associatedData?: string | Octets | undefined;
  outputTag?: boolean | undefined;
  /** 16 bytes or 32 hexadecimal digits; GCM decrypts nothing without it. */
  tag?: string | Octets | undefined;
}
export interface GCMResult<T = Uint8Array | string> {
  output: T;
  tag: T;
}

type Sealing = SM4Options & { mode: 'gcm' };
export declare const sm4: {
  encrypt(inArray: Message, key: string | Octets, options: Sealing & { output: 'array'; outputTag: true }): GCMResult<Uint8Array>;
  encrypt(inArray: Message, key: string | Octets, options: Sealing & { output: 'array' }): Uint8Array;
  encrypt(inArray: Message, key: string | Octets, options: Sealing): GCMResult<string>;
  encrypt(inArray: Message, key: string | Octets, options: SM4Options & { output: 'array' }): Uint8Array;
  encrypt(inArray: Message, key: string | Octets, options?: SM4Options): string;
  /** Fails with `'DecryptionFailed'` for wrong padding, and for a tag that is not right. */
  decrypt(inArray: string | Octets, key: string | Octets, options: SM4Options & { output: 'array' }): Uint8Array;
  decrypt(inArray: string | Octets, key: string | Octets, options?: SM4Options): string;
  /** Decrypts if the flag is 0. */
  sm4(inArray: Message, key: string | Octets, cryptFlag: 0 | 1, options?: SM4Options): string | Uint8Array | GCMResult;
};

declare const all: { hkdf: typeof hkdf; kdf: typeof kdf; sm2: typeof sm2; sm3: typeof sm3; sm4: typeof sm4 };
export default all;
