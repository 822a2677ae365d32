// Random calls of the replaced packages and of ours: `node test/fuzz-peers.js --seconds 60 --seed 7`.
//
// What has one right result is compared; what is random goes through the other package. compat.md
// lists the differences that are meant: the labels of ODD arguments.

import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { inspect, parseArgs } from 'node:util';
import { repeatable } from './helpers.js';
import { compare, digitsOf, hexOf, messageOf, N, outcome, P, PEERS, pick, randomBytes } from './peers.js';

const show = (value) => inspect(value, { breakLength: Infinity, maxStringLength: null, maxArrayLength: null });
const SMS = ['sm-crypto', 'miniprogram-sm-crypto', 'sm-crypto-v2'];
const FIRST = PEERS['sm-crypto'].ours.sm2;
const PAIRS = Array.from({ length: 6 }, () => FIRST.generateKeyPairHex());

// Not n − 1, null or undefined, with which sm-crypto's signing never ends.
function privateKeyOf(random, right) {
  const kind = Math.floor(random() * 14);
  if (kind < 9) return [right, []];
  if (kind === 9) return [right.toUpperCase(), []];
  if (kind === 10) return [`00${right}`, []];
  if (kind === 11) return [pick(random, ['', '0', hexOf(N), hexOf(N + 5n), 'ff'.repeat(33)]), ['no private key']];
  if (kind === 12) return [pick(random, [5, {}, [], new Uint8Array(32)]), ['no private key']];
  return [pick(random, [`${right.slice(0, 63)}z`, `0x${right}`, '你好']), ['no private key']];
}

function publicKeyOf(random, right) {
  const kind = Math.floor(random() * 14);
  const flipped = right.slice(0, 129) + (right[129] === '0' ? '1' : '0');
  if (kind < 7) return [right, []];
  if (kind === 7) return [right.toUpperCase(), []];
  if (kind === 8) return [FIRST.compressPublicKeyHex(right), []];
  if (kind === 9) return [right.slice(2), ['a public key without 04']];
  if (kind === 10) return [flipped, ['off the curve']];
  if (kind === 11) return [pick(random, ['00', '', '04', `04${'0'.repeat(128)}`, `${right}00`, right.slice(0, -2), `05${right.slice(2)}`, `02${hexOf(P)}`]), ['no public key']];
  if (kind === 12) return [pick(random, [`0${4 + Math.floor(random() * 4)}${right.slice(2)}`]), ['a hybrid key']];
  return [pick(random, [5, {}, null, undefined, [], `${right.slice(0, 128)}zz`]), ['no public key']];
}

const userIdOf = (random) =>
  pick(random, [undefined, undefined, '', 'alice', '用户', '😀', 'x'.repeat(8191), null, 7, true]);

