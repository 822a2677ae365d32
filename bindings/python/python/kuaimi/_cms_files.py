"""Messages of any size as files, in a few megabytes of memory.

A content counts only when the end of its message was read. Under a path it is written at once, into a file that gets its name when all is
right. Into an object, it is written in another pass over the message, of which a copy is kept where nobody else can change it: the content
itself is never kept anywhere. What was not signed through attributes needs the signers' certificates before the content, but they come
behind it: then one more pass.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import IO, TypeAlias

from . import _files
from ._native import cms as _native
from ._native.x509 import Certificate as NativeCertificate
from .errors import FormatError

TEXT = 1 << 30
"""A message in text is read into memory up to this length."""

IN_MEMORY = 16 << 20
"""A copy of a message is in memory up to this length."""

Pass: TypeAlias = Callable[[IO[bytes], IO[bytes] | None, list[NativeCertificate]], _native.Verified]
"""One pass over a message: the content goes into a file, if there is one. The certificates are known beforehand."""


def _is_path(file: object) -> bool:
    return isinstance(file, str | os.PathLike)


def _copy(source: IO[bytes], target: IO[bytes]) -> None:
    while piece := source.read(_files.PIECE):
        target.write(piece)


@contextlib.contextmanager
def _message(source: _files.Source, private: bool) -> Iterator[IO[bytes]]:
    """A message in BER that can be read again from its beginning; a copy of it, if it is to be `private`."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(_files.reading(source))
        if private:
            copy = stack.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY))
            _copy(file, copy)
            copy.seek(0)
            file = copy
        # BER begins with a SEQUENCE, whose byte is the digit 0: no text of a message does.
        if file.read(1) in (b"0", b""):
            file.seek(0)
            yield file
            return
        file.seek(0)
        text = file.read(TEXT + 1)
        if len(text) > TEXT:
            raise FormatError("a message in text has at most 1 GiB: it must be in DER or BER")
        yield io.BytesIO(_native.to_ber(text))


def opened(
    source: _files.Source,
    target: _files.Target | None,
    certificates: list[NativeCertificate],
    one_pass: Pass,
    check: Callable[[_native.Verified], None],
) -> _native.Verified:
    """Reads a message in as many passes as it takes. `check` raises what keeps its content from being written."""
    at_once = target is None or _is_path(target)
    with contextlib.ExitStack() as stack:
        message = stack.enter_context(_message(source, private=not (at_once and _is_path(source))))
        written = None if target is None else stack.enter_context(_files.writing(target))
        first = written if at_once else None
        found = one_pass(message, first, certificates)
        if any(one.needs_certificate for one in found.signers):
            inside = [NativeCertificate(bytes(der)) for der in found.certificates]
            message.seek(0)
            if first is not None:
                # A file of this module's own, under no name yet.
                first.seek(0)
                first.truncate()
            found = one_pass(message, first, certificates + inside)
        check(found)
        if not at_once:
            message.seek(0)
            one_pass(message, written, [])
    return found
