"""Tables of Arrow: verdicts on signatures, signatures and hashes as columns, for pyarrow's Table, RecordBatch and RecordBatchReader.

This is what the modules for Spark, Ray, DuckDB and others do to each part of their tables. A table or a batch gives the same; a reader
gives a reader, which works on a batch at a time.

The columns may be of binary, large_binary, binary_view, fixed_size_binary, string, large_string or string_view, dictionaries of them, or null.
Values are read as by `kuaimi verify-batch` (docs/verify-batch.md). Messages are not copied.

It needs pyarrow: pip install 'kuaimi[arrow]'.

>>> import kuaimi.arrow, pyarrow
>>> key = kuaimi.sm2.SM2PrivateKey.generate()
>>> signatures = [key.sign(b"one"), key.sign(b"two"), None]
>>> table = pyarrow.table({"key": [key.public_key().to_bytes().hex()] * 3, "message": ["one", "two!", "three"], "signature": signatures})
>>> kuaimi.arrow.verify_signatures(table)["valid"].to_pylist()
[True, False, False]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Unpack

from . import _steps, sm9
from ._columns import check
from ._engines import need
from ._steps import Kind, SignOptions, SM3Options, SM9VerifyOptions, Step, VerifyOptions
from .secrets import SecretSource

pa = need("pyarrow", "arrow")

__all__ = ["sign_column", "sm3_column", "sm9_verify_column", "verify_signatures"]

TYPES: dict[Kind, Any] = {"boolean": pa.bool_(), "text": pa.string(), "bytes": pa.binary()}


def verify_signatures(table: Any, *, keep: Sequence[str] | None = None, **options: Unpack[VerifyOptions]) -> Any:
    """The table with two more columns: valid, true or false, and reason, which is null for a valid row and begins with "invalid: " or
    "malformed: " otherwise. No row stops the others.

    key, message (or digest) and signature are names of columns, by default these words; id is the column of identities, without which each
    row has the usual one. public_key is one key for all rows, in any form, and identity one identity. keep: the columns that the result has,
    by default all. valid and reason: the names of the new ones.

    key_encoding, signature_encoding and digest_encoding: "auto", "hex", "base64" or "binary". message_encoding and id_encoding: "text", as it
    stands, "hex" or "base64". signature_form: "der" or "raw"; by default each one's is found. threads: 1, as engines run one task for each
    CPU; None for as many as there are CPUs.

    Keys that come again, also in later calls of the process with the same options, are decoded once and get a table where that pays, within
    100 MiB. Variable time.

    Raises InvalidArgument for options that do not fit, and TypeError for columns of other types.

    >>> import pyarrow
    >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    >>> table = pyarrow.table({"text": [b"one", b"two"], "sig": [key.sign(b"one")] * 2})
    >>> verdicts = verify_signatures(table, public_key=key.public_key(), message="text", signature="sig", keep=["text"])
    >>> verdicts.to_pylist()[1]["reason"]
    "invalid: the signature does not fit this row's message, key and identity"
    """
    return run(_steps.verification(**options), table, keep)


def sign_column(table: Any, key: SecretSource, *, keep: Sequence[str] | None = None, **options: Unpack[SignOptions]) -> Any:
    """The table with a column of signatures, null where a row cannot be signed, and a column of the reasons.

    key: where the private key is (kuaimi.secrets), with a password where it is encrypted. message (or digest) is the name of a column;
    identity is one for all rows. form: "der" or "raw". output and reason: the names of the new columns. message_encoding, digest_encoding,
    keep, threads: as in verify_signatures. Constant time in the key, which is wiped after the call.

    >>> import pathlib, pyarrow, tempfile
    >>> from kuaimi.secrets import SecretFile
    >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    >>> file = tempfile.NamedTemporaryFile()
    >>> _ = pathlib.Path(file.name).write_bytes(key.to_bytes().hex().encode())
    >>> table = sign_column(pyarrow.table({"message": [b"one", None]}), SecretFile(file.name))
    >>> table["reason"].to_pylist()
    [None, 'malformed: has neither a message nor a digest']
    >>> key.public_key().verify(table["signature"][0].as_py(), b"one")
    """
    return run(_steps.signing(key, **options), table, keep)


def sm3_column(table: Any, *, keep: Sequence[str] | None = None, **options: Unpack[SM3Options]) -> Any:
    """The table with a column of SM3 hashes, null where a value is null or not what its encoding says.

    column: the name of a column, by default "message". encoding: "text", as it stands, "hex" or "base64". output: the name of the new column,
    by default "sm3". keep, threads: as in verify_signatures.

    >>> import pyarrow
    >>> sm3_column(pyarrow.table({"message": ["abc", None]}))["sm3"][0].as_py().hex()[:8]
    '66c7f0f4'
    """
    return run(_steps.hashing(**options), table, keep)


def sm9_verify_column(
    table: Any, master_public_key: sm9.MasterSigningPublicKey, *, keep: Sequence[str] | None = None, **options: Unpack[SM9VerifyOptions]
) -> Any:
    """The table with two more columns: valid and reason, as of verify_signatures, for SM9 signatures of users of one centre.

    identity, message and signature are names of columns, by default these words. hid: the function identifier, by default 1. form: "der" or
    "raw"; by default each one's is found. message_encoding: "text", "hex" or "base64"; signature_encoding: "binary", "hex" or "base64".
    keep, threads: as in verify_signatures. Variable time.

    >>> import pyarrow
    >>> centre = kuaimi.sm9.MasterSigningKey.generate()
    >>> signature = centre.extract("alice").sign(b"one")
    >>> table = pyarrow.table({"identity": ["alice", "bob"], "message": ["one"] * 2, "signature": [signature] * 2})
    >>> sm9_verify_column(table, centre.public_key())["valid"].to_pylist()
    [True, False]
    """
    return run(_steps.sm9_verification(master_public_key, **options), table, keep)


def run(step: Step, table: Any, keep: Sequence[str] | None) -> Any:
    """A step on a whole table."""
    if isinstance(table, pa.RecordBatchReader):
        schema, work = prepared(step, table.schema, keep)
        return pa.RecordBatchReader.from_batches(schema, map(work, table))
    if isinstance(table, pa.RecordBatch):
        return prepared(step, table.schema, keep)[1](table)
    if isinstance(table, pa.Table):
        schema, work = prepared(step, table.schema, keep)
        return pa.Table.from_batches([work(batch) for batch in table.to_batches()], schema)
    raise TypeError(f"the table is a Table, a RecordBatch or a RecordBatchReader of pyarrow, not {type(table).__name__}")


def prepared(step: Step, schema: Any, keep: Sequence[str] | None) -> tuple[Any, Callable[[Any], Any]]:
    """The schema of the result, and what makes batches of batches."""
    kept, added = check(step, schema.names, keep), step.outputs
    fields = [schema.field(name) for name in kept] + [pa.field(name, TYPES[kind]) for name, kind in added.items()]
    result = pa.schema(fields, metadata=schema.metadata)
    work = step.open()

    def batch(rows: Any) -> Any:
        made = work({name: rows.column(name) for name in step.inputs})
        columns = [rows.column(name) for name in kept] + [array(made[name], TYPES[kind]) for name, kind in added.items()]
        return pa.RecordBatch.from_arrays(columns, schema=result)

    return result, batch


def array(column: Any, kind: Any) -> Any:
    """A column of results as an array of this type."""
    made = pa.array(column, kind) if isinstance(column, list) else pa.array(column)
    return made if made.type == kind else made.cast(kind)


def stream(step: Step, keep: Sequence[str] | None, rows: Iterable[Any]) -> Iterator[Any]:
    """Batches of batches, one at a time. Where there is none, the step is not opened."""
    work: Callable[[Any], Any] | None = None
    for batch in rows:
        if work is None:
            work = prepared(step, batch.schema, keep)[1]
        yield work(batch)
