"""Tables of signatures, mostly valid ones: a few thousand rows that differ, taken again and again."""

from __future__ import annotations

import base64
import pathlib
import random
import subprocess

import pyarrow as pa
import pyarrow.parquet as pq

from kuaimi import sm2

KEYS = 60
"""So many signers. Each comes often enough to get a table."""
SIGNED = 3000


def pool(text: bool = True) -> tuple[pa.Table, list[str]]:
    """Rows that differ, and what each must be found to be: "valid", "invalid" or "malformed"."""
    generator = random.Random(16)
    keys = [sm2.SM2PrivateKey.generate() for _ in range(KEYS)]
    signers = [keys[row % KEYS] for row in range(SIGNED)]
    messages = [f"transfer {row} of {generator.randrange(10**9)}" for row in range(SIGNED)]
    ids = [None if row % 3 else f"user-{row % KEYS}@example.com" for row in range(SIGNED)]
    raw = sm2.sign_batch(signers, [message.encode() for message in messages], [id or sm2.DEFAULT_ID for id in ids], form="raw")

    rows: list[tuple[str, object, object, object, object]] = []

    def add(expected: str, key: object, id: object, message: object, signature: object) -> None:
        written = [value.hex() if text and isinstance(value, bytes) else value for value in (key, signature)]
        rows.append((expected, written[0], id, message, written[1]))

    for row, (signer, message, id, signature) in enumerate(zip(signers, messages, ids, raw, strict=True)):
        assert signature is not None
        public = signer.public_key()
        key = public.to_bytes(compressed=True) if row % 5 == 0 else public.to_bytes()
        form = signature if row % 2 else sm2.convert_signature(signature, "der")
        add("valid", key, id, message, form)
        other = signers[row - 1]
        changed = bytearray(signature)
        changed[row % 64] ^= 1 << row % 8
        point = bytearray(public.to_bytes())
        point[64] ^= 1
        n = 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123
        defects: list[tuple[str, object, object, object, object]] = [
            ("invalid", key, id, message + "0", form),
            ("invalid", other.public_key().to_bytes(), id, message, form),
            ("invalid", key, "somebody else", message, form),
            ("invalid", key, id, message, raw[row - 1]),
            ("malformed", bytes(point), id, message, form),
            ("malformed", key, id, message, signature[:-1]),
            ("malformed", key, id, message, signature + b"\0"),
            ("malformed", key[:-1], id, message, form),
            ("malformed", None, id, message, form),
            ("malformed", key, id, None, form),
            ("malformed", key, id, message, None),
            ("malformed", b"", id, message, form),
            ("malformed", key, id, message, b""),
            ("malformed", key, "x" * 8192, message, form),
            ("malformed", key, id, message, bytes(32) + signature[32:]),
            ("malformed", key, id, message, n.to_bytes(32) + signature[32:]),
            ("malformed", b"\x04" + b"\xff" * 64, id, message, form),
            ("malformed", b"\x30" + key[1:], id, message, form),
        ]
        if text:
            encoded = base64.b64encode(signature).decode()
            defects += [
                ("valid", base64.b64encode(public.to_bytes()).decode(), id, message, encoded),
                ("valid", "0x" + public.to_bytes().hex().upper(), id, message, signature.hex(":")),
                ("malformed", key.hex()[:-1], id, message, form),
                ("malformed", key.hex()[:-1] + "g", id, message, form),
                ("malformed", key, id, message, signature.hex()[:-1]),
                ("malformed", key, id, message, encoded[:-3] + "?=="),
                ("malformed", "密", id, message, form),
            ]
        if row % 4 == 0:
            add(*defects[row // 4 % len(defects)])
    columns = list(zip(*rows, strict=True))
    kind = pa.string() if text else pa.binary()
    fields = [("key", kind), ("id", pa.string()), ("message", pa.string()), ("signature", kind)]
    arrays = {name: pa.array(values, field) for (name, field), values in zip(fields, columns[1:], strict=True)}
    return pa.table(arrays), [str(expected) for expected in columns[0]]


def ledger(rows: int, text: bool = True, by_key: bool = False) -> tuple[pa.Table, list[str]]:
    """So many rows, numbered from 1 in the column `row`, and what each must be found to be."""
    table, expected = pool(text)
    generator = random.Random(rows)
    places = [generator.randrange(len(expected)) for _ in range(rows)]
    if by_key:
        places.sort()
    table = table.take(pa.array(places)).combine_chunks()
    return table.add_column(0, "row", pa.array(range(1, rows + 1), pa.int64())), [expected[place] for place in places]


def write(table: pa.Table, path: pathlib.Path) -> pathlib.Path:
    """A Parquet file that engines and the program read in parts."""
    pq.write_table(table, path, row_group_size=1 << 16, compression="zstd")
    return path


def verdicts_of_program(program: str, ledger: pathlib.Path, out: pathlib.Path, *arguments: str) -> pa.Table:
    """What `kuaimi verify-batch` finds."""
    command = [program, "verify-batch", "--quiet", "--out", str(out), *arguments, str(ledger)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return pq.read_table(out)
