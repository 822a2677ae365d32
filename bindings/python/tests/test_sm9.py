"""SM9: round trips, forms, tables, refusals."""

import itertools
from typing import Any

import pytest

import kuaimi
from kuaimi import sm9
from kuaimi.serialization import Encoding, PasswordEncryption, PrivateFormat, PublicFormat

SIGNING, ENCRYPTION = sm9.MasterSigningKey.generate(), sm9.MasterEncryptionKey.generate()
ALICE, BOB = SIGNING.extract("alice@example.com"), ENCRYPTION.extract("bob@example.com")
CAROL = ENCRYPTION.extract_exchange(b"carol")
QUICK = PasswordEncryption(b"secret", iterations=1000)


def test_signatures() -> None:
    verifier = SIGNING.public_key().verifying_key("alice@example.com")
    for key, check, form in itertools.product((SIGNING.extract("alice@example.com"), ALICE.prepare()), (verifier, ALICE.verifying_key().prepare()), ("der", "raw")):
        signature = key.sign(b"a message", form=form)  # type: ignore[arg-type]
        assert len(signature) == {"der": 104, "raw": 96}[form]
        check.verify(signature, b"a message")
        check.verify_hash(signature, sm9.MessageHash(b"a message"), form=form)  # type: ignore[arg-type]
        for wrong in (
            lambda: check.verify(signature, b"another"),
            lambda: check.verify(signature[:-1], b"a message"),
            lambda: check.verify(b"", b"a message"),
            lambda: SIGNING.public_key().verifying_key("bob").verify(signature, b"a message"),
            lambda: SIGNING.public_key().verifying_key("alice@example.com", 9).verify(signature, b"a message"),
            lambda: sm9.MasterSigningKey.generate().public_key().verifying_key("alice@example.com").verify(signature, b"a message"),
        ):
            with pytest.raises(kuaimi.InvalidSignature):
                wrong()
    other = SIGNING.extract("alice@example.com", hid=9)
    assert other.hid == 9 and other != ALICE
    other.verifying_key().verify(other.sign(b"m"), b"m")


@pytest.mark.parametrize("mode", ["stream", "ecb", "cbc", "ofb", "cfb"])
@pytest.mark.parametrize("mac", ["sm3", "hmac-sm3"])
@pytest.mark.parametrize("form", ["der", "raw"])
def test_encryption(mode: Any, mac: Any, form: Any) -> None:
    recipient = ENCRYPTION.public_key().encryption_key("bob@example.com")
    for length in (1, 16, 5000):
        message = bytes(length)
        for sender, key in itertools.product((recipient, BOB.encryption_key().prepare()), (ENCRYPTION.extract("bob@example.com"), BOB.prepare())):
            ciphertext = sender.encrypt(message, mode=mode, mac=mac, form=form)
            assert key.decrypt(ciphertext, mode=mode, mac=mac) == message
            assert key.decrypt(ciphertext, mode=mode, mac=mac, form=form) == message
            for place in (0, 70, len(ciphertext) - 1):
                altered = bytearray(ciphertext)
                altered[place] ^= 1
                with pytest.raises(kuaimi.DecryptionFailed):
                    key.decrypt(altered, mode=mode, mac=mac, form=form)
    for wrong in (
        lambda: ENCRYPTION.extract("alice").decrypt(ciphertext, mode=mode, mac=mac),
        lambda: BOB.decrypt(ciphertext, mode=mode, mac="sm3" if mac == "hmac-sm3" else "hmac-sm3"),
        lambda: BOB.decrypt(b""),
    ):
        with pytest.raises(kuaimi.DecryptionFailed):
            wrong()
    with pytest.raises(kuaimi.InvalidArgument, match="empty"):
        recipient.encrypt(b"")
    with pytest.raises(kuaimi.InvalidArgument, match="stream"):
        recipient.encrypt(b"x", mode="xts")  # type: ignore[arg-type]


def test_encapsulation() -> None:
    recipient = ENCRYPTION.public_key().encryption_key("bob@example.com")
    for sender, key in itertools.product((recipient, BOB.encryption_key().prepare()), (ENCRYPTION.extract("bob@example.com"), BOB.prepare())):
        for length in (1, 16, 100):
            shared, point = sender.encapsulate(length)
            assert key.decapsulate(point, length) == key.decapsulate(b"\x04" + point, length) == shared
            # A key of one byte may be the same; or zero, which is refused.
            assert length == 1 or ENCRYPTION.extract("alice").decapsulate(point, length) != shared
    with pytest.raises(kuaimi.DecryptionFailed):
        BOB.decapsulate(bytes(64), 16)
    with pytest.raises(kuaimi.InvalidArgument):
        recipient.encapsulate(0)