/** The tests by name: each compares one call, and gives the labels that made a difference. */
const CASES = {
  'sm3'(random) {
    const name = pick(random, SMS);
    const { theirs, ours } = PEERS[name];
    const [message, odd] = messageOf(random);
    const [key, oddKey] = random() < 0.5 ? digitsOf(random, Math.floor(random() * 90)) : messageOf(random);
    const oddText = typeof key === 'string' && !/^([0-9a-f]{2})*$/i.test(key) ? ['no hexadecimal'] : [];
    const options = pick(random, [undefined, null, 0, { key }, { key, mode: 'hmac' }, { key, mode: 'mac' }, {}, { mode: '' }, 5]);
    const args = [message, options];
    const all = options?.key === undefined ? odd : [...odd, ...oddKey, ...oddText];
    return compare(`${name} sm3`, outcome(() => theirs.sm3(...args)), outcome(() => ours.sm3(...args)), all, name === 'sm-crypto-v2');
  },

  'the package sm3'(random) {
    const { theirs, ours } = PEERS.sm3;
    const [message, odd] = messageOf(random);
    const lone = typeof message === 'string' ? [] : ['no text'];
    return compare('sm3', outcome(() => theirs(message)), outcome(() => ours(message)), [...odd, ...lone]);
  },

  'sm4 of sm-crypto'(random) {
    const name = pick(random, SMS);
    const { theirs, ours } = PEERS[name];
    const odd = [];
    const mark = ([value, labels]) => (odd.push(...labels), value);
    const encrypts = random() < 0.5;
    const blockOf = () => {
      const [text, labels] = digitsOf(random, random() < 0.9 ? 16 : 15);
      if (labels.length > 0 || random() < 0.5) return [text, labels];
      return [Buffer.from(text, 'hex'), labels];
    };
    const key = mark(blockOf());
    const mode = pick(random, ['cbc', 'cbc', 'cbc', undefined, 'ecb', 'ECB', 'CBC', 'ctr']);
    if (mode === 'CBC' || mode === 'ctr') odd.push('an unknown mode');
    const padding = pick(random, [undefined, undefined, 'pkcs#7', 'pkcs#5', 'none', 'none', null, 'zero']);
    const padded = padding === undefined || /^pkcs/.test(padding);
    const output = pick(random, [undefined, 'array', 'string']);
    const options = { mode, padding, output, iv: mode === 'cbc' ? mark(blockOf()) : undefined };
    let data;
    if (encrypts) {
      data = mark(random() < 0.3 && !padded ? [randomBytes(random, 16 * Math.floor(random() * 4)), []] : messageOf(random));
      const length = typeof data === 'string' ? Buffer.byteLength(data) : data?.length;
      if (!padded && length % 16 !== 0) odd.push('part of a block');
    } else {
      // A ciphertext of theirs, or bytes that are none.
      const length = Math.floor(random() * 70);
      const made = outcome(() => theirs.sm4.encrypt(Array.from(randomBytes(random, padded ? length : 16 * (length >> 4))), key, { ...options, output: undefined }));
      if (random() < 0.7 && typeof made.value === 'string') data = made.value;
      else {
        data = mark(digitsOf(random, random() < 0.7 ? 16 * Math.floor(random() * 3) : length));
        if (data?.length % 32 !== 0) odd.push('part of a block');
        else odd.push('wrong padding');
      }
      if (random() < 0.3 && typeof data === 'string' && /^([0-9a-f]{2})*$/i.test(data)) data = [...Buffer.from(data, 'hex')];
    }
    // The package for mini-programs takes a view for one zero byte.
    if (name === 'miniprogram-sm-crypto' && ArrayBuffer.isView(data)) data = Array.from(data);
    const call = (it) => outcome(() => it.sm4[encrypts ? 'encrypt' : 'decrypt'](data, key, options));
    return compare(`${name} sm4 ${show([data, key, options])}`, call(theirs), call(ours), odd);
  },

  'sm4-gcm'(random) {
    const { theirs, ours } = PEERS['sm-crypto-v2'];
    const key = randomBytes(random, 16);
    const [message, odd] = messageOf(random);
    const ivLength = pick(random, [12, 12, 16, 1, 60]);
    const options = {
      mode: 'gcm',
      iv: randomBytes(random, ivLength),
      output: pick(random, [undefined, 'array']),
      outputTag: random() < 0.5,
      associatedData: pick(random, [undefined, randomBytes(random, Math.floor(random() * 40)), 'abcd', '']),
    };
    const call = (it) => outcome(() => it.sm4.encrypt(message, key, options));
    const labels = compare('gcm encrypt', call(theirs), call(ours), odd);
    const sealed = outcome(() => theirs.sm4.encrypt(message, key, { ...options, output: undefined }));
    if (sealed.value === undefined) return labels;
    const { output, tag } = sealed.value;
    const wrong = random() < 0.3;
    const given = { ...options, tag: wrong ? pick(random, [`00${tag.slice(2)}`, tag.slice(2), `${tag}00`, '', undefined]) : tag };
    const opened = (it) => outcome(() => it.sm4.decrypt(output, key, given));
    return [...labels, ...compare('gcm decrypt', opened(theirs), opened(ours), wrong ? ['no tag of 16 bytes'] : [])];
  },

  'kdf and hkdf'(random) {
    const { theirs, ours } = PEERS['sm-crypto-v2'];
    const [secret, odd] = messageOf(random);
    const [other, oddOther] = random() < 0.6 ? [undefined, []] : messageOf(random);
    const length = pick(random, [0, 1, 31, 32, 33, 100, 8160, undefined]);
    const which = random() < 0.5;
    const call = (it) => outcome(() => (which ? it.kdf(secret, length ?? 5, other) : it.hkdf(secret, other, other, length)));
    return compare('kdf', call(theirs), call(ours), [...odd, ...oddOther], true);
  },

  'helpers of sm-crypto-v2'(random) {
    const { theirs, ours } = PEERS['sm-crypto-v2'];
    const text = pick(random, ['', '你好', 'a', '\ud800x', '😀']);
    const [digits, odd] = digitsOf(random, 20);
    const data = Array.from(randomBytes(random, Math.floor(random() * 30)));
    const calls = [
      [(it) => it.sm2.utf8ToHex(text)],
      [(it) => it.sm2.hexToArray(digits), odd],
      [(it) => it.sm2.arrayToHex(data)],
      [(it) => it.sm2.arrayToUtf8(data)],
      [(it) => it.sm2.leftPad(text, 5)],
    ];
    const [call, labels = []] = pick(random, calls);
    return compare(String(call), outcome(() => call(theirs)), outcome(() => call(ours)), labels);
  },

  'public keys'(random) {
    const name = pick(random, SMS);
    const { theirs, ours } = PEERS[name];
    const pair = pick(random, PAIRS);
    const [one, odd] = publicKeyOf(random, pair.publicKey);
    const [two, oddTwo] = publicKeyOf(random, random() < 0.5 ? pair.publicKey : pick(random, PAIRS).publicKey);
    const [call, labels] = pick(random, [
      [(it) => it.sm2.verifyPublicKey(one), odd],
      [(it) => it.sm2.comparePublicKeyHex(one, two), [...odd, ...oddTwo]],
      [(it) => it.sm2.compressPublicKeyHex(one), odd],
    ]);
    return compare(`${name} ${call} ${String(one)} ${String(two)}`, outcome(() => call(theirs)), outcome(() => call(ours)), labels, name === 'sm-crypto-v2');
  },

  'private keys'(random) {
    const name = pick(random, SMS);
    const { theirs, ours } = PEERS[name];
    const [key, odd] = privateKeyOf(random, pick(random, PAIRS).privateKey);
    const call = (it) => outcome(() => it.sm2.getPublicKeyFromPrivateKey(key));
    return compare(`${name} public of ${String(key)}`, call(theirs), call(ours), odd, true);
  },

  'seeds'(random) {
    const { theirs, ours } = PEERS['sm-crypto'];
    const text = String(BigInt(`0x${hexOf(BigInt(Math.floor(random() * 2 ** 50)) ** 5n)}`));
    const fixed = randomBytes(random, 66);
    const rng = { nextBytes(array) { for (let i = 0; i < array.length; i += 1) array[i] = fixed[i]; } };
    const [args, odd] = pick(random, [
      [[text], []],
      [[text, 16], []],
      [[text, 36], []],
      [[Math.floor(random() * 500) + 1, rng], []],
      [['12x'], ['no digits']],
      [[256], []],
    ]);
    return compare(`seed ${args}`, outcome(() => theirs.sm2.generateKeyPairHex(...args)), outcome(() => ours.sm2.generateKeyPairHex(...args)), odd);
  },

  'signatures'(random) {
    const name = pick(random, SMS);
    const { theirs, ours } = PEERS[name];
    const pair = pick(random, PAIRS);
    const v2 = name === 'sm-crypto-v2';
    const [message, oddMessage] = messageOf(random);
    const [key, oddKey] = privateKeyOf(random, pair.privateKey);
    const hash = pick(random, [undefined, true, false]);
    const options = { hash, der: random() < 0.5, userId: userIdOf(random), publicKey: random() < 0.3 ? pair.publicKey : undefined };
    const odd = [...oddMessage, ...oddKey];
    // The package for mini-programs misreads views, and sm-crypto-v2 verifies no arrays.
    if (v2 ? Array.isArray(message) : name !== 'sm-crypto' && ArrayBuffer.isView(message)) odd.push('bytes of another kind');
    const [signer, verifier] = random() < 0.5 ? [theirs, ours] : [ours, theirs];
    const signed = outcome(() => signer.sm2.doSignature(message, key, options));
    if (signed.error !== undefined) {
      if (signer === ours) assert.equal(signed.error.name, 'KuaimiError', signed.error.stack);
      if (odd.length === 0) assert.fail(`${name} does not sign: ${signed.error.stack}`);
      return odd;
    }
    if (odd.length === 0) assert.equal(verifier.sm2.doVerifySignature(message, signed.value, pair.publicKey, options), true, `${name} ${show([message, options, signed.value])}`);
    // An altered signature, or an altered key: what both say.
    const [publicKey, oddPublic] = publicKeyOf(random, pair.publicKey);
    const { value } = signed;
    const [altered, oddSignature] = pick(random, [
      [value, []],
      [`${value.slice(0, -2)}${value.endsWith('00') ? '01' : '00'}`, []],
      [value.toUpperCase(), []],
      [`${value}00`, ['a signature of another length']],
      [value.slice(0, -2), ['a signature of another length']],
      [`${hexOf(0n)}${value.slice(64)}`, ['numbers out of range']],
      [`${value.slice(0, 64)}${hexOf(N)}`, ['numbers out of range']],
      [`30${value}`, ['a signature of another length']],
      [pick(random, ['', 'zz', '你好', 5, null, undefined, {}]), ['no signature']],
    ]);
    const call = (it) => outcome(() => it.sm2.doVerifySignature(message, altered, publicKey, options));
    return compare(`${name} verify ${show([message, altered, publicKey, options])}`, call(theirs), call(ours), [...odd, ...oddPublic, ...oddSignature, ...(v2 && options.der && altered !== value ? ['a signature of another length'] : [])], true);
  },

  'ciphertexts'(random) {
    const name = pick(random, SMS);
    const { theirs, ours } = PEERS[name];
    const pair = pick(random, PAIRS);
    const mode = pick(random, [undefined, 0, 1, '0', null]);
    const asn1 = name === 'sm-crypto-v2' && random() < 0.5;
    const [message, oddMessage] = messageOf(random);
    const [writer, reader] = random() < 0.5 ? [theirs, ours] : [ours, theirs];
    const made = outcome(() => writer.sm2.doEncrypt(message, pair.publicKey, mode, { asn1 }));
    if (made.error !== undefined) {
      if (writer === ours) assert.equal(made.error.name, 'KuaimiError', made.error.stack);
      if (oddMessage.length === 0) assert.fail(`${name} does not encrypt: ${made.error.stack}`);
      return oddMessage;
    }
    const output = pick(random, [undefined, 'array']);
    const call = (it, text, key = pair.privateKey) => outcome(() => it.sm2.doDecrypt(text, key, mode, { output, asn1 }));
    compare(`${name} decrypt ${show([message, mode, asn1, made.value])}`, call(theirs, made.value), call(ours, made.value));
    if (typeof message === 'string' && output === undefined && oddMessage.length === 0) {
      assert.equal(call(reader, made.value).value, message);
    }
    const text = made.value;
    const [altered, odd] = pick(random, [
      [text.toUpperCase(), []],
      [text.slice(0, -2), ['a ciphertext of another length']],
      [text.slice(0, Math.floor(random() * text.length)), ['a ciphertext of another length']],
      [`${text}00`, ['a ciphertext of another length']],
      [`04${text}`, ['a ciphertext of another length']],
      [`${text.slice(0, 20)}${text[20] === '0' ? '1' : '0'}${text.slice(21)}`, ['off the curve']],
      // Of an empty message in DER, this is a length.
      [`${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`, asn1 ? ['no DER'] : []],
      [pick(random, ['', 'zz', '你好', 5, null, undefined, {}]), ['no ciphertext']],
    ]);
    const [key, oddKey] = privateKeyOf(random, pair.privateKey);
    return compare(`${name} decrypt ${show([altered, key, mode, asn1])}`, call(theirs, altered, key), call(ours, altered, key), [...odd, ...oddKey], asn1);
  },

  'exchanges'(random) {
    const { theirs, ours } = PEERS['sm-crypto-v2'];
    const [a, b, x, y] = Array.from({ length: 4 }, () => pick(random, PAIRS));
    const ids = pick(random, [[], ['alice', '鲍勃'], ['', undefined]]);
    const length = pick(random, [1, 16, 32, 33, 233]);
    const call = (it) => outcome(() => it.sm2.calculateSharedKey(a, x, b.publicKey, y.publicKey, length, random.responds, ...ids));
    random.responds = random() < 0.5;
    const [key, odd] = publicKeyOf(random, b.publicKey);
    const ecdh = (it) => outcome(() => it.sm2.ecdh(a.privateKey, key, random.responds));
    compare('exchange', call(theirs), call(ours));
    const z = (it) => outcome(() => it.sm2.getZ(key, ids[0]));
    const e = (it) => outcome(() => it.sm2.getHash('616263', key, ids[0]));
    return [...compare(`ecdh ${String(key)}`, ecdh(theirs), ecdh(ours), odd, true), ...compare('getZ', z(theirs), z(ours), odd, true), ...compare('getHash', e(theirs), e(ours), odd, true)];
  },

  'gm-crypto sm3 and sm4'(random) {
    const { theirs, ours } = PEERS['gm-crypto'];
    const odd = [];
    const mark = ([value, labels]) => (odd.push(...labels), value);
    const encodings = [undefined, 'utf8', 'hex', 'base64', 'latin1', 'ascii', 'binary', 'ucs2', 'utf16le', 'UTF8', 'base64url', 'nonsense'];
    const inputEncoding = pick(random, encodings);
    const outputEncoding = pick(random, encodings);
    let data = mark(messageOf(random));
    if (random() < 0.5) data = Buffer.from(randomBytes(random, 33)).toString(/hex|base64/.test(inputEncoding) ? inputEncoding : 'hex');
    else if (typeof data === 'string' && /hex|base64/.test(inputEncoding)) odd.push('text in no such encoding');
    if (typeof data !== 'string' && !Buffer.isBuffer(data)) odd.push('no bytes');
    const key = mark(digitsOf(random, 16));
    const iv = mark(digitsOf(random, 16));
    const mode = pick(random, [undefined, 1, 2, 2, 'cbc']);
    if (mode === 'cbc') odd.push('an unknown mode');
    const more = typeof data === 'object' && data !== null && !Buffer.isBuffer(data);
    const digest = (it) => outcome(() => it.SM3.digest(data, inputEncoding, outputEncoding));
    const encrypt = (it) => outcome(() => it.SM4.encrypt(data, key, { mode, iv, inputEncoding, outputEncoding }));
    const labels = [...compare(`SM3 ${String(data)} ${inputEncoding} ${outputEncoding}`, digest(theirs), digest(ours), odd, more), ...compare('SM4', encrypt(theirs), encrypt(ours), odd, more)];
    const right = outcome(() => theirs.SM4.encrypt(data, key, { mode, iv, inputEncoding, outputEncoding: 'hex' }));
    if (right.value === undefined) return labels;
    const length = right.value.length;
    const [text, oddText] = pick(random, [[right.value, []], [right.value.slice(0, -2), ['part of a block']], [`${right.value.slice(0, length - 32)}${'0'.repeat(32)}`, ['wrong padding']]]);
    const decrypt = (it) => outcome(() => it.SM4.decrypt(text, key, { mode, iv, inputEncoding: 'hex', outputEncoding }));
    return [...labels, ...compare('SM4 decrypt', decrypt(theirs), decrypt(ours), [...odd, ...oddText])];
  },

  'gm-crypto sm2'(random) {
    const { theirs, ours } = PEERS['gm-crypto'];
    const pair = pick(random, PAIRS);
    const options = { mode: pick(random, [undefined, 0, 1]), pc: pick(random, [undefined, true]) };
    // gm-crypto loses zeros at the beginning of a message, and the messages with them.
    const message = Buffer.concat([Buffer.from([16 + Math.floor(random() * 240)]), randomBytes(random, Math.floor(random() * 80))]);
    const [writer, reader] = random() < 0.5 ? [theirs, ours] : [ours, theirs];
    const encoding = pick(random, [undefined, 'hex', 'base64']);
    const made = writer.SM2.encrypt(message, pair.publicKey, { ...options, outputEncoding: encoding });
    const read = (it, data, key = pair.privateKey) => outcome(() => it.SM2.decrypt(data, key, { ...options, inputEncoding: encoding }));
    assert.deepEqual(Buffer.from(read(reader, made).value), message);
    const bytes = Buffer.from(made, encoding);
    const [altered, odd] = pick(random, [
      [bytes.subarray(0, -1), ['a ciphertext of another length']],
      [Buffer.concat([bytes, Buffer.of(0)]), ['a ciphertext of another length']],
      [Buffer.from(bytes.map((byte, i) => (i === 70 ? byte ^ 1 : byte))), []],
      [Buffer.from(bytes.map((byte, i) => (i === 9 ? byte ^ 1 : byte))), ['off the curve']],
      [Buffer.alloc(3), ['a ciphertext of another length']],
    ]);
    const [key, oddKey] = privateKeyOf(random, pair.privateKey);
    return compare('gm-crypto decrypt', read(theirs, altered, key), read(ours, altered, key), [...odd, ...oddKey]);
  },
};

