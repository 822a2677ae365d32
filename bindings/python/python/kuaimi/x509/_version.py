"""Versions of certificates."""

import enum


class Version(enum.Enum):
    """The version of a certificate: nearly always v3.

    >>> Version.v3.value
    2
    """

    v1 = 0
    v2 = 1
    v3 = 2
