"""Files of keys and certificates, to which kuaimi.pkcs12 is the door."""

from .sm2 import SM2PrivateKey
from .x509 import Certificate

__all__ = ["load", "load_cfca", "serialize"]

def load(
    data: bytes, password: bytes
) -> tuple[list[tuple[SM2PrivateKey, bytes | None, list[bytes], str | None]], list[bytes]]: ...
def load_cfca(data: bytes, password: bytes) -> tuple[SM2PrivateKey, bytes]: ...
def serialize(
    pairs: list[tuple[SM2PrivateKey, Certificate]],
    certificates: list[Certificate],
    password: bytes,
    *,
    name: str | None,
    profile: str,
    iterations: int | None,
) -> bytes: ...
