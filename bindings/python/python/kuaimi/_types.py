"""Types that the signatures of several modules name."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from ._native.batch import ArrowColumn

T = TypeVar("T")

Identity: TypeAlias = "str | Buffer"
"""Text, which stands for its UTF-8, or bytes."""

SignatureForm: TypeAlias = Literal["der", "raw"]
ReadSignatureForm: TypeAlias = Literal["der", "raw", "der-lenient"]
CiphertextForm: TypeAlias = Literal["c1c3c2", "c1c2c3", "bare-c1c3c2", "bare-c1c2c3", "der"]
ReadCiphertextForm: TypeAlias = Literal["c1c3c2", "c1c2c3", "bare-c1c3c2", "bare-c1c2c3", "der", "der-lenient"]

SM9Form: TypeAlias = Literal["der", "raw"]
SM9Mode: TypeAlias = Literal["stream", "ecb", "cbc", "ofb", "cfb"]
SM9Mac: TypeAlias = Literal["sm3", "hmac-sm3"]


class SupportsArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> tuple[Any, Any]: ...


class SupportsArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


SupportsArrow: TypeAlias = SupportsArrowArray | SupportsArrowStream
BytesColumn: TypeAlias = "Buffer | Iterable[Buffer | None] | SupportsArrow"
"""A value for all rows, a list, a NumPy array of fixed-width bytes, or an Arrow column."""
TextColumn: TypeAlias = "str | Buffer | Iterable[str | Buffer | None] | SupportsArrow"
"""The same, of text or bytes."""
Output: TypeAlias = Literal["list", "arrow"]
Results: TypeAlias = "list[T | None] | ArrowColumn"
"""A list where lists came in, an Arrow column where Arrow did."""
