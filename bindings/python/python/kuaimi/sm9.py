"""SM9 (GB/T 38635-2020): signatures, encryption and key exchange where a name is the public key.

A key generation centre has a master key and makes each user's key from it. Who verifies or encrypts needs the master public key and
the user's identity, text or bytes, and no certificate.

>>> import kuaimi.sm9
>>> signing, encryption = kuaimi.sm9.MasterSigningKey.generate(), kuaimi.sm9.MasterEncryptionKey.generate()
>>> signature = signing.extract("alice@example.com").sign(b"a message")
>>> signing.public_key().verifying_key("alice@example.com").verify(signature, b"a message")
>>> ciphertext = encryption.public_key().encryption_key("bob@example.com").encrypt(b"a secret")
>>> encryption.extract("bob@example.com").decrypt(ciphertext)
b'a secret'
"""

from __future__ import annotations

from . import _files
from ._native.batch import (
    sm9_extract_decryption_batch as extract_decryption_batch,
    sm9_extract_signing_batch as extract_signing_batch,
    sm9_verify_batch as verify_batch,
)
from ._native.sm9 import (
    DecryptionKey,
    EncryptionKey,
    ExchangeKey,
    KeyExchangeInitiator,
    KeyExchangeResponder,
    MasterEncryptionKey,
    MasterEncryptionPublicKey,
    MasterSigningKey,
    MasterSigningPublicKey,
    MessageHash,
    SigningKey,
    VerifyingKey,
    decrypt_stream,
    encrypt_stream,
)
from ._types import SM9Form, SM9Mac, SM9Mode

__all__ = [
    "DecryptionKey",
    "EncryptionKey",
    "ExchangeKey",
    "KeyExchangeInitiator",
    "KeyExchangeResponder",
    "MasterEncryptionKey",
    "MasterEncryptionPublicKey",
    "MasterSigningKey",
    "MasterSigningPublicKey",
    "MessageHash",
    "SigningKey",
    "VerifyingKey",
    "decrypt_file",
    "encrypt_file",
    "extract_decryption_batch",
    "extract_signing_batch",
    "sign_file",
    "verify_batch",
    "verify_file",
]


def sign_file(key: SigningKey, file: _files.Source, *, form: SM9Form = "der") -> bytes:
    """Signs a file of any size: a path, or an object opened in binary mode. The signature is that of its bytes by key.sign.

    >>> import io
    >>> key = MasterSigningKey.generate().extract("alice")
    >>> key.verifying_key().verify(sign_file(key, io.BytesIO(b"a message")), b"a message")
    """
    hash = MessageHash()
    _files.update(hash, file)
    return key.sign_hash(hash, form=form)


def verify_file(
    key: VerifyingKey, signature: bytes, file: _files.Source, *, form: SM9Form | None = None
) -> None:
    """Returns if the signature is this user's over a file of any size: a path, or an object opened in binary mode.

    Raises InvalidSignature if not.

    >>> import io
    >>> key = MasterSigningKey.generate().extract("alice")
    >>> verify_file(key.verifying_key(), key.sign(b"a message"), io.BytesIO(b"a message"))
    """
    hash = MessageHash()
    _files.update(hash, file)
    key.verify_hash(signature, hash, form=form)


def encrypt_file(
    key: EncryptionKey,
    source: _files.Source,
    target: _files.Target,
    *,
    mode: SM9Mode = "stream",
    mac: SM9Mac = "sm3",
    form: SM9Form = "der",
) -> int:
    """Encrypts a file of any size in a few megabytes of memory; returns the length of the message.

    Source and target are paths, or objects opened in binary mode. DER begins with the length, so the source must be a file then, or shorter
    than 64 KiB; and longer messages need a target that can seek. A target that is a path appears when it is whole.

    >>> import io
    >>> bob, target = MasterEncryptionKey.generate().extract("bob"), io.BytesIO()
    >>> encrypt_file(bob.encryption_key(), io.BytesIO(b"a secret"), target)
    8
    >>> bob.decrypt(target.getvalue())
    b'a secret'
    """
    with _files.reading(source) as read, _files.writing(target) as written:
        length, seekable = _files.length(read), _files.seekable(written)
        return encrypt_stream(key, read, written, mode, mac, form, length, seekable)


def decrypt_file(
    key: DecryptionKey,
    source: _files.Source,
    target: _files.Target,
    *,
    mode: SM9Mode = "stream",
    mac: SM9Mac = "sm3",
    form: SM9Form = "der",
) -> int:
    """Decrypts a file of any size in a few megabytes of memory; returns the length of the message.

    The source is read twice, so it must be a path or an object that can seek. Nothing is written before all of it was authenticated.

    Raises DecryptionFailed, whatever is wrong.

    >>> import io
    >>> bob, target = MasterEncryptionKey.generate().extract("bob"), io.BytesIO()
    >>> decrypt_file(bob, io.BytesIO(bob.encryption_key().encrypt(b"a secret")), target)
    8
    """
    with _files.reading(source) as read, _files.writing(target) as written:
        return decrypt_stream(key, read, written, mode, mac, form)
