"""The Online Certificate Status Protocol (RFC 6960) with SM2 and SM3, in the shapes of cryptography.x509.ocsp.

Nothing here talks over a network: requests and responses are bytes. What a response says counts only after OCSPResponse.verify, which
cryptography does not have.

>>> import datetime
>>> import kuaimi
>>> from kuaimi import x509
>>> from kuaimi.x509 import ocsp
>>> key = kuaimi.sm2.SM2PrivateKey.generate()
>>> day = datetime.datetime(2026, 1, 1)
>>> builder = x509.CertificateBuilder().public_key(key.public_key()).not_valid_before(day)
>>> builder = builder.not_valid_after(day + datetime.timedelta(days=365))
>>> ca = builder.subject_name(x509.Name.from_rfc4514_string("CN=Root")).serial_number(1).sign(key)
>>> leaf = builder.subject_name(x509.Name.from_rfc4514_string("CN=leaf")).serial_number(2).sign(key, issuer=ca)
>>> request = ocsp.OCSPRequestBuilder().add_certificate(leaf, ca).add_extension(x509.OCSPNonce(b"a nonce"), critical=False).build()

The authority answers.

>>> asked = ocsp.load_der_ocsp_request(request.public_bytes())
>>> asked.serial_number
2
>>> answer = ocsp.OCSPResponseBuilder().add_response(leaf, ca, None, ocsp.OCSPCertStatus.GOOD, day, day + datetime.timedelta(days=1), None, None)
>>> answer = answer.responder_id(ocsp.OCSPResponderEncoding.HASH, ca).answering(asked).sign(key, produced_at=day)
>>> response = ocsp.load_der_ocsp_response(answer.public_bytes())
>>> response.verify(leaf, ca, time=day, nonce=b"a nonce").certificate_status
<OCSPCertStatus.GOOD: 0>
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
from collections.abc import Iterable, Iterator
from typing import Any

from .._native import x509 as _native
from ..serialization import Encoding
from ..sm2 import SM2PrivateKey
from ._builders import _is_sm3, _seconds
from ._certificate import Certificate, _time
from ._extensions import AnyExtension, Extensions
from ._names import Name
from ._ocsp_parts import (
    Id,
    Named,
    OCSPCertStatus,
    OCSPResponderEncoding,
    OCSPResponseStatus,
    extensions_of,
    hash_name,
    in_der,
    nonce_in,
)
from ._oids import ObjectIdentifier
from ._revocation import REASONS, ReasonFlags, reason_of

__all__ = [
    "OCSPCertStatus",
    "OCSPRequest",
    "OCSPRequestBuilder",
    "OCSPResponderEncoding",
    "OCSPResponse",
    "OCSPResponseBuilder",
    "OCSPResponseStatus",
    "OCSPSingleResponse",
    "load_der_ocsp_request",
    "load_der_ocsp_response",
]

class OCSPRequest(Named):
    """A request about one certificate, as it was read. A requestor's signature is not verified.

    >>> OCSPRequest(b"no request")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """

    def __init__(self, der: bytes) -> None:
        self._native = _native.OcspRequest(der)
        ids = self._native.ids
        if len(ids) != 1:
            raise NotImplementedError("requests about several certificates are not read here, as in cryptography")
        super().__init__(ids[0])

    @functools.cached_property
    def extensions(self) -> Extensions:
        """The nonce, where the request has one."""
        return extensions_of(self._native.nonce)

    def public_bytes(self, encoding: Any = Encoding.DER) -> bytes:
        """In DER."""
        return in_der(self._native.der, encoding)


@dataclasses.dataclass(frozen=True)
class OCSPRequestBuilder:
    """A request in the making. Each method gives a new builder.

    >>> OCSPRequestBuilder().build()
    Traceback (most recent call last):
    ValueError: a request is about a certificate
    """

    _about: tuple[Certificate, Certificate, str] | None = None
    _asked_nonce: bytes | None = None

    def add_certificate(self, cert: Certificate, issuer: Certificate, algorithm: Any = None) -> OCSPRequestBuilder:
        """The certificate that is asked about, and its issuer's.

        algorithm hashes the issuer's name and key: SM3 by default. SHA-1 serves, too, which every responder knows: nothing secret is
        hashed, and no collision helps an attacker.
        """
        if self._about is not None:
            raise ValueError("a request is about one certificate here, as in cryptography")
        return dataclasses.replace(self, _about=(cert, issuer, hash_name(algorithm)))

    def add_extension(self, extval: AnyExtension, critical: bool) -> OCSPRequestBuilder:
        """Adds an OCSPNonce of this module or of cryptography."""
        return dataclasses.replace(self, _asked_nonce=nonce_in(extval, self._asked_nonce))

    def build(self) -> OCSPRequest:
        """The request."""
        if self._about is None:
            raise ValueError("a request is about a certificate")
        cert, issuer, algorithm = self._about
        return OCSPRequest(_native.build_ocsp_request([(cert._native, issuer._native, algorithm)], self._asked_nonce))


class OCSPSingleResponse(Named):
    """What a responder says of one certificate.

    >>> OCSPSingleResponse(((None, b"", b"", b"\\x07"), 0, None, None, 0, None)).serial_number
    7
    """

    def __init__(self, answer: tuple[Id, int, int | None, int | None, int, int | None]) -> None:
        id, self._status, self._when, self._why, self._this, self._next = answer
        super().__init__(id)

    @property
    def certificate_status(self) -> OCSPCertStatus:
        """Whether it is good, revoked, or not known."""
        return OCSPCertStatus(self._status)

    @property
    def revocation_time_utc(self) -> datetime.datetime | None:
        """When it was revoked."""
        return None if self._when is None else _time(self._when)

    @property
    def revocation_reason(self) -> ReasonFlags | None:
        """Why it was revoked, if that is said."""
        return None if self._why is None else reason_of(self._why)

    @property
    def this_update_utc(self) -> datetime.datetime:
        """When this was known to be right."""
        return _time(self._this)

    @property
    def next_update_utc(self) -> datetime.datetime | None:
        """When there will be newer knowledge."""
        return None if self._next is None else _time(self._next)


class OCSPResponse:
    """A response, as it was read. What it says counts only after verify.

    >>> OCSPResponseBuilder.build_unsuccessful(OCSPResponseStatus.TRY_LATER).response_status
    <OCSPResponseStatus.TRY_LATER: 3>
    """

    def __init__(self, der: bytes) -> None:
        self._native = _native.OcspResponse(der)

    @property
    def response_status(self) -> OCSPResponseStatus:
        """Whether the responder answers, or why not."""
        return OCSPResponseStatus(self._native.status)

    @property
    def responses(self) -> Iterator[OCSPSingleResponse]:
        """What is said of each certificate."""
        self._must_answer()
        return map(OCSPSingleResponse, self._native.answers)

    @property
    def _single(self) -> OCSPSingleResponse:
        found = list(self.responses)
        if len(found) != 1:
            raise ValueError("the response has several answers: see responses")
        return found[0]

    def _must_answer(self) -> None:
        if self.response_status is not OCSPResponseStatus.SUCCESSFUL:
            raise ValueError("the responder does not answer: see response_status")

    @property
    def certificate_status(self) -> OCSPCertStatus:
        """Whether the certificate is good, revoked, or not known."""
        return self._single.certificate_status

    @property
    def revocation_time_utc(self) -> datetime.datetime | None:
        """When it was revoked."""
        return self._single.revocation_time_utc

    @property
    def revocation_reason(self) -> ReasonFlags | None:
        """Why it was revoked, if that is said."""
        return self._single.revocation_reason

    @property
    def this_update_utc(self) -> datetime.datetime:
        """When this was known to be right."""
        return self._single.this_update_utc

    @property
    def next_update_utc(self) -> datetime.datetime | None:
        """When there will be newer knowledge."""
        return self._single.next_update_utc

    @property
    def serial_number(self) -> int:
        """The certificate's serial number."""
        return self._single.serial_number

    @property
    def hash_algorithm(self) -> str | None:
        """The hash of the issuer's name and key."""
        return self._single.hash_algorithm

    @property
    def issuer_name_hash(self) -> bytes:
        """The hash of the issuer's name."""
        return self._single.issuer_name_hash

    @property
    def issuer_key_hash(self) -> bytes:
        """The hash of the issuer's key."""
        return self._single.issuer_key_hash

    @property
    def produced_at_utc(self) -> datetime.datetime:
        """When the response was signed."""
        self._must_answer()
        return _time(self._native.produced_at or 0)

    @property
    def responder_name(self) -> Name | None:
        """The responder's name, if the response names it so."""
        self._must_answer()
        der = self._native.responder_name_der
        return None if der is None else Name._from_der(der)

    @property
    def responder_key_hash(self) -> bytes | None:
        """The hash of the responder's key, if the response names it so."""
        self._must_answer()
        return self._native.responder_key_hash

    @property
    def certificates(self) -> list[Certificate]:
        """Those that came with the response, for which nobody vouches."""
        self._must_answer()
        return [Certificate(bytes(der)) for der in self._native.certificates_der]

    @property
    def extensions(self) -> Extensions:
        """The nonce, where the response has one."""
        self._must_answer()
        return extensions_of(self._native.nonce)

    @property
    def signature(self) -> bytes:
        """The signature."""
        self._must_answer()
        return self._native.signature_bytes

    @property
    def signature_algorithm_oid(self) -> ObjectIdentifier:
        """The algorithm of the signature."""
        self._must_answer()
        return ObjectIdentifier(self._native.signature_oid or "")

    @property
    def tbs_response_bytes(self) -> bytes:
        """What the responder signed."""
        self._must_answer()
        return self._native.tbs

    def verify(
        self,
        cert: Certificate,
        issuer: Certificate,
        *,
        time: datetime.datetime | None = None,
        nonce: bytes | None = None,
        responders: Iterable[Certificate] = (),
        skew: datetime.timedelta = datetime.timedelta(minutes=5),
        empty_identity: bool = False,
    ) -> OCSPSingleResponse:
        """What is said of a certificate, if whoever may say it signed it, and it is in force.

        That is the issuer, or a responder with a certificate that the issuer signed for it, which came along or is among `responders`.
        Verify the issuer's chain before. With a nonce, the response must repeat it.

        Raises InvalidSignature, and FormatError for a responder that does not answer or was not authorised, a wrong nonce or time, and
        where nothing is said of the certificate.
        """
        now = datetime.datetime.now(datetime.timezone.utc) if time is None else time
        answer = self._native.verify(
            cert._native,
            issuer._native,
            time=_seconds(now),
            skew=int(skew.total_seconds()),
            nonce=nonce,
            delegates=[one._native for one in responders],
            empty_identity=empty_identity,
        )
        return OCSPSingleResponse(answer)

    def public_bytes(self, encoding: Any = Encoding.DER) -> bytes:
        """In DER."""
        return in_der(self._native.der, encoding)


