"""Batches over lists and NumPy arrays: each row's result is that of the single operation."""

import os
from typing import Any

import numpy as np
import pytest

import kuaimi
from kuaimi import sm2, sm3, sm4, sm9

KEYS = [sm2.SM2PrivateKey.generate() for _ in range(5)]
PUBLIC = [key.public_key() for key in KEYS]
ROWS = 100
MESSAGES = [os.urandom(row) for row in range(ROWS)]
IDS = [None, "alice", b"bob", ""]


def row_keys() -> list[sm2.SM2PrivateKey]:
    return [KEYS[row % 5] for row in range(ROWS)]


@pytest.mark.parametrize("threads", [None, 1, 3])
@pytest.mark.parametrize("form", ["der", "raw"])
def test_signing_and_verifying(threads: int | None, form: Any) -> None:
    ids = [IDS[1 + row % 3] for row in range(ROWS)]
    signatures = sm2.sign_batch(row_keys(), MESSAGES, ids, form=form, threads=threads)
    assert isinstance(signatures, list)
    for key, message, id, signature in zip(row_keys(), MESSAGES, ids, signatures, strict=True):
        assert signature is not None
        key.public_key().verify(signature, message, id, form=form)
    good = [True] * ROWS
    public = [key.public_key() for key in row_keys()]
    for keys in (
        public,
        tuple(public),
        [sm2.SM2PublicKey.from_bytes(key.to_bytes()).prepare() for key in public],
        [key.to_bytes() for key in public],
        [key.to_bytes(compressed=True) for key in public],
        [key.to_bytes()[1:] for key in public],
        [key.public_bytes(kuaimi.serialization.Encoding.PEM, kuaimi.serialization.PublicFormat.SubjectPublicKeyInfo) for key in public],
        (key for key in public),
    ):
        if not isinstance(keys, list | tuple):
            with pytest.raises(TypeError):
                sm2.verify_batch(keys, MESSAGES, signatures, ids)  # type: ignore[arg-type]
            continue
        assert sm2.verify_batch(keys, MESSAGES, signatures, ids, threads=threads) == good
        assert sm2.verify_batch(keys, MESSAGES, signatures, ids, form=form) == good
        assert sm2.verify_batch(keys, MESSAGES, signatures, "alice")[:3] == [True, False, False]
    swapped = [signatures[row ^ 1] for row in range(ROWS)]
    assert sm2.verify_batch(public, MESSAGES, swapped, ids, threads=threads) == [False] * ROWS
    # One row is wrong: it alone.
    for wrong in range(0, ROWS, 9):
        altered = list(signatures)
        altered[wrong] = bytes(len(altered[wrong] or b""))
        expected = [row != wrong for row in range(ROWS)]
        assert sm2.verify_batch(public, MESSAGES, altered, ids) == expected


def test_one_value_for_all_rows() -> None:
    signatures = sm2.sign_batch(KEYS[0], MESSAGES)
    assert sm2.verify_batch(PUBLIC[0], MESSAGES, signatures) == [True] * ROWS
    assert sm2.verify_batch(sm2.SM2PublicKey.from_bytes(PUBLIC[0].to_bytes()).prepare(), MESSAGES, signatures) == [True] * ROWS
    assert sm2.verify_batch(PUBLIC[0].to_bytes(), MESSAGES, signatures) == [True] * ROWS
    assert sm2.verify_batch(PUBLIC[0], MESSAGES, signatures, [sm2.DEFAULT_ID] * ROWS) == [True] * ROWS
    signature = KEYS[0].sign(b"m")
    assert sm2.verify_batch(PUBLIC, b"m", signature) == [True, False, False, False, False]
    assert sm2.verify_batch(PUBLIC[0], b"m", signature) == [True]
    assert sm2.verify_batch([], [], []) == [] == sm2.sign_batch(KEYS[0], [])
    digests = [os.urandom(32) for _ in range(ROWS)]
    signatures = sm2.sign_batch(KEYS[0], digests, digests=True)
    assert sm2.verify_batch(PUBLIC[0], digests, signatures, digests=True) == [True] * ROWS
    PUBLIC[0].verify_digest(signatures[7] or b"", digests[7])