def test_key_exchange() -> None:
    dave = ENCRYPTION.extract_exchange("dave").prepare()
    initiator, responder = sm9.KeyExchangeInitiator(CAROL, "dave"), sm9.KeyExchangeResponder(dave, "carol")
    answer = responder.respond(initiator.point, 16)
    key, confirmation = initiator.finish(*answer, 16)
    assert responder.confirm(confirmation) == key
    with pytest.raises(kuaimi.AlreadyFinalized):
        initiator.finish(*answer, 16)
    initiator, responder = sm9.KeyExchangeInitiator(CAROL, "dave"), sm9.KeyExchangeResponder(dave, "mallory")
    with pytest.raises(kuaimi.ExchangeFailed):
        initiator.finish(*responder.respond(initiator.point, 16), 16)


@pytest.mark.parametrize("key", [ALICE, BOB, CAROL], ids=["signing", "decryption", "exchange"])
def test_tables(key: Any) -> None:
    tables = key.tables_to_bytes()
    assert key.prepare() is key and key.is_prepared
    read = key.with_tables(tables)
    assert read == key and read.is_prepared and read.tables_to_bytes() == tables
    for altered in (b"", tables[:-1], tables + b"x", tables[:50] + bytes([tables[50] ^ 1]) + tables[51:]):
        with pytest.raises(kuaimi.FormatError, match="prepare the key again"):
            key.with_tables(altered)
    other = (SIGNING.extract if key is ALICE else ENCRYPTION.extract if key is BOB else ENCRYPTION.extract_exchange)("eve")
    with pytest.raises(kuaimi.FormatError, match="belongs to another key"):
        other.with_tables(tables)


@pytest.mark.parametrize("key", [SIGNING, ENCRYPTION], ids=["signing", "encryption"])
def test_master_keys_in_files(key: Any) -> None:
    public_key, kind = key.public_key(), type(key)
    assert kind.from_bytes(key.to_bytes()) == key
    for encoding in (Encoding.PEM, Encoding.DER):
        assert kind.load(key.private_bytes(encoding, PrivateFormat.PKCS8)) == key
        encrypted = key.private_bytes(encoding, PrivateFormat.PKCS8, QUICK)
        assert kind.load(encrypted, b"secret") == key
        with pytest.raises(kuaimi.WrongPassword):
            kind.load(encrypted, b"another")
        with pytest.raises(kuaimi.PasswordNeeded):
            kind.load(encrypted)
        spki = public_key.public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo)
        assert type(public_key).load(spki) == public_key
        with pytest.raises(kuaimi.FormatError, match="master"):
            kind.load(spki)
    assert type(public_key).load(public_key.public_bytes(Encoding.PEM, PublicFormat.GmSSL)) == public_key
    assert key.private_bytes(Encoding.DER, PrivateFormat.GBT41389)[0] == 2
    assert public_key.public_bytes(Encoding.DER, PublicFormat.GBT41389)[0] == 3
    for form in (public_key.to_bytes(), public_key.to_bytes()[1:], public_key.public_bytes(Encoding.Raw, PublicFormat.Raw)):
        assert type(public_key).from_bytes(form) == public_key
    assert public_key.prepare() is public_key and public_key.is_prepared
    for wrong in (bytes(32), b"\xff" * 32):
        with pytest.raises(kuaimi.FormatError):
            kind.from_bytes(wrong)
    with pytest.raises(kuaimi.InvalidArgument, match="32 bytes, not 31"):
        kind.from_bytes(bytes(31))


@pytest.mark.parametrize("key", [ALICE, BOB, CAROL], ids=["signing", "decryption", "exchange"])
def test_users_keys_in_files(key: Any) -> None:
    kind, id = type(key), key.identity
    for encoding in (Encoding.PEM, Encoding.DER):
        assert kind.load(key.private_bytes(encoding, PrivateFormat.PKCS8), id) == key
        assert kind.load(key.private_bytes(encoding, PrivateFormat.PKCS8, QUICK), id, b"secret") == key
        with pytest.raises(kuaimi.FormatError, match="not made for this identity"):
            kind.load(key.private_bytes(encoding, PrivateFormat.PKCS8), "eve")
    assert kind.from_bytes(key.to_bytes(), id, key.master_public_key()) == key
    with pytest.raises(kuaimi.FormatError, match="not made for this identity"):
        kind.from_bytes(key.to_bytes(), "eve", key.master_public_key())


def test_empty_identities() -> None:
    for call in (SIGNING.extract, ENCRYPTION.extract, ENCRYPTION.extract_exchange, SIGNING.public_key().verifying_key):
        with pytest.raises(kuaimi.InvalidArgument, match="empty"):
            call("")
