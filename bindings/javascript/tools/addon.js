// The package of an addon: node tools/addon.js PLATFORM ADDON FOLDER

import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const [platform, addon, folder] = process.argv.slice(2);
const read = async (name) => JSON.parse(await readFile(path.join('bindings/javascript', name), 'utf8'));
const machine = (await read('native/platforms.json'))[platform];
if (machine === undefined) throw new Error(`native/platforms.json has no ${platform}`);
const { version, license, engines } = await read('package.json');
const manifest = {
  name: `@kuaimi/${platform}`,
  version,
  description: `The native half of kuaimi for ${platform}`,
  license,
  ...machine,
  engines,
  main: 'kuaimi.node',
  files: ['kuaimi.node', 'LICENSE-MIT', 'LICENSE-APACHE'],
};

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2) + '\n');
await cp(addon, path.join(folder, 'kuaimi.node'));
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) await cp(name, path.join(folder, name));
