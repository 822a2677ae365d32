"""The child of a fork, made while other threads are at work, never waits for a thread that is not there."""

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

import kuaimi
from kuaimi import sm2, sm3, sm4, sm9
from kuaimi._native.batch import TableVerifier

if not hasattr(os, "fork"):
    pytest.skip("this system has no fork", allow_module_level=True)

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")

KEYS = sm2.generate_batch(64)
POINTS = [key.public_key().to_bytes(compressed=True) for key in KEYS]
SIGNATURES = sm2.sign_batch(KEYS, [b"m"] * 64)
LIMIT = 60
"""Seconds after which a child counts as one that waits for ever."""


def forks(count: int, work: Callable[[], object], in_child: Callable[[], object]) -> None:
    """Forks while two threads work. Each child does what `in_child` says, and ends."""
    stop = threading.Event()

    def busy() -> None:
        while not stop.is_set():
            work()

    threads = [threading.Thread(target=busy) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(count):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    in_child()
                    status = 0
                finally:
                    os._exit(status)
            assert ended(child) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def ended(child: int) -> int:
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    pytest.fail("a child waits for ever")


def test_batches_and_tables() -> None:
    """The verifier keeps keys under locks; batches have threads of their own."""
    verifier = TableVerifier()
    columns: dict[str, Any] = {"key": pa.array(POINTS), "message": pa.array([b"m"] * 64), "signature": pa.array(SIGNATURES)}

    def work() -> None:
        assert all(verifier.verify(**columns, threads=1)[0])

    def in_child() -> None:
        work()
        assert all(sm2.verify_batch(POINTS, b"m", SIGNATURES, threads=2))

    forks(200, work, in_child)


def test_single_operations() -> None:
    key, master = KEYS[0], sm9.MasterSigningKey.generate()
    alice = master.extract("alice")

    def work() -> None:
        key.public_key().verify(key.sign(b"m"), b"m")
        assert key.decrypt(key.public_key().encrypt(b"m")) == b"m"
        alice.verifying_key().verify(alice.sign(b"m"), b"m")
        assert sm4.SM4GCM(bytes(16)).decrypt(bytes(12), sm4.SM4GCM(bytes(16)).encrypt(bytes(12), b"m", None), None) == b"m"

    forks(60, work, work)


@pytest.mark.parametrize("make", [sm3.Hash, lambda: sm3.HMAC(b"key"), sm9.MessageHash])
def test_an_object_that_another_thread_was_at(make: Callable[[], Any]) -> None:
    """It works in the child, or says what became of it."""
    shared, data = make(), bytes(1 << 20)

    def in_child() -> None:
        try:
            shared.update(b"more")
        except kuaimi.AlreadyFinalized as error:
            assert "forked" in str(error)
        make().update(b"another")

    forks(5, lambda: shared.update(data), in_child)
