"""Ray Data: verdicts on signatures, signatures and hashes as columns of a Dataset, by actors for map_batches.

Each actor has one thread and one CPU, keeps the keys that come again and their tables as long as it lives, and gets Arrow's batches out
of the object store without a copy. An actor that is killed is started again by Ray, which gives its batches to another.

The options, and what rows may be, are those of kuaimi.arrow. It needs Ray Data: pip install 'kuaimi[ray]', on all nodes.

    import kuaimi.ray

    ds = kuaimi.ray.verify_signatures(ray.data.read_parquet("ledger"), actors=2, key="key", message="message", signature="signature")
    ds.write_parquet("verdicts")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from . import _steps, arrow, sm9
from ._engines import need
from ._steps import SignOptions, SM3Options, SM9VerifyOptions, Step, VerifyOptions
from .secrets import SecretSource

_data = need("ray.data", "ray")

__all__ = ["SignatureVerifier", "sign_column", "sm3_column", "sm9_verify_column", "verify_signatures"]

BATCH = 32_768
"""Rows of a batch: enough for a key to come often in it."""


class Actor:
    """A step, opened once, for batches."""

    def __init__(self, step: Step, keep: Sequence[str] | None) -> None:
        self.step, self.keep = step, keep
        self.opened: tuple[Any, Any] | None = None

    def __call__(self, batch: Any) -> Any:
        if self.opened is None or self.opened[0] != batch.schema:
            _, work = arrow.prepared(self.step, batch.schema, self.keep)
            self.opened = batch.schema, work
        work = self.opened[1]
        return arrow.pa.Table.from_batches([work(rows) for rows in batch.to_batches()] or [work(_empty(batch.schema))])


def _empty(schema: Any) -> Any:
    return arrow.pa.RecordBatch.from_arrays([arrow.pa.nulls(0, field.type) for field in schema], schema=schema)


class SignatureVerifier(Actor):
    """The actor of verify_signatures, for a map_batches of one's own.

        ds.map_batches(
            kuaimi.ray.SignatureVerifier,
            fn_constructor_kwargs={"key": "key", "message": "message", "signature": "signature"},
            batch_format="pyarrow",
            zero_copy_batch=True,
            batch_size=32_768,
            compute=ray.data.ActorPoolStrategy(size=2),
        )
    """

    def __init__(self, *, keep: Sequence[str] | None = None, **options: Unpack[VerifyOptions]) -> None:
        super().__init__(_steps.verification(**options), keep)


def verify_signatures(
    ds: Any, *, actors: int | tuple[int, int] = 1, batch_size: int | None = BATCH, keep: Sequence[str] | None = None, **options: Unpack[VerifyOptions]
) -> Any:
    """The Dataset with the columns valid and reason: kuaimi.arrow.verify_signatures. actors: how many at the most, or the least and the most;
    leave a CPU for what reads the rows."""
    return _run(ds, _steps.verification(**options), keep, actors, batch_size)


def sign_column(
    ds: Any,
    key: SecretSource,
    *,
    actors: int | tuple[int, int] = 1,
    batch_size: int | None = BATCH,
    keep: Sequence[str] | None = None,
    **options: Unpack[SignOptions],
) -> Any:
    """The Dataset with the columns signature and reason: kuaimi.arrow.sign_column. Each actor reads the key on its node (kuaimi.secrets)."""
    return _run(ds, _steps.signing(key, **options), keep, actors, batch_size)


def sm3_column(
    ds: Any, *, actors: int | tuple[int, int] = 1, batch_size: int | None = BATCH, keep: Sequence[str] | None = None, **options: Unpack[SM3Options]
) -> Any:
    """The Dataset with the column sm3: kuaimi.arrow.sm3_column."""
    return _run(ds, _steps.hashing(**options), keep, actors, batch_size)


def sm9_verify_column(
    ds: Any,
    master_public_key: sm9.MasterSigningPublicKey,
    *,
    actors: int | tuple[int, int] = 1,
    batch_size: int | None = BATCH,
    keep: Sequence[str] | None = None,
    **options: Unpack[SM9VerifyOptions],
) -> Any:
    """The Dataset with the columns valid and reason: kuaimi.arrow.sm9_verify_column."""
    return _run(ds, _steps.sm9_verification(master_public_key, **options), keep, actors, batch_size)


def _run(ds: Any, step: Step, keep: Sequence[str] | None, actors: int | tuple[int, int], batch_size: int | None) -> Any:
    # Actors on all CPUs from the beginning would leave none for what reads the rows, and wait for ever.
    least, most = actors if isinstance(actors, tuple) else (1, actors)
    return ds.map_batches(
        Actor,
        fn_constructor_args=(step, keep),
        batch_format="pyarrow",
        zero_copy_batch=True,
        batch_size=batch_size,
        compute=_data.ActorPoolStrategy(min_size=least, max_size=most),
    )
