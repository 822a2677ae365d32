"""SM4 (GB/T 32907-2016)."""

from typing import Literal, TypeAlias, final, overload

from typing_extensions import Buffer, Self

from .._types import BytesColumn, Output, Results

__all__ = [
    "CBC",
    "CFB",
    "CTR",
    "Cipher",
    "CipherContext",
    "ECB",
    "OFB",
    "SM4CCM",
    "SM4GCM",
    "XTS",
    "decrypt",
    "encrypt",
    "generate_key",
]

_Mode: TypeAlias = ECB | CBC | CTR | CFB | OFB | XTS

@final
class SM4GCM:
    def __new__(cls, key: Buffer) -> Self: ...
    @staticmethod
    def generate_key() -> bytes: ...
    def encrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...
    def decrypt(self, nonce: Buffer, data: Buffer, associated_data: Buffer | None = None) -> bytes: ...
    @overload
    def encrypt_batch(
        self,
        nonces: BytesColumn,
        data: BytesColumn,
        associated_data: BytesColumn | None = None,
        *,
        threads: int | None = None,
        reasons: Literal[False] = False,
        output: Output | None = None,
    ) -> Results[bytes]: ...
    @overload
    def encrypt_batch(
        self,
        nonces: BytesColumn,
        data: BytesColumn,
        associated_data: BytesColumn | None = None,
        *,
        threads: int | None = None,
        reasons: Literal[True],
        output: Output | None = None,
    ) -> tuple[Results[bytes], Results[str]]: ...
    @overload
    def decrypt_batch(
        self,
        nonces: BytesColumn,
        data: BytesColumn,
        associated_data: BytesColumn | None = None,
        *,
        threads: int | None = None,
        reasons: Literal[False] = False,
        output: Output | None = None,
    ) -> Results[bytes]: ...
    @overload
    def decrypt_batch(
        self,
        nonces: BytesColumn,
        data: BytesColumn,
        associated_data: BytesColumn | None = None,
        *,
        threads: int | None = None,
        reasons: Literal[True],
        output: Output | None = None,
    ) -> tuple[Results[bytes], Results[str]]: ...

@final
class SM4CCM:
    def __new__(cls, key: Buffer, tag_length: int = 16) -> Self: ...
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
class CFB:
    def __new__(cls, initialization_vector: Buffer) -> Self: ...

@final
class OFB:
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

