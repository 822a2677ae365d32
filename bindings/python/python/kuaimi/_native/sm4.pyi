"""SM4 (GB/T 32907-2016)."""

from typing import Literal, TypeAlias, final

from typing_extensions import Buffer, Self

__all__ = [
    "CBC",
    "CTR",
    "Cipher",
    "CipherContext",
    "ECB",
    "SM4GCM",
    "XTS",
    "decrypt",
    "encrypt",
    "generate_key",
]

_Mode: TypeAlias = ECB | CBC | CTR | XTS

@final
class SM4GCM:
    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def generate_key() -> bytes: ...
    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...
    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...

@final
class Cipher:
    def __new__(cls, key: Buffer, mode: _Mode) -> Self: ...
    def encryptor(self) -> CipherContext: ...
    def decryptor(self) -> CipherContext: ...

@final
class ECB:
    def __new__(cls) -> Self: ...

@final
class CBC:
    def __new__(cls, initialization_vector: Buffer) -> Self: ...

@final
class CTR:
    def __new__(cls, nonce: Buffer) -> Self: ...

@final
class XTS:
    def __new__(cls, tweak: Buffer, standard: Literal["gb", "ieee"] = "gb") -> Self: ...

@final
class CipherContext:
    def update(self, data: Buffer) -> bytes: ...
    def finalize(self) -> bytes: ...

def generate_key() -> bytes: ...

def encrypt(key: Buffer, mode: _Mode, data: Buffer) -> bytes: ...

def decrypt(key: Buffer, mode: _Mode, data: Buffer) -> bytes: ...

