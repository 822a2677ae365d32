// What a user of the npm package does first, with the addon: a signature, and a wrong one refused.
import assert from 'node:assert';
import { backend, sm2, utf8 } from 'kuaimi';

assert.strictEqual(backend(), 'native');
const key = sm2.PrivateKey.generate();
const signature = key.sign(utf8('a contract'));
assert.ok(key.publicKey.verify(signature, utf8('a contract')));
assert.ok(!key.publicKey.verify(signature, utf8('another')));
console.log(process.version, process.platform, process.arch);
