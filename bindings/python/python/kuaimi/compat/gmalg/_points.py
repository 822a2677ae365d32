"""Points and numbers as bytes."""

import secrets
from collections.abc import Callable

from .base import PC_MODE
from .errors import InvalidPCError

N = 0xB640000002A3A6F1D603AB4FF58EC74449F2934B18EA8BEEE56EE19CD69ECF25


def read(point: bytes) -> bytes:
    """A point in a form that Kuaimi reads: 06 and 07 become 04."""
    first = point[0] if point else 0
    if not 2 <= first <= 4 and first not in (6, 7):
        raise InvalidPCError(first)
    return b"\x04" + point[1:] if first in (6, 7) else point


def write(coordinates: bytes, mode: PC_MODE) -> bytes:
    """The coordinates x and y with the byte that the mode puts before them; x alone where it compresses."""
    odd = coordinates[-1] & 1
    if mode is PC_MODE.RAW:
        return b"\x04" + coordinates
    if mode is PC_MODE.COMPRESS:
        return bytes([2 + odd]) + coordinates[: len(coordinates) // 2]
    if mode is PC_MODE.MIXED:
        return bytes([6 + odd]) + coordinates
    raise TypeError(f"Invalid mode {mode}")


def number(digits: bytes) -> bytes:
    """A number in 32 bytes, whose leading zeros may be missing."""
    return digits.lstrip(b"\0").rjust(32, b"\0")


def random_number(random: Callable[[int], int] | None, order: int = N) -> bytes:
    """A number from 1 to the order - 1 by the caller's random function, or by the operating system's generator."""
    if random is None:
        return (1 + secrets.randbelow(order - 1)).to_bytes(32, "big")
    while True:
        drawn = random(order.bit_length())
        if 1 <= drawn < order:
            return drawn.to_bytes(32, "big")
