import type { Sources } from './slim.js';

export {
  DecryptionKey, EncryptionKey, ExchangeKey, KeyExchangeInitiator, KeyExchangeResponder,
  KuaimiError, MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey,
  MasterSigningPublicKey, SigningKey, VerifyingKey, fromBase64, fromHex, fromUtf8, toBase64,
  toHex, utf8,
} from './sm9.js';
export type {
  Bytes, BytesOrText, DecryptOptions, EncryptOptions, Form, HidOptions, LoadUserOptions, Mac,
  Mode, PasswordOptions, PeerOptions, PrivateDerOptions, PublicDerOptions, PublicPemOptions,
  SignOptions, VerifyOptions,
} from './sm9.js';

/**
 * Loads the module that computes, before the first call: see `init` of `kuaimi/slim`. The package has
 * it as `kuaimi/wasm/sm9-simd.wasm` and `kuaimi/wasm/sm9.wasm`. Keys in files need a second one,
 * `kuaimi/wasm/formats.wasm`, unless `init` of `kuaimi/slim` has loaded it.
 */
export function init(source: Sources, options?: { formats?: Sources }): Promise<void>;
