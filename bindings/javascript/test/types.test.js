// The types: a program that uses all of them passes the strict compiler, the usual mistakes do not,
// and nothing is exported without a type or typed without an export.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import ts from 'typescript';

// Inside of the package that has `kuaimi` among its dependencies.
const folder = mkdtempSync(path.resolve('types-'));
after(() => rmSync(folder, { recursive: true }));

const options = {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
};

/** The compiler's complaints about programs, by their names: [line, text]. */
function complaints(texts) {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  });
  const program = ts.createProgram(files, options);
  return ts.getPreEmitDiagnostics(program).map((found) => [
    found.file === undefined ? -1 : found.file.getLineAndCharacterOfPosition(found.start).line,
    ts.flattenDiagnosticMessageText(found.messageText, '\n'),
  ]);
}

test('a program that uses the package has no complaint', () => {
  const programs = {};
  for (const name of ['program', 'sm9', 'subtle', 'pki']) {
    const text = readFileSync(new URL(`typed-${name}.ts`, import.meta.url), 'utf8');
    for (const end of ['mts', 'cts']) programs[`${name}.${end}`] = text;
  }
  assert.deepEqual(complaints(programs), []);
});

const MISTAKES = `
key.sign('text');
key.sign(data, { form: 'hex' });
key.publicKey.decrypt(data);
new sm2.PrivateKey();
sm2.PrivateKey.load(data, 'password');
sm4.encrypt(data, data, { mode: 'cbc' });
sm4.encrypt(data, data, { mode: 'gcm', iv: data });
sm3.digest('text');
sm3.createHash().digest('hex').toUpperCase();
key.publicKey.verify(data, data, { id: 7 });
const text: string = key.sign(data);
sm2.verifyBatch(key, data, data);
key.publicKey = key.publicKey;
`.trim().split('\n');

test('the usual mistakes are found', () => {
  const start = "import { sm2, sm3, sm4 } from 'kuaimi'; const data = new Uint8Array(1); const key = sm2.PrivateKey.generate();\n";
  const lines = new Set(complaints({ 'mistakes.mts': start + MISTAKES.join('\n') }).map(([line]) => line));
  MISTAKES.forEach((mistake, i) => assert.ok(lines.has(i + 1), mistake));
});

/** What a module exports as values, by its types. */
function typed(name) {
  const file = path.join(folder, 'names.mts');
  writeFileSync(file, `export * as it from '${name}';`);
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const values = (symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return checker
      .getExportsOfModule(target)
      .filter((found) => {
        const { flags } = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
        return flags & (ts.SymbolFlags.Value | ts.SymbolFlags.NamespaceModule);
      });
  };
  const source = checker.getSymbolAtLocation(program.getSourceFile(file));
  const [it] = checker.getExportsOfModule(source);
  return Object.fromEntries(
    values(it).map((found) => {
      const target = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
      const inner = target.flags & ts.SymbolFlags.ValueModule ? values(found).map((one) => one.name).sort() : undefined;
      return [found.name, inner];
    }),
  );
}

test('types and exports have the same names', async () => {
  const loaded = await import('kuaimi');
  const names = typed('kuaimi');
  assert.deepEqual(Object.keys(names).sort(), Object.keys(loaded).sort());
  for (const part of ['sm2', 'sm3', 'sm4']) {
    assert.deepEqual(names[part], Object.keys(loaded[part]).sort(), part);
  }
});

test('types and exports of the other entries have the same names', async () => {
  for (const name of ['kuaimi/sm9', 'kuaimi/sm9/slim', 'kuaimi/subtle', 'kuaimi/jose']) {
    assert.deepEqual(Object.keys(typed(name)).sort(), Object.keys(await import(name)).sort(), name);
  }
  for (const name of ['kuaimi/pki', 'kuaimi/pki/slim']) {
    const [names, loaded] = [typed(name), await import(name)];
    assert.deepEqual(Object.keys(names).sort(), Object.keys(loaded).sort(), name);
    for (const part of ['cms', 'pkcs12', 'x509']) assert.deepEqual(names[part], Object.keys(loaded[part]).sort(), `${name} ${part}`);
  }
});

