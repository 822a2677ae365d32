"""What requests and responses of OCSP have in common, and the words of RFC 6960."""

from __future__ import annotations

import enum
from typing import Any, TypeAlias

from .._native import x509 as _native
from ._extensions import AnyExtension, Extension, Extensions
from ._oids import OCSPExtensionOID
from ._revocation import OCSPNonce

Id: TypeAlias = tuple[str | None, bytes, bytes, bytes]


class OCSPResponderEncoding(enum.Enum):
    """How a response names its responder: here always by the hash of its key.

    >>> OCSPResponderEncoding.HASH.value
    'By Hash'
    """

    HASH = "By Hash"
    NAME = "By Name"


class OCSPResponseStatus(enum.Enum):
    """Whether a responder answers, or why not.

    >>> OCSPResponseStatus(3)
    <OCSPResponseStatus.TRY_LATER: 3>
    """

    SUCCESSFUL = 0
    MALFORMED_REQUEST = 1
    INTERNAL_ERROR = 2
    TRY_LATER = 3
    SIG_REQUIRED = 5
    UNAUTHORIZED = 6


class OCSPCertStatus(enum.Enum):
    """What a responder says of a certificate.

    >>> OCSPCertStatus(1)
    <OCSPCertStatus.REVOKED: 1>
    """

    GOOD = 0
    REVOKED = 1
    UNKNOWN = 2


def hash_name(algorithm: Any) -> str:
    """The name of a hash: SM3 by default."""
    return "sm3" if algorithm is None else str(getattr(algorithm, "name", algorithm)).lower()


def extensions_of(nonce: bytes | None) -> Extensions:
    return Extensions([] if nonce is None else [Extension(OCSPNonce.oid, False, OCSPNonce(bytes(nonce)))])


def nonce_in(extval: AnyExtension, old: bytes | None) -> bytes:
    if extval.oid.dotted_string != OCSPExtensionOID.NONCE.dotted_string or old is not None:
        raise ValueError("requests and responses have one nonce at most, and no other extension here")
    # The value is an octet string. Its length is looked at when all is built.
    return bytes(_native.decode_subject_key_identifier(extval.public_bytes()))


class Named:
    """Which certificate is meant."""

    def __init__(self, id: Id) -> None:
        self._id = id

    @property
    def hash_algorithm(self) -> str | None:
        """The hash of the issuer's name and key: "sm3", "sha1", "sha256"; None if it is not known."""
        return self._id[0]

    @property
    def issuer_name_hash(self) -> bytes:
        """The hash of the issuer's name."""
        return bytes(self._id[1])

    @property
    def issuer_key_hash(self) -> bytes:
        """The hash of the issuer's key."""
        return bytes(self._id[2])

    @property
    def serial_number(self) -> int:
        """The certificate's serial number."""
        return int.from_bytes(bytes(self._id[3]), "big", signed=True)


def in_der(der: bytes, encoding: Any) -> bytes:
    if getattr(encoding, "name", None) != "DER":
        raise ValueError("OCSP has no form but Encoding.DER")
    return der
