// Assembles the package: node tools/build.js WASM-FOLDER PACKAGE-FOLDER
//
// src/ is ES modules. Node takes cjs/, one file for each of src/, so that `require` and `import`
// share their classes; node/ has what `import` gives of them. Modules of WebAssembly are files for
// Node and for those who serve them, and scripts with Base64 for browsers.

import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import binaryen from 'binaryen';
import { build } from 'esbuild';
import { readModule } from './module.js';

const [wasm, out] = process.argv.slice(2).map((folder) => path.resolve(folder));
const root = path.resolve('bindings/javascript');

await rm(out, { recursive: true, force: true });
await mkdir(path.join(out, 'wasm'), { recursive: true });
const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
for (const name of ['package.json', 'README.md', 'README.zh-CN.md', 'src', 'types']) {
  await cp(path.join(root, name), path.join(out, name), { recursive: true });
}
const project = path.resolve('.');
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) await cp(path.join(project, name), path.join(out, name));

for (const name of await readdir(wasm)) {
  const module = await readModule(path.join(wasm, name));
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(2);
  // That no address plus a constant wraps around to one below 1024. Rust's linker puts the stack
  // first, from 0 to 1 MiB, and the data and the heap behind it: only a stack that is about to
  // overflow reaches so low, downwards from a valid address, and Rust reads nothing at null.
  binaryen.setLowMemoryUnused(true);
  module.runPasses(['gufa-optimizing', 'dae-optimizing']);
  module.optimize();
  module.optimize();
  const bytes = Buffer.from(module.emitBinary());
  module.dispose();
  await writeFile(path.join(out, 'wasm', name), bytes);
  const text = `// ${name}, as Base64.\nexport default '${bytes.toString('base64')}';\n`;
  await writeFile(path.join(out, 'wasm', name.replace('.wasm', '.js')), text);
}

// From a folder that no package.json calls ES modules: else esbuild adds `default` to every module.
const plain = `${out}-src`;
await rm(plain, { recursive: true, force: true });
await cp(path.join(out, 'src'), plain, { recursive: true });
const sources = (await readdir(plain, { recursive: true })).filter((name) => name.endsWith('.js'));
await build({
  entryPoints: sources.map((name) => path.join(plain, name)),
  outdir: path.join(out, 'cjs'),
  outbase: plain,
  format: 'cjs',
  platform: 'node',
  target: 'node18',
  define: { 'import.meta.url': '__url' },
  banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
});
await writeFile(path.join(out, 'cjs', 'package.json'), '{ "type": "commonjs" }\n');

// What `import` gives in Node: the names of the CommonJS module.
const require = createRequire(import.meta.url);
await mkdir(path.join(out, 'node'), { recursive: true });
for (const entry of Object.values(manifest.exports)) {
  const { import: to, require: from } = entry.node ?? {};
  if (to === undefined || from === undefined) continue;
  const file = path.join(out, to);
  const loaded = require(path.join(out, from));
  const names = Object.keys(loaded).filter((name) => name !== 'default' && name !== '__esModule');
  const single = 'default' in loaded && names.length === 0;
  // `require` gives the one thing itself, as the package does that this entry replaces.
  if (single) await appendFile(path.join(out, from), 'module.exports = module.exports.default;\n');
  const own = './' + path.relative(path.dirname(file), path.join(out, from)).replaceAll(path.sep, '/');
  const lines = [
    `import loaded from '${own.startsWith('./..') ? own.slice(2) : own}';`,
    ...(names.length > 0 ? [`export const { ${names.join(', ')} } = loaded;`] : []),
    ...('default' in loaded ? [`export default loaded${single ? '' : '.default'};`] : []),
  ];
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, lines.join('\n') + '\n');
}
