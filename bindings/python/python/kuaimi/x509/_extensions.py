"""Extensions of certificates (RFC 5280, clause 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Generic, Protocol, TypeVar

from .._native import x509 as _native
from ..sm2 import SM2PublicKey
from ._names import GeneralName, decoded
from ._oids import ExtensionOID, ObjectIdentifier


class AnyOID(Protocol):
    """An object identifier of this module, or of cryptography."""

    @property
    def dotted_string(self) -> str: ...


class AnyExtension(Protocol):
    """An extension's value of this module, or of cryptography."""

    @property
    def oid(self) -> AnyOID: ...

    def public_bytes(self) -> bytes: ...


class ExtensionType:
    """The value of an extension.

    >>> isinstance(BasicConstraints(True, None), ExtensionType)
    True
    """

    oid: ObjectIdentifier

    def public_bytes(self) -> bytes:
        """In DER."""
        raise NotImplementedError


class ExtensionNotFound(Exception):
    """The certificate has no extension of this type.

    >>> ExtensionNotFound("none", ExtensionOID.KEY_USAGE).oid.dotted_string
    '2.5.29.15'
    """

    def __init__(self, message: str, oid: ObjectIdentifier) -> None:
        super().__init__(message)
        self.oid = oid


@dataclass(frozen=True)
class BasicConstraints(ExtensionType):
    """Whether the subject is an authority, and how many authorities may stand below it.

    >>> BasicConstraints(ca=True, path_length=0).public_bytes().hex()
    '30060101ff020100'
    """

    ca: bool
    path_length: int | None
    oid = ExtensionOID.BASIC_CONSTRAINTS

    def __post_init__(self) -> None:
        if self.path_length is not None and not (self.ca and 0 <= self.path_length <= 255):
            raise ValueError("path_length is 0 to 255, and for an authority alone")

    @classmethod
    def _from_der(cls, der: bytes) -> BasicConstraints:
        ca, path_length = _native.decode_basic_constraints(der)
        return cls(ca, path_length if ca else None)

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_basic_constraints(self.ca, self.path_length)


@dataclass(frozen=True)
class KeyUsage(ExtensionType):
    """What the key may do. content_commitment is also called nonRepudiation.

    >>> KeyUsage(True, True, False, False, False, False, False, False, False).public_bytes().hex()
    '030206c0'
    """

    digital_signature: bool
    content_commitment: bool
    key_encipherment: bool
    data_encipherment: bool
    key_agreement: bool
    key_cert_sign: bool
    crl_sign: bool
    encipher_only: bool
    decipher_only: bool
    oid = ExtensionOID.KEY_USAGE

    @classmethod
    def _from_der(cls, der: bytes) -> KeyUsage:
        bits = _native.decode_key_usage(der)
        return cls(*(bool(bits >> i & 1) for i in range(9)))

    def public_bytes(self) -> bytes:
        """In DER."""
        bits = sum(getattr(self, one.name) << i for i, one in enumerate(fields(self)))
        return _native.encode_key_usage(bits)


class _List(ExtensionType):
    """An extension that is a list."""

    def __init__(self, values: Iterable[object]) -> None:
        self._values = list(values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, _List) and self._values == other._values

    def __hash__(self) -> int:
        return hash(tuple(self._values))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}({self._values})>"


class ExtendedKeyUsage(_List):
    """For which protocols the key is.

    >>> from kuaimi.x509 import ExtendedKeyUsageOID
    >>> len(ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]))
    1
    """

    oid = ExtensionOID.EXTENDED_KEY_USAGE

    def __init__(self, usages: Iterable[ObjectIdentifier]) -> None:
        super().__init__(usages)

    @classmethod
    def _from_der(cls, der: bytes) -> ExtendedKeyUsage:
        return cls(map(ObjectIdentifier, _native.decode_extended_key_usage(der)))

    def __iter__(self) -> Iterator[ObjectIdentifier]:
        return (one for one in self._values if isinstance(one, ObjectIdentifier))

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_extended_key_usage([one.dotted_string for one in self])


class _Names(_List):
    """A list of names."""

    def __init__(self, general_names: Iterable[GeneralName]) -> None:
        super().__init__(general_names)

    def __iter__(self) -> Iterator[GeneralName]:
        return (one for one in self._values if isinstance(one, GeneralName))

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_general_names([one._encoded() for one in self])

    def get_values_for_type(self, type: type[GeneralName]) -> list[object]:
        """The values of the names of one kind.

        >>> from kuaimi.x509 import DNSName
        >>> SubjectAlternativeName([DNSName("www.example")]).get_values_for_type(DNSName)
        ['www.example']
        """
        return [getattr(one, "value") for one in self if isinstance(one, type)]


