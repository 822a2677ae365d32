// Builds the page: node build.js WASM-FOLDER PACKAGES-FOLDER OUT-FOLDER
//
// Scripts and no modules, so that the folder also works when it is opened without a server.

import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const [wasm, packages, out] = process.argv.slice(2).map((folder) => path.resolve(folder));
const here = path.resolve('bindings/javascript/demo');

await rm(out, { recursive: true, force: true });
await mkdir(path.join(out, 'wasm'), { recursive: true });
for (const name of ['index.html', 'demo.css']) await copyFile(path.join(here, name), path.join(out, name));

const peers = (await readdir(path.join(here, 'peers'))).map((name) => `peers/${name}`);
const { metafile } = await build({
  entryPoints: ['demo.js', 'worker.js', ...peers].map((name) => path.join(here, name)),
  outdir: out,
  outbase: here,
  bundle: true,
  minify: true,
  metafile: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2022',
  nodePaths: [packages],
  define: { global: 'globalThis' },
  logLevel: 'warning',
});

for (const name of ['sm2', 'sm2-simd', 'sm9', 'sm9-simd']) {
  const text = (await readFile(path.join(wasm, `${name}.wasm`))).toString('base64');
  await writeFile(path.join(out, 'wasm', `${name}.js`), `(self.kuaimiModules ??= {})['${name}'] = '${text}';\n`);
}

// The licences of what the bundles hold.
const inside = new Set();
for (const input of Object.keys(metafile.inputs)) {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(input)?.[1];
  if (name !== undefined) inside.add(name);
}
const texts = [];
for (const name of [...inside].sort()) {
  const folder = path.join(packages, name);
  const { version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^licen[cs]e/i.test(file));
  const found = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  texts.push(`${name} ${version}: ${license}\n\n${found.join('\n')}`);
}
const own = await Promise.all(['LICENSE-MIT', 'LICENSE-APACHE'].map((name) => readFile(name, 'utf8')));
texts.unshift(`kuaimi: MIT OR Apache-2.0\n\n${own.join('\n')}`);
await writeFile(path.join(out, 'licences.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
