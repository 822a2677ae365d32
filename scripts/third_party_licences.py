"""The licences of everything that is compiled into a package, one text after the other: `third_party_licences.py TARGET PACKAGE…`.

Each text is there once, with the packages that it belongs to. Cargo's own licence field stands for a package without a text.
"""

import json
import os
import re
import subprocess
import sys

target, *packages = sys.argv[1:]


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], check=True, capture_output=True, text=True).stdout


metadata = json.loads(cargo("metadata", "--format-version", "1", "--locked", "--filter-platform", target))
own = set(metadata["workspace_members"])
by_name = {(package["name"], package["version"]): package for package in metadata["packages"] if package["id"] not in own}

# What is compiled, for these packages together. Macros and build scripts run while it is built, and do not enter.
tree = cargo("tree", "--locked", "--target", target, "--edges", "no-build,no-dev,no-proc-macro", "--prefix", "none",
             "--format", "{p}", *(argument for package in packages for argument in ("-p", package)))
used = set()
for line in tree.splitlines():
    words = line.split()
    if len(words) > 1 and (words[0], words[1].removeprefix("v")) in by_name:
        used.add((words[0], words[1].removeprefix("v")))

NAME = re.compile(r"(licen[cs]e|copying|notice|copyright)([-._].*)?", re.IGNORECASE)
texts = {}
print("What is compiled into " + ", ".join(packages) + " besides Kuaimi itself, and under which licence.\n")
print("rust-std (the standard library of Rust): MIT OR Apache-2.0")
if "musl" in target:
    print("musl (the C library): MIT; Copyright 2005-2020 Rich Felker, et al.")
for key in sorted(used):
    package = by_name[key]
    print(f"{key[0]} {key[1]}: {package['license'] or 'see its text'}")
    folder = os.path.dirname(package["manifest_path"])
    for place in sorted({folder, *(entry.path for entry in os.scandir(folder) if entry.is_dir())}):
        for name in sorted(os.listdir(place)):
            path = os.path.join(place, name)
            if NAME.fullmatch(name) and os.path.isfile(path) and not name.endswith((".rs", ".c", ".h")):
                with open(path, encoding="utf-8", errors="replace") as file:
                    text = "\n".join(line.rstrip() for line in file.read().strip().splitlines())
                texts.setdefault(text, set()).add(f"{key[0]} {key[1]}")
for text, of in sorted(texts.items(), key=lambda item: (sorted(item[1]), item[0])):
    print(f"\n{'=' * 80}\nOf: {', '.join(sorted(of))}\n{'=' * 80}\n\n{text}")