class SubjectAlternativeName(_Names):
    """Other names of the subject: for a server, its host names.

    >>> from kuaimi.x509 import DNSName
    >>> len(SubjectAlternativeName([DNSName("www.example"), DNSName("example")]))
    2
    """

    oid = ExtensionOID.SUBJECT_ALTERNATIVE_NAME

    @classmethod
    def _from_der(cls, der: bytes) -> SubjectAlternativeName:
        return cls(map(decoded, _native.decode_general_names(der)))


class IssuerAlternativeName(_Names):
    """Other names of the issuer.

    >>> from kuaimi.x509 import DNSName
    >>> len(IssuerAlternativeName([DNSName("ca.example")]))
    1
    """

    oid = ExtensionOID.ISSUER_ALTERNATIVE_NAME

    @classmethod
    def _from_der(cls, der: bytes) -> IssuerAlternativeName:
        return cls(map(decoded, _native.decode_general_names(der)))


@dataclass(frozen=True)
class SubjectKeyIdentifier(ExtensionType):
    """The identifier of the subject's key.

    >>> import kuaimi
    >>> len(SubjectKeyIdentifier.from_public_key(kuaimi.sm2.SM2PrivateKey.generate().public_key()).digest)
    20
    """

    digest: bytes
    oid = ExtensionOID.SUBJECT_KEY_IDENTIFIER

    @classmethod
    def from_public_key(cls, public_key: SM2PublicKey) -> SubjectKeyIdentifier:
        """SHA-1 of the key's point (RFC 5280, clause 4.2.1.2)."""
        return cls(_native.key_identifier(public_key))

    @classmethod
    def _from_der(cls, der: bytes) -> SubjectKeyIdentifier:
        return cls(_native.decode_subject_key_identifier(der))

    @property
    def key_identifier(self) -> bytes:
        """The identifier."""
        return self.digest

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_subject_key_identifier(self.digest)


@dataclass(frozen=True)
class AuthorityKeyIdentifier(ExtensionType):
    """The identifier of the issuer's key.

    >>> AuthorityKeyIdentifier(b"id", None, None).key_identifier
    b'id'
    """

    key_identifier: bytes | None
    authority_cert_issuer: None = None
    authority_cert_serial_number: None = None
    oid = ExtensionOID.AUTHORITY_KEY_IDENTIFIER

    @classmethod
    def from_issuer_public_key(cls, public_key: SM2PublicKey) -> AuthorityKeyIdentifier:
        """As SubjectKeyIdentifier.from_public_key."""
        return cls(_native.key_identifier(public_key))

    @classmethod
    def _from_der(cls, der: bytes) -> AuthorityKeyIdentifier:
        found = _native.decode_authority_key_identifier(der)
        return cls(None if found is None else bytes(found))

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_authority_key_identifier(self.key_identifier or b"")


@dataclass(frozen=True)
class DistributionPoint:
    """Where a CRL is found.

    >>> from kuaimi.x509 import UniformResourceIdentifier
    >>> len(DistributionPoint([UniformResourceIdentifier("http://ca.example/ca.crl")]).full_name)
    1
    """

    full_name: list[GeneralName]

    def __hash__(self) -> int:
        return hash(tuple(self.full_name))


class CRLDistributionPoints(_List):
    """Where the issuer's CRLs are found.

    >>> len(CRLDistributionPoints([]))
    0
    """

    oid = ExtensionOID.CRL_DISTRIBUTION_POINTS

    def __init__(self, distribution_points: Iterable[DistributionPoint]) -> None:
        super().__init__(distribution_points)

    @classmethod
    def _from_der(cls, der: bytes) -> CRLDistributionPoints:
        return cls(DistributionPoint([decoded(one) for one in names]) for names in _native.decode_crl_distribution_points(der))

    def __iter__(self) -> Iterator[DistributionPoint]:
        return (one for one in self._values if isinstance(one, DistributionPoint))

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_crl_distribution_points([[name._encoded() for name in point.full_name] for point in self])


@dataclass(frozen=True)
class AccessDescription:
    """What an issuer offers, and where.

    >>> from kuaimi.x509 import AuthorityInformationAccessOID, UniformResourceIdentifier
    >>> AccessDescription(AuthorityInformationAccessOID.OCSP, UniformResourceIdentifier("http://a.example")).access_method.dotted_string
    '1.3.6.1.5.5.7.48.1'
    """

    access_method: ObjectIdentifier
    access_location: GeneralName


class AuthorityInformationAccess(_List):
    """What the issuer offers: its certificate, OCSP.

    >>> len(AuthorityInformationAccess([]))
    0
    """

    oid = ExtensionOID.AUTHORITY_INFORMATION_ACCESS

    def __init__(self, descriptions: Iterable[AccessDescription]) -> None:
        super().__init__(descriptions)

    @classmethod
    def _from_der(cls, der: bytes) -> AuthorityInformationAccess:
        all = _native.decode_authority_information_access(der)
        return cls(AccessDescription(ObjectIdentifier(method), decoded(name)) for method, name in all)

    def __iter__(self) -> Iterator[AccessDescription]:
        return (one for one in self._values if isinstance(one, AccessDescription))

    def public_bytes(self) -> bytes:
        """In DER."""
        return _native.encode_authority_information_access(
            [(one.access_method.dotted_string, one.access_location._encoded()) for one in self]
        )


