"""Messages, to which kuaimi.cms is the door."""

from typing import final

from .sm2 import SM2PrivateKey
from .x509 import Certificate

__all__ = ["SignerInfo", "Verified", "decrypt", "encrypt", "sign", "verify"]

@final
class SignerInfo:
    @property
    def certificate(self) -> bytes | None: ...
    @property
    def name(self) -> bytes: ...
    @property
    def refusal(self) -> str | None: ...
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
