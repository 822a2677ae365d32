"""What is done to rows, for every engine alike: which columns are read, which come of them, and the work itself.

A step is what is sent to workers: it can be pickled, and holds no secret. `open` is called on the worker. What it gives makes columns of
columns; both are anything with Arrow's PyCapsule interface.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypedDict

from . import sm2, sm3, sm9
from ._native.batch import TableSigner, TableVerifier, decode_text_batch
from ._types import Identity, SignatureForm, SM9Form
from .errors import InvalidArgument
from .secrets import SecretSource, load_private_key, source_of

Encoding: TypeAlias = Literal["auto", "hex", "base64", "binary"]
PlainEncoding: TypeAlias = Literal["text", "hex", "base64"]
Kind: TypeAlias = Literal["boolean", "text", "bytes"]
Columns: TypeAlias = Mapping[str, Any]
Work: TypeAlias = Callable[[Columns], dict[str, Any]]


_SM9_INVALID = "the signature does not fit this message, identity and master key"
"""What the library says of a signature that can be read."""


class Step(Protocol):
    @property
    def inputs(self) -> tuple[str, ...]:
        """The columns that are read, each once."""
        ...

    @property
    def outputs(self) -> dict[str, Kind]:
        """The columns that come of them, in their order."""
        ...

    def open(self) -> Work: ...


class VerifyOptions(TypedDict, total=False):
    """How the rows of a table are verified. Columns are given by their names."""

    key: str
    message: str | None
    digest: str | None
    signature: str
    id: str | None
    public_key: sm2.SM2PublicKey | bytes | str | None
    identity: Identity | None
    key_encoding: Encoding
    message_encoding: PlainEncoding
    digest_encoding: Encoding
    signature_encoding: Encoding
    signature_form: SignatureForm | None
    id_encoding: PlainEncoding
    valid: str
    reason: str
    threads: int | None


class SignOptions(TypedDict, total=False):
    """How the rows of a table are signed."""

    password: SecretSource | None
    message: str | None
    digest: str | None
    identity: Identity | None
    form: SignatureForm
    message_encoding: PlainEncoding
    digest_encoding: Encoding
    output: str
    reason: str
    threads: int | None


class SM3Options(TypedDict, total=False):
    """How the values of a column are hashed."""

    column: str
    encoding: PlainEncoding
    output: str
    threads: int | None


class SM9VerifyOptions(TypedDict, total=False):
    """How the rows of a table with SM9 signatures are verified."""

    identity: str
    message: str
    signature: str
    hid: int | None
    form: SM9Form | None
    message_encoding: PlainEncoding
    signature_encoding: Literal["binary", "hex", "base64"]
    valid: str
    reason: str
    threads: int | None


def _signed(message: str | None, digest: str | None) -> dict[str, str]:
    """The column that has what is signed."""
    if message is not None and digest is not None:
        raise InvalidArgument("message and digest are two columns: choose one of them")
    return {"message": "message" if message is None else message} if digest is None else {"digest": digest}


def _distinct(columns: Sequence[str]) -> tuple[str, ...]:
    for column in columns:
        if not isinstance(column, str):
            raise TypeError(f"a column is given by its name, not by {type(column).__name__}")
    return tuple(dict.fromkeys(columns))


def verification(
    key: str = "key",
    message: str | None = None,
    digest: str | None = None,
    signature: str = "signature",
    id: str | None = None,
    public_key: sm2.SM2PublicKey | bytes | str | None = None,
    identity: Identity | None = None,
    valid: str = "valid",
    reason: str = "reason",
    threads: int | None = 1,
    **encodings: Any,
) -> Verification:
    """The step of VerifyOptions. Wrong options are refused here, before anything is sent to a worker."""
    columns = _signed(message, digest) | {"signature": signature}
    if public_key is None:
        columns["key"] = key
    elif isinstance(public_key, sm2.SM2PrivateKey):
        raise TypeError("public_key is a public key; a private one must not be sent to workers")
    elif not isinstance(public_key, sm2.SM2PublicKey):
        public_key = sm2.load_public_key(public_key.encode() if isinstance(public_key, str) else public_key)
    if id is not None and identity is not None:
        raise InvalidArgument("id is a column, and identity one for all rows: choose one of them")
    if id is not None:
        columns["id"] = id
    _distinct([*columns.values(), valid, reason])
    settings: dict[str, Any] = dict(encodings)
    if identity is not None:
        settings["id"] = identity.encode() if isinstance(identity, str) else bytes(identity)
    point = None if public_key is None else public_key.to_bytes()
    step = Verification(tuple(columns.items()), point, tuple(sorted(settings.items())), valid, reason, threads)
    step.verifier()
    return step


@dataclass(frozen=True)
class Verification:
    columns: tuple[tuple[str, str], ...]
    public_key: bytes | None
    settings: tuple[tuple[str, Any], ...]
    valid: str
    reason: str
    threads: int | None

    @property
    def inputs(self) -> tuple[str, ...]:
        return _distinct([name for _, name in self.columns])

    @property
    def outputs(self) -> dict[str, Kind]:
        return {self.valid: "boolean", self.reason: "text"}

    def verifier(self) -> TableVerifier:
        public_key = None if self.public_key is None else sm2.SM2PublicKey.from_bytes(self.public_key)
        return TableVerifier(public_key=public_key, **dict(self.settings))

    def open(self) -> Work:
        verifier = _kept.verifier(self)

        def work(columns: Columns) -> dict[str, Any]:
            values = {role: columns[name] for role, name in self.columns}
            valid, reason = verifier.verify(**values, threads=self.threads)
            return {self.valid: valid, self.reason: reason}

        return work


class _Kept:
    """The verifiers of this process, with the keys that they have seen and their tables: at most four, as each may take 100 MiB.

    A worker that is used for one task after the other starts the next ones with the tables of those before.
    """

    MOST = 4

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Also in the child of a fork, where a lock may be held by a thread that is not there."""
        self._lock = threading.Lock()
        self._verifiers: OrderedDict[tuple[Any, ...], TableVerifier] = OrderedDict()

    def verifier(self, step: Verification) -> TableVerifier:
        options = (step.public_key, step.settings)
        with self._lock:
            verifier = self._verifiers.get(options)
            if verifier is None:
                verifier = self._verifiers[options] = step.verifier()
            self._verifiers.move_to_end(options)
            while len(self._verifiers) > self.MOST:
                self._verifiers.popitem(last=False)
            return verifier


