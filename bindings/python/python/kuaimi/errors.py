"""The errors of Kuaimi. No message holds a secret."""


class Error(Exception):
    """Any failure of Kuaimi. Arguments of a wrong type raise TypeError, and files their own OSError.

    >>> import kuaimi
    >>> try:
    ...     kuaimi.sm2.load_private_key(b"no key")
    ... except kuaimi.Error:
    ...     print("not loaded")
    not loaded

    `kind` tells causes apart that have one exception. The kinds are those of the Rust library, and the table of all of them is in
    docs/errors.md.

    >>> try:
    ...     kuaimi.sm2.load_private_key(b"no key")
    ... except kuaimi.FormatError as error:
    ...     print(error.kind)
    NotAKey
    """

    kind: str | None = None

    def __init__(self, message: str = "", kind: str | None = None) -> None:
        super().__init__(message)
        if kind is not None:
            self.kind = kind


class InvalidSignature(Error):
    """The signature is not this key's over this message under this identity, or is none at all.

    >>> issubclass(InvalidSignature, Error)
    True
    """

    kind = "InvalidSignature"


class VerificationError(Error):
    """A certificate is refused. The message says which certificate of the chain breaks which rule.

    >>> issubclass(VerificationError, Error)
    True
    """

    kind = "CertificateRefused"


class TLCPError(Error, ConnectionError):
    """A connection of TLCP failed. The message says why. A peer whose certificates are refused raises VerificationError.

    >>> issubclass(TLCPError, OSError)
    True
    """


class DecryptionFailed(Error):
    """Another key, another form of ciphertext, or altered data. Which of them is not said.

    >>> issubclass(DecryptionFailed, Error)
    True
    """

    kind = "DecryptionFailed"


class ExchangeFailed(Error):
    """The other side of a key exchange does not hold the same key.

    >>> issubclass(ExchangeFailed, Error)
    True
    """

    kind = "ConfirmationFailed"


class FormatError(Error, ValueError):
    """Bytes are no key, signature, ciphertext, point or table of the kind that was asked for. The message says why.

    >>> issubclass(FormatError, ValueError)
    True
    """

    kind = "Malformed"


class InvalidArgument(Error, ValueError):
    """An argument is out of its range: a length, an identity, a name. The message says what it must be.

    >>> issubclass(InvalidArgument, ValueError)
    True
    """

    kind = "InvalidArgument"


class PasswordNeeded(Error, TypeError):
    """The private key is encrypted, and no password was given.

    >>> issubclass(PasswordNeeded, TypeError)
    True
    """

    kind = "PasswordNeeded"


class WrongPassword(Error, ValueError):
    """The private key cannot be decrypted with this password.

    >>> issubclass(WrongPassword, ValueError)
    True
    """

    kind = "WrongPassword"


class AlreadyFinalized(Error):
    """An object that serves once has served: a cipher's context after its end, a step of a key exchange.

    >>> issubclass(AlreadyFinalized, Error)
    True
    """


class RandomFailed(Error):
    """The operating system's random generator failed.

    >>> issubclass(RandomFailed, Error)
    True
    """

    kind = "Random"
