"""Files of any size: paths, objects, pipes; outputs that appear whole or not at all."""

import io
import os
import pathlib
import resource
import subprocess
import sys
from typing import Any

import pytest

import kuaimi
from kuaimi import sm2, sm3, sm9

KEY = sm2.SM2PrivateKey.generate()
BOB = sm9.MasterEncryptionKey.generate().extract("bob")
ALICE = sm9.MasterSigningKey.generate().extract("alice")
LENGTHS = [1, 1000, 65535, 65536, 3_000_000]


def message(length: int) -> bytes:
    return (bytes(range(251)) * (length // 251 + 1))[:length]


class Pipe(io.RawIOBase):
    """A file that cannot seek and gives a few bytes at a time."""

    def __init__(self, data: bytes = b"") -> None:
        self.data, self.written = io.BytesIO(data), bytearray()

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        return self.data.read(min(size, 1000) if size >= 0 else -1)

    def readinto(self, buffer: Any, /) -> int:
        piece = self.read(len(buffer))
        buffer[: len(piece)] = piece
        return len(piece)

    def write(self, data: Any, /) -> int:
        # Fewer than it was given, as raw files may.
        self.written += bytes(data[:70_000])
        return min(len(data), 70_000)


@pytest.mark.parametrize("length", LENGTHS)
def test_signatures(tmp_path: pathlib.Path, length: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(message(length))
    for source in (path, str(path), io.BytesIO(message(length)), Pipe(message(length))):
        signature = sm2.sign_file(KEY, source, "alice")
        KEY.public_key().verify(signature, message(length), "alice")
        sm2.verify_file(KEY.public_key(), signature, path, "alice")
        with pytest.raises(kuaimi.InvalidSignature):
            sm2.verify_file(KEY.public_key(), signature, path)
    signature = sm9.sign_file(ALICE, path)
    ALICE.verifying_key().verify(signature, message(length))
    sm9.verify_file(ALICE.verifying_key(), signature, Pipe(message(length)))
    with pytest.raises(kuaimi.InvalidSignature):
        sm9.verify_file(ALICE.verifying_key(), signature, io.BytesIO(b"another"))


@pytest.mark.parametrize("form", ["c1c3c2", "c1c2c3", "bare-c1c3c2", "bare-c1c2c3", "der"])
@pytest.mark.parametrize("length", LENGTHS)
def test_sm2(tmp_path: pathlib.Path, length: int, form: Any) -> None:
    plain, sealed, opened = (tmp_path / name for name in ("plain", "sealed", "opened"))
    plain.write_bytes(message(length))
    assert sm2.encrypt_file(KEY.public_key(), plain, sealed, form) == length
    assert KEY.decrypt(sealed.read_bytes(), form) == message(length)
    assert sm2.decrypt_file(KEY, sealed, opened) == sm2.decrypt_file(KEY, str(sealed), opened, form) == length
    assert opened.read_bytes() == message(length)
    target = io.BytesIO()
    with sealed.open("rb") as source:
        sm2.decrypt_file(KEY, source, target)
    assert target.getvalue() == message(length)
    assert {path.name for path in tmp_path.iterdir()} == {"plain", "sealed", "opened"}


@pytest.mark.parametrize("mode", ["stream", "cbc"])
@pytest.mark.parametrize("form", ["der", "raw"])
@pytest.mark.parametrize("length", LENGTHS)
def test_sm9(tmp_path: pathlib.Path, length: int, form: Any, mode: Any) -> None:
    plain, sealed, opened = (tmp_path / name for name in ("plain", "sealed", "opened"))
    plain.write_bytes(message(length))
    assert sm9.encrypt_file(BOB.encryption_key(), plain, sealed, form=form, mode=mode) == length
    assert BOB.decrypt(sealed.read_bytes(), form=form, mode=mode) == message(length)
    assert sm9.decrypt_file(BOB.prepare(), sealed, opened, form=form, mode=mode) == length
    assert opened.read_bytes() == message(length)


def test_pipes() -> None:
    pipe = Pipe(message(3_000_000))
    sm2.encrypt_file(KEY.public_key(), pipe, pipe, "c1c2c3")
    assert KEY.decrypt(pipe.written, "c1c2c3") == message(3_000_000)
    with pytest.raises(OSError, match="cannot go back"):
        sm2.encrypt_file(KEY.public_key(), Pipe(message(3_000_000)), Pipe(), "c1c3c2")
    with pytest.raises(kuaimi.InvalidArgument, match="length of the message"):
        sm2.encrypt_file(KEY.public_key(), Pipe(message(3_000_000)), io.BytesIO(), "der")


def test_what_fails_leaves_nothing(tmp_path: pathlib.Path) -> None:
    sealed, opened = tmp_path / "sealed", tmp_path / "opened"
    sealed.write_bytes(KEY.public_key().encrypt(message(3_000_000))[:-1])
    opened.write_bytes(b"from before")
    for work in (
        lambda: sm2.decrypt_file(KEY, sealed, opened),
        lambda: sm9.decrypt_file(BOB, sealed, opened),
        lambda: sm9.decrypt_file(BOB, sealed, opened, form="raw"),
    ):
        with pytest.raises(kuaimi.DecryptionFailed):
            work()
        assert opened.read_bytes() == b"from before"
        assert {path.name for path in tmp_path.iterdir()} == {"sealed", "opened"}
    with pytest.raises(FileNotFoundError):
        sm2.decrypt_file(KEY, tmp_path / "none", opened)
    with pytest.raises(FileNotFoundError):
        sm2.encrypt_file(KEY.public_key(), sealed, tmp_path / "none" / "file")
    target = io.BytesIO()
    with pytest.raises(kuaimi.DecryptionFailed):
        sm2.decrypt_file(KEY, sealed, target)
    assert target.getvalue() == b"", "nothing of a plaintext that was not authenticated"


def test_exceptions_of_files_come_back() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise ZeroDivisionError("from the file")

        def readinto(self, buffer: Any, /) -> int:
            raise ZeroDivisionError("from the file")

    for work in (
        lambda: sm2.encrypt_file(KEY.public_key(), Broken(b"x"), io.BytesIO()),
        lambda: sm2.decrypt_file(KEY, Broken(b"x" * 200), io.BytesIO()),
        lambda: sm2.sign_file(KEY, Broken(b"x")),
        lambda: sm3.file_digest(Broken(b"x")),
    ):
        with pytest.raises(ZeroDivisionError, match="from the file"):
            work()
    with pytest.raises(OSError, match="binary mode"):
        sm2.encrypt_file(KEY.public_key(), io.StringIO("text"), io.BytesIO())  # type: ignore[arg-type]


def test_files_that_do_not_wait() -> None:
    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: Any, /) -> None:
            return None

    with pytest.raises(OSError, match="takes no bytes now"):
        sm2.encrypt_file(KEY.public_key(), io.BytesIO(b"a message"), Full())

    class Own:
        def __init__(self) -> None:
            self.written = bytearray()

        def write(self, data: bytes) -> None:
            self.written += data

    own = Own()
    sm2.encrypt_file(KEY.public_key(), io.BytesIO(b"a message"), own)  # type: ignore[arg-type]
    assert sm2.decrypt_file(KEY, io.BytesIO(own.written), target := io.BytesIO())
    assert target.getvalue() == b"a message"


def test_memory(tmp_path: pathlib.Path) -> None:
    """A file of 200 MiB in a process that may have 100 MiB more than it starts with."""
    big = tmp_path / "big"
    with big.open("wb") as file:
        file.truncate(200 << 20)
    program = """
import pathlib, resource, sys
from kuaimi import sm2, sm3
folder = pathlib.Path(sys.argv[1])
key = sm2.SM2PrivateKey.generate()
pages = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (pages + (100 << 20), resource.RLIM_INFINITY))
sm2.encrypt_file(key.public_key(), folder / "big", folder / "sealed")
sm2.decrypt_file(key, folder / "sealed", folder / "opened")
assert sm3.file_digest(folder / "opened").digest() == sm3.file_digest(folder / "big").digest()
"""
    assert resource.getpagesize() and os.path.exists("/proc/self/statm")
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=True)
