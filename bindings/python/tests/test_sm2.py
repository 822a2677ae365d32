"""SM2: round trips, forms, refusals."""

import itertools
import re
import subprocess

import pytest

import kuaimi
from kuaimi import sm2, sm3
from kuaimi.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PasswordEncryption,
    PrivateFormat,
    PublicFormat,
)

KEY = sm2.SM2PrivateKey.generate()
PUBLIC = KEY.public_key()


@pytest.mark.parametrize("id", [None, "", "alice@example.com", "爱丽丝", b"\x00\xff", b"x" * 8191])
@pytest.mark.parametrize("form", ["der", "raw"])
@pytest.mark.parametrize("length", [0, 1, 55, 5000])
def test_signatures(id: str | bytes | None, form: sm2.SignatureForm, length: int) -> None:
    message = bytes(range(256)) * 20
    message = message[:length]
    signature = KEY.sign(message, id, form=form)
    for key in (sm2.SM2PublicKey.from_bytes(PUBLIC.to_bytes()), PUBLIC.prepare()):
        key.verify(signature, message, id)
        key.verify(signature, message, id, form=form)
        other: sm2.SignatureForm = "raw" if form == "der" else "der"
        for wrong in (
            lambda: key.verify(signature, message + b"x", id),
            lambda: key.verify(signature, message, "another"),
            lambda: key.verify(signature, message, id, form=other),
            lambda: key.verify(signature[:-1], message, id),
            lambda: key.verify(b"", message, id),
            lambda: sm2.SM2PrivateKey.generate().public_key().verify(signature, message, id),
        ):
            with pytest.raises(kuaimi.InvalidSignature):
                wrong()
    assert KEY.sign(message, id) != KEY.sign(message, id)
    deterministic = KEY.sign(message, id, deterministic=True)
    assert deterministic == KEY.sign(message, id, deterministic=True)
    PUBLIC.verify(deterministic, message, id)


def test_the_usual_identity() -> None:
    assert sm2.DEFAULT_ID == b"1234567812345678"
    PUBLIC.verify(KEY.sign(b"m"), b"m", b"1234567812345678")
    with pytest.raises(kuaimi.InvalidSignature):
        PUBLIC.verify(KEY.sign(b"m"), b"m", "")
    with pytest.raises(kuaimi.InvalidArgument, match="8191"):
        KEY.sign(b"m", b"x" * 8192)
    with pytest.raises(kuaimi.InvalidArgument, match="8191"):
        PUBLIC.verify(KEY.sign(b"m"), b"m", b"x" * 8192)


def test_digests_and_recovery() -> None:
    hash = KEY.message_hash("alice")
    hash.update(b"a message")
    signature = KEY.sign_digest(hash.digest())
    PUBLIC.verify(signature, b"a message", "alice")
    PUBLIC.verify_digest(signature, hash.digest())
    signature, recovery_id = KEY.sign_digest_recoverable(hash.digest(), form="raw")
    assert sm2.SM2PublicKey.recover(hash.digest(), signature, recovery_id) == PUBLIC
    with pytest.raises(kuaimi.InvalidArgument, match="0, 1, 2 or 3"):
        sm2.SM2PublicKey.recover(hash.digest(), signature, 4)
    for call in (KEY.sign_digest, KEY.sign_digest_recoverable, lambda digest: PUBLIC.verify_digest(signature, digest)):
        with pytest.raises(kuaimi.InvalidArgument, match="32 bytes, not 31"):
            call(bytes(31))


