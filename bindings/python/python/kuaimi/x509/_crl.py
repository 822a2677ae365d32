"""Lists of revoked certificates (RFC 5280, clause 5), as they are read and made."""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections.abc import Iterator
from typing import Any, overload

from .._native import x509 as _native
from ..errors import InvalidSignature
from ..serialization import Encoding
from ..sm2 import SM2PrivateKey, SM2PublicKey
from ._builders import _is_sm3, _seconds
from ._certificate import Certificate, _fingerprint, _time, _written
from ._extensions import AnyExtension, Extension, Extensions, ExtensionType
from ._names import AnyName, Name
from ._oids import CRLEntryExtensionOID, ExtensionOID, ObjectIdentifier
from ._revocation import REASONS, CRLReason, InvalidityDate, reason_of

_PIECE = 1024


def _octets(serial: int) -> bytes:
    """The content of an INTEGER in DER."""
    return serial.to_bytes(serial.bit_length() // 8 + 1, "big", signed=True)


@dataclasses.dataclass(frozen=True)
class RevokedCertificate:
    """A certificate in a list. Its extensions are the reason and the invalidity date; others, which a list may have, are left out.

    >>> day = datetime.datetime(2026, 1, 1)
    >>> RevokedCertificateBuilder().serial_number(7).revocation_date(day).build()
    RevokedCertificate(serial_number=7, revocation_date_utc=datetime.datetime(2026, 1, 1, 0, 0, tzinfo=datetime.timezone.utc))
    """

    serial_number: int
    revocation_date_utc: datetime.datetime
    _reason: int | None = dataclasses.field(default=None, repr=False)
    _invalidity: int | None = dataclasses.field(default=None, repr=False)

    @classmethod
    def _of(cls, found: tuple[bytes, int, int | None, int | None]) -> RevokedCertificate:
        serial, date, reason, invalidity = found
        return cls(int.from_bytes(bytes(serial), "big", signed=True), _time(date), reason, invalidity)

    @property
    def extensions(self) -> Extensions:
        """The reason and the invalidity date, where the list has them."""
        found: list[Extension[ExtensionType]] = []
        if self._reason is not None:
            found.append(Extension(CRLReason.oid, False, CRLReason(reason_of(self._reason))))
        if self._invalidity is not None:
            found.append(Extension(InvalidityDate.oid, False, InvalidityDate(_time(self._invalidity))))
        return Extensions(found)


@dataclasses.dataclass(frozen=True)
class RevokedCertificateBuilder:
    """A revoked certificate in the making. Each method gives a new builder.

    >>> RevokedCertificateBuilder().serial_number(0)
    Traceback (most recent call last):
    ValueError: the serial number is positive and has at most 159 bits
    """

    _serial: int | None = None
    _date: datetime.datetime | None = None
    _reason: int | None = None
    _invalidity: int | None = None

    def serial_number(self, number: int) -> RevokedCertificateBuilder:
        """The certificate's serial number."""
        if number <= 0 or number.bit_length() > 159:
            raise ValueError("the serial number is positive and has at most 159 bits")
        return dataclasses.replace(self, _serial=number)

    def revocation_date(self, time: datetime.datetime) -> RevokedCertificateBuilder:
        """When it was revoked. A time without a zone is UTC."""
        return dataclasses.replace(self, _date=_time(_seconds(time)))

    def add_extension(self, extval: AnyExtension, critical: bool) -> RevokedCertificateBuilder:
        """Adds a CRLReason or an InvalidityDate, of this module or of cryptography. They are never critical."""
        oid, der = extval.oid.dotted_string, extval.public_bytes()
        if critical:
            raise ValueError("extensions of revoked certificates are not critical here")
        if oid == CRLEntryExtensionOID.CRL_REASON.dotted_string and self._reason is None:
            # ENUMERATED of one byte.
            return dataclasses.replace(self, _reason=der[-1])
        if oid == CRLEntryExtensionOID.INVALIDITY_DATE.dotted_string and self._invalidity is None:
            # GeneralizedTime, behind its tag and length.
            date = datetime.datetime.strptime(der[2:].decode(), "%Y%m%d%H%M%SZ")
            return dataclasses.replace(self, _invalidity=_seconds(date))
        raise ValueError("a revoked certificate has one CRLReason and one InvalidityDate at most, and nothing else here")

    def build(self, backend: object = None) -> RevokedCertificate:
        """What a list takes."""
        if self._serial is None or self._date is None:
            raise ValueError("a revoked certificate has a serial number and a date: one is not set")
        return RevokedCertificate(self._serial, self._date, self._reason, self._invalidity)


class CertificateRevocationList:
    """A list of revoked certificates, as it was read. Its signature and its dates are not checked by reading it.

    Lists that name certificates of several issuers (indirect ones), and lists with unknown critical extensions, cannot be read: FormatError
    says so.

    >>> import kuaimi
    >>> from kuaimi import x509
    >>> key = kuaimi.sm2.SM2PrivateKey.generate()
    >>> day = datetime.datetime(2026, 1, 1)
    >>> lost = x509.RevokedCertificateBuilder().serial_number(7).revocation_date(day)
    >>> lost = lost.add_extension(x509.CRLReason(x509.ReasonFlags.key_compromise), critical=False).build()
    >>> builder = x509.CertificateRevocationListBuilder().issuer_name(x509.Name.from_rfc4514_string("CN=Root"))
    >>> builder = builder.last_update(day).next_update(day + datetime.timedelta(days=30)).add_extension(x509.CRLNumber(1), critical=False)
    >>> made = builder.add_revoked_certificate(lost).sign(key)
    >>> crl = x509.load_pem_x509_crl(made.public_bytes(Encoding.PEM))
    >>> crl.issuer, len(crl), crl[0].serial_number, crl.is_signature_valid(key.public_key())
    (<Name(CN=Root)>, 1, 7, True)
    >>> crl.get_revoked_certificate_by_serial_number(7).extensions.get_extension_for_class(x509.CRLReason).value.reason
    <ReasonFlags.key_compromise: 'keyCompromise'>
    >>> crl.extensions.get_extension_for_class(x509.CRLNumber).value.crl_number
    1
    """

    def __init__(self, der: bytes) -> None:
        self._native = _native.Crl(der)

    @functools.cached_property
    def issuer(self) -> Name:
        """Who signed."""
        return Name._from_der(self._native.issuer_der)

    @property
    def last_update_utc(self) -> datetime.datetime:
        """When the list was made."""
        return _time(self._native.updates[0])

    @property
    def next_update_utc(self) -> datetime.datetime | None:
        """When the next list is expected."""
        next = self._native.updates[1]
        return None if next is None else _time(next)

    @functools.cached_property
    def extensions(self) -> Extensions:
        """The extensions of the list."""
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
    def tbs_certlist_bytes(self) -> bytes:
        """What the issuer signed."""
        return self._native.tbs

    def fingerprint(self, algorithm: Any = None) -> bytes:
        """The digest of the DER: with SM3, or with a hash of cryptography."""
        return _fingerprint(self._native.der, algorithm)

    def is_signature_valid(self, public_key: SM2PublicKey, *, empty_identity: bool = False) -> bool:
        """Whether this key signed the list under the default identity; with empty_identity, also under the empty one."""
        try:
            self._native.verify(public_key, empty_identity)
        except InvalidSignature:
            return False
        return True

    def get_revoked_certificate_by_serial_number(self, serial_number: int) -> RevokedCertificate | None:
        """The certificate with this serial number, if it is in the list. It takes a logarithm of the list's length."""
        found = self._native.find(_octets(serial_number))
        return None if found is None else RevokedCertificate._of(found)

    def public_bytes(self, encoding: Any = Encoding.PEM) -> bytes:
        """In PEM or DER."""
        return _written(self._native.pem, self._native.der, encoding)

    def to_cryptography(self) -> Any:
        """The same list for the package cryptography, which reads all of it, but does not verify SM2."""
        from cryptography import x509

        return x509.load_der_x509_crl(self._native.der)

    def __len__(self) -> int:
        return self._native.count()

    @overload
    def __getitem__(self, index: int) -> RevokedCertificate: ...

    @overload
    def __getitem__(self, index: slice) -> list[RevokedCertificate]: ...

    def __getitem__(self, index: int | slice) -> RevokedCertificate | list[RevokedCertificate]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        found = self._native.entries(place, 1) if 0 <= place < len(self) else []
        if not found:
            raise IndexError("the list has no certificate at this place")
        return RevokedCertificate._of(found[0])

    def __iter__(self) -> Iterator[RevokedCertificate]:
        for place in range(0, len(self), _PIECE):
            yield from map(RevokedCertificate._of, self._native.entries(place, _PIECE))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CertificateRevocationList) and self._native.der == other._native.der

    def __hash__(self) -> int:
        return hash(self._native.der)

    def __repr__(self) -> str:
        return f"<CertificateRevocationList(issuer={self.issuer!r}, {len(self)} certificates)>"

    def __reduce__(self) -> tuple[type[CertificateRevocationList], tuple[bytes]]:
        return type(self), (self._native.der,)


