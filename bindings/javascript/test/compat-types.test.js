// The replacements' types: programs as users have them pass the strict compiler, and mistakes do not.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import ts from 'typescript';

const folder = mkdtempSync(path.resolve('compat-types-'));
after(() => rmSync(folder, { recursive: true }));

const options = {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
};

/** The lines about which the compiler complains. */
function complaints(name, text) {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return ts.getPreEmitDiagnostics(ts.createProgram([file], options)).map((found) => {
    const text = ts.flattenDiagnosticMessageText(found.messageText, '\n');
    return [found.file?.getLineAndCharacterOfPosition(found.start).line ?? -1, text];
  });
}

const IMPORTS = `
import old, { sm2, sm3, sm4 } from 'kuaimi/compat/sm-crypto';
import * as mini from 'kuaimi/compat/miniprogram-sm-crypto';
import * as v2 from 'kuaimi/compat/sm-crypto-v2';
import { SM2, SM3, SM4 } from 'kuaimi/compat/gm-crypto';
import digest from 'kuaimi/compat/sm3';
`;

test('programs that use the replacements have no complaint', () => {
  const program = `${IMPORTS}
const { privateKey, publicKey }: { privateKey: string; publicKey: string } = sm2.generateKeyPairHex();
const text: string = sm2.doDecrypt(sm2.doEncrypt([1, 2], publicKey, 0), privateKey, 0);
const bytes: number[] = sm2.doDecrypt(text, privateKey, 1, { output: 'array' });
const right: boolean = sm2.doVerifySignature(new Uint8Array(1), sm2.doSignature('x', privateKey, { pointPool: [sm2.getPoint()], der: true }), publicKey, { der: true, userId: 'a' });
const code: string = sm3('x', { key: '00', mode: 'hmac' });
const list: number[] = sm4.encrypt('x', code, { mode: 'cbc', iv: bytes, padding: 'none', output: 'array' });
const same: typeof sm2 = mini.sm2;
const all: typeof sm4 = old.sm4;
const sealed: { output: string; tag: string } = v2.sm4.encrypt('x', code, { mode: 'gcm', iv: list, outputTag: true });
const both: { output: Uint8Array; tag: Uint8Array } = v2.sm4.encrypt('x', code, { mode: 'gcm', iv: list, output: 'array', outputTag: true });
const only: Uint8Array = v2.sm4.encrypt('x', code, { mode: 'gcm', iv: list, output: 'array' });
const opened: string = v2.sm4.decrypt(sealed.output, code, { mode: 'gcm', iv: list, tag: sealed.tag });
const shared: Uint8Array = v2.sm2.calculateSharedKey(v2.sm2.generateKeyPairHex(), v2.sm2.generateKeyPairHex(), publicKey, publicKey, 16, true);
const point: Uint8Array = v2.sm2.ecdh(privateKey, v2.sm2.precomputePublicKey(publicKey));
const derived: Uint8Array = v2.hkdf(shared, undefined, 'info', 32);
const buffer: ArrayBuffer = SM2.encrypt(both.output.slice().buffer, publicKey);
const hex: string = SM2.decrypt(buffer, privateKey, { mode: SM2.constants.C1C2C3, outputEncoding: 'hex' });
const base64: string = SM3.digest(hex, 'hex', 'base64');
const block: string = SM4.encrypt(base64, code, { mode: SM4.constants.CBC, iv: code, outputEncoding: 'hex' });
console.log(right, same, all, only, opened, point, derived, block, digest('x').length);
`;
  assert.deepEqual(complaints('program.mts', program), []);
  assert.deepEqual(complaints('program.cts', program), []);
});

test('mistakes are found', () => {
  const mistakes = [
    "sm2.doEncrypt(5, '');",
    "sm2.doEncrypt('x', '', 2);",
    "const bytes: number[] = sm2.doDecrypt('', '');",
    "sm4.encrypt('x', '', { mode: 'gcm' });",
    "sm3('x', {});",
    "v2.sm4.encrypt('x', '', { mode: 'ctr' });",
    "SM4.encrypt('x', '', { mode: 'cbc' });",
    "const text: string = SM3.digest('x');",
    'digest(new Uint8Array(1));',
  ];
  const lines = new Set(complaints('mistakes.mts', IMPORTS.trim() + '\n' + mistakes.join('\n')).map(([line]) => line));
  mistakes.forEach((mistake, i) => assert.ok(lines.has(i + 5), mistake));
});
