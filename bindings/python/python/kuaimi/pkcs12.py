"""Private keys and certificates in one file under a password: PKCS #12 (.p12, .pfx), and CFCA's .sm2.

The functions are those of cryptography.hazmat.primitives.serialization.pkcs12.

>>> import datetime
>>> import kuaimi
>>> from kuaimi import pkcs12, x509
>>> key = kuaimi.sm2.SM2PrivateKey.generate()
>>> day = datetime.datetime(2026, 1, 1)
>>> builder = x509.CertificateBuilder().subject_name(x509.Name.from_rfc4514_string("CN=alice")).public_key(key.public_key())
>>> builder = builder.serial_number(1).not_valid_before(day).not_valid_after(day + datetime.timedelta(days=365))
>>> certificate = builder.sign(key)
>>> data = pkcs12.serialize_key_and_certificates(b"alice", key, certificate, None, b"a password", iterations=1000)
>>> pkcs12.load_key_and_certificates(data, b"a password") == (key, certificate, [])
True
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ._native import pkcs12 as _native
from .errors import FormatError
from .serialization import Encryption
from .sm2 import SM2PrivateKey
from .x509 import Certificate

__all__ = [
    "PKCS12Certificate",
    "PKCS12KeyAndCertificates",
    "Pair",
    "Profile",
    "load_cfca",
    "load_key_and_certificates",
    "load_pairs",
    "load_pkcs12",
    "serialize_key_and_certificates",
    "serialize_pairs",
]

Profile: TypeAlias = Literal["compatible", "sm", "sm-openssl", "legacy"]
"""Which programs open a file: OpenSSL, Java and .NET; gmsm; OpenSSL 4.0 and Tongsuo, with ShangMi's algorithms; or old programs."""


@dataclass(frozen=True)
class PKCS12Certificate:
    """A certificate with its name.

    >>> PKCS12Certificate.__dataclass_fields__.keys()
    dict_keys(['certificate', 'friendly_name'])
    """

    certificate: Certificate
    friendly_name: bytes | None


@dataclass(frozen=True)
class PKCS12KeyAndCertificates:
    """What is in a file with one key.

    >>> PKCS12KeyAndCertificates(None, None, []).additional_certs
    []
    """

    key: SM2PrivateKey | None
    cert: PKCS12Certificate | None
    additional_certs: list[PKCS12Certificate]


@dataclass(frozen=True)
class Pair:
    """A private key with its certificate, the certificates above it, and its name.

    >>> import kuaimi
    >>> Pair(kuaimi.sm2.SM2PrivateKey.generate(), None).chain
    []
    """

    key: SM2PrivateKey
    certificate: Certificate | None
    chain: list[Certificate] = field(default_factory=list)
    friendly_name: str | None = None


def load_pairs(data: bytes, password: bytes) -> list[Pair]:
    """Each private key of SM2 in a file: of a pair of certificates there are two.

    Raises WrongPassword, also for an altered file, and FormatError with the reason.

    >>> load_pairs(b"no file", b"a password")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    found, _ = _native.load(data, password)
    return [
        Pair(key, None if own is None else Certificate(bytes(own)), [Certificate(bytes(one)) for one in chain], name)
        for key, own, chain, name in found
    ]


def load_pkcs12(data: bytes, password: bytes | None, backend: object = None) -> PKCS12KeyAndCertificates:
    """What is in a file with at most one private key of SM2.

    Raises WrongPassword, and FormatError, also for a file with several keys: load_pairs reads that.

    >>> load_pkcs12(b"no file", b"a password")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    found, others = _native.load(data, password or b"")
    if len(found) > 1:
        raise FormatError("the file has several private keys: load_pairs gives all of them")
    additional = [PKCS12Certificate(Certificate(bytes(one)), None) for one in others]
    if not found:
        return PKCS12KeyAndCertificates(None, None, additional)
    key, own, _, name = found[0]
    friendly = None if name is None else name.encode()
    cert = None if own is None else PKCS12Certificate(Certificate(bytes(own)), friendly)
    return PKCS12KeyAndCertificates(key, cert, additional)


def load_key_and_certificates(
    data: bytes, password: bytes | None, backend: object = None
) -> tuple[SM2PrivateKey | None, Certificate | None, list[Certificate]]:
    """The private key, its certificate, and the other certificates. Raises what load_pkcs12 raises.

    >>> load_key_and_certificates(b"no file", b"a password")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    found = load_pkcs12(data, password)
    cert = None if found.cert is None else found.cert.certificate
    return found.key, cert, [one.certificate for one in found.additional_certs]


def load_cfca(data: bytes, password: bytes) -> tuple[SM2PrivateKey, Certificate]:
    """The private key and the certificate of a file of CFCA (.sm2).

    >>> load_cfca(b"no file", b"a password")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    key, certificate = _native.load_cfca(data, password)
    return key, Certificate(bytes(certificate))


def _password(encryption: bytes | Encryption) -> bytes:
    if isinstance(encryption, bytes):
        return encryption
    password = getattr(encryption, "password", None)
    if not isinstance(password, bytes):
        raise ValueError("a file is always under a password: give it, or BestAvailableEncryption")
    return password


def serialize_pairs(
    pairs: Iterable[tuple[SM2PrivateKey, Certificate]],
    certificates: Iterable[Certificate],
    password: bytes,
    *,
    name: str | None = None,
    profile: Profile = "compatible",
    iterations: int | None = None,
) -> bytes:
    """A file with any number of private keys and their certificates, and other certificates.

    >>> serialize_pairs([], [], b"")
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: an empty password protects nothing
    """
    return _native.serialize(
        [(key, certificate._native) for key, certificate in pairs],
        [one._native for one in certificates],
        password,
        name=name,
        profile=profile,
        iterations=iterations,
    )


def serialize_key_and_certificates(
    name: bytes | None,
    key: SM2PrivateKey,
    cert: Certificate,
    cas: Iterable[Certificate] | None,
    encryption_algorithm: bytes | Encryption,
    *,
    profile: Profile = "compatible",
    iterations: int | None = None,
) -> bytes:
    """A file with a private key, its certificate, and those of authorities. encryption_algorithm is a password, or
    BestAvailableEncryption; the algorithms are the profile's.

    >>> import kuaimi
    >>> serialize_key_and_certificates(None, kuaimi.sm2.SM2PrivateKey.generate(), None, None, kuaimi.serialization.NoEncryption())
    Traceback (most recent call last):
    ValueError: a file is always under a password: give it, or BestAvailableEncryption
    """
    password = _password(encryption_algorithm)
    text = None if name is None else name.decode()
    return serialize_pairs([(key, cert)], cas or (), password, name=text, profile=profile, iterations=iterations)
