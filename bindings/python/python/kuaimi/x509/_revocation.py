"""Extensions of lists of revoked certificates (RFC 5280, clauses 5.2 and 5.3) and of OCSP (RFC 6960, clause 4.4)."""

from __future__ import annotations

import datetime
import enum
from dataclasses import dataclass

from .._native import x509 as _native
from ._extensions import _KNOWN, ExtensionType
from ._oids import CRLEntryExtensionOID, ExtensionOID, OCSPExtensionOID


class ReasonFlags(enum.Enum):
    """Why a certificate was revoked.

    >>> ReasonFlags("keyCompromise")
    <ReasonFlags.key_compromise: 'keyCompromise'>
    """

    unspecified = "unspecified"
    key_compromise = "keyCompromise"
    ca_compromise = "cACompromise"
    affiliation_changed = "affiliationChanged"
    superseded = "superseded"
    cessation_of_operation = "cessationOfOperation"
    certificate_hold = "certificateHold"
    privilege_withdrawn = "privilegeWithdrawn"
    aa_compromise = "aACompromise"
    remove_from_crl = "removeFromCRL"


REASONS = {
    ReasonFlags.unspecified: 0,
    ReasonFlags.key_compromise: 1,
    ReasonFlags.ca_compromise: 2,
    ReasonFlags.affiliation_changed: 3,
    ReasonFlags.superseded: 4,
    ReasonFlags.cessation_of_operation: 5,
    ReasonFlags.certificate_hold: 6,
    ReasonFlags.remove_from_crl: 8,
    ReasonFlags.privilege_withdrawn: 9,
    ReasonFlags.aa_compromise: 10,
}
"""The numbers of CRLReason. There is no 7."""


def reason_of(number: int) -> ReasonFlags:
    """The reason with this number, which was read."""
    return next(reason for reason, found in REASONS.items() if found == number)


@dataclass(frozen=True)
class CRLNumber(ExtensionType):
    """The number of a list, which grows from list to list.

    >>> CRLNumber(300).public_bytes().hex()
    '0202012c'
    """

    crl_number: int
    oid = ExtensionOID.CRL_NUMBER

    @classmethod
    def _from_der(cls, der: bytes) -> CRLNumber:
        return cls(int.from_bytes(_native.decode_crl_number(der), "big"))

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_crl_number(self.crl_number)


@dataclass(frozen=True)
class DeltaCRLIndicator(ExtensionType):
    """The number of the complete list that this one has the changes of.

    >>> DeltaCRLIndicator(7).public_bytes().hex()
    '020107'
    """

    crl_number: int
    oid = ExtensionOID.DELTA_CRL_INDICATOR

    @classmethod
    def _from_der(cls, der: bytes) -> DeltaCRLIndicator:
        return cls(int.from_bytes(_native.decode_crl_number(der), "big"))

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_crl_number(self.crl_number)


@dataclass(frozen=True)
class CRLReason(ExtensionType):
    """Why a certificate of a list was revoked.

    >>> CRLReason(ReasonFlags.superseded).public_bytes().hex()
    '0a0104'
    """

    reason: ReasonFlags
    oid = CRLEntryExtensionOID.CRL_REASON

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_crl_reason(REASONS[self.reason])


@dataclass(frozen=True)
class InvalidityDate(ExtensionType):
    """From when on the key was, or may have been, in wrong hands. A time without a zone is UTC.

    >>> InvalidityDate(datetime.datetime(2026, 1, 2, 3, 4, 5)).public_bytes()[2:]
    b'20260102030405Z'
    """

    invalidity_date: datetime.datetime
    oid = CRLEntryExtensionOID.INVALIDITY_DATE

    @property
    def invalidity_date_utc(self) -> datetime.datetime:
        """The same with its zone."""
        date = self.invalidity_date
        return date.replace(tzinfo=datetime.timezone.utc) if date.tzinfo is None else date.astimezone(datetime.timezone.utc)

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_invalidity_date(int(self.invalidity_date_utc.timestamp()))


@dataclass(frozen=True)
class OCSPNonce(ExtensionType):
    """1 to 128 random bytes of a request, which the response repeats: so no old response serves.

    >>> OCSPNonce(b"abc").public_bytes()
    b'\\x04\\x03abc'
    """

    nonce: bytes
    oid = OCSPExtensionOID.NONCE

    def public_bytes(self) -> bytes:
        """In DER: an octet string."""
        return _native.encode_subject_key_identifier(self.nonce)


_KNOWN[CRLNumber.oid] = CRLNumber._from_der
_KNOWN[DeltaCRLIndicator.oid] = DeltaCRLIndicator._from_der
