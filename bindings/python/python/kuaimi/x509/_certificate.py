"""Certificates and requests, as they are read."""

from __future__ import annotations

import datetime
import functools
from typing import Any

from .._native import x509 as _native
from ..errors import FormatError
from ..serialization import Encoding
from ..sm2 import SM2PublicKey
from .. import sm3
from ._extensions import Extensions
from ._names import Name
from ._oids import ObjectIdentifier
from ._version import Version

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def _time(seconds: int) -> datetime.datetime:
    return _EPOCH + datetime.timedelta(seconds=seconds)


def _sm2_key(found: SM2PublicKey | None) -> SM2PublicKey:
    if found is None:
        raise FormatError("the certificate has a key of another algorithm than SM2", "OtherAlgorithm")
    return found


class Certificate:
    """A certificate, as it was read. Its signature, its dates and its use are not checked by reading it.

    >>> import kuaimi
    >>> from kuaimi import x509
    >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    >>> name = x509.Name.from_rfc4514_string("CN=Root")
    >>> day = datetime.datetime(2026, 1, 1)
    >>> builder = x509.CertificateBuilder().subject_name(name).public_key(key.public_key()).serial_number(7)
    >>> made = builder.not_valid_before(day).not_valid_after(day + datetime.timedelta(days=365)).sign(key)
    >>> certificate = x509.load_pem_x509_certificate(made.public_bytes(Encoding.PEM))
    >>> certificate.subject, certificate.serial_number, certificate.version
    (<Name(CN=Root)>, 7, <Version.v3: 2>)
    >>> certificate.not_valid_after_utc.isoformat()
    '2027-01-01T00:00:00+00:00'
    >>> certificate.public_key() == key.public_key() and certificate == made
    True
    >>> certificate.extensions.get_extension_for_class(x509.KeyUsage).value.digital_signature
    True
    >>> certificate.signature_algorithm_oid == x509.SignatureAlgorithmOID.SM2_WITH_SM3
    True
    >>> len(certificate.fingerprint())
    32
    """

    def __init__(self, der: bytes) -> None:
        self._native = _native.Certificate(der)

    @property
    def version(self) -> Version:
        """The version."""
        return Version(self._native.version_number)

    @property
    def serial_number(self) -> int:
        """The serial number."""
        return int.from_bytes(self._native.serial, "big", signed=True)

    @functools.cached_property
    def subject(self) -> Name:
        """Who holds the key."""
        return Name._from_der(self._native.subject_der)

    @functools.cached_property
    def issuer(self) -> Name:
        """Who signed."""
        return Name._from_der(self._native.issuer_der)

    @property
    def not_valid_before_utc(self) -> datetime.datetime:
        """The first second of its validity."""
        return _time(self._native.validity[0])

    @property
    def not_valid_after_utc(self) -> datetime.datetime:
        """The last second of its validity."""
        return _time(self._native.validity[1])

    @functools.cached_property
    def extensions(self) -> Extensions:
        """The extensions."""
        return Extensions._from_der(self._native.extensions_der)

    @property
    def signature(self) -> bytes:
        """The signature."""
        return self._native.signature_bytes

    @property
    def signature_algorithm_oid(self) -> ObjectIdentifier:
        """The algorithm of the signature."""
        return ObjectIdentifier(self._native.signature_oid)

    @property
    def tbs_certificate_bytes(self) -> bytes:
        """What the issuer signed."""
        return self._native.tbs

    def public_key(self) -> SM2PublicKey:
        """The public key of SM2. Raises FormatError for one of another algorithm: cryptography reads those."""
        return _sm2_key(self._native.sm2_key())

    def fingerprint(self, algorithm: Any = None) -> bytes:
        """The digest of the DER: with SM3, or with a hash of cryptography."""
        return _fingerprint(self._native.der, algorithm)

    def public_bytes(self, encoding: Any = Encoding.PEM) -> bytes:
        """In PEM or DER."""
        return _written(self._native.pem, self._native.der, encoding)

    def verify_directly_issued_by(self, issuer: Certificate) -> None:
        """Raises ValueError if the issuer's name is another, and InvalidSignature if its key did not sign."""
        if self._native.issuer_der != issuer._native.subject_der:
            raise ValueError("the issuer's name is not the subject of that certificate")
        self._native.verify_by(issuer._native)

    def to_cryptography(self) -> Any:
        """The same certificate for the package cryptography, which reads all of it but the key."""
        from cryptography import x509

        return x509.load_der_x509_certificate(self._native.der)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Certificate) and self._native.der == other._native.der

    def __hash__(self) -> int:
        return hash(self._native.der)

    def __repr__(self) -> str:
        return f"<Certificate(subject={self.subject!r}, ...)>"

    def __reduce__(self) -> tuple[type[Certificate], tuple[bytes]]:
        return type(self), (self._native.der,)