def test_nulls_and_reasons() -> None:
    good = KEYS[0].sign(b"m")
    keys = [PUBLIC[0], None, PUBLIC[0], PUBLIC[0], PUBLIC[0], PUBLIC[0]]
    verdicts, reasons = sm2.verify_batch(keys, [b"m", b"m", None, b"m", b"n", b"m"], [good, good, good, None, good, b"x"], reasons=True)
    assert verdicts == [True, None, None, None, False, False]
    assert isinstance(reasons, list)
    assert reasons[:4] == [None] * 4 and "does not fit" in str(reasons[4]) and "no signature" in str(reasons[5])
    points = [PUBLIC[0].to_bytes(), b"\x04" + bytes(64), b"no key", b""]
    verdicts, reasons = sm2.verify_batch(points, b"m", good, reasons=True)
    assert verdicts == [True, False, False, False] and "curve" in str(reasons[1]) and all(reasons[1:])
    verdicts, reasons = sm2.verify_batch(PUBLIC[0], b"m", [good] * 2, ["x" * 8192, sm2.DEFAULT_ID], reasons=True)
    assert verdicts == [False, True] and "8191" in str(reasons[0])
    verdicts, reasons = sm2.verify_batch(PUBLIC[0], [b"m" * 31], good, digests=True, reasons=True)
    assert verdicts == [False] and "32 bytes, not 31" in str(reasons[0])
    assert sm2.verify_batch(PUBLIC[0], b"m", good, [None, sm2.DEFAULT_ID]) == [None, True]

    with pytest.raises(kuaimi.InvalidArgument, match=r"row 1: .*8191"):
        sm2.sign_batch(KEYS[0], [b"m", b"m"], ["a", "x" * 8192])
    signatures, reasons = sm2.sign_batch(KEYS[0], [b"m", b"m", None], ["a", "x" * 8192, "a"], reasons=True)
    assert signatures[0] and signatures[1:] == [None, None] and reasons[0] is None and "8191" in str(reasons[1])
    with pytest.raises(kuaimi.InvalidArgument, match=r"row 0: .*empty"):
        sm2.encrypt_batch(PUBLIC[0], [b"", b"x"])


def test_wrong_columns() -> None:
    with pytest.raises(kuaimi.InvalidArgument, match="messages has 2 rows and signatures has 3"):
        sm2.verify_batch(PUBLIC[0], [b"m"] * 2, [b"s"] * 3)
    with pytest.raises(TypeError, match=r"messages\[1\]: bytes are expected, not <class 'str'>"):
        sm2.sign_batch(KEYS[0], [b"m", "text"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="messages is a value, a list"):
        sm2.sign_batch(KEYS[0], 7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="messages is a value, a list"):
        sm2.sign_batch(KEYS[0], "text")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="keys is an SM2PrivateKey"):
        sm2.sign_batch(PUBLIC[0], [b"m"])  # type: ignore[arg-type]
    for threads in (0, 1025):
        with pytest.raises(kuaimi.InvalidArgument, match="threads"):
            sm2.sign_batch(KEYS[0], [b"m"], threads=threads)
    with pytest.raises(kuaimi.InvalidArgument, match="output"):
        sm2.sign_batch(KEYS[0], [b"m"], output="numpy")  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["c1c3c2", "c1c2c3", "bare-c1c3c2", "bare-c1c2c3", "der"])
