"""Whether a certificate can be trusted: chains after RFC 5280, in the shape of cryptography.x509.verification.

>>> import datetime
>>> import kuaimi
>>> from kuaimi import x509
>>> from kuaimi.x509 import verification
>>> key = kuaimi.sm2.SM2PrivateKey.generate()
>>> day = datetime.datetime(2026, 1, 1)
>>> def builder(name, serial):
...     made = x509.CertificateBuilder().subject_name(x509.Name.from_rfc4514_string(name)).public_key(key.public_key())
...     return made.serial_number(serial).not_valid_before(day).not_valid_after(day + datetime.timedelta(days=365))
>>> usage = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
>>> ca = builder("CN=Root", 1).add_extension(x509.BasicConstraints(True, None), True).add_extension(usage, True).sign(key)
>>> names = x509.SubjectAlternativeName([x509.DNSName("leaf.example")])
>>> leaf = builder("CN=leaf", 2).add_extension(names, False).sign(key, issuer=ca)
>>> policy = verification.PolicyBuilder().store(verification.Store([ca])).time(day)
>>> policy.build_server_verifier(x509.DNSName("leaf.example")).verify(leaf, []) == [leaf, ca]
True
>>> policy.build_server_verifier(x509.DNSName("other.example")).verify(leaf, [])
Traceback (most recent call last):
kuaimi.x509.verification.VerificationError: ...
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable
from typing import Literal, TypeAlias

from .._native import x509 as _native
from ..errors import VerificationError
from ._certificate import Certificate
from ._names import DNSName, IPAddress, RFC822Name

__all__ = ["ClientVerifier", "PolicyBuilder", "Purpose", "ServerVerifier", "Store", "VerificationError", "VerifiedClient", "Verifier"]

Purpose: TypeAlias = Literal["any", "server", "client", "signing", "encryption"]
Revocation: TypeAlias = Literal["if-given", "end", "all"]
Subject: TypeAlias = DNSName | IPAddress | RFC822Name


class Store:
    """The certificates of the authorities that are trusted; and lists of revoked certificates, in DER or PEM.

    >>> Store([])
    Traceback (most recent call last):
    ValueError: a store has at least one certificate
    """

    def __init__(self, certs: Iterable[Certificate], crls: Iterable[bytes] = ()) -> None:
        anchors = [one._native for one in certs]
        if not anchors:
            raise ValueError("a store has at least one certificate")
        self._native = _native.Store(anchors, list(crls))


@dataclasses.dataclass(frozen=True)
class Verifier:
    """Verifies chains for one purpose.

    >>> Verifier.verify.__name__
    'verify'
    """

    store: Store
    validation_time: datetime.datetime | None
    max_chain_depth: int
    purpose: Purpose
    subject: Subject | None
    revocation: Revocation
    empty_identity: bool

    def verify(self, leaf: Certificate, intermediates: Iterable[Certificate]) -> list[Certificate]:
        """The certificates from the leaf to the authority. Raises VerificationError."""
        now = datetime.datetime.now(datetime.timezone.utc)
        time = now if self.validation_time is None else self.validation_time
        path = self.store._native.verify(
            leaf._native,
            [one._native for one in intermediates],
            time=int(time.timestamp()),
            purpose=self.purpose,
            peer=None if self.subject is None else str(self.subject.value),
            revocation=self.revocation,
            max_intermediates=self.max_chain_depth,
            empty_identity=self.empty_identity,
        )
        return [Certificate(bytes(der)) for der in path]


class ServerVerifier(Verifier):
    """Verifies servers.

    >>> issubclass(ServerVerifier, Verifier)
    True
    """


@dataclasses.dataclass(frozen=True)
class VerifiedClient:
    """A client whose chain is accepted.

    >>> VerifiedClient([]).chain
    []
    """

    chain: list[Certificate]


@dataclasses.dataclass(frozen=True)
class ClientVerifier:
    """Verifies clients.

    >>> ClientVerifier.verify.__name__
    'verify'
    """

    _verifier: Verifier

    def verify(self, leaf: Certificate, intermediates: Iterable[Certificate]) -> VerifiedClient:
        """The chain. Raises VerificationError."""
        return VerifiedClient(self._verifier.verify(leaf, intermediates))


@dataclasses.dataclass(frozen=True)
class PolicyBuilder:
    """What a chain has to fulfil. Each method gives a new builder.

    >>> PolicyBuilder().build_client_verifier()
    Traceback (most recent call last):
    ValueError: a verifier needs a store
    """

    _store: Store | None = None
    _time: datetime.datetime | None = None
    _depth: int = 8
    _revocation: Revocation = "if-given"
    _empty_identity: bool = False

    def store(self, new_store: Store) -> PolicyBuilder:
        """Whom to trust."""
        return dataclasses.replace(self, _store=new_store)

    def time(self, new_time: datetime.datetime) -> PolicyBuilder:
        """When the certificates have to be valid; without it, now. A time without a zone is UTC."""
        aware = new_time.replace(tzinfo=datetime.timezone.utc) if new_time.tzinfo is None else new_time
        return dataclasses.replace(self, _time=aware)

    def max_chain_depth(self, new_max_chain_depth: int) -> PolicyBuilder:
        """The maximum number of authorities between the leaf and the trusted one."""
        if new_max_chain_depth < 0:
            raise ValueError("max_chain_depth is not negative")
        return dataclasses.replace(self, _depth=new_max_chain_depth)

    def revocation(self, required: Revocation) -> PolicyBuilder:
        """What must be known of revocation: what is given ("if-given"), of the leaf ("end"), or of all certificates ("all")."""
        return dataclasses.replace(self, _revocation=required)

    def accept_empty_identity(self) -> PolicyBuilder:
        """Also accept signatures under the empty identity of SM2, which some authorities make."""
        return dataclasses.replace(self, _empty_identity=True)

    def _parts(self) -> tuple[Store, datetime.datetime | None, int]:
        if self._store is None:
            raise ValueError("a verifier needs a store")
        return self._store, self._time, self._depth

    def build_server_verifier(self, subject: Subject) -> ServerVerifier:
        """For a server of this name or address."""
        return ServerVerifier(*self._parts(), "server", subject, self._revocation, self._empty_identity)

    def build_client_verifier(self) -> ClientVerifier:
        """For clients."""
        return ClientVerifier(Verifier(*self._parts(), "client", None, self._revocation, self._empty_identity))

    def build_verifier(self, purpose: Purpose, subject: Subject | None = None) -> Verifier:
        """For another purpose: signatures of messages ("signing"), "encryption", or "any"."""
        return Verifier(*self._parts(), purpose, subject, self._revocation, self._empty_identity)
