"""DataFusion: verdicts on signatures, signatures and hashes as columns of a DataFrame, and as a function for SQL.

The function gets Arrow's arrays, and does not copy them. DataFusion calls it for each batch, on a thread for each partition.

The options, and what rows may be, are those of kuaimi.arrow. It needs datafusion and pyarrow: pip install 'kuaimi[datafusion]'.

    import kuaimi.datafusion

    df = kuaimi.datafusion.verify_signatures(context.read_parquet("ledger.parquet"), key="key", message="message", signature="signature")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from . import _steps, arrow, sm9
from ._columns import check
from ._engines import need
from ._steps import SignOptions, SM3Options, SM9VerifyOptions, Step, VerifyOptions
from .secrets import SecretSource

_datafusion = need("datafusion", "datafusion")
pa = arrow.pa

__all__ = ["sign_column", "sm3_column", "sm9_verify_column", "verify_function", "verify_signatures"]


def verify_function(types: Sequence[Any], *, name: str = "verify_signatures", **options: Unpack[VerifyOptions]) -> Any:
    """A function for SQL. It gives a structure of valid and reason; its arguments are the columns signature, message (or digest), key and id, as
    far as the options have them, in this order, and types are theirs.

        context.register_udf(kuaimi.datafusion.verify_function([pyarrow.binary(), pyarrow.string_view(), pyarrow.string_view()]))
        context.sql("select verify_signatures(signature, message, key)['valid'] from ledger")

    DataFusion calls it once for each time that it is written in a query: where both fields are wanted, verify_signatures calls it once.
    """
    step = _steps.verification(**options)
    order = {role: place for place, role in enumerate(("signature", "message", "digest", "key", "id"))}
    inputs = [column for _, column in sorted(step.columns, key=lambda column: order[column[0]])]
    return _function(step, inputs, types, name)


def verify_signatures(df: Any, *, keep: Sequence[str] | None = None, **options: Unpack[VerifyOptions]) -> Any:
    """The DataFrame with the columns valid and reason: kuaimi.arrow.verify_signatures."""
    return _run(df, _steps.verification(**options), keep)


def sign_column(df: Any, key: SecretSource, *, keep: Sequence[str] | None = None, **options: Unpack[SignOptions]) -> Any:
    """The DataFrame with the columns signature and reason: kuaimi.arrow.sign_column. The key is read for each batch."""
    return _run(df, _steps.signing(key, **options), keep)


def sm3_column(df: Any, *, keep: Sequence[str] | None = None, **options: Unpack[SM3Options]) -> Any:
    """The DataFrame with the column sm3: kuaimi.arrow.sm3_column."""
    return _run(df, _steps.hashing(**options), keep)


def sm9_verify_column(
    df: Any, master_public_key: sm9.MasterSigningPublicKey, *, keep: Sequence[str] | None = None, **options: Unpack[SM9VerifyOptions]
) -> Any:
    """The DataFrame with the columns valid and reason: kuaimi.arrow.sm9_verify_column."""
    return _run(df, _steps.sm9_verification(master_public_key, **options), keep)


def _function(step: Step, inputs: Sequence[str], types: Sequence[Any], name: str) -> Any:
    fields = [pa.field(output, arrow.TYPES[kind]) for output, kind in step.outputs.items()]

    def rows(*columns: Any) -> Any:
        made = step.open()(dict(zip(inputs, columns, strict=True)))
        return pa.StructArray.from_arrays([arrow.array(made[field.name], field.type) for field in fields], fields=fields)

    return _datafusion.udf(rows, list(types), pa.struct(fields), "stable", name)


def _run(df: Any, step: Step, keep: Sequence[str] | None) -> Any:
    schema = df.schema()
    kept = check(step, schema.names, keep)
    function = _function(step, step.inputs, [schema.field(name).type for name in step.inputs], "kuaimi")
    made = function(*(_column(name) for name in step.inputs)).alias("kuaimi")
    kept_columns = [_column(name) for name in kept]
    # Each field of the structure on its own would call the function once more.
    rows = df.select(*kept_columns, made).unnest_columns("kuaimi")
    return rows.select(*kept_columns, *(_column(f"kuaimi.{name}").alias(name) for name in step.outputs))


def _column(name: str) -> Any:
    quoted = name.replace('"', '""')
    return _datafusion.col(f'"{quoted}"')
