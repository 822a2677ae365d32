// Modules of WebAssembly, read with the features that Rust's compiler uses: every host has had them
// since 2021.

import { readFile } from 'node:fs/promises';
import binaryen from 'binaryen';

const {
  BulkMemory, BulkMemoryOpt, CallIndirectOverlong, Multivalue, MutableGlobals, NontrappingFPToInt, ReferenceTypes, SIMD128, SignExt,
} = binaryen.Features;
const FEATURES =
  BulkMemory | BulkMemoryOpt | CallIndirectOverlong | Multivalue | MutableGlobals | NontrappingFPToInt | ReferenceTypes | SignExt;

/** A file; if its name says so, with vector instructions. */
export async function readModule(file) {
  const module = binaryen.readBinary(await readFile(file));
  module.setFeatures(file.includes('-simd') ? FEATURES | SIMD128 : FEATURES);
  return module;
}
