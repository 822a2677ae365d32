"""Runs a WebAssembly program under wasmtime with WASI: `wasi_run.py PROGRAM ARGUMENT…`. It sees the variables KUAIMI_… and
the project's folder."""

import os
import sys
from pathlib import Path

from wasmtime import Engine, ExitTrap, Linker, Module, Store, WasiConfig

engine = Engine()
linker = Linker(engine)
linker.define_wasi()

config = WasiConfig()
config.argv = sys.argv[1:]
config.env = [(name, value) for name, value in os.environ.items() if name.startswith("KUAIMI_")]
config.inherit_stdin()
config.inherit_stdout()
config.inherit_stderr()
project = str(Path(__file__).resolve().parent.parent)
config.preopen_dir(project, project)

store = Store(engine)
store.set_wasi(config)
program = linker.instantiate(store, Module.from_file(engine, sys.argv[1]))
try:
    program.exports(store)["_start"](store)
except ExitTrap as end:
    sys.exit(end.code)
