"""gmssl.func: bytes as lists of numbers, padding, random digits.

random_hex takes its digits from the operating system, where the original has random.choice, whose output can be foretold.
"""

import secrets
from collections.abc import Iterable, Sequence


def xor(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The exclusive or of two lists, as long as the shorter one.

    >>> xor([1, 2], [3, 3])
    [2, 1]
    """
    return [x ^ y for x, y in zip(a, b, strict=False)]


def rotl(x: int, n: int) -> int:
    """A rotation of 32 bits.

    >>> rotl(0x80000000, 1)
    1
    """
    return ((x << n) & 0xFFFFFFFF) | ((x >> (32 - n)) & 0xFFFFFFFF)


def get_uint32_be(key_data: Sequence[int]) -> int:
    """The number in four bytes, the most significant first.

    >>> get_uint32_be([0, 0, 1, 0])
    256
    """
    return key_data[0] << 24 | key_data[1] << 16 | key_data[2] << 8 | key_data[3]


def put_uint32_be(n: int) -> list[int]:
    """The four bytes of a number, the most significant first.

    >>> put_uint32_be(256)
    [0, 0, 1, 0]
    """
    return [n >> 24 & 0xFF, n >> 16 & 0xFF, n >> 8 & 0xFF, n & 0xFF]


def pkcs7_padding(data: list[int], block: int = 16) -> list[int]:
    """With the padding of PKCS#7 for blocks of 16 bytes.

    >>> len(pkcs7_padding([1, 2, 3]))
    16
    """
    count = 16 - len(data) % block
    return data + [count] * count


def zero_padding(data: list[int], block: int = 16) -> list[int]:
    """With 1 to 16 zeros.

    >>> len(zero_padding([1, 2, 3]))
    16
    """
    return data + [0] * (16 - len(data) % block)


def pkcs7_unpadding(data: list[int]) -> list[int]:
    """Without the padding of PKCS#7. Raises ValueError where that is wrong, which the original does not notice.

    >>> pkcs7_unpadding([1, 2, 3] + [13] * 13)
    [1, 2, 3]
    """
    count = data[-1] if data else 0
    if not 1 <= count <= min(16, len(data)) or any(byte != count for byte in data[-count:]):
        raise ValueError("the padding is wrong")
    return data[:-count]


def zero_unpadding(data: list[int], i: int = 1) -> list[int]:
    """Without the zeros at the end; the original takes one away.

    >>> zero_unpadding([1, 2, 0, 0])
    [1, 2]
    """
    while data and data[-i] == 0:
        data = data[:-i]
    return data


def list_to_bytes(data: Iterable[int]) -> bytes:
    """Bytes of a list of numbers.

    >>> list_to_bytes([97, 98])
    b'ab'
    """
    return bytes(data)


def bytes_to_list(data: Iterable[int]) -> list[int]:
    """The numbers of bytes.

    >>> bytes_to_list(b"ab")
    [97, 98]
    """
    return list(data)


def random_hex(x: int) -> str:
    """So many random hexadecimal digits, of the operating system's generator.

    >>> len(random_hex(64))
    64
    """
    return secrets.token_hex((x + 1) // 2)[:x]
