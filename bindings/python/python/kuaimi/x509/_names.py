"""Distinguished names, and the other names of a subject."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from .._native import x509 as _native
from ._oids import ObjectIdentifier

Network: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address | ipaddress.IPv4Network | ipaddress.IPv6Network
Encoded: TypeAlias = tuple[str, Any]


class AnyName(Protocol):
    """A name of this module, or of cryptography."""

    def public_bytes(self) -> bytes: ...


@dataclass(frozen=True)
class NameAttribute:
    """An attribute of a name: its type and its text.

    >>> from kuaimi.x509 import NameOID
    >>> NameAttribute(NameOID.COMMON_NAME, "leaf").value
    'leaf'
    """

    oid: ObjectIdentifier
    value: str
    _tag: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NameAttribute) and (self.oid, self.value) == (other.oid, other.value)

    def __hash__(self) -> int:
        return hash((self.oid, self.value))

    def rfc4514_string(self) -> str:
        """TYPE=value.

        >>> from kuaimi.x509 import NameOID
        >>> NameAttribute(NameOID.COMMON_NAME, "leaf").rfc4514_string()
        'CN=leaf'
        """
        return Name([self]).rfc4514_string()


class RelativeDistinguishedName:
    """Attributes that stand at one place of a name: nearly always one.

    >>> from kuaimi.x509 import NameOID
    >>> len(list(RelativeDistinguishedName([NameAttribute(NameOID.COMMON_NAME, "leaf")])))
    1
    """

    def __init__(self, attributes: Iterable[NameAttribute]) -> None:
        self._attributes = list(attributes)
        if not self._attributes:
            raise ValueError("a relative distinguished name cannot be empty")

    def __iter__(self) -> Iterator[NameAttribute]:
        return iter(self._attributes)

    def __len__(self) -> int:
        return len(self._attributes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RelativeDistinguishedName) and set(self) == set(other)

    def __hash__(self) -> int:
        return hash(frozenset(self._attributes))

    def get_attributes_for_oid(self, oid: ObjectIdentifier) -> list[NameAttribute]:
        """The attributes of this type.

        >>> from kuaimi.x509 import NameOID
        >>> RelativeDistinguishedName([NameAttribute(NameOID.COMMON_NAME, "a")]).get_attributes_for_oid(NameOID.COUNTRY_NAME)
        []
        """
        return [one for one in self if one.oid == oid]


class Name:
    """A distinguished name, in the order of the certificate.

    >>> Name.from_rfc4514_string("CN=leaf,O=Example").rfc4514_string()
    'CN=leaf,O=Example'
    """

    def __init__(self, attributes: Iterable[NameAttribute | RelativeDistinguishedName]) -> None:
        self._rdns = [one if isinstance(one, RelativeDistinguishedName) else RelativeDistinguishedName([one]) for one in attributes]

    @classmethod
    def _from_der(cls, der: bytes) -> Name:
        parts = _native.decode_name(der)
        return cls(
            RelativeDistinguishedName(NameAttribute(ObjectIdentifier(oid), value, tag) for oid, value, tag in part) for part in parts
        )

    @classmethod
    def from_rfc4514_string(cls, data: str) -> Name:
        """From text, in which the last part of the certificate comes first. Raises InvalidArgument with the reason.

        >>> [one.value for one in Name.from_rfc4514_string("CN=leaf,C=CN")]
        ['CN', 'leaf']
        """
        return cls._from_der(_native.parse_name(data))

    @property
    def rdns(self) -> list[RelativeDistinguishedName]:
        """The parts."""
        return list(self._rdns)

    def rfc4514_string(self) -> str:
        """As text.

        >>> Name([]).rfc4514_string()
        ''
        """
        return _native.format_name(self.public_bytes())

    def public_bytes(self) -> bytes:
        """In DER.

        >>> Name([]).public_bytes()
        b'0\\x00'
        """
        return _native.encode_name([[(one.oid.dotted_string, one.value, one._tag) for one in part] for part in self._rdns])

    def get_attributes_for_oid(self, oid: ObjectIdentifier) -> list[NameAttribute]:
        """The attributes of this type.

        >>> from kuaimi.x509 import NameOID
        >>> Name.from_rfc4514_string("CN=leaf,O=Example").get_attributes_for_oid(NameOID.COMMON_NAME)[0].value
        'leaf'
        """
        return [one for one in self if one.oid == oid]

    def __iter__(self) -> Iterator[NameAttribute]:
        return (one for part in self._rdns for one in part)

    def __len__(self) -> int:
        return sum(map(len, self._rdns))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and self._rdns == other._rdns

    def __hash__(self) -> int:
        return hash(tuple(self._rdns))

    def __repr__(self) -> str:
        return f"<Name({self.rfc4514_string()})>"


class GeneralName:
    """A name of a subject of any kind.

    >>> isinstance(DNSName("www.example"), GeneralName)
    True
    """

    def _encoded(self) -> Encoded:
        raise NotImplementedError


def _ascii(value: str, what: str) -> None:
    if not value.isascii():
        raise ValueError(f"{what} is ASCII: write an international one as xn--… (idna)")


@dataclass(frozen=True)
class DNSName(GeneralName):
    """A host name.

    >>> DNSName("www.example").value
    'www.example'
    """

    value: str

    def __post_init__(self) -> None:
        _ascii(self.value, "a host name")

    def _encoded(self) -> Encoded:
        return "dns", self.value


@dataclass(frozen=True)
class RFC822Name(GeneralName):
    """A mail address.

    >>> RFC822Name("alice@example").value
    'alice@example'
    """

    value: str

    def __post_init__(self) -> None:
        _ascii(self.value, "a mail address")

    def _encoded(self) -> Encoded:
        return "email", self.value


@dataclass(frozen=True)
class UniformResourceIdentifier(GeneralName):
    """A URI.

    >>> UniformResourceIdentifier("http://ca.example/ca.crl").value
    'http://ca.example/ca.crl'
    """

    value: str

    def __post_init__(self) -> None:
        _ascii(self.value, "a URI")

    def _encoded(self) -> Encoded:
        return "uri", self.value


@dataclass(frozen=True)
class IPAddress(GeneralName):
    """An address, or a network in name constraints.

    >>> IPAddress(ipaddress.ip_address("192.0.2.1")).value
    IPv4Address('192.0.2.1')
    """

    value: Network

    def _encoded(self) -> Encoded:
        if isinstance(self.value, ipaddress.IPv4Network | ipaddress.IPv6Network):
            return "ip", self.value.network_address.packed + self.value.netmask.packed
        return "ip", self.value.packed


@dataclass(frozen=True)
class DirectoryName(GeneralName):
    """A distinguished name.

    >>> DirectoryName(Name([])).value
    <Name()>
    """

    value: Name

    def _encoded(self) -> Encoded:
        return "directory", self.value.public_bytes()


@dataclass(frozen=True)
class RegisteredID(GeneralName):
    """An object identifier as a name.

    >>> RegisteredID(ObjectIdentifier("1.2.3")).value.dotted_string
    '1.2.3'
    """

    value: ObjectIdentifier

    def _encoded(self) -> Encoded:
        return "id", self.value.dotted_string


@dataclass(frozen=True)
class OtherName(GeneralName):
    """A name of another kind: its type, and its value in DER.

    >>> OtherName(ObjectIdentifier("1.2.3"), b"\\x05\\x00").value
    b'\\x05\\x00'
    """

    type_id: ObjectIdentifier
    value: bytes

    def _encoded(self) -> Encoded:
        return "other", (self.type_id.dotted_string, self.value)


def decoded(encoded: Encoded) -> GeneralName:
    """From what the extension module gives."""
    kind, value = encoded
    match kind:
        case "dns":
            return DNSName(value)
        case "email":
            return RFC822Name(value)
        case "uri":
            return UniformResourceIdentifier(value)
        case "id":
            return RegisteredID(ObjectIdentifier(value))
        case "directory":
            return DirectoryName(Name._from_der(bytes(value)))
        case "other":
            return OtherName(ObjectIdentifier(value[0]), bytes(value[1]))
        case _:
            return IPAddress(_network(bytes(value)))


def _network(packed: bytes) -> Network:
    if len(packed) in (4, 16):
        return ipaddress.ip_address(packed)
    if len(packed) not in (8, 32):
        raise ValueError(f"an address has 4 or 16 bytes, and a network 8 or 32, not {len(packed)}")
    half = len(packed) // 2
    mask = int.from_bytes(packed[half:], "big")
    bits = half * 8
    length = mask.bit_count()
    if mask != (1 << bits) - (1 << (bits - length)):
        raise ValueError("the mask of a network has its ones in front")
    return ipaddress.ip_network((packed[:half], length), strict=False)