def test_encrypting_and_decrypting(form: Any) -> None:
    messages = [message or b"x" for message in MESSAGES]
    public = [key.public_key() for key in row_keys()]
    for keys in (public, [sm2.SM2PublicKey.from_bytes(key.to_bytes()).prepare() for key in public], [key.to_bytes() for key in public]):
        ciphertexts = sm2.encrypt_batch(keys, messages, form=form)
        assert [key.decrypt(c or b"") for key, c in zip(row_keys(), ciphertexts, strict=True)] == messages
        assert sm2.decrypt_batch(row_keys(), ciphertexts) == messages
        assert sm2.decrypt_batch(row_keys(), ciphertexts, form=form, threads=2) == messages
    mixed = [KEYS[0].public_key().encrypt(b"m", f) for f in ("c1c3c2", "c1c2c3", "bare-c1c3c2", "bare-c1c2c3", "der")]
    mixed += [b"", b"x", mixed[0][:-1]]
    opened, reasons = sm2.decrypt_batch(KEYS[0], [*mixed, None], reasons=True)
    assert opened == [b"m"] * 5 + [None] * 4
    assert reasons[:5] == [None] * 5 and len(set(reasons[5:8])) == 1 and reasons[8] is None


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_sm4_gcm_with_a_key_each(threads: int | None) -> None:
    keys, nonces = [os.urandom(16) for _ in range(ROWS)], [os.urandom(12) for _ in range(ROWS)]
    headers = [b"h" * (row % 20) for row in range(ROWS)]
    rows = list(zip(keys, nonces, MESSAGES, headers, strict=True))
    expected = [sm4.SM4GCM(key).encrypt(nonce, message, header) for key, nonce, message, header in rows]
    assert sm4.gcm_encrypt_batch(keys, nonces, MESSAGES, headers, threads=threads) == expected
    assert sm4.gcm_decrypt_batch(keys, nonces, expected, headers, threads=threads) == MESSAGES
    wide = np.frombuffer(b"".join(keys), np.uint8).reshape(ROWS, 16), np.frombuffer(b"".join(nonces), "V12")
    assert sm4.gcm_decrypt_batch(*wide, expected, headers) == MESSAGES
    # Without associated data, and with one value for all rows.
    bare = [sm4.SM4GCM(keys[0]).encrypt(nonce, message, None) for nonce, message in zip(nonces, MESSAGES, strict=True)]
    assert sm4.gcm_encrypt_batch(keys[0], nonces, MESSAGES) == bare
    assert sm4.gcm_decrypt_batch(keys[0], nonces, bare, b"") == MESSAGES
    altered = [sealed[:-1] + bytes([sealed[-1] ^ 1]) if row % 2 else sealed for row, sealed in enumerate(expected)]
    opened, reasons = sm4.gcm_decrypt_batch(keys, nonces, altered, headers, reasons=True)
    assert opened == [None if row % 2 else message for row, message in enumerate(MESSAGES)]
    assert len(set(reasons)) == 2 and reasons[0] is None and "decryption failed" in str(reasons[1])


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_sm4_gcm_under_one_key(threads: int | None) -> None:
    aead = sm4.SM4GCM(os.urandom(16))
    messages = [os.urandom(length) for length in (0, 1, 15, 16, 17, 64, 255, 256, 257, 768, 1000) for _ in range(4)]
    nonces = [os.urandom(13 if row % 5 == 4 else 12) for row in range(len(messages))]
    headers = [b"h" * (row % 20) for row in range(len(messages))]
    expected = [aead.encrypt(*row) for row in zip(nonces, messages, headers, strict=True)]
    assert aead.encrypt_batch(nonces, messages, headers, threads=threads) == expected
    assert aead.decrypt_batch(nonces, expected, headers, threads=threads) == messages
    altered = [sealed[:-1] + bytes([sealed[-1] ^ 1]) if row % 2 else sealed for row, sealed in enumerate(expected)]
    opened, reasons = aead.decrypt_batch(nonces, altered, headers, reasons=True, threads=threads)
    assert opened == [None if row % 2 else message for row, message in enumerate(messages)]
    assert len(set(reasons)) == 2 and reasons[0] is None and "decryption failed" in str(reasons[1])
    bare = [aead.encrypt(nonce, b"m") for nonce in nonces]
    assert aead.encrypt_batch(nonces, b"m") == bare
    assert len(aead.decrypt_batch(nonces, bare, output="arrow")) == len(nonces)
    sealed, reasons = aead.encrypt_batch([b"", nonces[0], None], b"m", reasons=True)
    assert sealed == [None, bare[0], None] and "nonce" in str(reasons[0]) and reasons[1:] == [None, None]
    with pytest.raises(kuaimi.InvalidArgument, match="row 1: .*nonce"):
        aead.encrypt_batch([nonces[0], b""], b"m")
    with pytest.raises(kuaimi.InvalidArgument, match="nonces has 2 rows and data has 3"):
        aead.encrypt_batch(nonces[:2], [b"m"] * 3)
    assert aead.decrypt_batch(nonces[:3], [bare[0], None, b"x" * 15]) == [b"m", None, None]
    assert aead.encrypt_batch([], []) == [] == aead.decrypt_batch([], [])


