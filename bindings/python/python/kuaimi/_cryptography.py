"""Keys to and from the package cryptography, as DER, which is what both can read."""

from typing import Any

from .errors import FormatError

_HINT = "use private_bytes and public_bytes, whose forms other programs read"


def private_der(key: Any) -> bytes:
    """PKCS#8 of one of its private keys."""
    from cryptography.hazmat.primitives import serialization as theirs

    if not hasattr(key, "private_bytes"):
        raise TypeError(f"one of cryptography's private keys is expected, not {type(key)}")
    der: bytes = key.private_bytes(
        theirs.Encoding.DER, theirs.PrivateFormat.PKCS8, theirs.NoEncryption()
    )
    return der


def public_der(key: Any) -> bytes:
    """SubjectPublicKeyInfo of one of its public keys, or one of its certificates."""
    from cryptography import x509
    from cryptography.hazmat.primitives import serialization as theirs

    if isinstance(key, x509.Certificate):
        return key.public_bytes(theirs.Encoding.DER)
    if not hasattr(key, "public_bytes"):
        raise TypeError(f"one of cryptography's public keys or a certificate is expected, not {type(key)}")
    der: bytes = key.public_bytes(
        theirs.Encoding.DER, theirs.PublicFormat.SubjectPublicKeyInfo
    )
    return der


def to_private(der: bytes) -> Any:
    """Its object for a private key."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization as theirs

    try:
        return theirs.load_der_private_key(der, None)
    except (UnsupportedAlgorithm, ValueError) as error:
        raise FormatError(f"this version of cryptography has no SM2 curve: {_HINT}") from error


def to_public(der: bytes) -> Any:
    """Its object for a public key."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization as theirs

    try:
        return theirs.load_der_public_key(der)
    except (UnsupportedAlgorithm, ValueError) as error:
        raise FormatError(f"this version of cryptography has no SM2 curve: {_HINT}") from error
