"""gmalg.SM3: a hash that takes in a message piece by piece."""

from ... import sm3


class SM3:
    """SM3 over bytes that come in pieces.

    >>> hash = SM3()
    >>> hash.update(b"abc")
    >>> hash.value()[:4].hex()
    '66c7f0f4'
    """

    def __init__(self) -> None:
        self._hash = sm3.Hash()

    @classmethod
    def max_msg_length(cls) -> int:
        """The most bytes that a message may have.

        >>> hex(SM3.max_msg_length())
        '0x1fffffffffffffff'
        """
        return (1 << 61) - 1

    @classmethod
    def hash_length(cls) -> int:
        """The length of a hash in bytes.

        >>> SM3.hash_length()
        32
        """
        return 32

    def reset(self) -> None:
        """Begins a new message.

        >>> SM3().reset()
        """
        self._hash = sm3.Hash()

    def update(self, data: bytes) -> None:
        """Adds bytes.

        >>> SM3().update(b"abc")
        """
        self._hash.update(data)

    def value(self) -> bytes:
        """The hash of the bytes so far. More may follow.

        >>> len(SM3().value())
        32
        """
        return self._hash.digest()