def test_sm4_gcm_nulls_and_reasons() -> None:
    key, nonce = bytes(16), bytes(12)
    sealed, reasons = sm4.gcm_encrypt_batch([key, key[1:], key, None], [nonce, nonce, b"", nonce], b"m", reasons=True)
    assert sealed == [sm4.SM4GCM(key).encrypt(nonce, b"m"), None, None, None]
    assert reasons[0] is None and "16 bytes, not 15" in str(reasons[1]) and "nonce" in str(reasons[2]) and reasons[3] is None
    with pytest.raises(kuaimi.InvalidArgument, match="row 1: .*16 bytes, not 15"):
        sm4.gcm_encrypt_batch([key, key[1:]], nonce, b"m")
    with pytest.raises(kuaimi.InvalidArgument, match="keys has 2 rows and data has 3"):
        sm4.gcm_encrypt_batch([key] * 2, nonce, [b"m"] * 3)
    with pytest.raises(TypeError, match="data"):
        sm4.gcm_encrypt_batch(key, nonce, 7)  # type: ignore[arg-type]
    assert sm4.gcm_decrypt_batch(key, nonce, [sealed[0], None, b"", b"x" * 15], [b"", b"", b"", None]) == [b"m", None, None, None]
    assert sm4.gcm_encrypt_batch([], nonce, []) == [] == sm4.gcm_decrypt_batch([], [], [])


def test_diffie_hellman() -> None:
    others = [sm2.SM2PrivateKey.generate() for _ in range(ROWS)]
    secrets = sm2.diffie_hellman_batch(row_keys(), [key.public_key() for key in others], threads=2)
    assert len(set(secrets)) == ROWS and all(len(secret or b"") == 32 for secret in secrets)
    points = [key.public_key().to_bytes() for key in row_keys()]
    assert sm2.diffie_hellman_batch(others, points) == secrets
    # The key 1 gives the peer's own x-coordinate.
    one = sm2.SM2PrivateKey.from_bytes(bytes(31) + b"\x01")
    assert sm2.diffie_hellman_batch(one, points) == [point[1:33] for point in points]
    found, reasons = sm2.diffie_hellman_batch(KEYS[0], [points[0], b"no key", None], reasons=True)
    assert found[0] and found[1:] == [None, None] and reasons[0] is None and reasons[1] and reasons[2] is None
    with pytest.raises(kuaimi.InvalidArgument, match="row 1"):
        sm2.diffie_hellman_batch(KEYS[0], [points[0], b"no key"])


def test_recovering_and_generating() -> None:
    digests = [os.urandom(32) for _ in range(ROWS)]
    made = [key.sign_digest_recoverable(digest) for key, digest in zip(row_keys(), digests, strict=True)]
    signatures, ids = [signature for signature, _ in made], [id for _, id in made]
    points = [key.public_key().to_bytes() for key in row_keys()]
    assert sm2.recover_batch(digests, signatures, ids) == points
    assert sm2.recover_batch(digests, signatures, bytes(ids)) == points
    assert sm2.recover_batch(digests, signatures, np.array(ids)) == points
    found, reasons = sm2.recover_batch(digests[:3], [signatures[0], b"x", None], [ids[0], 0, 9], reasons=True)
    assert found == [points[0], None, None] and reasons[1] and not reasons[2]
    with pytest.raises(TypeError, match="recovery_ids"):
        sm2.recover_batch(digests, signatures, [300] * ROWS)
    keys = sm2.generate_batch(50, threads=2)
    assert len({key.to_bytes() for key in keys}) == 50 and sm2.generate_batch(0) == []
    keys[7].public_key().verify(keys[7].sign(b"m"), b"m")


def test_digests() -> None:
    messages = [os.urandom(13 * row) for row in range(300)]
    expected = [sm3.digest(message) for message in messages]
    assert sm3.digest_batch(messages) == sm3.digest_batch(messages, threads=2) == expected
    assert sm3.digest_batch([None, b"abc", None]) == [None, sm3.digest(b"abc"), None]
    assert sm3.digest_batch(b"abc") == [sm3.digest(b"abc")]


