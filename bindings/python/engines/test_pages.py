"""The examples of the pages run as they stand, each in a Python of its own, in a folder with a ledger."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kuaimi import sm2

PROJECT = pathlib.Path(__file__).resolve().parents[3]
PAGES = ["README.md", "README.zh-CN.md", "docs/scale.md", "docs/scale.zh-CN.md"]


def blocks(page: str) -> list[str]:
    return re.findall(r"```python engines\n(.*?)```", (PROJECT / page).read_text(), re.S)


def ledger(folder: pathlib.Path) -> None:
    """A hundred rows, of which the third is not right."""
    key = sm2.SM2PrivateKey.generate()
    messages = [f"transfer {row}" for row in range(100)]
    signatures = [key.sign(message.encode()) for message in messages]
    signatures[2] = signatures[3]
    point = key.public_key().to_bytes().hex()
    columns = {"row": range(1, 101), "key": [point] * 100, "message": messages, "signature": signatures}
    pq.write_table(pa.table({name: list(values) for name, values in columns.items()}), folder / "ledger.parquet")
    (folder / "alice.pem").write_bytes(key.to_bytes().hex().encode())


@pytest.mark.parametrize(("page", "place"), [(page, place) for page in PAGES for place in range(len(blocks(page)))])
def test_example(page: str, place: int, tmp_path: pathlib.Path) -> None:
    ledger(tmp_path)
    done = subprocess.run([sys.executable, "-c", blocks(page)[place]], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    written = tmp_path / "verdicts"
    if written.exists():
        verdicts = pq.read_table(written).sort_by("row")
        assert [row for row, valid in zip(verdicts["row"].to_pylist(), verdicts["valid"].to_pylist(), strict=True) if not valid] == [3]
    elif "verify_signatures" in blocks(page)[place]:
        assert "invalid: " in done.stdout and "transfer 2" in done.stdout and "transfer 4" not in done.stdout, done.stdout


def test_each_page_has_spark_and_ray() -> None:
    for page in PAGES:
        found = "\n".join(blocks(page))
        assert "kuaimi.spark.verify_signatures" in found and "kuaimi.ray.verify_signatures" in found, page
    without_comments = [[re.sub(r"\s*#.*", "", block) for block in blocks(page)] for page in PAGES]
    assert without_comments[0] == without_comments[1]
    assert without_comments[2] == without_comments[3]