_kept = _Kept()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_kept.forget)


def signing(
    key: SecretSource,
    password: SecretSource | None = None,
    message: str | None = None,
    digest: str | None = None,
    identity: Identity | None = None,
    form: SignatureForm = "der",
    message_encoding: PlainEncoding = "text",
    digest_encoding: Encoding = "auto",
    output: str = "signature",
    reason: str = "reason",
    threads: int | None = 1,
) -> Signing:
    """The step of SignOptions."""
    source = source_of("key", key)
    if password is not None:
        password = source_of("password", password)
    columns = _signed(message, digest)
    _distinct([*columns.values(), output, reason])
    id = identity.encode() if isinstance(identity, str) else None if identity is None else bytes(identity)
    settings: dict[str, Any] = {"id": id, "form": form, "message_encoding": message_encoding, "digest_encoding": digest_encoding}
    TableSigner(sm2.SM2PrivateKey.generate(), **settings)
    return Signing(source, password, tuple(columns.items()), tuple(settings.items()), output, reason, threads)


@dataclass(frozen=True)
class Signing:
    key: SecretSource
    password: SecretSource | None
    columns: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, Any], ...]
    output: str
    reason: str
    threads: int | None

    @property
    def inputs(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.columns)

    @property
    def outputs(self) -> dict[str, Kind]:
        return {self.output: "bytes", self.reason: "text"}

    def open(self) -> Work:
        # Not kept by the process: the key is wiped when the task is over.
        signer = TableSigner(load_private_key(self.key, self.password), **dict(self.settings))

        def work(columns: Columns) -> dict[str, Any]:
            values = {role: columns[name] for role, name in self.columns}
            signatures, reasons = signer.sign(**values, threads=self.threads)
            return {self.output: signatures, self.reason: reasons}

        return work