const SM9_MISTAKES = `
alice.sign('text');
alice.sign(data, { form: 'c1c3c2' });
alice.verify(data, data);
alice.decrypt(data);
new sm9.SigningKey();
sm9.SigningKey.load(data);
sm9.SigningKey.fromBytes(data, 'alice', sm9.MasterEncryptionKey.generate().publicKey);
sm9.MasterEncryptionKey.generate().extract('bob').decrypt(data, { mode: 'gcm' });
sm9.KeyExchangeInitiator.create(alice, 'bob');
alice.verifyingKey.toBytes();
`.trim().split('\n');

test('the usual mistakes with SM9 are found', () => {
  const start = "import * as sm9 from 'kuaimi/sm9'; const data = new Uint8Array(1); const alice = sm9.MasterSigningKey.generate().extract('alice');\n";
  const lines = new Set(complaints({ 'mistakes.mts': start + SM9_MISTAKES.join('\n') }).map(([line]) => line));
  SM9_MISTAKES.forEach((mistake, i) => assert.ok(lines.has(i + 1), mistake));
});

const PKI_MISTAKES = `
x509.verifyChain(leaf, { roots: [leaf] });
x509.verifyChain(leaf, { purpose: 'any' });
x509.verifyChain(leaf, { roots: [leaf], purpose: 'tls' });
x509.createSelfSigned({ key, subject: 'CN=x', days: 1, subjectAltName: ['www.example'] });
x509.createSelfSigned({ key: key.publicKey, subject: 'CN=x', days: 1 });
x509.createCertificate({ issuer: leaf, publicKey: key.publicKey, subject: 'CN=x', days: 1 });
x509.createSelfSigned({ key, subject: 'CN=x', days: 1, keyUsage: ['sign'] });
new x509.Certificate(data);
leaf.notAfter = new Date();
leaf.verifySignature(key.publicKey);
cms.sign('text', { certificate: leaf, key });
cms.sign(data, { certificate: leaf });
cms.sign(data, { certificate: leaf, key }, { form: 'gmssl' });
cms.encrypt(data, key.publicKey);
cms.decrypt(data, 'password');
pkcs12.load('file', 'password');
pkcs12.create({ identities: [{ key }], password: 'x' });
`.trim().split('\n');

test('the usual mistakes with certificates and messages are found', () => {
  const start = "import { sm2 } from 'kuaimi'; import { cms, pkcs12, x509 } from 'kuaimi/pki'; const data = new Uint8Array(1); const key = sm2.PrivateKey.generate(); declare const leaf: x509.Certificate;\n";
  const lines = new Set(complaints({ 'mistakes.mts': start + PKI_MISTAKES.join('\n') }).map(([line]) => line));
  PKI_MISTAKES.forEach((mistake, i) => assert.ok(lines.has(i + 1), mistake));
});

const SUBTLE_MISTAKES = `
subtle.digest('SHA-256', data);
subtle.digest('SM3', 'text');
subtle.encrypt({ name: 'SM4-GCM' }, key, data);
subtle.encrypt({ name: 'SM4-CTR', counter: data }, key, data);
subtle.importKey('jwk', data, 'SM2', true, ['sign']);
subtle.importKey('raw', data, 'SM2', true, ['read']);
subtle.generateKey('SM2', true, ['sign']).then((made) => made.usages);
key.extractable = true;
new CryptoKey();
verifyJwt('token', data);
verifyJws('token', data, { algorithms: ['none'] });
signJwt({ exp: 'tomorrow' }, data);
encryptJwe(data, data);
`.trim().split('\n');

test('the usual mistakes with subtle and JOSE are found', () => {
  const start = "import { CryptoKey, subtle } from 'kuaimi/subtle'; import { encryptJwe, signJwt, verifyJws, verifyJwt } from 'kuaimi/jose'; const data = new Uint8Array(1); declare const key: CryptoKey;\n";
  const lines = new Set(complaints({ 'mistakes.mts': start + SUBTLE_MISTAKES.join('\n') }).map(([line]) => line));
  SUBTLE_MISTAKES.forEach((mistake, i) => assert.ok(lines.has(i + 1), mistake));
});
