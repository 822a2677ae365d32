"""Many threads share keys, hashes and caches; the child of a fork works; calls let other threads run."""

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import kuaimi
from kuaimi import sm2, sm3, sm4, sm9

THREADS, ROUNDS = 12, 40


def together(work: Callable[[int], Any]) -> list[Any]:
    """Runs work in threads that begin at the same time."""
    barrier = threading.Barrier(THREADS)

    def one(index: int) -> Any:
        barrier.wait()
        return [work(index) for _ in range(ROUNDS)]

    with ThreadPoolExecutor(THREADS) as pool:
        return [result for results in pool.map(one, range(THREADS)) for result in results]


@pytest.fixture(autouse=True)
def switching() -> Any:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def test_shared_keys() -> None:
    key, master = sm2.SM2PrivateKey.generate(), sm9.MasterSigningKey.generate()
    public_key, alice = key.public_key(), master.extract("alice")
    encryption = sm9.MasterEncryptionKey.generate()

    def work(index: int) -> None:
        message = b"thread %d" % index
        public_key.verify(key.sign(message), message)
        assert key.decrypt(public_key.encrypt(message)) == message
        assert sm2.verify_batch(public_key, [message] * 20, sm2.sign_batch(key, [message] * 20)) == [True] * 20

    together(work)

    def work9(index: int) -> None:
        # The first uses of a master public key make the tables that all of them share.
        message = b"thread %d" % index
        alice.verifying_key().verify(alice.sign(message), message)
        bob = encryption.extract("bob %d" % index)
        assert bob.decrypt(bob.encryption_key().encrypt(message)) == message

    global ROUNDS
    rounds, ROUNDS = ROUNDS, 3
    together(work9)
    ROUNDS = rounds


def test_a_shared_hash_takes_in_every_piece_whole() -> None:
    for piece in (b"x" * 64, b"x" * 5000):
        hash, mac = sm3.Hash(), sm3.HMAC(b"key")

        def work(_: int, hash: sm3.Hash = hash, mac: sm3.HMAC = mac, piece: bytes = piece) -> None:
            hash.update(piece)
            mac.update(piece)
            hash.digest()
            hash.copy().update(b"y")

        together(work)
        whole = piece * THREADS * ROUNDS
        assert hash.digest() == sm3.digest(whole) and mac.digest() == sm3.hmac_digest(b"key", whole)


def test_a_shared_context_is_refused_or_whole() -> None:
    """Two threads at one context: each gets its piece of the one stream, or is told that the other is at it."""
    key, counter = os.urandom(16), os.urandom(16)
    stream = sm4.encrypt(key, sm4.CTR(counter), bytes(5000 * THREADS * ROUNDS))
    pieces = {stream[at : at + 5000] for at in range(0, len(stream), 5000)}
    context = sm4.Cipher(key, sm4.CTR(counter)).encryptor()

    def work(_: int) -> bytes | None:
        try:
            return context.update(bytes(5000))
        except kuaimi.AlreadyFinalized:
            return None

    got = [piece for piece in together(work) if piece is not None]
    assert got and len(set(got)) == len(got) and set(got) <= pieces


def test_a_step_of_an_exchange_is_taken_once() -> None:
    alice, bob = sm2.SM2PrivateKey.generate(), sm2.SM2PrivateKey.generate()
    initiator = sm2.KeyExchangeInitiator(alice, bob.public_key())
    responder = sm2.KeyExchangeResponder(bob, alice.public_key())
    assert initiator.point is not None
    answer = responder.respond(initiator.point, 16)

    def work(_: int) -> Any:
        try:
            return initiator.finish(*answer, 16)
        except kuaimi.AlreadyFinalized:
            return None

    assert len([result for result in together(work) if result is not None]) == 1


def test_other_threads_run_meanwhile() -> None:
    """While one thread is in a long call, another counts: the interpreter lock was released."""
    data, key = bytearray(60_000_000), sm2.SM2PrivateKey.generate()
    messages = [b"m"] * 30_000
    for call in (
        lambda: sm3.digest(data),
        lambda: sm3.Hash().update(data),
        lambda: sm3.pbkdf2_hmac(b"p", b"s", 300_000),
        lambda: key.sign(data),
        lambda: sm2.sign_batch(key, messages, threads=1),
    ):
        began, ended = threading.Event(), threading.Event()

        def long(call: Callable[[], object] = call, began: threading.Event = began, ended: threading.Event = ended) -> None:
            began.set()
            call()
            ended.set()

        thread = threading.Thread(target=long)
        thread.start()
        began.wait()
        turns = 0
        while not ended.is_set():
            turns += 1
            time.sleep(0)
        thread.join()
        assert turns > 10


def child(queue: Any, key: bytes) -> None:
    private_key = sm2.SM2PrivateKey.from_bytes(key)
    signatures = sm2.sign_batch(private_key, [b"m"] * 2000, threads=2)
    queue.put(sm2.verify_batch(private_key.public_key(), b"m", signatures, threads=2).count(True))  # type: ignore[union-attr]
    queue.put(private_key.sign(b"m", form="raw"))


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_child_processes(method: str) -> None:
    """The child of a fork has none of its parent's threads: batches there start their own, and nonces differ."""
    key = sm2.SM2PrivateKey.generate()
    assert sm2.sign_batch(key, [b"m"] * 2000, threads=2)
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    children = [context.Process(target=child, args=(queue, key.to_bytes())) for _ in range(2)]
    for process in children:
        process.start()
    results = [queue.get(timeout=120) for _ in range(4)]
    for process in children:
        process.join()
    assert results.count(2000) == 2
    signatures = [result for result in results if isinstance(result, bytes)] + [key.sign(b"m", form="raw")]
    assert len({signature[:32] for signature in signatures}) == 3
