"""Batches over Arrow: every layout of bytes, in chunks and slices, with nulls; hostile producers; nothing leaks."""

import ctypes
import gc
from typing import Any

import pyarrow as pa
import pytest

import kuaimi
from kuaimi import sm2, sm3, sm9

KEYS = [sm2.SM2PrivateKey.generate() for _ in range(3)]
MESSAGES: list[bytes | None] = [b"message %d" % row for row in range(50)]
MESSAGES[7] = MESSAGES[31] = None
SIGNERS = [KEYS[row % 3] for row in range(50)]
SIGNATURES = sm2.sign_batch(SIGNERS, MESSAGES, form="raw")
POINTS = [key.public_key().to_bytes() for key in SIGNERS]
EXPECTED = [None if message is None else True for message in MESSAGES]


def layouts(values: Any, width: int | None = None) -> dict[str, Any]:
    binary = pa.array(values, pa.binary())
    out: dict[str, Any] = {
        "binary": binary,
        "large": pa.array(values, pa.large_binary()),
        "view": pa.array(values, pa.binary_view()),
        "dictionary": binary.dictionary_encode(),
        "slice": pa.concat_arrays([pa.array([b"before", None], pa.binary()), binary, pa.array([b"after"], pa.binary())])[2:-1],
        "chunks": pa.chunked_array([binary[:10], binary[10:10], binary[10:]]),
        "dictionaries": pa.chunked_array([binary[:10].dictionary_encode(), binary[10:].dictionary_encode()]),
    }
    out["slice of a dictionary"] = pa.concat_arrays([binary[:3], binary]).dictionary_encode()[3:]
    if width is not None:
        out["fixed"] = pa.array(values, pa.binary(width))
        out["fixed chunks"] = pa.chunked_array([out["fixed"][:20], out["fixed"][20:]])
    return out


@pytest.mark.parametrize("layout", [*layouts([b"x"] * 20), "fixed", "fixed chunks"])
def test_layouts(layout: str) -> None:
    keys = layouts(POINTS, 65)[layout]
    messages = layouts(MESSAGES).get(layout, pa.array(MESSAGES, pa.binary()))
    signatures = layouts(SIGNATURES, 64)[layout]
    result = sm2.verify_batch(keys, messages, signatures)
    column = pa.array(result)
    assert column.type == pa.bool_() and column.to_pylist() == EXPECTED and column.null_count == 2
    assert isinstance(result, sm2.ArrowColumn) and result.null_count == 2
    assert result.to_pylist() == list(result) == [result[row] for row in range(len(result))] == EXPECTED
    assert result[-1] is True and result[7] is None
    with pytest.raises(IndexError):
        result[50]
    assert sm2.verify_batch(keys, messages, signatures, output="list") == EXPECTED
    assert sm2.verify_batch([key.public_key() for key in SIGNERS], MESSAGES, SIGNATURES, output="arrow").to_pylist() == EXPECTED  # type: ignore[union-attr]


def test_what_comes_out() -> None:
    messages = pa.array(MESSAGES, pa.binary())
    types = {
        "raw": (sm2.sign_batch(SIGNERS, messages, form="raw"), pa.binary(64)),
        "der": (sm2.sign_batch(SIGNERS, messages), pa.binary()),
        "digests": (sm3.digest_batch(messages), pa.binary(32)),
        "ciphertexts": (sm2.encrypt_batch(pa.array(POINTS), messages), pa.binary()),
    }
    for result, kind in types.values():
        column = pa.array(result)
        column.validate(full=True)
        assert column.type == kind and column.null_count == 2
    assert pa.array(sm2.decrypt_batch(SIGNERS, types["ciphertexts"][0])).to_pylist() == MESSAGES
    assert pa.array(sm2.verify_batch(POINTS, messages, types["der"][0])).to_pylist() == EXPECTED
    _, reasons = sm2.verify_batch(POINTS, messages, pa.array([b"x"] * 50), reasons=True)
    assert pa.array(reasons).type == pa.string() and pa.array(reasons).null_count == 2
    assert repr(types["digests"][0]).startswith("<ArrowColumn of 50 ")
    schema = pa.DataType._import_from_c_capsule(types["raw"][0].__arrow_c_schema__())  # type: ignore[union-attr]
    assert schema == pa.binary(64)