/** How often a round runs what computes no point: the points of these packages take long. */
const OFTEN = 20;
const QUICK = new Set([
  'sm3', 'the package sm3', 'sm4 of sm-crypto', 'sm4-gcm', 'kdf and hkdf', 'helpers of sm-crypto-v2', 'gm-crypto sm3 and sm4',
]);

/** Runs cases until the time or the number is up; gives how often each ran and differed. */
export function fuzz({ seed, seconds = Infinity, rounds = Infinity }) {
  const random = repeatable(seed);
  const counts = {};
  const differences = {};
  const end = performance.now() + 1000 * seconds;
  for (let round = 0; round < rounds && performance.now() < end; round += 1) {
    for (const [name, run] of Object.entries(CASES)) {
      for (let i = QUICK.has(name) ? OFTEN : 1; i > 0 && performance.now() < end; i -= 1) {
        let labels;
        try {
          labels = run(random);
        } catch (error) {
          error.message = `round ${round} of seed ${seed}, ${name}: ${error.message}`;
          throw error;
        }
        counts[name] = (counts[name] ?? 0) + 1;
        for (const label of new Set(labels)) differences[label] = (differences[label] ?? 0) + 1;
      }
    }
  }
  return { counts, differences };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, seconds: { type: 'string', default: '60' } } });
  const { counts, differences } = fuzz({ seed: Number(values.seed), seconds: Number(values.seconds) });
  console.log(counts);
  console.log('differences:', differences);
}
