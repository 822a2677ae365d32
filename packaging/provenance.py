"""How a release was made, as JSON: `provenance.py FOLDER`. The commit, the compilers, their flags, the tools, and each file's size and sum."""

import datetime
import hashlib
import json
import os
import subprocess
import sys

folder = sys.argv[1]


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def digest(name):
    with open(os.path.join(folder, name), "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


environment = os.environ
# The caller's, to which scripts/release-environment adds.
flags = environment["CARGO_ENCODED_RUSTFLAGS"].split("\x1f") if "CARGO_ENCODED_RUSTFLAGS" in environment else environment.get("RUSTFLAGS", "").split()
tools = ["ld", "tar", "gzip", "xz", "dpkg-deb", "rpmbuild"]
if "windows-x86_64" in environment["PLATFORMS"]:
    tools.append("x86_64-w64-mingw32-gcc")
json.dump(
    {
        "name": "kuaimi",
        "version": environment["VERSION"],
        "commit": environment["COMMIT"],
        "date": datetime.datetime.fromtimestamp(int(environment["SOURCE_DATE_EPOCH"]), datetime.timezone.utc).isoformat(),
        "built_by": "make release",
        "platforms": environment["PLATFORMS"].split(),
        "parts": environment["PARTS"].split(),
        "compiler": lines("rustc", "-vV"),
        "cargo": lines("cargo", "--version")[0],
        "profile": "release of Cargo.toml, --locked",
        "rustflags": [*flags, "--remap-path-prefix=… for the folders of Cargo, of Rust and of the sources"],
        "linkers": sorted(set(lines("sed", "-n", 's/^tools="\\(.*\\)"$/\\1/p', "scripts/zig")[0].split())),
        "tools": [lines(tool, "--version")[0] for tool in tools],
        "files": {name: {"sha256": digest(name), "bytes": os.path.getsize(os.path.join(folder, name))} for name in sorted(os.listdir(folder))},
    },
    sys.stdout,
    indent=2,
    ensure_ascii=False,
)
print()