_Said = tuple[_native.Certificate, _native.Certificate, str, int, int | None, int | None, int, int | None]


@dataclasses.dataclass(frozen=True)
class OCSPResponseBuilder:
    """A response in the making. Each method gives a new builder.

    >>> import kuaimi
    >>> OCSPResponseBuilder().sign(kuaimi.sm2.SM2PrivateKey.generate())
    Traceback (most recent call last):
    ValueError: a response has an answer and a responder: one is not set
    """

    _answers: tuple[_Said, ...] = ()
    _responder: Certificate | None = None
    _own_nonce: bytes | None = None
    _certs: tuple[Certificate, ...] = ()

    def add_response(
        self,
        cert: Certificate,
        issuer: Certificate,
        algorithm: Any,
        cert_status: OCSPCertStatus,
        this_update: datetime.datetime,
        next_update: datetime.datetime | None,
        revocation_time: datetime.datetime | None,
        revocation_reason: ReasonFlags | None,
    ) -> OCSPResponseBuilder:
        """What is said of a certificate of an issuer. algorithm is that of the request: SM3 by default. It may be called again."""
        if (revocation_time is None) == (OCSPCertStatus[cert_status.name] is OCSPCertStatus.REVOKED):
            raise ValueError("a certificate that was revoked has a revocation_time, and no other has")
        said = (
            cert._native,
            issuer._native,
            hash_name(algorithm),
            OCSPCertStatus[cert_status.name].value,
            None if revocation_time is None else _seconds(revocation_time),
            None if revocation_reason is None else REASONS[ReasonFlags(revocation_reason.value)],
            _seconds(this_update),
            None if next_update is None else _seconds(next_update),
        )
        return dataclasses.replace(self, _answers=(*self._answers, said))

    def responder_id(self, encoding: OCSPResponderEncoding, responder_cert: Certificate) -> OCSPResponseBuilder:
        """Whose key signs: the issuer's, or that of a responder with a certificate of its own, which `certificates` then sends along."""
        if encoding.name != "HASH":
            raise ValueError("a responder is named by the hash of its key here: OCSPResponderEncoding.HASH")
        return dataclasses.replace(self, _responder=responder_cert)

    def answering(self, request: OCSPRequest) -> OCSPResponseBuilder:
        """Repeats the nonce of a request, if it has one."""
        return dataclasses.replace(self, _own_nonce=request._native.nonce)

    def add_extension(self, extval: AnyExtension, critical: bool) -> OCSPResponseBuilder:
        """Adds an OCSPNonce of this module or of cryptography."""
        return dataclasses.replace(self, _own_nonce=nonce_in(extval, self._own_nonce))

    def certificates(self, certs: Iterable[Certificate]) -> OCSPResponseBuilder:
        """Certificates that go along."""
        return dataclasses.replace(self, _certs=tuple(certs))

    def sign(self, private_key: SM2PrivateKey, algorithm: Any = None, *, produced_at: datetime.datetime | None = None) -> OCSPResponse:
        """The response, signed with the responder's key, now or at produced_at.

        Raises ValueError where something is missing, and InvalidArgument where the key is not the responder's.
        """
        _is_sm3(algorithm)
        if not self._answers or self._responder is None:
            raise ValueError("a response has an answer and a responder: one is not set")
        now = datetime.datetime.now(datetime.timezone.utc) if produced_at is None else produced_at
        der = _native.build_ocsp_response(
            self._responder._native,
            _seconds(now),
            list(self._answers),
            self._own_nonce,
            [one._native for one in self._certs],
            private_key,
        )
        return OCSPResponse(der)

    @classmethod
    def build_unsuccessful(cls, response_status: OCSPResponseStatus) -> OCSPResponse:
        """The response of a responder that does not answer. It is not signed."""
        if response_status.name == "SUCCESSFUL":
            raise ValueError("a response without an answer is no success")
        return OCSPResponse(_native.build_ocsp_refusal(response_status.value))


def load_der_ocsp_request(data: bytes) -> OCSPRequest:
    """A request from DER. Raises FormatError with the reason.

    >>> load_der_ocsp_request(b"")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    return OCSPRequest(data)


def load_der_ocsp_response(data: bytes) -> OCSPResponse:
    """A response from DER. Raises FormatError with the reason.

    >>> load_der_ocsp_response(b"")
    Traceback (most recent call last):
    kuaimi.errors.FormatError: ...
    """
    return OCSPResponse(data)
