"""What holds for all objects: secrets stay inside, bytes of any kind come in, nothing can be changed."""

import array
import copy
import ctypes
import mmap
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from conftest import PROJECT

import kuaimi
from kuaimi import sm2, sm3, sm4, sm9

KEY = sm2.SM2PrivateKey.generate()
SIGNING, ENCRYPTION = sm9.MasterSigningKey.generate(), sm9.MasterEncryptionKey.generate()
SECRETS: list[Any] = [
    KEY,
    SIGNING,
    ENCRYPTION,
    SIGNING.extract("alice"),
    SIGNING.extract("alice").prepare(),
    ENCRYPTION.extract("bob"),
    ENCRYPTION.extract_exchange("bob"),
]
PUBLIC: list[Any] = [
    KEY.public_key(),
    KEY.public_key().prepare(),
    SIGNING.public_key(),
    ENCRYPTION.public_key(),
    SIGNING.public_key().verifying_key("alice"),
    ENCRYPTION.public_key().encryption_key(b"\xff", 7),
]
HOLDERS: list[Any] = [
    sm4.SM4GCM(bytes(16)),
    sm4.Cipher(bytes(16), sm4.CTR(bytes(16))),
    sm4.Cipher(bytes(16), sm4.CTR(bytes(16))).encryptor(),
    sm2.KeyExchangeInitiator(KEY, KEY.public_key()),
    sm2.KeyExchangeResponder(KEY, KEY.public_key()),
    sm9.KeyExchangeInitiator(ENCRYPTION.extract_exchange("bob"), "alice"),
    sm9.KeyExchangeResponder(ENCRYPTION.extract_exchange("bob"), "alice"),
]


@pytest.mark.parametrize("secret", SECRETS + HOLDERS, ids=lambda secret: type(secret).__name__)
def test_secrets_stay_inside(secret: Any) -> None:
    shown = f"{secret!r} {secret!s} {secret}"
    if hasattr(secret, "to_bytes") and not isinstance(secret, sm2.KeyExchangeInitiator):
        digits = secret.to_bytes().hex()
        assert not any(digits[i : i + 8] in shown for i in range(0, len(digits) - 8))
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(secret, protocol)
    assert not hasattr(secret, "__dict__")
    with pytest.raises((AttributeError, TypeError)):
        secret.signer = 1


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: type(secret).__name__)
def test_private_keys_are_compared_and_copied(secret: Any) -> None:
    assert copy.copy(secret) is secret and copy.deepcopy([secret])[0] is secret
    assert secret == secret and secret != SECRETS[0] or secret is KEY
    assert secret != "a key" and secret != sm2.SM2PrivateKey.generate()
    with pytest.raises(TypeError, match="unhashable"):
        hash(secret)


@pytest.mark.parametrize("key", PUBLIC, ids=lambda key: type(key).__name__)
def test_public_keys_can_be_pickled(key: Any) -> None:
    again = pickle.loads(pickle.dumps(key))
    assert again == key and hash(again) == hash(key) and {again: 1}[key] == 1
    assert copy.deepcopy(key) is key
    assert key != "a key" and repr(key).startswith("<")


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda data: array.array("B", data)])
@pytest.mark.parametrize("length", [1, 100, 4095, 4096, 100_000])
def test_bytes_of_any_kind(kind: Callable[[bytes], Any], length: int) -> None:
    data = bytes(3 * i & 255 for i in range(length))
    given = kind(data)
    KEY.public_key().verify(KEY.sign(given), data)
    KEY.public_key().verify(kind(KEY.sign(data)), given)
    assert KEY.decrypt(kind(KEY.public_key().encrypt(given))) == data
    aead = sm4.SM4GCM(kind(bytes(16)))
    assert aead.decrypt(kind(bytes(12)), kind(aead.encrypt(kind(bytes(12)), given)), None) == data
    assert sm3.digest(memoryview(data)[::1]) == sm3.digest(given)
    # A buffer that was lent can be changed again.
    if kind is bytearray:
        given.extend(b"more")


def test_a_mapped_file(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 50_000)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert sm3.digest(mapped) == sm3.digest(b"x" * 50_000)


def test_values_of_c() -> None:
    data = bytes(range(100)) * 50
    assert sm3.digest(ctypes.create_string_buffer(data, len(data))) == sm3.digest(data)
    assert sm3.digest((ctypes.c_uint32 * 3)(1, 2, 3)) == sm3.digest(array.array("I", [1, 2, 3]))
    assert sm3.digest(ctypes.c_uint16(7)) == sm3.digest(array.array("H", [7]))
    assert sm3.digest((ctypes.c_ubyte * 0)()) == sm3.digest(b"")


def test_what_is_no_bytes() -> None:
    with pytest.raises(TypeError, match="encode the text first"):
        KEY.sign("a message")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="bytes are expected, not <class 'int'>"):
        sm3.digest(7)  # type: ignore[arg-type]
    with pytest.raises(BufferError, match="not contiguous"):
        sm3.digest(memoryview(bytes(10))[::2])
    with pytest.raises(TypeError):
        KEY.public_key().verify(None, b"x")  # type: ignore[arg-type]


def test_errors_are_a_small_hierarchy() -> None:
    kinds = [getattr(kuaimi, name) for name in kuaimi.__all__ if isinstance(getattr(kuaimi, name), type)]
    assert len(kinds) == 10 and all(issubclass(kind, kuaimi.Error) for kind in kinds)
    assert issubclass(kuaimi.FormatError, ValueError) and not issubclass(kuaimi.InvalidSignature, ValueError)


def test_kinds_have_the_exceptions_of_the_page() -> None:
    rows = [line.split("|") for line in (PROJECT / "docs/errors.md").read_text().splitlines() if line.startswith("|")]
    column = [cell.strip() for cell in rows[0]].index("Python")
    page = [(row[1].strip(" `"), row[column].strip(" `")) for row in rows[2:]]
    raised = kuaimi._native.exceptions_by_kind()
    assert page == [(kind, type(exception).__name__) for kind, exception in raised]
    for kind, exception in raised:
        if isinstance(exception, kuaimi.Error):
            again = pickle.loads(pickle.dumps(exception))
            assert exception.kind == again.kind == kind and again.args == exception.args == (str(exception),)


def test_errors_have_kinds() -> None:
    with pytest.raises(kuaimi.FormatError) as caught:
        kuaimi.sm2.load_private_key(b"no key")
    assert caught.value.kind == "NotAKey"
    with pytest.raises(kuaimi.InvalidSignature) as invalid:
        KEY.public_key().verify(bytes(64), b"")
    assert invalid.value.kind == "InvalidSignature"
    assert kuaimi.InvalidArgument("of Python's own").kind == "InvalidArgument" and kuaimi.AlreadyFinalized().kind is None


def test_implementations() -> None:
    assert kuaimi.backend() == kuaimi.backends()[-1]
    with pytest.raises(kuaimi.InvalidArgument, match="abacus"):
        kuaimi.set_backend("abacus")


