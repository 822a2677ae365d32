"""Polars: verdicts on signatures, signatures and hashes as columns of a DataFrame or a LazyFrame, and as an expression.

Polars' columns are Arrow's, and are lent without a copy. Each call of the expression has one thread; threads=None takes as many as there are
CPUs, which is best for a DataFrame.

The options, and what rows may be, are those of kuaimi.arrow. It needs polars: pip install 'kuaimi[polars]'.

    import kuaimi.polars

    frame = kuaimi.polars.verify_signatures(polars.scan_parquet("ledger.parquet"), key="key", message="message", signature="signature")
    frame.filter(~polars.col("valid")).collect()
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from . import _steps, sm9
from ._columns import check
from ._engines import need
from ._steps import SignOptions, SM3Options, SM9VerifyOptions, Step, VerifyOptions
from .secrets import SecretSource

pl = need("polars", "polars")

__all__ = ["sign_column", "sm3_column", "sm9_verify_column", "verdict", "verify_signatures"]

_TYPES = {"boolean": pl.Boolean, "text": pl.String, "bytes": pl.Binary}


def verdict(**options: Unpack[VerifyOptions]) -> Any:
    """An expression: a structure of valid and reason for each row.

        frame.filter(kuaimi.polars.verdict(key="key").struct.field("valid"))
    """
    return _expression(_steps.verification(**options))


def verify_signatures(frame: Any, *, keep: Sequence[str] | None = None, **options: Unpack[VerifyOptions]) -> Any:
    """The frame with the columns valid and reason: kuaimi.arrow.verify_signatures."""
    return _run(frame, _steps.verification(**options), keep)


def sign_column(frame: Any, key: SecretSource, *, keep: Sequence[str] | None = None, **options: Unpack[SignOptions]) -> Any:
    """The frame with the columns signature and reason: kuaimi.arrow.sign_column. The key is read when the frame is computed."""
    return _run(frame, _steps.signing(key, **options), keep)


def sm3_column(frame: Any, *, keep: Sequence[str] | None = None, **options: Unpack[SM3Options]) -> Any:
    """The frame with the column sm3: kuaimi.arrow.sm3_column."""
    return _run(frame, _steps.hashing(**options), keep)


def sm9_verify_column(
    frame: Any, master_public_key: sm9.MasterSigningPublicKey, *, keep: Sequence[str] | None = None, **options: Unpack[SM9VerifyOptions]
) -> Any:
    """The frame with the columns valid and reason: kuaimi.arrow.sm9_verify_column."""
    return _run(frame, _steps.sm9_verification(master_public_key, **options), keep)


def _run(frame: Any, step: Step, keep: Sequence[str] | None) -> Any:
    kept = check(step, frame.collect_schema().names(), keep)
    return frame.select(*(pl.col(name) for name in kept), _expression(step).struct.unnest())


def _expression(step: Step) -> Any:
    def rows(structure: Any) -> Any:
        work = step.open()
        made = work({name: structure.struct.field(name) for name in step.inputs})
        return pl.DataFrame({name: pl.Series(made[name], dtype=_TYPES[kind]) for name, kind in step.outputs.items()}).to_struct()

    fields = pl.Struct({name: _TYPES[kind] for name, kind in step.outputs.items()})
    return pl.struct(step.inputs).map_batches(rows, return_dtype=fields, is_elementwise=True)
