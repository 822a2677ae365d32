"""gmalg.errors."""

from ...errors import Error


class GMError(Exception):
    """Any failure of this package.

    >>> issubclass(GMError, Exception)
    True
    """


class CheckFailedError(GMError):
    """A check value, padding or signature is wrong.

    >>> issubclass(CheckFailedError, GMError)
    True
    """


class DataOverflowError(GMError):
    """More data than an algorithm takes.

    >>> issubclass(DataOverflowError, GMError)
    True
    """


class IncorrectLengthError(GMError):
    """Data of another length than is needed.

    >>> print(IncorrectLengthError("key", "16 bytes", "3 bytes"))
    16 bytes expected for key, 3 bytes given.
    """

    def __init__(self, name: str, expected: str, given: str) -> None:
        super().__init__(f"{expected} expected for {name}, {given} given.")
        self.name = name
        self.expected = expected
        self.given = given


class InfinitePointError(GMError):
    """The point at infinity, where a point is needed.

    >>> issubclass(InfinitePointError, GMError)
    True
    """


class InvalidArgumentError(GMError):
    """An argument that cannot be.

    >>> issubclass(InvalidArgumentError, GMError)
    True
    """


class InvalidPCError(GMError):
    """A point that does not begin as points do.

    >>> print(InvalidPCError(9))
    Invalid PC byte 0x9.
    """

    def __init__(self, pc: int) -> None:
        super().__init__(f"Invalid PC byte 0x{pc:x}.")
        self.pc = pc


class InvalidUserKeyError(GMError):
    """A master key that cannot serve this user.

    >>> issubclass(InvalidUserKeyError, GMError)
    True
    """


class PointNotOnCurveError(GMError):
    """A point that is not on the curve.

    >>> issubclass(PointNotOnCurveError, GMError)
    True
    """


class RequireArgumentError(GMError):
    """An operation without what it needs.

    >>> print(RequireArgumentError("sign", "mpk_s", "sk_s"))
    sign requires mpk_s, sk_s.
    """

    def __init__(self, name: str, *args: str) -> None:
        super().__init__(f"{name} requires {', '.join(args)}.")
        self.name = name


class UnknownError(GMError):
    """Another failure.

    >>> issubclass(UnknownError, GMError)
    True
    """


def of(error: Error) -> GMError:
    """The error of this package for one of Kuaimi's.

    >>> from kuaimi.errors import FormatError
    >>> type(of(FormatError("the point is not on the SM9 curve"))).__name__
    'PointNotOnCurveError'
    """
    reason = str(error)
    kind = PointNotOnCurveError if "curve" in reason or "point" in reason else InvalidArgumentError
    return kind(reason)
