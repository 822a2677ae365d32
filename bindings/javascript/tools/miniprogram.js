// Assembles the folder for mini-programs: node tools/miniprogram.js PACKAGE-FOLDER FOLDER
//
// kuaimi.js for `require`, in the JavaScript of iOS 11.3 and later, and modules that are compressed
// with Brotli. A module without vector instructions is for old phones, whose WebAssembly is the
// first version: what came later is put in other words. Globals are not exported: WeChat on iOS
// has none.

import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import binaryen from 'binaryen';
import { build } from 'esbuild';
import { readModule } from './module.js';

const [from, out] = process.argv.slice(2).map((folder) => path.resolve(folder));

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await build({
  entryPoints: [path.join(from, 'src/index.miniprogram.js')],
  outfile: path.join(out, 'kuaimi.js'),
  bundle: true,
  format: 'cjs',
  platform: 'neutral',
  target: 'es2018',
});

const LATER = ['llvm-memory-copy-fill-lowering', 'signext-lowering', 'llvm-nontrapping-fptoint-lowering'];
for (const name of ['sm2', 'sm2-simd', 'sm9', 'sm9-simd', 'formats']) {
  const module = await readModule(path.join(from, 'wasm', `${name}.wasm`));
  for (const global of ['__data_end', '__heap_base']) module.removeExport(global);
  if (!name.endsWith('-simd')) {
    module.runPasses(LATER);
    module.setFeatures(binaryen.Features.MVP);
  }
  if (!module.validate()) throw new Error(`${name}: it needs more than the first version of WebAssembly`);
  await writeFile(path.join(out, `${name}.wasm.br`), brotliCompressSync(module.emitBinary()));
  module.dispose();
}
await cp(path.join(from, 'types'), path.join(out, 'types'), { recursive: true });
await writeFile(path.join(out, 'kuaimi.d.ts'), "export * from './types/miniprogram.js';\n");
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) await cp(path.join(from, name), path.join(out, name));
