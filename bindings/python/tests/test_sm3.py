"""SM3 as hashlib's hashes, and what is built on it."""

import hashlib
import hmac
import io
import pathlib

import pytest

import kuaimi
from kuaimi import sm3

MESSAGE = bytes(31 * i & 255 for i in range(300_000))
LENGTHS = [0, 1, 55, 56, 63, 64, 65, 1000, 2047, 2048, 4096, 300_000]


@pytest.mark.parametrize("length", LENGTHS)
def test_against_openssl(length: int) -> None:
    data = MESSAGE[:length]
    assert sm3.digest(data) == hashlib.new("sm3", data).digest()
    assert sm3.hexdigest(data) == hashlib.new("sm3", data).hexdigest()
    assert sm3.hmac_digest(b"key", data) == hmac.new(b"key", data, lambda: hashlib.new("sm3")).digest()
    assert sm3.pbkdf2_hmac(b"password", data[:50], 100, 40) == hashlib.pbkdf2_hmac("sm3", b"password", data[:50], 100, 40)


@pytest.mark.parametrize("length", LENGTHS)
def test_pieces_copies_and_kinds_of_bytes(length: int) -> None:
    data = MESSAGE[:length]
    whole = sm3.digest(data)
    for kind in (bytes, bytearray, memoryview):
        hash = sm3.new(kind(data[:length // 3]))
        copy = hash.copy()
        hash.update(kind(data[length // 3 :]))
        assert hash.digest() == whole == hash.digest()
        copy.update(kind(data[length // 3 :]))
        assert copy.hexdigest() == whole.hex()
        assert sm3.digest(kind(data)) == whole
    assert sm3.file_digest(io.BytesIO(data)).digest() == whole


def test_it_is_a_hash_of_hashlib(tmp_path: pathlib.Path) -> None:
    hash = sm3.new()
    assert (hash.name, hash.digest_size, hash.block_size) == ("sm3", 32, 64)
    for digestmod in (sm3, sm3.new, sm3.Hash):
        mac = hmac.new(b"k" * 100, MESSAGE, digestmod)  # type: ignore[arg-type]
        assert mac.digest() == sm3.hmac_digest(b"k" * 100, MESSAGE)
        assert mac.block_size == 64
    path = tmp_path / "file"
    path.write_bytes(MESSAGE)
    with path.open("rb") as file:
        assert hashlib.file_digest(file, sm3.new).digest() == sm3.digest(MESSAGE)  # type: ignore[arg-type]
    assert sm3.file_digest(path).digest() == sm3.file_digest(str(path)).digest() == sm3.digest(MESSAGE)


def test_hmac() -> None:
    mac = sm3.HMAC(b"key", b"a ")
    mac.update(b"message")
    mac.verify(sm3.hmac_digest(b"key", b"a message"))
    copy = mac.copy()
    copy.update(b"x")
    assert copy.digest() != mac.digest() and mac.hexdigest() == mac.digest().hex()
    for wrong in (b"", bytes(32), mac.digest()[:-1], copy.digest()):
        with pytest.raises(kuaimi.InvalidSignature):
            mac.verify(wrong)


def test_derived_keys() -> None:
    whole = sm3.kdf(b"z", 100)
    assert whole[:32] == sm3.digest(b"z\0\0\0\1") and whole[32:64] == sm3.digest(b"z\0\0\0\2")
    assert sm3.kdf(b"z", 7) == whole[:7]
    for iterations in (0, 10_000_001):
        with pytest.raises(kuaimi.InvalidArgument):
            sm3.pbkdf2_hmac(b"p", b"s", iterations)
    with pytest.raises(OverflowError):
        sm3.pbkdf2_hmac(b"p", b"s", -1)
    with pytest.raises(kuaimi.InvalidArgument, match="no key of 4611686018427387904 bytes"):
        sm3.pbkdf2_hmac(b"p", b"s", 1, 2**62)
    for length in (2**37, 2**63):
        with pytest.raises(kuaimi.InvalidArgument, match="128 GiB"):
            sm3.kdf(b"z", length)
