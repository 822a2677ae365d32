"""Spark: verdicts on signatures, signatures and hashes as columns of a DataFrame, by mapInArrow.

Each task has one thread, as Spark runs a task for each core. Rows stay in their partitions and in their order. Keys that come again are
decoded once in each Python worker, and get a table where that pays; a worker that Spark uses again for another task starts with them. So
partition by key where there are many: df.repartition(n, "key").

The options, and what rows may be, are those of kuaimi.arrow. The job kuaimi/jobs/spark_verify.py is ready for spark-submit.

It needs PySpark and pyarrow: pip install 'kuaimi[spark]', on the driver and on the workers.

    import kuaimi.spark

    df = kuaimi.spark.verify_signatures(spark.read.parquet("ledger"), key="key", message="message", signature="signature")
    df.where("not valid").show()
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Unpack

from . import _steps, arrow, sm9
from ._columns import check
from ._engines import need
from ._steps import SignOptions, SM3Options, SM9VerifyOptions, Step, VerifyOptions
from .secrets import SecretSource

need("pyspark", "spark")
_types = need("pyspark.sql.types", "spark")

__all__ = ["sign_column", "sm3_column", "sm9_verify_column", "verify_signatures"]


def verify_signatures(df: Any, *, keep: Sequence[str] | None = None, **options: Unpack[VerifyOptions]) -> Any:
    """The DataFrame with the columns valid and reason: kuaimi.arrow.verify_signatures. Only the columns of keep, and those that are read, are
    sent to the Python workers."""
    return _run(df, _steps.verification(**options), keep)


def sign_column(df: Any, key: SecretSource, *, keep: Sequence[str] | None = None, **options: Unpack[SignOptions]) -> Any:
    """The DataFrame with the columns signature and reason: kuaimi.arrow.sign_column. Each task reads the key on its worker (kuaimi.secrets) and
    wipes it at its end: no plan and no log has it.

    A task that Spark does again signs again, with other nonces: write the result before it is used twice."""
    return _run(df, _steps.signing(key, **options), keep)


def sm3_column(df: Any, *, keep: Sequence[str] | None = None, **options: Unpack[SM3Options]) -> Any:
    """The DataFrame with the column sm3: kuaimi.arrow.sm3_column."""
    return _run(df, _steps.hashing(**options), keep)


def sm9_verify_column(
    df: Any, master_public_key: sm9.MasterSigningPublicKey, *, keep: Sequence[str] | None = None, **options: Unpack[SM9VerifyOptions]
) -> Any:
    """The DataFrame with the columns valid and reason: kuaimi.arrow.sm9_verify_column."""
    return _run(df, _steps.sm9_verification(master_public_key, **options), keep)


def _run(df: Any, step: Step, keep: Sequence[str] | None) -> Any:
    kept = check(step, df.columns, keep)
    for name in step.inputs:
        kind = df.schema[name].dataType
        if not isinstance(kind, (_types.StringType, _types.BinaryType, _types.NullType)):
            raise TypeError(f"the column {name!r} is of {kind.simpleString()}; text or binary is expected: cast it")
    new = {"boolean": _types.BooleanType(), "text": _types.StringType(), "bytes": _types.BinaryType()}
    added = [_types.StructField(name, new[kind]) for name, kind in step.outputs.items()]
    schema = _types.StructType([*(df.schema[name] for name in kept), *added])

    def kuaimi_rows(batches: Iterator[Any]) -> Iterator[Any]:
        return arrow.stream(step, kept, batches)

    sent = dict.fromkeys([*kept, *step.inputs])
    return df.select(*(df[name] for name in sent)).mapInArrow(kuaimi_rows, schema)
