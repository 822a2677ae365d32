"""What the programs of `test_any_arguments.py` begin with: an object of each class, and bytes that fit an argument."""

from __future__ import annotations

from typing import Any

import kuaimi
from kuaimi import serialization

KEY = kuaimi.sm2.SM2PrivateKey.from_bytes(bytes(31) + b"\7")
MASTER_SIGNING = kuaimi.sm9.MasterSigningKey.from_bytes(bytes(31) + b"\7")
MASTER_ENCRYPTION = kuaimi.sm9.MasterEncryptionKey.from_bytes(bytes(31) + b"\7")
SIGNING, DECRYPTION, EXCHANGE = MASTER_SIGNING.extract("alice"), MASTER_ENCRYPTION.extract("bob"), MASTER_ENCRYPTION.extract_exchange("bob")
INITIATOR = kuaimi.sm2.KeyExchangeInitiator(KEY, KEY.public_key())
STARTS: list[Any] = [
    b"a message",
    KEY,
    KEY.public_key(),
    MASTER_SIGNING,
    MASTER_SIGNING.public_key(),
    MASTER_ENCRYPTION,
    MASTER_ENCRYPTION.public_key(),
    SIGNING,
    SIGNING.verifying_key(),
    DECRYPTION,
    DECRYPTION.encryption_key(),
    EXCHANGE,
    kuaimi.sm4.SM4GCM(bytes(16)),
    kuaimi.sm4.SM4CCM(bytes(16)),
    kuaimi.sm4.CTR(bytes(16)),
    kuaimi.sm4.ECB(),
]


def starts_that_change() -> list[Any]:
    return [
        kuaimi.sm9.MessageHash(b"a message"),
        kuaimi.sm3.new(),
        kuaimi.sm3.HMAC(b"key"),
        kuaimi.sm2.KeyExchangeInitiator.from_bytes(INITIATOR.to_bytes(), KEY),
        kuaimi.sm2.KeyExchangeResponder(KEY, KEY.public_key()),
        kuaimi.sm9.KeyExchangeInitiator(EXCHANGE, "bob"),
        kuaimi.sm9.KeyExchangeResponder(EXCHANGE, "bob"),
    ]


PEM, PKCS8 = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
SMALL = serialization.PasswordEncryption(b"password", iterations=10)
SPKI = serialization.PublicFormat.SubjectPublicKeyInfo
POINT = kuaimi.sm9.MasterEncryptionKey.generate().public_key().encryption_key("bob").encapsulate(16)[1]
# Bytes for arguments whose call and name are so.
SAMPLES: list[tuple[str, bytes]] = [
    ("*(password)", b"password"),
    ("sm2.*(signature)", KEY.sign(b"a message")),
    ("sm9.*(signature)", SIGNING.sign(b"a message")),
    ("sm2.*(ciphertext)", KEY.public_key().encrypt(b"a message")),
    ("sm2.decrypt_stream(source)", KEY.public_key().encrypt(b"a message")),
    ("sm9.*(ciphertext)", DECRYPTION.encryption_key().encrypt(b"a message")),
    ("sm9.decrypt_stream(source)", DECRYPTION.encryption_key().encrypt(b"a message", form="raw")),
    ("sm2.load*private*(data)", KEY.private_bytes(PEM, PKCS8, SMALL)),
    ("sm2.load*private*(data)", KEY.private_bytes(serialization.Encoding.DER, PKCS8)),
    ("sm2.load*public*(data)", KEY.public_key().public_bytes(PEM, SPKI)),
    ("sm2.load*public*(data)", KEY.public_key().public_bytes(serialization.Encoding.DER, SPKI)),
    ("sm2.SM2PrivateKey.open_enveloped_key(data)", KEY.to_enveloped_key(KEY.public_key())),
    ("sm2.SM2PublicKey.from_bytes(data)", KEY.public_key().to_bytes()),
    ("sm2.KeyExchangeInitiator.from_bytes(state)", INITIATOR.to_bytes()),
    ("*sm2*(point)", KEY.public_key().to_bytes()),
    ("sm2.*(point)", INITIATOR.point or b""),
    ("*sm9*(point)", POINT),
    ("*(encapsulated)", POINT),
    ("*(digest)", bytes(32)),
    ("sm2.SM2PublicKey.verify_digest(signature)", KEY.sign_digest(bytes(32))),
    ("*(confirmation)", bytes(32)),
    ("*(code)", kuaimi.sm3.hmac_digest(b"key", b"")),
    ("sm4.*(key)", bytes(16)),
    ("sm4.*(nonce)", bytes(12)),
    ("sm4.CTR(nonce)", bytes(16)),
    ("sm4.decrypt(data)", bytes(32)),
    ("sm4.SM4GCM.decrypt(data)", kuaimi.sm4.SM4GCM(bytes(16)).encrypt(bytes(12), b"a message")),
    ("sm4.SM4CCM.decrypt(data)", kuaimi.sm4.SM4CCM(bytes(16)).encrypt(bytes(12), b"a message")),
    ("*(associated_data)", b""),
    ("*(iv)", bytes(16)),
    ("*(initialization_vector)", bytes(16)),
    ("*(tweak)", bytes(16)),
    ("sm2.SM2PrivateKey.from_bytes(data)", bytes(31) + b"\7"),
    ("hazmat.*([kr])", bytes(31) + b"\7"),
]
SAMPLES += [(f"sm9.{type(key).__name__}.load(data)", key.private_bytes(PEM, PKCS8, SMALL)) for key in (MASTER_SIGNING, MASTER_ENCRYPTION, SIGNING, DECRYPTION, EXCHANGE)]
SAMPLES += [(f"sm9.{type(key).__name__}.load(data)", key.public_bytes(PEM, SPKI)) for key in (MASTER_SIGNING.public_key(), MASTER_ENCRYPTION.public_key())]
SAMPLES += [(f"sm9.{type(key).__name__}.from_bytes(data)", key.to_bytes()) for key in STARTS if type(key).__module__ == "kuaimi.sm9" and hasattr(key, "to_bytes")]
SAMPLES += [(f"sm9.{type(key).__name__}.with_tables(data)", key.tables_to_bytes()) for key in (SIGNING, DECRYPTION, EXCHANGE)]
WORDS = ["der", "raw", "hex", "base64", "auto", "text", "list", "arrow", "", "\ud800", "a" * 9000]
WAYS: dict[str, list[Any]] = {
    "encoding": list(serialization.Encoding),
    "format": [*serialization.PrivateFormat, *serialization.PublicFormat],
    "encryption_algorithm": [serialization.NoEncryption(), SMALL],
}
