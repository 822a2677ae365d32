// The protocol of ../README.md for programs in JavaScript.
import process from 'node:process'
import { createInterface } from 'node:readline'

// Answers requests until the input ends. `operations`: from a name to a function of the inputs that gives the operation that is timed,
// which in turn gives its result as bytes, as hexadecimal digits or as a truth.
export async function serve(version, signature, ciphertext, operations) {
  const inputs = {}
  const hex = (result) => {
    if (typeof result === 'boolean') return result ? '01' : '00'
    return typeof result === 'string' ? result : Buffer.from(result).toString('hex')
  }
  const operation = (name) => {
    if (!Object.hasOwn(operations, name)) throw new Error('unknown request')
    return operations[name](inputs)
  }
  const answer = ([what, name, value]) => {
    switch (what) {
      case 'hello':
        return `version=${version} signature=${signature} ciphertext=${ciphertext} operations=${Object.keys(operations)}`
      case 'set':
        inputs[name] = Buffer.from(value, 'hex')
        return ''
      case 'fill':
        inputs[name] = Buffer.alloc(Number(value), 0x5a)
        return ''
      case 'make':
        return hex(operation(name)())
      case 'run': {
        const once = operation(name)
        const begun = process.hrtime.bigint()
        for (let i = 0; i < Number(value); i++) once()
        return process.hrtime.bigint() - begun
      }
      default:
        throw new Error('unknown request')
    }
  }
  for await (const line of createInterface({ input: process.stdin })) {
    let text
    try {
      text = `ok ${answer(line.trim().split(' '))}`.trim()
    } catch (error) {
      text = `error ${String(error).replaceAll('\n', ' ')}`
    }
    process.stdout.write(text + '\n')
  }
}
