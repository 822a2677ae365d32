"""DataFusion: columns of a DataFrame, and a function for SQL."""

import datafusion
import pyarrow as pa
from conftest import Ledger

import kuaimi.datafusion
from kuaimi import _steps, sm3


def test_verdicts_are_the_programs(ledger: Ledger) -> None:
    context = datafusion.SessionContext()
    df = context.read_parquet(str(ledger.path))
    ledger.compare(kuaimi.datafusion.verify_signatures(df, id="id", keep=["row"]).to_arrow_table())


def test_each_row_is_verified_once(binary_ledger: Ledger, monkeypatch: object) -> None:
    """Two columns come of the function: it is called once for both."""
    rows = 0
    opened = _steps.Verification.open

    def counting(step: _steps.Verification) -> _steps.Work:
        work = opened(step)

        def counted(columns: _steps.Columns) -> dict[str, object]:
            nonlocal rows
            rows += len(columns["message"])
            return work(columns)

        return counted

    monkeypatch.setattr(_steps.Verification, "open", counting)  # type: ignore[attr-defined]
    context = datafusion.SessionContext()
    df = context.read_parquet(str(binary_ledger.path))
    binary_ledger.compare(kuaimi.datafusion.verify_signatures(df, id="id", keep=["row"]).to_arrow_table())
    assert rows == binary_ledger.count


def test_sql(binary_ledger: Ledger) -> None:
    context = datafusion.SessionContext()
    context.register_parquet("ledger", str(binary_ledger.path))
    types = {field.name: field.type for field in context.table("ledger").schema()}
    order = ["signature", "message", "key", "id"]
    context.register_udf(kuaimi.datafusion.verify_function([types[name] for name in order], id="id"))
    query = "select row, v['valid'] as valid, v['reason'] as reason from (select row, verify_signatures(signature, message, key, id) as v from ledger)"
    binary_ledger.compare(context.sql(query).to_arrow_table())


def test_hashes() -> None:
    df = datafusion.SessionContext().from_arrow(pa.table({"message": ["abc", None]}))
    assert kuaimi.datafusion.sm3_column(df).to_arrow_table()["sm3"].to_pylist() == [sm3.digest(b"abc"), None]
