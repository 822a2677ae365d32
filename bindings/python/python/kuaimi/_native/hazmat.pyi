"""Nonces that the caller chooses, for kuaimi.compat and the standards' examples."""

from typing_extensions import Buffer

from .._types import CiphertextForm, Identity, SM9Mac, SM9Mode
from .sm2 import SM2PrivateKey, SM2PublicKey
from .sm9 import EncryptionKey, ExchangeKey, SigningKey

__all__ = [
    "sm2_encrypt",
    "sm2_exchange",
    "sm2_multiply",
    "sm2_sign",
    "sm9_encapsulate",
    "sm9_encrypt",
    "sm9_exchange",
    "sm9_sign",
]

def sm2_multiply(k: Buffer, point: Buffer) -> bytes: ...

def sm2_sign(key: SM2PrivateKey, digest: Buffer, k: Buffer) -> bytes: ...

def sm2_encrypt(key: SM2PublicKey, message: Buffer, k: Buffer, form: CiphertextForm) -> bytes: ...

def sm2_exchange(
    key: SM2PrivateKey,
    peer: SM2PublicKey,
    id: Identity,
    peer_id: Identity,
    r: Buffer,
    point: Buffer,
    length: int,
    begins: bool,
) -> tuple[bytes, bytes]: ...

def sm9_sign(key: SigningKey, message: Buffer, r: Buffer) -> bytes: ...

def sm9_encrypt(key: EncryptionKey, message: Buffer, r: Buffer, iv: Buffer, mode: SM9Mode, mac: SM9Mac) -> bytes: ...

def sm9_encapsulate(key: EncryptionKey, length: int, r: Buffer) -> tuple[bytes, bytes]: ...

def sm9_exchange(
    key: ExchangeKey,
    peer_identity: Identity,
    peer_hid: int | None,
    r: Buffer,
    point: Buffer | None,
    length: int,
    begins: bool,
) -> tuple[bytes, bytes | None]: ...

