"""Makes a DuckDB extension of a shared library: `metadata.py LIBRARY EXTENSION VERSION PLATFORM`.

DuckDB reads the last 512 bytes of an extension: eight fields of 32 bytes, the last of which comes first, and 256 bytes for a signature.
Before them stands the head of a custom section of WebAssembly, which has the same layout on all platforms.
"""

import sys

FORMAT = "4"
API = "v1.2.0"  # as in kuaimi_duckdb.c


def main(library: str, extension: str, version: str, platform: str) -> None:
    fields = [FORMAT, platform, API, version, "C_STRUCT", "", "", ""]
    name = b"duckdb_signature"
    content = b"".join(field.encode().ljust(32, b"\0") for field in reversed(fields)) + bytes(256)
    section = bytes([len(name)]) + name + leb128(len(content)) + content
    with open(library, "rb") as source:
        code = source.read()
    with open(extension, "wb") as target:
        target.write(code + b"\0" + leb128(len(section)) + section)


def leb128(number: int) -> bytes:
    encoded = b""
    while number > 0x7F:
        encoded += bytes([number & 0x7F | 0x80])
        number >>= 7
    return encoded + bytes([number])


main(*sys.argv[1:])
