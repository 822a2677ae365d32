"""Memory that others change during a call: what is decided is decided by one reading, and nothing is remembered under another's name."""

import contextlib
import mmap
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kuaimi import sm2, sm3, sm4, sm9
from kuaimi._native.batch import TableVerifier

BOB, EVE = (sm2.SM2PrivateKey.from_bytes(bytes([number]) * 32) for number in (1, 2))
KEYS = [key.public_key().to_bytes(compressed=True).hex().encode() for key in (BOB, EVE)]
ROWS, CALLS = 512, 200
MESSAGES = pa.array([b"m"] * ROWS)


def column(memory: Any, width: int) -> Any:
    """Values of one width, in memory that this program can change."""
    offsets = pa.py_buffer(np.arange(0, width * (ROWS + 1), width, dtype=np.int32).tobytes())
    return pa.Array.from_buffers(pa.binary(), ROWS, [None, offsets, pa.py_buffer(memory)])


@contextlib.contextmanager
def changing(memory: Any, *contents: bytes) -> Iterator[None]:
    """Another thread writes one content and the other, again and again."""
    stop = threading.Event()
    wanted = [np.frombuffer(content, np.uint8) for content in contents]

    def change() -> None:
        while not stop.is_set():
            for content in wanted:
                memory[:] = content

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@contextlib.contextmanager
def changing_file(path: Path, *contents: bytes) -> Iterator[None]:
    """Another process does so, in a file that both have mapped."""
    program = (
        "import mmap, sys\n"
        "file = open(sys.argv[1], 'r+b')\n"
        "memory, contents = mmap.mmap(file.fileno(), 0), [bytes.fromhex(text) for text in sys.argv[2:]]\n"
        "print(flush=True)\n"
        "while True:\n"
        "    for content in contents: memory[:] = content * (len(memory) // len(content))\n"
    )
    width = len(contents[0]) // ROWS
    arguments = [content[:width].hex() for content in contents]
    with subprocess.Popen([sys.executable, "-c", program, str(path), *arguments], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


@pytest.mark.parametrize("by", ["thread", "process"])
@pytest.mark.parametrize("name", ["key", "id"])
def test_tables_are_judged_rightly_afterwards(name: str, by: str, tmp_path: Path) -> None:
    """A column of keys, or of identities, is Bob's and Eve's in turn while tables are verified. Then a clean table is: it is judged as ever."""
    bobs, eves = ((KEYS[0], KEYS[1]) if name == "key" else (b"bob", b"eve"))
    width, contents = len(bobs), (bobs * ROWS, eves * ROWS)
    clean, fixed = column(contents[0], width), {"id": pa.array([b"bob"] * ROWS), "key": pa.array([KEYS[0]] * ROWS)}
    good, bad = (
        (BOB.sign(b"m", "bob"), EVE.sign(b"m", "bob")) if name == "key" else (BOB.sign(b"m", "bob"), BOB.sign(b"m", "eve"))
    )
    good, bad = (pa.array([signature] * ROWS) for signature in (good, bad))
    memory: Any
    if by == "thread":
        memory = np.frombuffer(bytearray(contents[0]), np.uint8)
        changes = changing(memory, *contents)
    else:
        path = tmp_path / "column"
        path.write_bytes(contents[0])
        with path.open("r+b") as file:
            memory = mmap.mmap(file.fileno(), 0)
        changes = changing_file(path, *contents)
    lent = column(memory, width)
    with changes:
        for _ in range(CALLS):
            verifier = TableVerifier()
            for _ in range(3):
                verifier.verify(**(fixed | {name: lent}), message=MESSAGES, signature=good, threads=1)
            verdicts = [list(verifier.verify(**(fixed | {name: clean}), message=MESSAGES, signature=made, threads=1)[0]) for made in (good, bad)]
            assert verdicts == [[True] * ROWS, [False] * ROWS]


def test_rows_of_a_batch_do_not_lend_each_other_their_keys() -> None:
    """Keys that stand in the same bytes are decoded once. The first of them changes; the others are Bob's, and stay so."""
    bob, eve = (key.public_key().to_bytes(compressed=True) for key in (BOB, EVE))
    memory = np.frombuffer(bytearray(bob * ROWS), np.uint8)
    keys = memory.reshape(ROWS, 33)
    forged, signed = EVE.sign(b"m", form="raw"), BOB.sign(b"m", form="raw")
    with changing(memory[:33], bob, eve):
        for _ in range(CALLS):
            assert not any(sm2.verify_batch(keys, b"m", forged, threads=1)[1:])
            assert all(sm2.verify_batch(keys, b"m", signed, threads=1)[1:])


def test_rows_of_a_batch_do_not_lend_each_other_their_identities() -> None:
    memory = np.frombuffer(bytearray(b"bob" * ROWS), np.uint8)
    ids, public_key = memory.view("V3"), BOB.public_key()
    with changing(memory[:3], b"bob", b"eve"):
        for _ in range(CALLS):
            signatures = sm2.sign_batch(BOB, [b"m"] * ROWS, ids, threads=1)
            assert all(sm2.verify_batch(public_key, b"m", list(signatures)[1:], "bob"))


def test_extracted_keys_have_the_identity_that_they_show() -> None:
    memory = np.frombuffer(bytearray(b"bob" * 4), np.uint8)
    master = sm9.MasterSigningKey.generate()
    with changing(memory, b"bob" * 4, b"eve" * 4):
        for _ in range(20):
            for key in sm9.extract_signing_batch(master, memory.view("V3"), threads=1):
                master.public_key().verifying_key(key.identity).verify(key.sign(b"m"), b"m")


OFFSETS = """
import mmap, sys
import pyarrow as pa
from kuaimi import errors, sm3
with open(sys.argv[1], "r+b") as file:
    memory = mmap.mmap(file.fileno(), 0)
rows = len(memory) // 4 - 1
lent = pa.Array.from_buffers(pa.binary(), rows, [None, pa.py_buffer(memory), pa.py_buffer(bytes(8 * rows))])
seen = set()
for _ in range(10000):
    try:
        seen |= set(sm3.digest_batch(lent, threads=1))
    except errors.FormatError:
        pass
assert seen <= {sm3.digest(bytes(8))}, "bytes that are not the column's"
"""


def test_offsets_that_change_after_they_were_checked(tmp_path: Path) -> None:
    """Offsets are checked and used as they were read: no byte outside of the column is. The last one says how long the column is, and stays."""
    right = np.arange(0, 8 * (ROWS + 1), 8, dtype=np.int32)
    wrong = right.copy()
    wrong[1:-1:2] = 1 << 30
    path = tmp_path / "offsets"
    path.write_bytes(right.tobytes())
    with path.open("r+b") as file:
        memory = np.frombuffer(mmap.mmap(file.fileno(), 0), np.uint8)
    # Right for long enough that they are often checked then.
    with changing(memory, *[right.tobytes()] * 20, wrong.tobytes()):
        assert subprocess.run([sys.executable, "-c", OFFSETS, str(path)]).returncode == 0


@pytest.mark.parametrize("length", [4095, 4096, 4097, 16383, 16384, 16385, 50_000])
def test_large_messages_in_pieces(length: int) -> None:
    """What can change is read in pieces, with the same results as a message that cannot."""
    message = os.urandom(length)
    lent, key, iv = bytearray(message), bytes(16), bytes(16)
    same: list[Callable[[Any], Any]] = [
        sm3.digest,
        sm3.hexdigest,
        lambda data: sm3.Hash(data).digest(),
        lambda data: sm3.HMAC(b"key", data).digest(),
        lambda data: sm3.hmac_digest(b"key", data),
        lambda data: BOB.sign(data, deterministic=True),
        lambda data: sm4.SM4GCM(key).encrypt(iv, data, data),
        lambda data: sm4.SM4CCM(key).encrypt(bytes(12), data, data),
        lambda data: sm4.encrypt(key, sm4.CBC(iv), data),
        lambda data: sm4.encrypt(key, sm4.CTR(iv), data),
        lambda data: sm4.Cipher(key, sm4.CTR(iv)).encryptor().update(data),
    ]
    for function in same:
        assert function(lent) == function(message) == function(memoryview(lent))
    sealed = bytearray(sm4.SM4GCM(key).encrypt(iv, message, None))
    assert sm4.SM4GCM(key).decrypt(iv, sealed, None) == message
    assert sm4.decrypt(key, sm4.CBC(iv), bytearray(sm4.encrypt(key, sm4.CBC(iv), lent))) == message
    encryptor = sm4.Cipher(key, sm4.ECB()).encryptor()
    pieces = [encryptor.update(b"begin"), encryptor.update(lent), encryptor.update(bytes(16))]
    whole = b"begin" + message + bytes(16)
    assert b"".join(pieces) == sm4.encrypt(key, sm4.ECB(), whole[: len(whole) // 16 * 16])
    BOB.public_key().verify(BOB.sign(lent, "bob"), message, "bob")
    BOB.public_key().prepare().verify(BOB.sign(message), lent)
    alice = sm9.MasterSigningKey.from_bytes(bytes([1]) * 32).extract("alice")
    alice.verifying_key().verify(alice.sign(lent), message)
    alice.verifying_key().verify(alice.sign_hash(sm9.MessageHash(lent)), lent)
