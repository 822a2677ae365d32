"""Where workers get a private key from: a file, a variable of the environment, or a function, each on the worker itself.

A source says where the key is, and never what it is. So a query's plan, its logs and what is sent to the workers hold a name alone.

>>> from kuaimi.secrets import SecretFile
>>> SecretFile("/run/secrets/alice.pem")
SecretFile(path='/run/secrets/alice.pem')
"""

from __future__ import annotations

import base64
import importlib
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from .errors import FormatError, InvalidArgument

if TYPE_CHECKING:
    from .sm2 import SM2PrivateKey

__all__ = ["SecretFile", "SecretFunction", "SecretSource", "SecretVariable", "load_private_key"]

_LARGEST = 1 << 20


def _is_raw_key(text: str) -> bool:
    """Hexadecimal digits, or base64 in either alphabet. A slash is in many paths too: there, the length and the = of 32 bytes tell."""
    if re.fullmatch(r"(0x)?[0-9A-Fa-f]{64,}|[A-Za-z0-9+/]{43}=", text):
        return True
    # Names may be as long, and are written in letters of one kind, which base64 is not by chance.
    is_name = re.fullmatch(r"[A-Z0-9_-]*|[a-z0-9_-]*", text)
    return re.fullmatch(r"[A-Za-z0-9+=_-]{43,}", text) is not None and not is_name


def _starts_der(text: str) -> bool:
    """Base64 of a DER SEQUENCE whose first part is a version or a SEQUENCE, as private keys begin, encrypted or not."""
    if not re.match(r"[A-Za-z0-9+/]{43}", text):
        return False
    der = base64.b64decode(text[:8])
    header = 2 + (der[1] & 0x7F if der[1] & 0x80 else 0)
    return der[0] == 0x30 and der[header : header + 1] in (b"\x02", b"\x30")


def _name(what: str, value: object) -> str:
    """A name, which the secret itself is not, even by mistake. No message shows the value."""
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{what} is text, not {type(value)}")
    text = os.fspath(value)
    if not isinstance(text, str):
        raise TypeError(f"{what} is text, not bytes")
    if not text or "\n" in text or "-----BEGIN" in text or _is_raw_key(text) or _starts_der(text):
        raise InvalidArgument(f"{what} is where the secret is, not the secret itself")
    return text


@dataclass(frozen=True)
class SecretFile:
    """A file, which every worker has under this path.

    >>> SecretFile("alice.pem").path
    'alice.pem'
    """

    path: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", _name("the path", self.path))

    def read(self) -> bytes:
        """What the file has.

        >>> SecretFile("no such file").read()
        Traceback (most recent call last):
        FileNotFoundError: ...
        """
        with open(self.path, "rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise FormatError(f"{self.path} has more than 1 MiB, which no key has")
        return data


@dataclass(frozen=True)
class SecretVariable:
    """A variable of each worker's environment.

    >>> SecretVariable("ALICE_KEY").name
    'ALICE_KEY'
    """

    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", _name("the name of the variable", self.name))

    def read(self) -> bytes:
        """The variable's value.

        >>> SecretVariable("NO_SUCH_VARIABLE").read()
        Traceback (most recent call last):
        kuaimi.errors.InvalidArgument: ...
        """
        try:
            return os.environb[os.fsencode(self.name)]
        except KeyError:
            raise InvalidArgument(f"the variable {self.name} is not set on this worker") from None


@dataclass(frozen=True)
class SecretFunction:
    """A function that each worker calls: "package.module:function". It asks a secret store, say, and returns text or bytes.

    >>> SecretFunction("company.vault:signing_key").name
    'company.vault:signing_key'
    """

    name: str

    def __post_init__(self) -> None:
        name = _name("the name of the function", self.name)
        if not re.fullmatch(r"[\w.]+:[\w.]+", name):
            raise InvalidArgument('the name of the function is of the form "package.module:function"')

    def read(self) -> bytes:
        """What the function returns.

        >>> SecretFunction("os:getcwdb").read() == os.getcwdb()
        True
        """
        module, _, path = self.name.partition(":")
        function: Any = importlib.import_module(module)
        for part in path.split("."):
            function = getattr(function, part)
        value = function()
        if isinstance(value, str):
            return value.encode()
        if isinstance(value, bytes | bytearray | memoryview):
            return bytes(value)
        raise TypeError(f"{self.name} returns text or bytes, not {type(value)}")


SecretSource: TypeAlias = SecretFile | SecretVariable | SecretFunction
"""Any of them."""


def source_of(what: str, value: object) -> SecretSource:
    """The source, which a key is not."""
    if isinstance(value, SecretFile | SecretVariable | SecretFunction):
        return value
    raise TypeError(
        f"{what} is a SecretFile, SecretVariable or SecretFunction of kuaimi.secrets, not {type(value).__name__}: "
        "each worker reads the key itself, so that no plan and no log has it"
    )


def load_private_key(key: SecretSource, password: SecretSource | None = None) -> SM2PrivateKey:
    """The private key that a source has, in any form that kuaimi.sm2.load_private_key reads. A password's last line end does not count.

    >>> load_private_key(SecretVariable("NO_SUCH_VARIABLE"))
    Traceback (most recent call last):
    kuaimi.errors.InvalidArgument: ...
    """
    from . import sm2

    secret = None if password is None else password.read().removesuffix(b"\n").removesuffix(b"\r")
    return sm2.load_private_key(key.read(), secret)
