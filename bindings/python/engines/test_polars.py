"""Polars: frames, lazy ones, and the expression."""

import polars as pl
from conftest import Ledger

import kuaimi.polars
from kuaimi import sm3


def test_frame(ledger: Ledger) -> None:
    frame = kuaimi.polars.verify_signatures(pl.read_parquet(ledger.path), id="id", keep=["row"], threads=None)
    assert frame.columns == ["row", "valid", "reason"]
    ledger.compare(frame.to_arrow())


def test_lazy_frame_in_a_stream(ledger: Ledger) -> None:
    lazy = kuaimi.polars.verify_signatures(pl.scan_parquet(ledger.path), id="id", keep=["row"])
    ledger.compare(lazy.collect(engine="streaming").to_arrow())


def test_expression(binary_ledger: Ledger) -> None:
    frame = pl.read_parquet(binary_ledger.path)
    invalid = frame.filter(~kuaimi.polars.verdict(id="id").struct.field("valid"))
    expected = [row + 1 for row, valid in enumerate(binary_ledger.verdicts["valid"].to_pylist()) if not valid]
    assert invalid["row"].to_list() == expected


def test_hashes() -> None:
    frame = kuaimi.polars.sm3_column(pl.DataFrame({"message": ["abc", None]}))
    assert frame["sm3"].to_list() == [sm3.digest(b"abc"), None]
