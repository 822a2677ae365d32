"""How keys are written: for private_bytes and public_bytes. The names are those of cryptography, whose members serve, too."""

import enum
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

__all__ = [
    "BestAvailableEncryption",
    "Encoding",
    "NoEncryption",
    "PasswordEncryption",
    "PrivateFormat",
    "PublicFormat",
]


class Encoding(enum.Enum):
    """How bytes are represented.

    >>> Encoding.PEM.value
    'PEM'
    """

    PEM = "PEM"
    DER = "DER"
    Raw = "Raw"
    X962 = "ANSI X9.62"


class PrivateFormat(enum.Enum):
    """The structure of a private key: TraditionalOpenSSL is ECPrivateKey (RFC 5915), of SM2 alone; GBT41389 is of SM9 alone.

    >>> PrivateFormat.PKCS8.value
    'PKCS8'
    """

    PKCS8 = "PKCS8"
    TraditionalOpenSSL = "TraditionalOpenSSL"
    Raw = "Raw"
    GBT41389 = "GB/T 41389"


class PublicFormat(enum.Enum):
    """The structure of a public key: GBT41389 and GmSSL are of SM9 alone.

    >>> PublicFormat.Raw.value
    'Raw'
    """

    SubjectPublicKeyInfo = "X.509 subjectPublicKeyInfo"
    UncompressedPoint = "X9.62 Uncompressed Point"
    CompressedPoint = "X9.62 Compressed Point"
    Raw = "Raw"
    GBT41389 = "GB/T 41389"
    GmSSL = "GmSSL"


class NoEncryption:
    """The key is written as it is.

    >>> NoEncryption()
    NoEncryption()
    """

    def __repr__(self) -> str:
        return "NoEncryption()"


@dataclass(frozen=True)
class BestAvailableEncryption:
    """SM4-CBC under a key by PBKDF2 with HMAC-SM3 and 600,000 iterations (RFC 8018): GmSSL, Tongsuo and gmsm read it.

    >>> BestAvailableEncryption(b"a password")
    BestAvailableEncryption()
    """

    password: bytes = field(repr=False)


@dataclass(frozen=True)
class PasswordEncryption:
    """A choice of PBES2's algorithms (RFC 8018): for OpenSSL, say, AES-256-CBC and HMAC-SHA-256.

    cipher is "SM4-CBC", "AES-128-CBC", "AES-192-CBC" or "AES-256-CBC"; prf "HMAC-SM3", "HMAC-SHA-1", "HMAC-SHA-224", "HMAC-SHA-256",
    "HMAC-SHA-384" or "HMAC-SHA-512", with 1 to 10,000,000 iterations. scrypt, in place of PBKDF2, is log2(N), r and p.

    >>> PasswordEncryption(b"a password", cipher="AES-256-CBC", prf="HMAC-SHA-256").iterations
    600000
    """

    password: bytes = field(repr=False)
    cipher: str = "SM4-CBC"
    prf: str = "HMAC-SM3"
    iterations: int = 600_000
    scrypt: tuple[int, int, int] | None = None


class _WithPassword(Protocol):
    @property
    def password(self) -> bytes: ...


Encryption: TypeAlias = NoEncryption | _WithPassword
"""What encrypts a private key: of this module, or cryptography's."""