FORMS: list[sm2.CiphertextForm] = ["c1c3c2", "c1c2c3", "bare-c1c3c2", "bare-c1c2c3", "der"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("length", [1, 2, 31, 32, 33, 70000])
def test_encryption(form: sm2.CiphertextForm, length: int) -> None:
    message = bytes(7 * i & 255 for i in range(length))
    for key in (sm2.SM2PublicKey.from_bytes(PUBLIC.to_bytes()), PUBLIC.prepare()):
        ciphertext = key.encrypt(message, form)
        assert KEY.decrypt(ciphertext) == KEY.decrypt(ciphertext, form) == message
        assert form in sm2.detect_ciphertext(ciphertext)
        for other in FORMS:
            assert KEY.decrypt(sm2.convert_ciphertext(ciphertext, form, other), other) == message
        for place in (0, 1, len(ciphertext) // 2, len(ciphertext) - 1):
            altered = bytearray(ciphertext)
            altered[place] ^= 1
            with pytest.raises(kuaimi.DecryptionFailed):
                KEY.decrypt(altered)
        with pytest.raises(kuaimi.DecryptionFailed):
            sm2.SM2PrivateKey.generate().decrypt(ciphertext)


def test_one_failure_for_every_cause() -> None:
    """A decryption does not say what is wrong."""
    good = PUBLIC.encrypt(b"a secret")
    causes = [b"", b"x", good[:-1], good + b"x", b"\x04" + bytes(104), b"\x30\x03\x02\x01\x01", good[:65] + bytes(40)]
    messages = set()
    for form, cause in itertools.product([None, *FORMS, "der-lenient"], causes):
        with pytest.raises(kuaimi.DecryptionFailed) as failure:
            KEY.decrypt(cause, form)  # type: ignore[arg-type]
        messages.add(str(failure.value))
    assert len(messages) == 1


def test_nothing_to_encrypt() -> None:
    with pytest.raises(kuaimi.InvalidArgument, match="empty"):
        PUBLIC.encrypt(b"")
    with pytest.raises(kuaimi.InvalidArgument, match="c1c3c2"):
        PUBLIC.encrypt(b"x", "c3c2c1")  # type: ignore[arg-type]


def test_key_exchange() -> None:
    alice, bob = KEY, sm2.SM2PrivateKey.generate()
    initiator = sm2.KeyExchangeInitiator(alice, bob.public_key(), "alice", "bob")
    assert initiator.point is not None
    point = initiator.point
    initiator = sm2.KeyExchangeInitiator.from_bytes(initiator.to_bytes(), alice)
    assert initiator.point is None
    responder = sm2.KeyExchangeResponder(bob, alice.public_key(), "bob", "alice")
    answer = responder.respond(point, 48)
    key, confirmation = initiator.finish(*answer, 48)
    assert responder.confirm(confirmation) == key and len(key) == 48
    for again in (
        lambda: initiator.finish(*answer, 48),
        lambda: initiator.to_bytes(),
        lambda: responder.respond(point, 48),
        lambda: responder.confirm(confirmation),
        lambda: responder.key_unconfirmed(),
    ):
        with pytest.raises(kuaimi.AlreadyFinalized):
            again()

    initiator = sm2.KeyExchangeInitiator(alice, bob.public_key(), "alice", "mallory")
    responder = sm2.KeyExchangeResponder(bob, alice.public_key(), "bob", "alice")
    assert initiator.point is not None
    with pytest.raises(kuaimi.ExchangeFailed):
        initiator.finish(*responder.respond(initiator.point, 16), 16)
    with pytest.raises(kuaimi.ExchangeFailed):
        responder.confirm(bytes(32))


def test_enveloped_keys() -> None:
    recipient = sm2.SM2PrivateKey.generate()
    envelope = KEY.to_enveloped_key(recipient.public_key())
    assert recipient.open_enveloped_key(envelope) == KEY
    with pytest.raises(kuaimi.Error):
        KEY.open_enveloped_key(envelope)


PRIVATE = [
    (Encoding.PEM, PrivateFormat.PKCS8),
    (Encoding.DER, PrivateFormat.PKCS8),
    (Encoding.PEM, PrivateFormat.TraditionalOpenSSL),
    (Encoding.DER, PrivateFormat.TraditionalOpenSSL),
    (Encoding.Raw, PrivateFormat.Raw),
]


@pytest.mark.parametrize(("encoding", "format"), PRIVATE)
def test_private_keys_in_files(encoding: Encoding, format: PrivateFormat) -> None:
    data = KEY.private_bytes(encoding, format, NoEncryption())
    assert data == KEY.private_bytes(encoding, format)
    assert sm2.load_private_key(data) == KEY
    assert sm2.load_private_key(data, b"not needed") == KEY
    loaders = {sm2.load_pem_private_key: Encoding.PEM, sm2.load_der_private_key: Encoding.DER}
    for load, wanted in loaders.items():
        if wanted is encoding:
            assert load(data, None) == KEY
        else:
            with pytest.raises(kuaimi.FormatError, match=r"not in (PEM|DER)"):
                load(data, None)
    with pytest.raises(kuaimi.FormatError, match="private key"):
        sm2.load_public_key(data) if encoding is not Encoding.Raw else sm2.load_public_key(KEY.private_bytes(*PRIVATE[0]))


def test_passwords() -> None:
    quick = {"cipher": "AES-128-CBC", "prf": "HMAC-SHA-256", "iterations": 1000}
    for encoding in (Encoding.PEM, Encoding.DER):
        for encryption in (
            BestAvailableEncryption(b"secret"),
            PasswordEncryption(b"secret", **quick),  # type: ignore[arg-type]
            PasswordEncryption(b"secret", scrypt=(10, 8, 1)),
        ):
            data = KEY.private_bytes(encoding, PrivateFormat.PKCS8, encryption)
            assert sm2.load_private_key(data, b"secret") == KEY
            assert "secret" not in repr(encryption)
            with pytest.raises(kuaimi.WrongPassword):
                sm2.load_private_key(data, b"Secret")
            with pytest.raises(kuaimi.PasswordNeeded):
                sm2.load_private_key(data)
    with pytest.raises(kuaimi.InvalidArgument, match="empty"):
        KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b""))
    with pytest.raises(kuaimi.InvalidArgument, match="PKCS#8"):
        KEY.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, BestAvailableEncryption(b"x"))
    with pytest.raises(kuaimi.InvalidArgument, match="SM4-CBC"):
        KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, PasswordEncryption(b"x", cipher="DES"))
    with pytest.raises(TypeError, match="NoEncryption"):
        KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, b"a password")  # type: ignore[arg-type]


