"""The standards' examples, on every implementation that this machine can run."""

from collections.abc import Iterator

import pytest
from conftest import octets, vectors

import kuaimi
from kuaimi import sm2, sm3, sm4, sm9
from kuaimi._native import hazmat


@pytest.fixture(params=kuaimi.backends(), autouse=True)
def implementation(request: pytest.FixtureRequest) -> Iterator[None]:
    fastest = kuaimi.backend()
    kuaimi.set_backend(request.param)
    yield
    kuaimi.set_backend(fastest)


def test_sm3_and_sm4() -> None:
    examples = vectors("sm3_sm4")
    for example in examples["sm3"]:
        message, digest = bytes.fromhex(example["message"]), bytes.fromhex(example["digest"])
        assert sm3.digest(message) == digest
        assert sm3.digest_batch([message] * 20) == [digest] * 20
        assert sm3.Hash(message).digest() == digest
    for example in examples["sm4"]:
        block, key = bytes.fromhex(example["plaintext"]), bytes.fromhex(example["key"])
        for _ in range(min(example["rounds_applied"], 1)):
            assert sm4.decrypt(key, sm4.ECB(), sm4.encrypt(key, sm4.ECB(), block)) == block
        if example["rounds_applied"] == 1:
            assert sm4.encrypt(key, sm4.ECB(), block).hex().upper() == example["ciphertext"]


def test_sm2_signature() -> None:
    example = vectors("sm2")["signature"]
    key = sm2.SM2PrivateKey.from_bytes(octets(example["d"]))
    public_key = key.public_key()
    assert public_key.to_bytes()[1:].hex().upper() == example["px"] + example["py"]
    message, id = example["message_ascii"].encode(), example["id_ascii"]
    assert sm2.identity_digest(public_key, id).hex().upper() == example["z"]
    hash = public_key.message_hash()
    hash.update(message)
    assert hash.hexdigest().upper() == example["e"]
    signature = octets(example["r"]) + octets(example["s"])
    assert hazmat.sm2_sign(key, hash.digest(), octets(example["k"])) == signature
    public_key.verify(signature, message, id)
    public_key.prepare().verify(sm2.convert_signature(signature, "der"), message)
    assert sm2.verify_batch(public_key, [message] * 9 + [b"another"], signature) == [True] * 9 + [False]


def test_sm2_encryption() -> None:
    example = vectors("sm2")["encryption"]
    key = sm2.SM2PrivateKey.from_bytes(octets(example["d"]))
    message = example["message_ascii"].encode()
    c1, c3, c2 = (bytes.fromhex(example[part]) for part in ("c1", "c3", "c2"))
    forms = {
        "c1c3c2": c1 + c3 + c2,
        "c1c2c3": c1 + c2 + c3,
        "bare-c1c3c2": c1[1:] + c3 + c2,
        "bare-c1c2c3": c1[1:] + c2 + c3,
        "der": bytes.fromhex(example["der_gmt0009"]),
    }
    for form, ciphertext in forms.items():
        made = hazmat.sm2_encrypt(key.public_key(), message, octets(example["k"]), form)  # type: ignore[arg-type]
        assert made == ciphertext, form
        assert key.decrypt(ciphertext) == key.decrypt(ciphertext, form) == message  # type: ignore[arg-type]
    assert sm2.decrypt_batch(key, list(forms.values())) == [message] * len(forms)


def test_sm2_key_exchange() -> None:
    example = vectors("sm2")["key_exchange"]
    alice = sm2.SM2PrivateKey.from_bytes(octets(example["d_a"]))
    bob = sm2.SM2PrivateKey.from_bytes(octets(example["d_b"]))
    ids = example["id_a_ascii"], example["id_b_ascii"]
    r_a, r_b = bytes.fromhex(example["point_r_a"]), bytes.fromhex(example["point_r_b"])
    shared = bytes.fromhex(example["k_ab"])
    assert hazmat.sm2_exchange(alice, bob.public_key(), *ids, octets(example["r_a"]), r_b, 16, True) == (r_a, shared)
    assert hazmat.sm2_exchange(bob, alice.public_key(), *ids, octets(example["r_b"]), r_a, 16, False) == (r_b, shared)


def test_sm9_signature() -> None:
    example = vectors("sm9")["signature"]
    master = sm9.MasterSigningKey.from_bytes(octets(example["ks"]))
    public_key = master.public_key()
    assert public_key.to_bytes()[1:].hex().upper() == example["p_pub_s"]
    key = master.extract(example["id_ascii"])
    assert key.to_bytes().hex().upper() == example["ds"]
    message = example["message_ascii"].encode()
    signature = hazmat.sm9_sign(key, message, octets(example["r"]))
    assert signature.hex().upper() == example["h"] + example["s"]
    verifier = public_key.verifying_key(example["id_ascii"])
    verifier.verify(signature, message)
    verifier.prepare().verify(signature, message, form="raw")
    assert sm9.verify_batch(public_key, ["Alice", "Bob"], message, signature) == [True, False]


def test_sm9_key_exchange() -> None:
    example = vectors("sm9")["key_exchange"]
    master = sm9.MasterEncryptionKey.from_bytes(octets(example["ke"]))
    alice, bob = master.extract_exchange("Alice"), master.extract_exchange("Bob")
    assert (alice.to_bytes().hex().upper(), bob.to_bytes().hex().upper()) == (example["de_a"], example["de_b"])
    r_a, r_b = bytes.fromhex(example["point_r_a"]), bytes.fromhex(example["point_r_b"])
    shared = bytes.fromhex(example["sk"])
    assert hazmat.sm9_exchange(alice, "Bob", None, octets(example["r_a"]), r_b, 16, True) == (r_a, shared)
    assert hazmat.sm9_exchange(bob, "Alice", None, octets(example["r_b"]), r_a, 16, False)[1] == shared


def test_sm9_encapsulation_and_encryption() -> None:
    example = vectors("sm9")["key_encapsulation"]
    master = sm9.MasterEncryptionKey.from_bytes(octets(example["ke"]))
    bob = master.extract(example["id_ascii"])
    assert bob.to_bytes().hex().upper() == example["de"]
    key, c = hazmat.sm9_encapsulate(bob.encryption_key(), 32, octets(example["r"]))
    assert (key.hex().upper(), c.hex().upper()) == (example["k"], example["c"])
    assert bob.decapsulate(c, 32) == bob.prepare().decapsulate(c, 32) == key

    example = vectors("sm9")["encryption"]
    message = example["message_ascii"].encode()
    modes = {"stream": "stream_kdf", "ecb": "sm4_ecb_pkcs7"}
    for mode, name in modes.items():
        raw = hazmat.sm9_encrypt(bob.encryption_key(), message, octets(example["r"]), bytes(16), mode, "sm3")  # type: ignore[arg-type]
        assert raw.hex().upper() == example[name]["c1_c3_c2"]
        assert bob.decrypt(raw, mode=mode) == message  # type: ignore[arg-type]
