"""The function that all engines share, over Arrow in this process, beside the program."""

from conftest import Ledger

import kuaimi.arrow


def test_verdicts_are_the_programs(ledger: Ledger) -> None:
    ledger.compare(kuaimi.arrow.verify_signatures(ledger.table, id="id", threads=None))


def test_verdicts_on_bytes(binary_ledger: Ledger) -> None:
    binary_ledger.compare(kuaimi.arrow.verify_signatures(binary_ledger.table, id="id", threads=None))