def test_public_keys_in_files() -> None:
    spki = PublicFormat.SubjectPublicKeyInfo
    pem, der = PUBLIC.public_bytes(Encoding.PEM, spki), PUBLIC.public_bytes(Encoding.DER, spki)
    assert sm2.load_pem_public_key(pem) == sm2.load_der_public_key(der) == PUBLIC
    for wrong in (lambda: sm2.load_pem_public_key(der), lambda: sm2.load_der_public_key(pem)):
        with pytest.raises(kuaimi.FormatError):
            wrong()
    points = [
        PUBLIC.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint),
        PUBLIC.public_bytes(Encoding.X962, PublicFormat.CompressedPoint),
        PUBLIC.public_bytes(Encoding.Raw, PublicFormat.Raw),
    ]
    assert [len(point) for point in points] == [65, 33, 64]
    for data in [pem, der, *points, points[0].hex().encode()]:
        assert sm2.load_public_key(data) == PUBLIC
    for point in points:
        assert sm2.SM2PublicKey.from_bytes(point) == PUBLIC
        with pytest.raises(kuaimi.FormatError):
            sm2.SM2PublicKey.from_bytes(point[:-1] + bytes([point[-1] ^ 1]) + b"x")
    with pytest.raises(kuaimi.FormatError, match="curve"):
        sm2.SM2PublicKey.from_bytes(b"\x04" + bytes(63) + b"\x01")
    with pytest.raises(kuaimi.InvalidArgument, match="no form"):
        PUBLIC.public_bytes(Encoding.DER, PublicFormat.Raw)
    with pytest.raises(TypeError, match="kuaimi.serialization"):
        PUBLIC.public_bytes("PEM", spki)  # type: ignore[arg-type]


