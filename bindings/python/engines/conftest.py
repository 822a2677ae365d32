"""What the tests of several engines share: 10^6 rows with the program's verdicts, and how results are compared with them."""

from __future__ import annotations

import contextlib
import os
import pathlib
import threading
from collections.abc import Callable

import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import rows

PROGRAM = os.environ["KUAIMI_PROGRAM"]
ROWS = int(os.environ.get("KUAIMI_ENGINES_ROWS", 1_000_000))


class Ledger:
    """A file of rows, and the program's verdicts on them."""

    def __init__(self, folder: pathlib.Path, count: int, text: bool) -> None:
        table, expected = rows.ledger(count, text)
        self.count = count
        self.path = rows.write(table, folder / "ledger.parquet")
        self.table = table
        self.verdicts = rows.verdicts_of_program(PROGRAM, self.path, folder / "verdicts.parquet")
        # The program itself is right, on rows of which it is known what they are.
        assert self.verdicts["valid"].to_pylist() == [kind == "valid" for kind in expected]
        for reason, kind in zip(self.verdicts["reason"].to_pylist(), expected, strict=True):
            assert (reason is None) if kind == "valid" else reason.startswith(kind + ": "), (reason, kind)

    def compare(self, found: pa.Table) -> None:
        """Every row is there once, with the program's verdict."""
        found = found.select(["row", "valid", "reason"]).sort_by("row")
        assert found.num_rows == self.count
        expected = self.verdicts
        assert found["row"].to_pylist() == expected["row"].to_pylist()
        assert found["valid"].to_pylist() == expected["valid"].to_pylist()
        # A reason names the argument that settles how a value is read: an option of the program, or of the function.
        named = pc.replace_substring_regex(expected["reason"], "--([a-z]+)-(encoding|form)", r"\1_\2")
        assert found["reason"].to_pylist() == named.to_pylist()


@pytest.fixture(scope="session")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return Ledger(tmp_path_factory.mktemp("text"), ROWS, text=True)


@pytest.fixture(scope="session")
def binary_ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return Ledger(tmp_path_factory.mktemp("binary"), ROWS // 10, text=False)


def descendants(name: str) -> list[psutil.Process]:
    """The processes that this one started, at any distance, whose command line has this in it."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if name in " ".join(process.cmdline()) or name in process.name():
                found.append(process)
        except psutil.Error:
            continue
    return found


def works_with_kuaimi(process: psutil.Process) -> bool:
    """Whether a process has loaded the extension module."""
    try:
        return "kuaimi/_native" in pathlib.Path(f"/proc/{process.pid}/maps").read_text()
    except OSError:
        return False


def memory(process: psutil.Process) -> int:
    """The memory of a process that it does not share, in bytes, or 0 if it is gone."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return 0
    lines = [line for line in status.splitlines() if line.startswith("RssAnon:")]
    return int(lines[0].split()[1]) * 1024 if lines else 0


class Peak:
    """The most memory that one of the processes has, while a job runs."""

    def __init__(self, find: Callable[[], list[psutil.Process]]) -> None:
        self.find, self.bytes = find, 0
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        while not self.done.wait(0.02):
            self.bytes = max([self.bytes, *map(memory, self.find())])

    def __enter__(self) -> Peak:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.thread.join()


class Killer:
    """Kills a process of those that it looks for, so many times, while a job runs."""

    def __init__(self, find: Callable[[], list[psutil.Process]], times: int) -> None:
        self.find, self.times = find, times
        self.killed: list[int] = []
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        while len(self.killed) < self.times and not self.done.wait(0.02):
            found = [process for process in self.find() if process.pid not in self.killed]
            if found and not self.done.wait(0.2):
                with contextlib.suppress(psutil.NoSuchProcess):
                    found[-1].kill()
                    self.killed.append(found[-1].pid)

    def __enter__(self) -> Killer:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.thread.join()
