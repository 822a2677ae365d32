"""Making certificates and requests."""

from __future__ import annotations

import dataclasses
import datetime
import secrets
from typing import Any

from .._native import x509 as _native
from ..sm2 import SM2PrivateKey, SM2PublicKey
from ._certificate import Certificate, CertificateSigningRequest
from ._extensions import AnyExtension
from ._names import AnyName


def random_serial_number() -> int:
    """A random serial number of 126 bits, which needs no list of those before.

    >>> random_serial_number().bit_length()
    127
    """
    return secrets.randbits(126) | 1 << 126


def _seconds(time: datetime.datetime) -> int:
    # As in cryptography, a time without a zone is UTC.
    aware = time.replace(tzinfo=datetime.timezone.utc) if time.tzinfo is None else time
    return int(aware.timestamp())


def _is_sm3(algorithm: Any) -> None:
    if algorithm is not None and str(getattr(algorithm, "name", algorithm)).lower() != "sm3":
        raise ValueError("certificates of SM2 are signed with SM3: give None, or SM3")


@dataclasses.dataclass(frozen=True)
class _Extended:
    _subject: bytes | None = None
    _extensions: tuple[tuple[str, bool, bytes], ...] = ()

    def _extended(self, extval: AnyExtension, critical: bool) -> tuple[tuple[str, bool, bytes], ...]:
        oid = extval.oid.dotted_string
        if any(old == oid for old, _, _ in self._extensions):
            raise ValueError("this extension has already been set")
        return (*self._extensions, (oid, critical, extval.public_bytes()))


@dataclasses.dataclass(frozen=True)
class CertificateBuilder(_Extended):
    """A certificate in the making. Each method gives a new builder.

    The identifiers of the subject's and the issuer's keys are always added; without a key usage, the certificate is for signatures,
    encryption and key exchange.

    >>> CertificateBuilder().serial_number(0)
    Traceback (most recent call last):
    ValueError: the serial number is positive and has at most 159 bits
    """

    _issuer: bytes | None = None
    _public_key: SM2PublicKey | None = None
    _serial: int | None = None
    _not_before: int | None = None
    _not_after: int | None = None

    def subject_name(self, name: AnyName) -> CertificateBuilder:
        """Who holds the key: a Name of this module or of cryptography."""
        return dataclasses.replace(self, _subject=name.public_bytes())

    def issuer_name(self, name: AnyName) -> CertificateBuilder:
        """Who signs: must be the subject's name, or that of the issuer's certificate."""
        return dataclasses.replace(self, _issuer=name.public_bytes())

    def public_key(self, key: SM2PublicKey) -> CertificateBuilder:
        """The key."""
        return dataclasses.replace(self, _public_key=key)

    def serial_number(self, number: int) -> CertificateBuilder:
        """The serial number, which the issuer gives to no other certificate."""
        if number <= 0 or number.bit_length() > 159:
            raise ValueError("the serial number is positive and has at most 159 bits")
        return dataclasses.replace(self, _serial=number)

    def not_valid_before(self, time: datetime.datetime) -> CertificateBuilder:
        """The first second."""
        return dataclasses.replace(self, _not_before=_seconds(time))

    def not_valid_after(self, time: datetime.datetime) -> CertificateBuilder:
        """The last second."""
        return dataclasses.replace(self, _not_after=_seconds(time))

    def add_extension(self, extval: AnyExtension, critical: bool) -> CertificateBuilder:
        """Adds an extension of this module or of cryptography."""
        return dataclasses.replace(self, _extensions=self._extended(extval, critical))

    def sign(self, private_key: SM2PrivateKey, algorithm: Any = None, issuer: Certificate | None = None) -> Certificate:
        """The certificate, signed with the issuer's key.

        `issuer` is the issuer's certificate; without it, the certificate is signed by itself. Raises ValueError where something is
        missing, and InvalidArgument where the key is not the issuer's.
        """
        _is_sm3(algorithm)
        subject, key, serial = self._subject, self._public_key, self._serial
        not_before, not_after = self._not_before, self._not_after
        if subject is None or key is None or serial is None or not_before is None or not_after is None:
            raise ValueError("a certificate has a subject, a public key, a serial number, and two dates: some are not set")
        expected = subject if issuer is None else issuer._native.subject_der
        if self._issuer is not None and self._issuer != expected:
            raise ValueError("issuer_name is not the issuer's: give the issuer's certificate as issuer")
        signer = None if issuer is None else issuer._native
        octets = serial.to_bytes((serial.bit_length() + 7) // 8, "big")
        der = _native.build_certificate(subject, key, octets, (not_before, not_after), list(self._extensions), signer, private_key)
        return Certificate(der)


@dataclasses.dataclass(frozen=True)
class CertificateSigningRequestBuilder(_Extended):
    """A request in the making. Each method gives a new builder.

    >>> import kuaimi
    >>> from kuaimi import x509
    >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    >>> builder = CertificateSigningRequestBuilder().subject_name(x509.Name.from_rfc4514_string("CN=leaf"))
    >>> builder.add_extension(x509.SubjectAlternativeName([x509.DNSName("leaf.example")]), critical=False).sign(key).is_signature_valid
    True
    """

    _challenge_password: str | None = None

    def subject_name(self, name: AnyName) -> CertificateSigningRequestBuilder:
        """The name that is asked for."""
        return dataclasses.replace(self, _subject=name.public_bytes())

    def add_extension(self, extval: AnyExtension, critical: bool) -> CertificateSigningRequestBuilder:
        """Adds an extension that is asked for."""
        return dataclasses.replace(self, _extensions=self._extended(extval, critical))

    def challenge_password(self, password: str) -> CertificateSigningRequestBuilder:
        """The challenge password, which the request shows to everybody."""
        return dataclasses.replace(self, _challenge_password=password)

    def sign(self, private_key: SM2PrivateKey, algorithm: Any = None) -> CertificateSigningRequest:
        """The request, signed with its own key."""
        _is_sm3(algorithm)
        if self._subject is None:
            raise ValueError("a request has a subject")
        return CertificateSigningRequest(
            _native.build_request(self._subject, list(self._extensions), self._challenge_password, private_key)
        )