def test_openssl_reads_and_writes_the_same_files(tmp_path: object) -> None:
    pem = KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8)
    run = subprocess.run(["openssl", "pkey", "-pubout"], input=pem, capture_output=True, check=True)
    assert sm2.load_pem_public_key(run.stdout) == PUBLIC
    encrypted = KEY.private_bytes(
        Encoding.PEM,
        PrivateFormat.PKCS8,
        PasswordEncryption(b"secret", cipher="AES-256-CBC", prf="HMAC-SHA-256", iterations=2048),
    )
    run = subprocess.run(
        ["openssl", "pkey", "-passin", "pass:secret"], input=encrypted, capture_output=True, check=True
    )
    assert sm2.load_pem_private_key(run.stdout, None) == KEY
    run = subprocess.run(["openssl", "genpkey", "-algorithm", "SM2"], capture_output=True, check=True)
    sm2.load_pem_private_key(run.stdout, None)


@pytest.mark.parametrize("number", [0, 2**256 - 1, 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54122])
def test_numbers_that_are_no_keys(number: int) -> None:
    with pytest.raises(kuaimi.FormatError, match="out of range"):
        sm2.SM2PrivateKey.from_bytes(number.to_bytes(32, "big"))


def test_tables_are_made_at_the_second_use() -> None:
    key = sm2.SM2PrivateKey.generate()
    signature = key.sign(b"m")
    public_key = key.public_key()
    public_key.verify(signature, b"m")
    assert not public_key.is_prepared
    # Also under another identity, and by encrypting: the key has one table, and so has the private key.
    key.public_key().encrypt(b"m")
    assert public_key.is_prepared and key.public_key().is_prepared
    public_key.verify(key.sign(b"m", "work"), b"m", "work")

    kuaimi.set_table_limit(0)
    try:
        public_key = sm2.SM2PublicKey.from_bytes(public_key.to_bytes())
        for _ in range(5):
            public_key.verify(signature, b"m")
        assert not public_key.is_prepared
        assert public_key.prepare() is public_key and public_key.is_prepared
        public_key.verify(signature, b"m")
    finally:
        kuaimi.set_table_limit(16 << 20)
    with pytest.raises(OverflowError):
        kuaimi.set_table_limit(-1)


def test_why_a_signature_does_not_fit() -> None:
    """explain=True says what people get wrong. The exception, and what fits, stay the same."""
    key = sm2.SM2PrivateKey.generate()
    public_key, message = key.public_key(), b"a message"
    for signature, words in {
        key.sign(message, ""): "identity",
        key.sign(message + b"\n"): "line feed",
        key.sign(message.hex().encode()): "hexadecimal",
        key.sign_digest(sm3.digest(message)): "SM3",
    }.items():
        with pytest.raises(kuaimi.InvalidSignature, match=rf"^the signature does not fit this message, key and identity; it fits .*{words}"):
            public_key.verify(signature, message, explain=True)
        with pytest.raises(kuaimi.InvalidSignature, match="^the signature does not fit this message, key and identity$"):
            public_key.verify(signature, message)
    public_key.verify(key.sign(message), bytearray(message), explain=True)
    raw = key.sign_digest(bytes(32), form="raw")
    with pytest.raises(kuaimi.InvalidSignature, match="r and s swapped"):
        public_key.verify_digest(raw[32:] + raw[:32], bytes(32), explain=True)
    with pytest.raises(kuaimi.InvalidSignature, match="identity$"):
        public_key.verify(sm2.SM2PrivateKey.generate().sign(message), message, explain=True)


def test_what_is_no_signature_says_why() -> None:
    """The class is that of a signature that does not fit, and the reason is the library's."""
    public_key, der = sm2.SM2PrivateKey.generate().public_key(), bytes.fromhex("3006020101020101")
    negative = bytes.fromhex("30060201ff020101")
    for wrong, form in ((bytes(128), None), (negative, None), (bytes(64), "der"), (der, "raw"), (b"", None)):
        with pytest.raises(kuaimi.InvalidSignature) as verified:
            public_key.verify(wrong, b"a message", form=form)
        with pytest.raises(kuaimi.FormatError) as converted:
            sm2.convert_signature(wrong, "raw", form)
        assert str(verified.value) == str(converted.value) and "does not fit" not in str(verified.value)
        with pytest.raises(kuaimi.InvalidSignature, match=re.escape(str(converted.value))):
            public_key.verify_digest(wrong, bytes(32), form=form)
