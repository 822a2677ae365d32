"""What the package kuaimi is made of."""

from . import batch, cms, hazmat, pkcs12, sm2, sm3, sm4, sm9, tlcp, x509

__all__ = [
    "__version__",
    "backend",
    "backends",
    "batch",
    "cms",
    "exceptions_by_kind",
    "hazmat",
    "pkcs12",
    "set_backend",
    "set_table_limit",
    "sm2",
    "sm3",
    "sm4",
    "sm9",
    "tlcp",
    "x509",
]

__version__: str

def backend() -> str: ...

def backends() -> list[str]: ...

def set_backend(name: str) -> None: ...

def set_table_limit(bytes: int) -> None: ...

def exceptions_by_kind() -> list[tuple[str, Exception]]: ...

