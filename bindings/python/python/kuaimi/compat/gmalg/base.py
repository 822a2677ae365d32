"""gmalg.base: how points are written, and the sides of a key exchange."""

import enum


class PC_MODE(enum.Enum):
    """How points are written: RAW after 04, COMPRESS after 02 or 03, MIXED after 06 or 07. All are read.

    >>> PC_MODE.RAW.name
    'RAW'
    """

    RAW = enum.auto()
    COMPRESS = enum.auto()
    MIXED = enum.auto()


class KEYXCHG_MODE(enum.Enum):
    """The side of a key exchange.

    >>> KEYXCHG_MODE.INITIATOR.name
    'INITIATOR'
    """

    INITIATOR = enum.auto()
    RESPONDER = enum.auto()