def test_text() -> None:
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        ids = pa.array(["爱丽丝", "bob", None], kind)
        signatures = sm2.sign_batch(KEYS[0], b"m", ids)
        assert pa.array(sm2.verify_batch(KEYS[0].public_key(), b"m", signatures, ids, output="arrow")).to_pylist() == [True, True, None]
    master = sm9.MasterSigningKey.generate()
    ids = pa.array(["alice", "bob", None]).dictionary_encode()
    signature = master.extract("alice").sign(b"m")
    assert sm9.verify_batch(master.public_key(), ids, b"m", signature).to_pylist() == [True, False, None]  # type: ignore[union-attr]


def test_all_null_and_empty() -> None:
    assert sm3.digest_batch(pa.nulls(3)).to_pylist() == [None] * 3  # type: ignore[union-attr]
    empty = pa.array([], pa.binary())
    for column in (empty, pa.chunked_array([], pa.binary()), empty.dictionary_encode()):
        assert len(sm3.digest_batch(column)) == 0
    nothing = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), empty)
    assert sm3.digest_batch(nothing).to_pylist() == [None, None]  # type: ignore[union-attr]
    null_value = pa.DictionaryArray.from_arrays(pa.array([0, 1, None], pa.int8()), pa.array([None, b"abc"]))
    assert sm3.digest_batch(null_value).to_pylist() == [None, sm3.digest(b"abc"), None]  # type: ignore[union-attr]


@pytest.mark.parametrize("wrong", [pa.array([1]), pa.array([[b"x"]]), pa.table({"a": [b"x"]}), pa.array([True]), pa.chunked_array([[1.5]])])
def test_columns_of_other_things(wrong: Any) -> None:
    with pytest.raises(TypeError, match="Arrow column of bytes or text"):
        sm3.digest_batch(wrong)


class Hostile:
    """An object that gives what it is told to."""

    def __init__(self, pair: Any) -> None:
        self.pair = pair

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.pair


def test_hostile_producers() -> None:
    """What does not keep to the interface is refused where that can be seen; memory that is not there cannot be."""
    good = pa.array([b"one", b"two"])
    schema, array = good.__arrow_c_array__()
    for pair in (None, (), (schema,), (1, 2), (array, schema), "xx"):
        with pytest.raises((TypeError, ValueError, IndexError, kuaimi.Error)):
            sm3.digest_batch(Hostile(pair))
    # The same capsules twice: the second time nothing is in them.
    assert len(sm3.digest_batch(Hostile((schema, array)))) == 2
    with pytest.raises(kuaimi.FormatError, match="given away"):
        sm3.digest_batch(Hostile((schema, array)))
    # Offsets that go back. Those beyond the values cannot be seen: the interface does not say how many bytes there are.
    for offsets in ([0, 5, 2], [5, 0, 6]):
        buffers = [None, pa.py_buffer((ctypes.c_int32 * 3)(*offsets)), pa.py_buffer(b"abcdef")]
        malformed = pa.Array.from_buffers(pa.binary(), 2, buffers)
        with pytest.raises(kuaimi.FormatError, match="malformed"):
            sm3.digest_batch(malformed)
    # Indices outside of a dictionary.
    indices = pa.Array.from_buffers(pa.int32(), 2, [None, pa.py_buffer((ctypes.c_int32 * 2)(0, 7))])
    outside = pa.DictionaryArray.from_arrays(indices, pa.array([b"a"]), safe=False)
    with pytest.raises(kuaimi.FormatError, match="malformed"):
        sm3.digest_batch(outside)


def test_nothing_leaks() -> None:
    """Arrow's own count of its memory is the same after as before."""
    messages = pa.array([b"x" * 1000] * 1000)
    gc.collect()
    before = pa.total_allocated_bytes()
    for _ in range(20):
        kept = pa.array(sm3.digest_batch(pa.chunked_array([messages[:500], messages[500:]])))
        assert len(kept) == 1000
        del kept
    gc.collect()
    assert pa.total_allocated_bytes() == before


def test_results_outlive_what_made_them() -> None:
    column = pa.array(sm3.digest_batch(pa.array([b"abc"] * 3)))
    gc.collect()
    assert column.to_pylist() == [sm3.digest(b"abc")] * 3
