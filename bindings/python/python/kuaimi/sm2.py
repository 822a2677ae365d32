"""SM2 (GB/T 32918-2016): signatures, encryption and key exchange on an elliptic curve, with SM3.

An identity is text or at most 8191 bytes; where none is given, it is DEFAULT_ID, as in most programs.

>>> import kuaimi.sm2
>>> key = kuaimi.sm2.SM2PrivateKey.generate()
>>> public_key = key.public_key()
>>> public_key.verify(key.sign(b"a message", id="alice"), b"a message", id="alice")
>>> key.decrypt(public_key.encrypt(b"a secret"))
b'a secret'
"""

from __future__ import annotations

from . import _files
from ._native.batch import (
    ArrowColumn,
    sm2_decrypt_batch as decrypt_batch,
    sm2_diffie_hellman_batch as diffie_hellman_batch,
    sm2_encrypt_batch as encrypt_batch,
    sm2_generate_batch as generate_batch,
    sm2_recover_batch as recover_batch,
    sm2_sign_batch as sign_batch,
    sm2_verify_batch as verify_batch,
)
from ._native.sm2 import (
    KeyExchangeInitiator,
    KeyExchangeResponder,
    SM2PrivateKey,
    SM2PublicKey,
    convert_ciphertext,
    convert_signature,
    decrypt_stream,
    detect_ciphertext,
    encrypt_stream,
    identity_digest,
    load_der_private_key,
    load_der_public_key,
    load_pem_private_key,
    load_pem_public_key,
    load_private_key,
    load_public_key,
)
from ._types import CiphertextForm, Identity, ReadCiphertextForm, ReadSignatureForm, SignatureForm

__all__ = [
    "DEFAULT_ID",
    "ArrowColumn",
    "KeyExchangeInitiator",
    "KeyExchangeResponder",
    "SM2PrivateKey",
    "SM2PublicKey",
    "convert_ciphertext",
    "convert_signature",
    "decrypt_batch",
    "decrypt_file",
    "detect_ciphertext",
    "diffie_hellman_batch",
    "encrypt_batch",
    "encrypt_file",
    "generate_batch",
    "identity_digest",
    "load_der_private_key",
    "load_der_public_key",
    "load_pem_private_key",
    "load_pem_public_key",
    "load_private_key",
    "load_public_key",
    "recover_batch",
    "sign_batch",
    "sign_file",
    "verify_batch",
    "verify_file",
]

DEFAULT_ID = b"1234567812345678"
"""The identity where none is given (GM/T 0009)."""


def sign_file(
    key: SM2PrivateKey,
    file: _files.Source,
    id: Identity | None = None,
    *,
    form: SignatureForm = "der",
    deterministic: bool = False,
) -> bytes:
    """Signs a file of any size: a path, or an object opened in binary mode. The signature is that of its bytes by key.sign.

    >>> import io
    >>> key = SM2PrivateKey.generate()
    >>> key.public_key().verify(sign_file(key, io.BytesIO(b"a message")), b"a message")
    """
    hash = key.message_hash(id)
    _files.update(hash, file)
    return key.sign_digest(hash.digest(), form=form, deterministic=deterministic)


def verify_file(
    key: SM2PublicKey,
    signature: bytes,
    file: _files.Source,
    id: Identity | None = None,
    *,
    form: ReadSignatureForm | None = None,
) -> None:
    """Returns if the signature is the key's over a file of any size: a path, or an object opened in binary mode.

    Raises InvalidSignature if not.

    >>> import io
    >>> key = SM2PrivateKey.generate()
    >>> verify_file(key.public_key(), key.sign(b"a message"), io.BytesIO(b"a message"))
    """
    hash = key.message_hash(id)
    _files.update(hash, file)
    key.verify_digest(signature, hash.digest(), form=form)


def encrypt_file(
    key: SM2PublicKey,
    source: _files.Source,
    target: _files.Target,
    form: CiphertextForm = "c1c3c2",
) -> int:
    """Encrypts a file of any size in a few megabytes of memory; returns the length of the message.

    Source and target are paths, or objects opened in binary mode. A target that cannot seek takes "c1c2c3" and "bare-c1c2c3" alone, as the
    others have the digest before the message. A target that is a path appears when it is whole.

    >>> import io
    >>> key, target = SM2PrivateKey.generate(), io.BytesIO()
    >>> encrypt_file(key.public_key(), io.BytesIO(b"a secret"), target)
    8
    >>> key.decrypt(target.getvalue())
    b'a secret'
    """
    with _files.reading(source) as read, _files.writing(target) as written:
        length = _files.length(read)
        return encrypt_stream(key, read, written, form, length, _files.seekable(written))


def decrypt_file(
    key: SM2PrivateKey,
    source: _files.Source,
    target: _files.Target,
    form: CiphertextForm | None = None,
) -> int:
    """Decrypts a file of any size in a few megabytes of memory; returns the length of the message.

    The source is read twice, so it must be a path or an object that can seek. Nothing is written before all of it was authenticated.

    Raises DecryptionFailed, whatever is wrong.

    >>> import io
    >>> key, target = SM2PrivateKey.generate(), io.BytesIO()
    >>> decrypt_file(key, io.BytesIO(key.public_key().encrypt(b"a secret")), target)
    8
    """
    with _files.reading(source) as read, _files.writing(target) as written:
        return decrypt_stream(key, read, written, form)
