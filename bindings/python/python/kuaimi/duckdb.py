"""DuckDB: verdicts on signatures, signatures and hashes for the rows of a relation, by Arrow.

DuckDB gives the rows of a relation as a stream of Arrow's batches, and reads such a stream as a table. So the results are a
pyarrow.RecordBatchReader, which works on a batch at a time, when it is read, once. A connection of DuckDB runs one query at a time: read the
verdicts on another one than that of the relation.

The options, and what rows may be, are those of kuaimi.arrow. It needs duckdb and pyarrow: pip install 'kuaimi[duckdb]'.

    import kuaimi.duckdb

    ledger = duckdb.connect().read_parquet("ledger.parquet")
    verdicts = kuaimi.duckdb.verify_signatures(ledger, key="key", message="message", signature="signature")
    duckdb.sql("select * from verdicts where not valid")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from . import _steps, arrow, sm9
from ._engines import need
from ._steps import SignOptions, SM3Options, SM9VerifyOptions, VerifyOptions
from .secrets import SecretSource

need("duckdb", "duckdb")

__all__ = ["sign_column", "sm3_column", "sm9_verify_column", "verify_signatures"]

BATCH = 32_768
"""Rows of a batch: enough for a key to come often in it."""


def verify_signatures(relation: Any, *, batch_size: int = BATCH, keep: Sequence[str] | None = None, **options: Unpack[VerifyOptions]) -> Any:
    """A reader of the relation with the columns valid and reason: kuaimi.arrow.verify_signatures."""
    return arrow.run(_steps.verification(**options), relation.to_arrow_reader(batch_size), keep)


def sign_column(
    relation: Any, key: SecretSource, *, batch_size: int = BATCH, keep: Sequence[str] | None = None, **options: Unpack[SignOptions]
) -> Any:
    """A reader of the relation with the columns signature and reason: kuaimi.arrow.sign_column."""
    return arrow.run(_steps.signing(key, **options), relation.to_arrow_reader(batch_size), keep)


def sm3_column(relation: Any, *, batch_size: int = BATCH, keep: Sequence[str] | None = None, **options: Unpack[SM3Options]) -> Any:
    """A reader of the relation with the column sm3: kuaimi.arrow.sm3_column."""
    return arrow.run(_steps.hashing(**options), relation.to_arrow_reader(batch_size), keep)


def sm9_verify_column(
    relation: Any,
    master_public_key: sm9.MasterSigningPublicKey,
    *,
    batch_size: int = BATCH,
    keep: Sequence[str] | None = None,
    **options: Unpack[SM9VerifyOptions],
) -> Any:
    """A reader of the relation with the columns valid and reason: kuaimi.arrow.sm9_verify_column."""
    return arrow.run(_steps.sm9_verification(master_public_key, **options), relation.to_arrow_reader(batch_size), keep)
