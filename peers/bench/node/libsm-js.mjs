// @lifeni/libsm-js: libsm compiled to WebAssembly. Its signatures are DER, and its ciphertexts C1 || C2 || C3.
import { webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { serve } from './line.mjs'

const folder = new URL('./node_modules/@lifeni/libsm-js/', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('package.json', folder)))
// It is made for browsers: it writes to the console when it is loaded, and finds no random generator where it thinks that it runs in
// Node.js. Its file is a module that is not named as one: scripts/bench-peer makes a copy with the right name.
globalThis.crypto ??= webcrypto
globalThis.process = undefined
console.log = console.error
const { default: init, SM2, SM2Encrypt, SM2Decrypt, SM3 } = await import(new URL('libsm_js.mjs', folder))
await init(readFileSync(new URL('libsm_js_bg.wasm', folder)))

const operations = {
  'sm2-keygen': () => {
    const curve = new SM2()
    return () => {
      curve.new_keypair()
      return true
    }
  },
  'sm2-sign': ({ secret, public: point, message }) => {
    const curve = new SM2()
    return () => curve.sign(message, secret, point)
  },
  'sm2-verify': ({ public: point, message, signature }) => {
    const curve = new SM2()
    return () => curve.verify(message, point, signature)
  },
  'sm2-encrypt': ({ public: point, message }) => {
    const key = new SM2Encrypt(message.length, point)
    return () => key.encrypt(message)
  },
  'sm2-decrypt': ({ secret, ciphertext }) => {
    const key = new SM2Decrypt(ciphertext.length - 97, secret)
    return () => key.decrypt(ciphertext)
  },
  sm3: ({ message }) => () => {
    const state = new SM3(message)
    const digest = state.get_hash()
    state.free()
    return digest
  },
}

await serve(version, 'der', 'c1c2c3', operations)
