// sm-crypto or sm-crypto-v2, whichever the argument names: JavaScript. Keys and results are hexadecimal digits, as the packages have it.
import { createRequire } from 'node:module'
import process from 'node:process'
import { serve } from './line.mjs'

const require = createRequire(import.meta.url)
const name = process.argv[2]
const { sm2, sm3, sm4 } = require(name)
const { version } = require(`${name}/package.json`)
const C1C3C2 = 1

const hex = (bytes) => bytes.toString('hex')
const options = { hash: true, der: false }

const operations = {
  'sm2-keygen': () => () => sm2.generateKeyPairHex().publicKey,
  'sm2-sign': ({ secret, public: point, message }) => {
    const [d, publicKey] = [hex(secret), hex(point)]
    return () => sm2.doSignature(message, d, { ...options, publicKey })
  },
  'sm2-verify': ({ public: point, message, signature }) => {
    const [publicKey, digits] = [hex(point), hex(signature)]
    return () => sm2.doVerifySignature(message, digits, publicKey, options)
  },
  'sm2-encrypt': ({ public: point, message }) => {
    const publicKey = hex(point)
    // The point comes without the 04 before it.
    return () => '04' + sm2.doEncrypt(message, publicKey, C1C3C2)
  },
  'sm2-decrypt': ({ secret, ciphertext }) => {
    const [d, digits] = [hex(secret), hex(ciphertext.subarray(1))]
    return () => sm2.doDecrypt(digits, d, C1C3C2, { output: 'array' })
  },
  sm3: ({ message }) => () => sm3(message),
  'sm4-cbc': ({ key, iv, message }) => {
    const [digits, vector] = [hex(key), hex(iv)]
    return () => sm4.encrypt(message, digits, { mode: 'cbc', iv: vector, padding: 'none', output: 'array' })
  },
}

await serve(version, 'raw', 'c1c3c2', operations)
