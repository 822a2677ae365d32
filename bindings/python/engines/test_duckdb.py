"""DuckDB: a relation's rows out, verdicts in."""

import duckdb
from conftest import Ledger

import kuaimi.duckdb
from kuaimi import sm3


def test_verdicts_are_the_programs(ledger: Ledger) -> None:
    relation = duckdb.read_parquet(str(ledger.path))
    ledger.compare(kuaimi.duckdb.verify_signatures(relation, id="id", keep=["row"], threads=None).read_all())


def test_a_query_reads_verdicts(binary_ledger: Ledger) -> None:
    relation = duckdb.connect().read_parquet(str(binary_ledger.path))
    verdicts = kuaimi.duckdb.verify_signatures(relation, id="id", keep=["row"])
    connection = duckdb.connect()
    connection.register("verdicts", verdicts)
    found = connection.sql("select count(*), count(*) filter (valid) from verdicts").fetchall()
    assert found == [(binary_ledger.count, sum(binary_ledger.verdicts["valid"].to_pylist()))]


def test_hashes() -> None:
    relation = duckdb.sql("select 'abc' as message union all select null order by all nulls last")
    assert kuaimi.duckdb.sm3_column(relation).read_all()["sm3"].to_pylist() == [sm3.digest(b"abc"), None]
