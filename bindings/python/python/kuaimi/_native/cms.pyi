"""Messages, to which kuaimi.cms is the door."""

from typing import IO, final

from .sm2 import SM2PrivateKey
from .x509 import Certificate

__all__ = [
    "SignerInfo",
    "Verified",
    "decrypt",
    "decrypt_stream",
    "encrypt",
    "encrypt_stream",
    "sign",
    "sign_stream",
    "to_ber",
    "verify",
    "verify_detached_stream",
    "verify_stream",
]

@final
class SignerInfo:
    @property
    def certificate(self) -> bytes | None: ...
    @property
    def name(self) -> bytes: ...
    @property
    def refusal(self) -> str | None: ...
    @property
    def needs_certificate(self) -> bool: ...
    @property
    def signing_time(self) -> int | None: ...

@final
class Verified:
    @property
    def content(self) -> bytes: ...
    @property
    def signers(self) -> list[SignerInfo]: ...
    @property
    def certificates(self) -> list[bytes]: ...

def sign(
    content: bytes,
    signers: list[tuple[Certificate, SM2PrivateKey]],
    *,
    certificates: list[Certificate],
    form: str,
    detached: bool,
    attributes: bool,
    key_identifier: bool,
    include: bool,
    empty_identity: bool,
    signing_time: int | None,
) -> bytes: ...
def verify(message: bytes, content: bytes | None, *, certificates: list[Certificate], empty_identity: bool) -> Verified: ...
def encrypt(content: bytes, recipients: list[Certificate], *, form: str, cipher: str, key_identifier: bool) -> bytes: ...
def decrypt(
    message: bytes, certificate: Certificate | None, key: SM2PrivateKey, *, certificates: list[Certificate], empty_identity: bool
) -> Verified: ...
def to_ber(message: bytes) -> bytes: ...
def sign_stream(
    source: IO[bytes],
    target: IO[bytes],
    signers: list[tuple[Certificate, SM2PrivateKey]],
    *,
    certificates: list[Certificate],
    form: str,
    detached: bool,
    attributes: bool,
    key_identifier: bool,
    include: bool,
    empty_identity: bool,
    signing_time: int | None,
    length: int | None,
) -> int: ...
def verify_stream(source: IO[bytes], target: IO[bytes] | None, *, certificates: list[Certificate], empty_identity: bool) -> Verified: ...
def verify_detached_stream(message: bytes, content: IO[bytes], *, certificates: list[Certificate], empty_identity: bool) -> Verified: ...
def encrypt_stream(
    source: IO[bytes],
    target: IO[bytes],
    recipients: list[Certificate],
    *,
    form: str,
    cipher: str,
    key_identifier: bool,
    length: int | None,
) -> int: ...
def decrypt_stream(
    source: IO[bytes],
    target: IO[bytes] | None,
    certificate: Certificate | None,
    key: SM2PrivateKey,
    *,
    certificates: list[Certificate],
    empty_identity: bool,
) -> Verified: ...