class CertificateSigningRequest:
    """A request for a certificate, as it was read.

    >>> import kuaimi
    >>> from kuaimi import x509
    >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    >>> builder = x509.CertificateSigningRequestBuilder().subject_name(x509.Name.from_rfc4514_string("CN=leaf"))
    >>> request = x509.load_pem_x509_csr(builder.sign(key).public_bytes(Encoding.PEM))
    >>> request.subject, request.is_signature_valid, request.public_key() == key.public_key()
    (<Name(CN=leaf)>, True, True)
    """

    def __init__(self, der: bytes) -> None:
        self._native = _native.Request(der)

    @functools.cached_property
    def subject(self) -> Name:
        """The name that is asked for."""
        return Name._from_der(self._native.subject_der)

    @functools.cached_property
    def extensions(self) -> Extensions:
        """The extensions that are asked for."""
        return Extensions._from_der(self._native.extensions_der)

    @property
    def is_signature_valid(self) -> bool:
        """Whether the holder of the key made this request, under the default identity or the empty one."""
        from ..errors import InvalidSignature

        try:
            self._native.verify(True)
        except InvalidSignature:
            return False
        return True

    @property
    def challenge_password(self) -> str | None:
        """The challenge password."""
        return self._native.challenge_password

    def public_key(self) -> SM2PublicKey:
        """The public key of SM2. Raises FormatError for one of another algorithm."""
        return _sm2_key(self._native.sm2_key())

    def public_bytes(self, encoding: Any = Encoding.PEM) -> bytes:
        """In PEM or DER."""
        return _written(self._native.pem, self._native.der, encoding)

    def __repr__(self) -> str:
        return f"<CertificateSigningRequest(subject={self.subject!r})>"


def _fingerprint(der: bytes, algorithm: Any) -> bytes:
    """The digest, with SM3 or with a hash of cryptography."""
    if algorithm is None:
        return sm3.digest(der)
    from cryptography.hazmat.primitives import hashes

    hash = hashes.Hash(algorithm)
    hash.update(der)
    return hash.finalize()


def _written(pem: str, der: bytes, encoding: Any) -> bytes:
    match getattr(encoding, "name", None):
        case "PEM":
            return pem.encode()
        case "DER":
            return der
        case _:
            raise ValueError("encoding is Encoding.PEM or Encoding.DER")


def load_der_x509_certificate(data: bytes, backend: object = None) -> Certificate:
    """A certificate from DER. Raises FormatError with the reason.

    >>> load_der_x509_certificate(b"")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    return Certificate(data)


def load_pem_x509_certificate(data: bytes, backend: object = None) -> Certificate:
    """The first certificate in PEM. Raises FormatError or InvalidArgument with the reason.

    >>> load_pem_x509_certificate(b"")
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: the text has no PEM block of this kind
    """
    return load_pem_x509_certificates(data)[0]


def load_pem_x509_certificates(data: bytes) -> list[Certificate]:
    """All certificates in PEM: at least one.

    >>> load_pem_x509_certificates(b"text")
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: the text has no PEM block of this kind
    """
    return [Certificate(der) for der in _native.split_certificates(data)]


def load_der_x509_csr(data: bytes, backend: object = None) -> CertificateSigningRequest:
    """A request from DER.

    >>> load_der_x509_csr(b"")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    return CertificateSigningRequest(data)


def load_pem_x509_csr(data: bytes, backend: object = None) -> CertificateSigningRequest:
    """A request from PEM.

    >>> load_pem_x509_csr(b"")
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: the text has no PEM block of this kind
    """
    return CertificateSigningRequest(_native.read_request(data))
