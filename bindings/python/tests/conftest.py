"""What several tests need: the standards' examples, and GmSSL's C code as a peer."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[3]
VECTORS = PROJECT / "vectors"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text())


def octets(digits: str) -> bytes:
    """A number of a standard's example, in 32 bytes at least: leading zeros may be missing."""
    return bytes.fromhex(digits.zfill(64))


class Gmssl:
    """GmSSL's C code, in a process of its own: peers/gmssl/README.md has the requests."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": os.environ["KUAIMI_PYTHON_GMSSL"]}
        self.process = subprocess.Popen(
            [sys.executable, str(PROJECT / "peers/gmssl/peer.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def ask(self, op: str, **fields: Any) -> Any:
        request = {"op": op, **{k: v.hex() if isinstance(v, bytes) else v for k, v in fields.items()}}
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer.pop("ok"), answer
        return answer

    def close(self) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


@pytest.fixture(scope="session")
def gmssl_c() -> Iterator[Gmssl]:
    peer = Gmssl()
    yield peer
    peer.close()
