"""Paths and file objects as streams of any size."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import IO, Protocol, TypeAlias

PIECE = 1 << 20


class Updated(Protocol):
    def update(self, data: memoryview, /) -> None: ...


Source: TypeAlias = str | os.PathLike[str] | IO[bytes]
Target: TypeAlias = str | os.PathLike[str] | IO[bytes]


@contextlib.contextmanager
def reading(source: Source) -> Iterator[IO[bytes]]:
    """A file object to read from. One that was given stays open."""
    if isinstance(source, str | os.PathLike):
        with open(source, "rb") as file:
            yield file
    else:
        yield source


@contextlib.contextmanager
def writing(target: Target) -> Iterator[IO[bytes]]:
    """A file object to write to. A file under a name appears when it is whole, and not at all where writing it fails."""
    if not isinstance(target, str | os.PathLike):
        yield target
        return
    path = os.fspath(target)
    folder, name = os.path.split(path)
    unfinished = os.path.join(folder, f".{name}.{os.urandom(8).hex()}")
    flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
    descriptor = os.open(unfinished, flags, 0o666)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            yield file
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(unfinished)
        raise


def update(hash: Updated, source: Source) -> None:
    """Adds all that a source gives."""
    with reading(source) as file:
        readinto: Callable[[memoryview], int | None] | None = getattr(file, "readinto", None)
        if readinto is None:
            while piece := file.read(PIECE):
                hash.update(memoryview(piece))
            return
        with memoryview(bytearray(PIECE)) as buffer:
            while count := readinto(buffer):
                hash.update(buffer[:count])


def length(file: IO[bytes]) -> int | None:
    """How many bytes are left in a file, where it can tell."""
    try:
        if not file.seekable():
            return None
        here = file.tell()
        end = file.seek(0, os.SEEK_END)
        file.seek(here)
        return end - here
    except (AttributeError, OSError):
        return None


def seekable(file: IO[bytes]) -> bool:
    """Whether a file can go back."""
    try:
        return file.seekable()
    except AttributeError:
        return hasattr(file, "seek")