@dataclass(frozen=True)
class NameConstraints(ExtensionType):
    """Which names the certificates below may have.

    >>> from kuaimi.x509 import DNSName
    >>> NameConstraints([DNSName("example")], None).permitted_subtrees
    [DNSName(value='example')]
    """

    permitted_subtrees: list[GeneralName] | None
    excluded_subtrees: list[GeneralName] | None
    oid = ExtensionOID.NAME_CONSTRAINTS

    @classmethod
    def _from_der(cls, der: bytes) -> NameConstraints:
        permitted, excluded = _native.decode_name_constraints(der)
        return cls(
            None if permitted is None else [decoded(one) for one in permitted],
            None if excluded is None else [decoded(one) for one in excluded],
        )

    def public_bytes(self) -> bytes:
        """In DER."""
        def encoded(names: list[GeneralName] | None) -> list[tuple[str, object]] | None:
            return None if names is None else [one._encoded() for one in names]

        return _native.encode_name_constraints(encoded(self.permitted_subtrees), encoded(self.excluded_subtrees))


@dataclass(frozen=True)
class UnrecognizedExtension(ExtensionType):
    """An extension that is not known here, in DER.

    >>> UnrecognizedExtension(ObjectIdentifier("1.2.3"), b"\\x05\\x00").public_bytes()
    b'\\x05\\x00'
    """

    oid: ObjectIdentifier
    value: bytes

    def public_bytes(self) -> bytes:
        """In DER."""
        return self.value


T = TypeVar("T", bound=ExtensionType, covariant=True)
U = TypeVar("U", bound=ExtensionType)


@dataclass(frozen=True)
class Extension(Generic[T]):
    """An extension of a certificate.

    >>> Extension(ExtensionOID.BASIC_CONSTRAINTS, True, BasicConstraints(True, None)).critical
    True
    """

    oid: ObjectIdentifier
    critical: bool
    value: T


_KNOWN: dict[ObjectIdentifier, Callable[[bytes], ExtensionType]] = {
    known.oid: known._from_der
    for known in (
        BasicConstraints,
        KeyUsage,
        ExtendedKeyUsage,
        SubjectAlternativeName,
        IssuerAlternativeName,
        SubjectKeyIdentifier,
        AuthorityKeyIdentifier,
        CRLDistributionPoints,
        AuthorityInformationAccess,
        NameConstraints,
    )
}


class Extensions:
    """The extensions of a certificate or a request.

    >>> len(Extensions([]))
    0
    """

    def __init__(self, extensions: Iterable[Extension[ExtensionType]]) -> None:
        self._extensions = list(extensions)

    @classmethod
    def _from_der(cls, all: list[tuple[str, bool, bytes]]) -> Extensions:
        found = []
        for dotted, critical, der in all:
            oid = ObjectIdentifier(dotted)
            read = _KNOWN.get(oid)
            value: ExtensionType = UnrecognizedExtension(oid, bytes(der)) if read is None else read(bytes(der))
            found.append(Extension(oid, critical, value))
        return cls(found)

    def __iter__(self) -> Iterator[Extension[ExtensionType]]:
        return iter(self._extensions)

    def __len__(self) -> int:
        return len(self._extensions)

    def __getitem__(self, index: int) -> Extension[ExtensionType]:
        return self._extensions[index]

    def get_extension_for_oid(self, oid: ObjectIdentifier) -> Extension[ExtensionType]:
        """The extension of this type. Raises ExtensionNotFound.

        >>> Extensions([]).get_extension_for_oid(ExtensionOID.KEY_USAGE)
        Traceback (most recent call last):
        kuaimi.x509._extensions.ExtensionNotFound: no extension 2.5.29.15
        """
        for one in self:
            if one.oid == oid:
                return one
        raise ExtensionNotFound(f"no extension {oid.dotted_string}", oid)

    def get_extension_for_class(self, extclass: type[U]) -> Extension[U]:
        """The same by its class.

        >>> extensions = Extensions([Extension(ExtensionOID.BASIC_CONSTRAINTS, True, BasicConstraints(True, None))])
        >>> extensions.get_extension_for_class(BasicConstraints).value.ca
        True
        """
        for one in self:
            if isinstance(one.value, extclass):
                return Extension(one.oid, one.critical, one.value)
        raise ExtensionNotFound(f"no extension {extclass.oid.dotted_string}", extclass.oid)
