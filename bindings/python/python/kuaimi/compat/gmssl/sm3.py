"""gmssl.sm3: SM3 of a list of numbers, and SM2's key derivation. Constant time in what is hashed."""

from collections.abc import Iterable

from ... import sm3


def sm3_hash(msg: Iterable[int]) -> str:
    """The digest of a list of numbers, or of bytes, in hexadecimal. The original also appends its padding to the caller's list.

    >>> sm3_hash([97, 98, 99])[:8]
    '66c7f0f4'
    """
    return sm3.hexdigest(bytes(msg))


def sm3_kdf(z: bytes, klen: float) -> str:
    """klen bytes in hexadecimal from z, hexadecimal digits as bytes.

    >>> len(sm3_kdf(b"0011", 20))
    40
    """
    return sm3.kdf(bytes.fromhex(z.decode()), int(klen)).hex()
