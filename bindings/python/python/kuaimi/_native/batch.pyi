"""Many operations at once."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, Self, TypeAlias, final, overload

from typing_extensions import Buffer

from .._types import (
    BytesColumn,
    CiphertextForm,
    Identity,
    Output,
    ReadCiphertextForm,
    ReadSignatureForm,
    Results,
    SignatureForm,
    SM9Form,
    SupportsArrow,
    TextColumn,
)
from .sm2 import SM2PrivateKey, SM2PublicKey
from .sm9 import DecryptionKey, MasterEncryptionKey, MasterSigningKey, MasterSigningPublicKey, SigningKey

__all__ = [
    "ArrowColumn",
    "TableSigner",
    "TableVerifier",
    "decode_text_batch",
    "sm2_decrypt_batch",
    "sm2_diffie_hellman_batch",
    "sm2_encrypt_batch",
    "sm2_generate_batch",
    "sm2_recover_batch",
    "sm2_sign_batch",
    "sm2_verify_batch",
    "sm3_digest_batch",
    "sm4_gcm_decrypt_batch",
    "sm4_gcm_encrypt_batch",
    "sm9_extract_decryption_batch",
    "sm9_extract_signing_batch",
    "sm9_verify_batch",
]

_PublicKeys: TypeAlias = SM2PublicKey | Sequence[SM2PublicKey | None] | BytesColumn
_PrivateKeys: TypeAlias = SM2PrivateKey | Sequence[SM2PrivateKey | None]

@final
class ArrowColumn:
    def __arrow_c_schema__(self) -> Any: ...
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, key: int, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def to_pylist(self) -> list[Any]: ...
    @property
    def null_count(self) -> int: ...

@final
class TableVerifier:
    def __new__(
        cls,
        *,
        public_key: SM2PublicKey | None = None,
        id: Identity | None = None,
        key_encoding: str = "auto",
        signature_encoding: str = "auto",
        signature_form: str | None = None,
        digest_encoding: str = "auto",
        message_encoding: str = "text",
        id_encoding: str = "text",
    ) -> Self: ...
    def verify(
        self,
        *,
        key: SupportsArrow | None = None,
        id: SupportsArrow | None = None,
        message: SupportsArrow | None = None,
        digest: SupportsArrow | None = None,
        signature: SupportsArrow | None = None,
        threads: int | None = None,
    ) -> tuple[ArrowColumn, ArrowColumn]: ...

@final
class TableSigner:
    def __new__(
        cls,
        key: SM2PrivateKey,
        *,
        id: Identity | None = None,
        form: str = "der",
        message_encoding: str = "text",
        digest_encoding: str = "auto",
    ) -> Self: ...
    def sign(
        self,
        *,
        message: SupportsArrow | None = None,
        digest: SupportsArrow | None = None,
        threads: int | None = None,
    ) -> tuple[ArrowColumn, ArrowColumn]: ...

def decode_text_batch(
    values: TextColumn,
    encoding: str,
    *,
    threads: int | None = None,
    output: Output | None = None,
) -> tuple[Results[bytes], Results[str]]: ...

@overload
def sm2_verify_batch(
    keys: _PublicKeys,
    messages: BytesColumn,
    signatures: BytesColumn,
    ids: TextColumn | None = None,
    *,
    digests: bool = False,
    form: ReadSignatureForm | None = None,
    threads: int | None = None,
    reasons: Literal[False] = False,
    output: Output | None = None,
) -> Results[bool]: ...

@overload
def sm2_verify_batch(
    keys: _PublicKeys,
    messages: BytesColumn,
    signatures: BytesColumn,
    ids: TextColumn | None = None,
    *,
    digests: bool = False,
    form: ReadSignatureForm | None = None,
    threads: int | None = None,
    reasons: Literal[True],
    output: Output | None = None,
) -> tuple[Results[bool], Results[str]]: ...

@overload
def sm2_sign_batch(
    keys: _PrivateKeys,
    messages: BytesColumn,
    ids: TextColumn | None = None,
    *,
    digests: bool = False,
    form: SignatureForm = "der",
    threads: int | None = None,
    reasons: Literal[False] = False,
    output: Output | None = None,
) -> Results[bytes]: ...

@overload
def sm2_sign_batch(
    keys: _PrivateKeys,
    messages: BytesColumn,
    ids: TextColumn | None = None,
    *,
    digests: bool = False,
    form: SignatureForm = "der",
    threads: int | None = None,
    reasons: Literal[True],
    output: Output | None = None,
) -> tuple[Results[bytes], Results[str]]: ...

@overload
def sm2_encrypt_batch(
    keys: _PublicKeys,
    messages: BytesColumn,
    *,
    form: CiphertextForm = "c1c3c2",
    threads: int | None = None,
    reasons: Literal[False] = False,
    output: Output | None = None,
) -> Results[bytes]: ...

@overload
def sm2_encrypt_batch(
    keys: _PublicKeys,
    messages: BytesColumn,
    *,
    form: CiphertextForm = "c1c3c2",
    threads: int | None = None,
    reasons: Literal[True],
    output: Output | None = None,
) -> tuple[Results[bytes], Results[str]]: ...

@overload
def sm2_decrypt_batch(
    keys: _PrivateKeys,
    ciphertexts: BytesColumn,
    *,
    form: ReadCiphertextForm | None = None,
    threads: int | None = None,
    reasons: Literal[False] = False,
    output: Output | None = None,
) -> Results[bytes]: ...

@overload
def sm2_decrypt_batch(
    keys: _PrivateKeys,
    ciphertexts: BytesColumn,
    *,
    form: ReadCiphertextForm | None = None,
    threads: int | None = None,
    reasons: Literal[True],
    output: Output | None = None,
) -> tuple[Results[bytes], Results[str]]: ...

@overload
def sm2_diffie_hellman_batch(
    keys: _PrivateKeys,
    peers: _PublicKeys,
    *,
    threads: int | None = None,
    reasons: Literal[False] = False,
    output: Output | None = None,
) -> Results[bytes]: ...

@overload
def sm2_diffie_hellman_batch(
    keys: _PrivateKeys,
    peers: _PublicKeys,
    *,
    threads: int | None = None,
    reasons: Literal[True],
    output: Output | None = None,
) -> tuple[Results[bytes], Results[str]]: ...

@overload
def sm2_recover_batch(
    digests: BytesColumn,
    signatures: BytesColumn,
    recovery_ids: int | Iterable[int],
    *,
    form: ReadSignatureForm | None = None,
    threads: int | None = None,
    reasons: Literal[False] = False,
    output: Output | None = None,
) -> Results[bytes]: ...

@overload
def sm2_recover_batch(
    digests: BytesColumn,
    signatures: BytesColumn,
    recovery_ids: int | Iterable[int],
    *,
    form: ReadSignatureForm | None = None,
    threads: int | None = None,
    reasons: Literal[True],
    output: Output | None = None,
) -> tuple[Results[bytes], Results[str]]: ...

def sm2_generate_batch(count: int, *, threads: int | None = None) -> list[SM2PrivateKey]: ...

def sm3_digest_batch(
    messages: BytesColumn,
    *,
    threads: int | None = None,
    output: Output | None = None,
) -> Results[bytes]: ...

@overload
def sm4_gcm_encrypt_batch(
    keys: BytesColumn,
    nonces: BytesColumn,
    data: BytesColumn,
    associated_data: BytesColumn | None = None,
    *,
    threads: int | None = None,
    reasons: Literal[False] = False,
    output: Output | None = None,
) -> Results[bytes]: ...

@overload
def sm4_gcm_encrypt_batch(
    keys: BytesColumn,
    nonces: BytesColumn,
    data: BytesColumn,
    associated_data: BytesColumn | None = None,
    *,
    threads: int | None = None,
    reasons: Literal[True],
    output: Output | None = None,
) -> tuple[Results[bytes], Results[str]]: ...

@overload
def sm4_gcm_decrypt_batch(
    keys: BytesColumn,
    nonces: BytesColumn,
    data: BytesColumn,
    associated_data: BytesColumn | None = None,
    *,
    threads: int | None = None,
    reasons: Literal[False] = False,
    output: Output | None = None,
) -> Results[bytes]: ...

@overload
def sm4_gcm_decrypt_batch(
    keys: BytesColumn,
    nonces: BytesColumn,
    data: BytesColumn,
    associated_data: BytesColumn | None = None,
    *,
    threads: int | None = None,
    reasons: Literal[True],
    output: Output | None = None,
) -> tuple[Results[bytes], Results[str]]: ...

@overload
def sm9_verify_batch(
    master_public_key: MasterSigningPublicKey,
    identities: TextColumn,
    messages: BytesColumn,
    signatures: BytesColumn,
    *,
    hid: int | None = None,
    form: SM9Form | None = None,
    threads: int | None = None,
    reasons: Literal[False] = False,
    output: Output | None = None,
) -> Results[bool]: ...

@overload
def sm9_verify_batch(
    master_public_key: MasterSigningPublicKey,
    identities: TextColumn,
    messages: BytesColumn,
    signatures: BytesColumn,
    *,
    hid: int | None = None,
    form: SM9Form | None = None,
    threads: int | None = None,
    reasons: Literal[True],
    output: Output | None = None,
) -> tuple[Results[bool], Results[str]]: ...

def sm9_extract_signing_batch(
    master_key: MasterSigningKey,
    identities: TextColumn,
    *,
    hid: int | None = None,
    threads: int | None = None,
) -> list[SigningKey]: ...

def sm9_extract_decryption_batch(
    master_key: MasterEncryptionKey,
    identities: TextColumn,
    *,
    hid: int | None = None,
    threads: int | None = None,
) -> list[DecryptionKey]: ...