def test_sm9() -> None:
    master, encryption = sm9.MasterSigningKey.generate(), sm9.MasterEncryptionKey.generate()
    names = [f"user {row % 7}" for row in range(40)]
    keys = sm9.extract_signing_batch(master, names)
    assert keys == [master.extract(name) for name in names]
    assert sm9.extract_decryption_batch(encryption, ["a", b"b"], hid=5) == [encryption.extract("a", 5), encryption.extract("b", 5)]
    signatures = [key.sign(name.encode(), form="raw" if row % 2 else "der") for row, (key, name) in enumerate(zip(keys, names, strict=True))]
    messages = [name.encode() for name in names]
    assert sm9.verify_batch(master.public_key(), names, messages, signatures, threads=2) == [True] * 40
    assert sm9.verify_batch(master.public_key(), messages, messages, signatures) == [True] * 40
    assert sm9.verify_batch(master.public_key(), names, messages[::-1], signatures).count(True) < 10
    verdicts, reasons = sm9.verify_batch(master.public_key(), ["user 0", "", None, "user 0"], b"user 0", [signatures[0]] * 3 + [b"x"], reasons=True)
    assert verdicts == [True, False, None, False] and "empty" in str(reasons[1]) and reasons[2] is None and reasons[3]
    for call in (sm9.extract_signing_batch, lambda master, ids: sm9.extract_decryption_batch(encryption, ids)):
        with pytest.raises(kuaimi.InvalidArgument, match="row 1: .*empty"):
            call(master, ["a", ""])
        with pytest.raises(kuaimi.InvalidArgument, match="null"):
            call(master, ["a", None])


@pytest.mark.parametrize("kind", ["V32", "u1", "object", "strided", "fortran"])
def test_numpy(kind: str) -> None:
    messages = [os.urandom(31) + b"\0" for _ in range(ROWS)]
    signatures = [KEYS[0].sign(message, form="raw") for message in messages]

    def of(rows: list[bytes]) -> Any:
        width, whole = len(rows[0]), b"".join(rows)
        if kind == "object":
            return np.array(rows, dtype=object)
        if kind == "u1":
            return np.frombuffer(whole, "u1").reshape(-1, width)
        if kind == "strided":
            return np.frombuffer(b"".join(row + b"x" for row in rows), "u1").reshape(-1, width + 1)[:, :width]
        if kind == "fortran":
            return np.asfortranarray(np.frombuffer(whole, "u1").reshape(-1, width))
        return np.frombuffer(whole, f"V{width}")

    assert sm2.verify_batch(PUBLIC[0], of(messages), of(signatures)) == [True] * ROWS
    assert sm2.verify_batch(of([PUBLIC[0].to_bytes()] * ROWS), of(messages), of(signatures)) == [True] * ROWS
    assert sm3.digest_batch(of(messages)) == [sm3.digest(message) for message in messages]
    made = sm2.sign_batch(KEYS[0], of(messages), form="raw")
    assert sm2.verify_batch(PUBLIC[0], messages, made) == [True] * ROWS


def test_numpy_values_that_are_filled_with_zeros() -> None:
    """Dtype S makes b"a" of b"a\\0" and the other way about. What is meant has to be said."""
    messages = np.array([b"a", b"bc"])
    assert messages.dtype == "S2"
    calls: dict[str, Any] = {
        "messages": lambda array: sm2.sign_batch(KEYS[0], array),
        "ids": lambda array: sm2.sign_batch(KEYS[0], b"m", array),
        "keys": lambda array: sm2.verify_batch(array, b"m", b"x"),
        "signatures": lambda array: sm2.verify_batch(PUBLIC[0], b"m", array),
        "identities": lambda array: sm9.extract_signing_batch(sm9.MasterSigningKey.generate(), array),
    }
    for name, call in calls.items():
        with pytest.raises(TypeError, match=rf'{name}.view\("V2"\) where all bytes count, or {name}.tolist\(\)'):
            call(messages)
    assert sm3.digest_batch(messages.view("V2")) == [sm3.digest(b"a\0"), sm3.digest(b"bc")]
    assert sm3.digest_batch(messages.tolist()) == [sm3.digest(b"a"), sm3.digest(b"bc")]


def test_numpy_arrays_of_other_things() -> None:
    for wrong in (np.zeros(3), np.zeros((2, 2), "i4"), np.zeros((2, 2, 2), "u1"), np.array(["text"])):
        with pytest.raises(TypeError, match="NumPy array of bytes"):
            sm3.digest_batch(wrong)
