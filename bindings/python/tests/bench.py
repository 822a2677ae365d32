"""make python-bench: the package beside gmssl, gmalg, cryptography's P-256 and the Rust library, in turn in one run; prints ratios.

Each pair is measured in rounds, one after the other in each; a round's figure is the ratio of its two, and what is printed is the median of the
rounds with their range. What is counted is processor time, as all of it runs on one thread: others on the machine disturb it less than the clock.
Users' keys have no tables but where it says that they are prepared: so it is for keys that are used once.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import gmalg
import gmssl.sm2
import gmssl.sm3
import gmssl.sm4
import numpy as np
import pyarrow as pa
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

import kuaimi
from kuaimi import sm2, sm3, sm4, sm9

Call = Callable[[], object]


def rate(call: Call, seconds: float) -> float:
    """Calls a second of processor time."""
    calls, began = 0, time.process_time()
    while (took := time.process_time() - began) < seconds or not calls:
        call()
        calls += 1
    return calls / took


def pair(name: str, ours: Call, theirs: Call, other: str, goal: float | None = None, ours_does: int = 1, theirs_does: int = 1) -> bool:
    """Measures two calls in turn. A call does so many operations."""
    ours(), theirs()
    ratios, rates = [], []
    for _ in range(OPTIONS.rounds):
        mine = ours_does * rate(ours, OPTIONS.seconds)
        its = theirs_does * rate(theirs, OPTIONS.seconds)
        ratios.append(mine / its)
        rates.append((mine, its))
    ratio = statistics.median(ratios)
    mine, its = (statistics.median(rate[side] for rate in rates) for side in (0, 1))
    digits = 2 if ratio < 10 else 0
    reached = "" if goal is None else f"   goal {goal:g}: {'reached' if ratio >= goal else 'NOT REACHED'}"
    spread = f"{min(ratios):.{digits}f}–{max(ratios):.{digits}f}"
    print(f"{name:38}{mine:>14,.0f} /s{its:>14,.0f} /s {other:28}{ratio:>8,.{digits}f} × ({spread}){reached}", flush=True)
    return goal is None or ratio >= goal


class Reference:
    """The Rust library's batches, in a process of their own."""

    def __init__(self, rows: pathlib.Path) -> None:
        program = os.environ["KUAIMI_PYTHON_REFERENCE"]
        self.process = subprocess.Popen([program, str(rows)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def seconds(self, request: str) -> float:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def against_rust(name: str, ours: Call, reference: Reference, request: str, rows: int, goal: float | None = None) -> bool:
    """As pair, with the time that the other process tells."""
    ours(), reference.seconds(request)
    ratios, rates = [], []
    for _ in range(4 * OPTIONS.rounds):
        began = time.process_time()
        ours()
        mine = time.process_time() - began
        its = reference.seconds(request)
        ratios.append(its / mine)
        rates.append((rows / mine, rows / its))
    ratio = statistics.median(ratios)
    mine, its = (statistics.median(rate[side] for rate in rates) for side in (0, 1))
    reached = "" if goal is None else f"   goal {goal:g}: {'reached' if ratio >= goal else 'NOT REACHED'}"
    quartiles = statistics.quantiles(ratios, n=4)
    print(f"{name:38}{mine:>14,.0f} /s{its:>14,.0f} /s {'the Rust library':28}{ratio:>8.2f} × ({quartiles[0]:.2f}–{quartiles[2]:.2f}){reached}", flush=True)
    return goal is None or ratio >= goal


def peers() -> bool:
    key = sm2.SM2PrivateKey.generate()
    public_key, message = key.public_key(), bytes(32)
    prepared, signature = sm2.SM2PublicKey.from_bytes(public_key.to_bytes()).prepare(), key.sign(message, form="raw")
    theirs = gmssl.sm2.CryptSM2(key.to_bytes().hex(), public_key.to_bytes()[1:].hex())
    digits = signature.hex()
    good = [
        pair("SM2 sign", lambda: key.sign(message, form="raw"), lambda: theirs.sign_with_sm3(message), "gmssl", 300),
        pair("SM2 verify", lambda: public_key.verify(signature, message), lambda: theirs.verify_with_sm3(digits, message), "gmssl", 150),
        pair("SM2 verify, prepared key", lambda: prepared.verify(signature, message), lambda: theirs.verify_with_sm3(digits, message), "gmssl"),
        pair("SM2 encrypt 32 bytes", lambda: public_key.encrypt(message), lambda: theirs.encrypt(message), "gmssl"),
    ]
    megabyte, kilobytes = bytes(1 << 20), bytes(16 << 10)
    good.append(pair("SM3, bytes of 1 MiB and 16 KiB", lambda: sm3.digest(megabyte), lambda: gmssl.sm3.sm3_hash(list(kilobytes)), "gmssl", 1000, 1 << 20, 16 << 10))
    cipher, crypt = sm4.Cipher(bytes(16), sm4.ECB()), gmssl.sm4.CryptSM4()
    crypt.set_key(bytes(16), gmssl.sm4.SM4_ENCRYPT)
    good.append(pair("SM4-ECB, bytes of 1 MiB and 16 KiB", lambda: cipher.encryptor().update(megabyte), lambda: crypt.crypt_ecb(kilobytes), "gmssl", 1000, 1 << 20, 16 << 10))
    good.append(pair("SM4-CBC, bytes of 1 MiB and 16 KiB", lambda: sm4.encrypt(bytes(16), sm4.CBC(bytes(16)), megabyte), lambda: crypt.crypt_cbc(bytes(16), kilobytes), "gmssl", None, 1 << 20, 16 << 10))

    master = sm9.MasterSigningKey.generate()
    alice, public = master.extract("alice"), master.public_key().to_bytes()
    user = gmalg.SM9(b"\x01", public, b"\x04" + alice.to_bytes(), uid=b"alice")
    signed = alice.sign(message, form="raw")
    h, s = signed[:32], b"\x04" + signed[32:]
    verifier = alice.verifying_key()
    good.append(pair("SM9 sign", lambda: alice.sign(message), lambda: user.sign(message), "gmalg", 1000))
    good.append(pair("SM9 verify", lambda: verifier.verify(signed, message), lambda: user.verify(message, h, s), "gmalg", 1000))

    p256 = ec.generate_private_key(ec.SECP256R1())
    algorithm, p256_public = ec.ECDSA(hashes.SHA256()), p256.public_key()
    p256_signature = p256.sign(message, algorithm)
    good.append(pair("SM2 verify", lambda: public_key.verify(signature, message), lambda: p256_public.verify(p256_signature, message, algorithm), "P-256 verify, cryptography"))
    good.append(pair("SM2 sign", lambda: key.sign(message), lambda: p256.sign(message, algorithm), "P-256 sign, cryptography"))
    return all(good)


def batches() -> bool:
    rows = 20_000
    key = sm2.SM2PrivateKey.generate()
    public_key = key.public_key()
    messages = [row.to_bytes(32, "big") for row in range(rows)]
    signatures = [signature or b"" for signature in sm2.sign_batch(key, messages, form="raw")]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows"
        path.write_bytes(key.to_bytes() + b"".join(m + s for m, s in zip(messages, signatures, strict=True)))
        reference = Reference(path)
        arrow = pa.array(messages, pa.binary()), pa.array(signatures, pa.binary(64))
        numpy = np.frombuffer(b"".join(messages), "V32"), np.frombuffer(b"".join(signatures), "V64")
        keys = pa.array([public_key.to_bytes()] * rows).dictionary_encode()
        good = [
            against_rust("SM2 verify_batch, lists", lambda: sm2.verify_batch(public_key, messages, signatures, threads=1), reference, "verify", rows, 0.9),
            against_rust("SM2 verify_batch, NumPy", lambda: sm2.verify_batch(public_key, *numpy, threads=1), reference, "verify", rows, 0.9),
            against_rust("SM2 verify_batch, Arrow", lambda: sm2.verify_batch(public_key, *arrow, threads=1), reference, "verify", rows, 0.9),
            against_rust("SM2 verify_batch, Arrow, keys, too", lambda: sm2.verify_batch(keys, *arrow, threads=1), reference, "verify", rows, 0.9),
            against_rust("SM2 sign_batch, lists", lambda: sm2.sign_batch(key, messages, form="raw", threads=1), reference, "sign", rows, 0.9),
            against_rust("SM2 sign_batch, Arrow", lambda: sm2.sign_batch(key, arrow[0], form="raw", threads=1), reference, "sign", rows, 0.9),
            against_rust("SM3 digest_batch of 32 bytes, lists", lambda: sm3.digest_batch(messages, threads=1), reference, "digest", rows),
            against_rust("SM3 digest_batch of 32 bytes, Arrow", lambda: sm3.digest_batch(arrow[0], threads=1), reference, "digest", rows),
        ]
    return all(good)


def main() -> int:
    print(f"kuaimi {kuaimi.__version__} on {kuaimi.backend()}, Python {platform.python_version()}; processor time of one thread, the median of {OPTIONS.rounds} rounds and their range")
    kuaimi.set_table_limit(0)
    good = [peers(), batches()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.3, help="for each side of a round")
    OPTIONS = parser.parse_args()
    sys.exit(main())