def hashing(column: str = "message", encoding: PlainEncoding = "text", output: str = "sm3", threads: int | None = 1) -> Hashing:
    """The step of SM3Options."""
    _distinct([column, output])
    _decoded([b""], encoding, 1)
    return Hashing(column, encoding, output, threads)


@dataclass(frozen=True)
class Hashing:
    column: str
    encoding: PlainEncoding
    output: str
    threads: int | None

    @property
    def inputs(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def outputs(self) -> dict[str, Kind]:
        return {self.output: "bytes"}

    def open(self) -> Work:
        def work(columns: Columns) -> dict[str, Any]:
            values, _ = _decoded(columns[self.column], self.encoding, self.threads)
            return {self.output: sm3.digest_batch(values, threads=self.threads)}

        return work


def _decoded(column: Any, encoding: str, threads: int | None, plain: str = "text") -> tuple[Any, Any]:
    """A column's bytes, and the reasons where there are none but there is a value."""
    if encoding == plain:
        return column, None
    return decode_text_batch(column, encoding, threads=threads)


def sm9_verification(
    master_public_key: sm9.MasterSigningPublicKey,
    identity: str = "identity",
    message: str = "message",
    signature: str = "signature",
    hid: int | None = None,
    form: SM9Form | None = None,
    message_encoding: PlainEncoding = "text",
    signature_encoding: Literal["binary", "hex", "base64"] = "binary",
    valid: str = "valid",
    reason: str = "reason",
    threads: int | None = 1,
) -> SM9Verification:
    """The step of SM9VerifyOptions."""
    if not isinstance(master_public_key, sm9.MasterSigningPublicKey):
        raise TypeError(f"master_public_key is a MasterSigningPublicKey of kuaimi.sm9, not {type(master_public_key).__name__}")
    _distinct([identity, message, signature, valid, reason])
    _decoded([b""], message_encoding, 1)
    _decoded([b""], signature_encoding, 1, "binary")
    # What is wrong with hid and form is said now.
    sm9.verify_batch(master_public_key, ["a"], [b""], [b""], hid=hid, form=form, threads=1)
    columns = (identity, message, signature)
    encodings = (message_encoding, signature_encoding)
    return SM9Verification(master_public_key, columns, encodings, hid, form, valid, reason, threads)


@dataclass(frozen=True)
class SM9Verification:
    master_public_key: sm9.MasterSigningPublicKey
    columns: tuple[str, str, str]
    encodings: tuple[str, str]
    hid: int | None
    form: SM9Form | None
    valid: str
    reason: str
    threads: int | None

    @property
    def inputs(self) -> tuple[str, ...]:
        return _distinct(self.columns)

    @property
    def outputs(self) -> dict[str, Kind]:
        return {self.valid: "boolean", self.reason: "text"}

    def open(self) -> Work:
        def work(columns: Columns) -> dict[str, Any]:
            identities, messages, signatures = (columns[name] for name in self.columns)
            (messages, wrong_messages) = _decoded(messages, self.encodings[0], self.threads)
            (signatures, wrong_signatures) = _decoded(signatures, self.encodings[1], self.threads, "binary")
            valid, reasons = sm9.verify_batch(
                self.master_public_key, identities, messages, signatures, hid=self.hid, form=self.form, threads=self.threads, reasons=True
            )
            wrong = {"message": wrong_messages, "signature": wrong_signatures}
            found = _sm9_reasons(list(valid), list(reasons), {name: list(column) for name, column in wrong.items() if column is not None})
            return {self.valid: [reason is None for reason in found], self.reason: found}

        return work


def _sm9_reasons(valid: list[bool | None], reasons: list[str | None], wrong: dict[str, list[str | None]]) -> list[str | None]:
    """Reasons as for SM2: a row is invalid where all of it can be read, and else malformed."""
    found: list[str | None] = []
    for row, (verdict, reason) in enumerate(zip(valid, reasons, strict=True)):
        if verdict is None:
            faults = [f"{name}: {why[row]}" for name, why in wrong.items() if why[row] is not None]
            found.append("malformed: " + (faults[0] if faults else "an identity, a message or a signature is missing"))
        elif verdict:
            found.append(None)
        elif reason == _SM9_INVALID:
            found.append("invalid: the signature does not fit this row's message and identity")
        else:
            found.append(f"malformed: {reason}")
    return found
