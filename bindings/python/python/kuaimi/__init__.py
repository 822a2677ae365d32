"""Kuaimi (快密): the ShangMi algorithms SM2, SM3, SM4 and SM9, fast and constant time.

>>> import kuaimi
>>> key = kuaimi.sm2.SM2PrivateKey.generate()
>>> signature = key.sign(b"a message")
>>> key.public_key().verify(signature, b"a message")

The modules are sm2, sm3, sm4 and sm9; x509, cms and pkcs12 for certificates and what is done with them; tlcp for connections; serialization and errors belong to all of them; compat stands in for other packages.
"""

from typing import TYPE_CHECKING

from . import errors, sm2, sm3, sm4, sm9
from ._native import __version__, backend, backends, set_backend, set_table_limit
from .errors import (
    AlreadyFinalized,
    DecryptionFailed,
    Error,
    ExchangeFailed,
    FormatError,
    InvalidArgument,
    InvalidSignature,
    PasswordNeeded,
    RandomFailed,
    WrongPassword,
)

if TYPE_CHECKING:
    from types import ModuleType

    from . import cms, pkcs12, serialization, tlcp, x509

# They need much of the standard library, and signing needs none of them: imported at their first use.
_LATER = frozenset({"cms", "pkcs12", "serialization", "tlcp", "x509"})

__all__ = [
    "AlreadyFinalized",
    "DecryptionFailed",
    "Error",
    "ExchangeFailed",
    "FormatError",
    "InvalidArgument",
    "InvalidSignature",
    "PasswordNeeded",
    "RandomFailed",
    "WrongPassword",
    "__version__",
    "backend",
    "backends",
    "cms",
    "errors",
    "pkcs12",
    "serialization",
    "set_backend",
    "set_table_limit",
    "sm2",
    "sm3",
    "sm4",
    "sm9",
    "tlcp",
    "x509",
]


def __getattr__(name: str) -> "ModuleType":
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"{__name__}.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