@dataclasses.dataclass(frozen=True)
class CertificateRevocationListBuilder:
    """A list in the making. Each method gives a new builder.

    The identifier of the issuer's key is always added.

    >>> import kuaimi
    >>> CertificateRevocationListBuilder().sign(kuaimi.sm2.SM2PrivateKey.generate())
    Traceback (most recent call last):
    ValueError: a list has an issuer and two dates: some are not set
    """

    _issuer: bytes | None = None
    _last: int | None = None
    _next: int | None = None
    _number: int | None = None
    _base: int | None = None
    _key_identifier: bytes | None = None
    _revoked: tuple[RevokedCertificate, ...] = ()

    def issuer_name(self, issuer_name: AnyName) -> CertificateRevocationListBuilder:
        """Who signs: a Name of this module or of cryptography."""
        return dataclasses.replace(self, _issuer=issuer_name.public_bytes())

    def last_update(self, last_update: datetime.datetime) -> CertificateRevocationListBuilder:
        """When the list is made. A time without a zone is UTC."""
        return dataclasses.replace(self, _last=_seconds(last_update))

    def next_update(self, next_update: datetime.datetime) -> CertificateRevocationListBuilder:
        """When the next list will come."""
        return dataclasses.replace(self, _next=_seconds(next_update))

    def add_extension(self, extval: AnyExtension, critical: bool) -> CertificateRevocationListBuilder:
        """Adds a CRLNumber, a DeltaCRLIndicator, or an AuthorityKeyIdentifier, of this module or of cryptography.

        The standard says which of them are critical: the DeltaCRLIndicator alone.
        """
        oid, der = extval.oid.dotted_string, extval.public_bytes()
        if critical != (oid == ExtensionOID.DELTA_CRL_INDICATOR.dotted_string):
            raise ValueError("of the extensions of a list, DeltaCRLIndicator alone is critical")
        if oid == ExtensionOID.CRL_NUMBER.dotted_string and self._number is None:
            return dataclasses.replace(self, _number=int.from_bytes(_native.decode_crl_number(der), "big"))
        if oid == ExtensionOID.DELTA_CRL_INDICATOR.dotted_string and self._base is None:
            return dataclasses.replace(self, _base=int.from_bytes(_native.decode_crl_number(der), "big"))
        if oid == ExtensionOID.AUTHORITY_KEY_IDENTIFIER.dotted_string and self._key_identifier is None:
            found = _native.decode_authority_key_identifier(der)
            return dataclasses.replace(self, _key_identifier=None if found is None else bytes(found))
        raise ValueError("a list has one CRLNumber, DeltaCRLIndicator and AuthorityKeyIdentifier at most, and nothing else here")

    def add_revoked_certificate(self, revoked_certificate: RevokedCertificate) -> CertificateRevocationListBuilder:
        """Adds a certificate: built, or taken from another list."""
        return dataclasses.replace(self, _revoked=(*self._revoked, revoked_certificate))

    def sign(self, private_key: SM2PrivateKey, algorithm: Any = None, issuer: Certificate | None = None) -> CertificateRevocationList:
        """The list, signed with the issuer's key.

        With the issuer's certificate, its name and the identifier of its key are taken from there. Raises ValueError where something is
        missing, and InvalidArgument where the key is not the issuer's, or the dates are wrong.
        """
        _is_sm3(algorithm)
        name = self._issuer if issuer is None else issuer._native.subject_der
        if name is None or self._last is None or self._next is None:
            raise ValueError("a list has an issuer and two dates: some are not set")
        if self._issuer is not None and self._issuer != name:
            raise ValueError("issuer_name is not the name in the issuer's certificate")
        identifier = self._key_identifier or _native.key_identifier(private_key.public_key())
        revoked = [
            (_octets(one.serial_number), _seconds(one.revocation_date_utc), one._reason, one._invalidity) for one in self._revoked
        ]
        der = _native.build_crl(
            name,
            identifier,
            (self._last, self._next),
            self._number,
            self._base,
            revoked,
            None if issuer is None else issuer._native,
            private_key,
        )
        return CertificateRevocationList(der)


def load_der_x509_crl(data: bytes, backend: object = None) -> CertificateRevocationList:
    """A list from DER. Raises FormatError with the reason.

    >>> load_der_x509_crl(b"")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    return CertificateRevocationList(data)


def load_pem_x509_crl(data: bytes, backend: object = None) -> CertificateRevocationList:
    """The first list in PEM. Raises FormatError or InvalidArgument with the reason.

    >>> load_pem_x509_crl(b"")
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: the text has no PEM block of this kind
    """
    return CertificateRevocationList(_native.split_crls(data)[0])
