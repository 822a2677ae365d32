// Promises of work that takes long.
//
// The addon does it on Node's pool of threads, batches on all cores. WebAssembly does it in a later
// turn of the event loop, which it stops meanwhile. Either way, what the caller passes is copied
// before the call returns.

import { setImmediate } from 'node:timers/promises';
import { bytes, columns, maybeText, textOrBytes, whole } from '../bytes.js';
import { engine } from '../core.js';
import { gcmColumns, gcmItems, gcmOpened, gcmOpenEach, gcmSealed, gcmSealEach } from '../gcm.js';
import { held } from '../owned.js';
import { diffieHellmanBatch, PrivateKey, PublicKey } from '../sm2.js';
import { privateKeyOf } from '../secret.js';

const ALL_CORES = 1;

/** An operation, of an object where there is one: `owner` is what `held` takes. */
async function later(name, owner, ...values) {
  const arguments_ = () => (owner === undefined ? values : [held(...owner)[1], ...values]);
  const core = owner === undefined ? engine(name.startsWith('formats') ? 'formats' : 'sm2') : held(...owner)[0];
  if (core.later !== undefined) return core.later(name, ...arguments_());
  values = values.map((value) => (value instanceof Uint8Array ? value.slice() : value));
  await setImmediate();
  // The object may have been disposed of since.
  return core[name](...arguments_());
}

/** As sm2.generateBatch. */
export async function generateBatchAsync(count) {
  const both = await later('sm2_generate_batch', undefined, whole(count, 'count', 0, 2 ** 20), ALL_CORES);
  return { privateKeys: both.slice(0, 32 * count), publicKeys: both.slice(32 * count) };
}

/** Does `work` with a copy of the caller's arrays, in a later turn of the event loop. */
async function inLaterTurn(arrays, work) {
  const copies = arrays.map((array) => array.slice());
  await setImmediate();
  return work(copies);
}

/** As sm2.diffieHellmanBatch. */
export async function diffieHellmanBatchAsync(privateKeys, publicKeys) {
  const values = [bytes(privateKeys, 'privateKeys'), bytes(publicKeys, 'publicKeys')];
  if (engine().sm2_diffie_hellman_batch === undefined) {
    return inLaterTurn(values, (copies) => diffieHellmanBatch(...copies));
  }
  return later('sm2_diffie_hellman_batch', undefined, ...values, ALL_CORES);
}

/** `work` with a copy of items, and with the engine, in a later turn of the event loop. */
function eachLater(items, work) {
  return inLaterTurn(items.flat(), (copies) => work(engine(), items.map((_, i) => copies.slice(4 * i, 4 * i + 4))));
}

/** As sm4.gcmEncryptBatch. */
export async function gcmEncryptBatchAsync(items) {
  const list = gcmItems(items);
  if (engine().sm4_gcm_seal_batch === undefined) return eachLater(list, gcmSealEach);
  const { values, dataLengths } = gcmColumns(list);
  return gcmSealed(await later('sm4_gcm_seal_batch', undefined, ...values, ALL_CORES), dataLengths);
}

/** As sm4.gcmDecryptBatch. */
export async function gcmDecryptBatchAsync(items) {
  const list = gcmItems(items);
  if (engine().sm4_gcm_open_batch === undefined) return eachLater(list, gcmOpenEach);
  const { values, dataLengths } = gcmColumns(list);
  return gcmOpened(await later('sm4_gcm_open_batch', undefined, ...values, ALL_CORES), dataLengths);
}

/** As sm2.signBatch. */
export async function signBatchAsync(privateKey, digests) {
  return later('sm2_sign_batch', [privateKey, PrivateKey, 'privateKey'], bytes(digests, 'digests'), ALL_CORES);
}

/** As sm2.verifyBatch. */
export async function verifyBatchAsync(keys, digests, signatures) {
  const values = [bytes(digests, 'digests'), bytes(signatures, 'signatures'), ALL_CORES];
  if (keys instanceof PublicKey) return later('sm2_verify_batch_with', [keys, PublicKey, 'keys'], ...values);
  return later('sm2_verify_batch', undefined, bytes(keys, 'keys'), ...values);
}

/** As PrivateKey.load: a password costs many hashes. */
export async function loadPrivateKeyAsync(data, { password } = {}) {
  const number = await later('formats_private_read', undefined, textOrBytes(data, 'the key'), maybeText(password, 'password'));
  return privateKeyOf(number);
}

/** As sm3.digestMany. */
export async function digestManyAsync(messages) {
  return later('sm3_digest_many', undefined, ...columns(messages));
}

/** As sm3.pbkdf2. */
export async function pbkdf2Async(password, salt, iterations, length = 32) {
  return later(
    'sm3_pbkdf2',
    undefined,
    bytes(password, 'password'),
    bytes(salt, 'salt'),
    whole(iterations, 'iterations', 1, 10_000_000),
    whole(length, 'length', 1, 2 ** 30),
  );
}
