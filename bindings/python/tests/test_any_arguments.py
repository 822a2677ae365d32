"""Every function of the extension module, with any arguments: it gives a result, or raises one of the few exceptions that it may.

What to call is read from the module's stubs, so a new function is called, too. Bytes come in every kind of buffer, changed or as earlier calls gave
them. KUAIMI_PYTHON_PROGRAMS is how many programs of some calls there are, KUAIMI_PYTHON_SEED the number of the first. `make sanitizers` runs more of
them with AddressSanitizer in the module.
"""

from __future__ import annotations

import array
import ast
import ctypes
import fnmatch
import io
import mmap
import os
import pathlib
import random
import resource
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy
import pyarrow
from samples import SAMPLES, STARTS, WAYS, WORDS, starts_that_change

import kuaimi
from kuaimi import _native

STUBS = pathlib.Path(kuaimi.__file__).parent / "_native"
MODULES = ("sm2", "sm3", "sm4", "sm9", "hazmat", "batch")
PROGRAMS = int(os.environ.get("KUAIMI_PYTHON_PROGRAMS", "1000"))
SEED = int(os.environ.get("KUAIMI_PYTHON_SEED", "0"))
EXPECTED = (kuaimi.Error, TypeError, ValueError, OverflowError, BufferError, OSError, IndexError, AttributeError)
# More than any address space has, so that no call with it ever begins.
TOO_MANY = [-1, 2**49, 2**62, 2**63 - 1, 2**63, 2**64, 2**100]
# What an object of these classes answers depends on the calls before.
CHANGING = {"Hash", "HMAC", "MessageHash", "CipherContext", "KeyExchangeInitiator", "KeyExchangeResponder"}
# New keys, and nonces, or what was chosen for a call. All others give the same for the same arguments.
RANDOM = {"generate", "generate_key", "sign", "sign_digest", "sign_digest_recoverable", "sign_hash", "encrypt", "encapsulate", "private_bytes", "to_enveloped_key"}


@dataclass(frozen=True)
class Call:
    """A function, a static method or a class (`owner` is none), or a method."""

    module: str
    owner: str | None
    name: str
    positional: tuple[tuple[str, ast.expr], ...]
    named: tuple[tuple[str, ast.expr], ...]
    optional: frozenset[str]

    def __str__(self) -> str:
        return ".".join(part for part in (self.module, self.owner, self.name) if part)


def calls_of(module: str) -> Iterator[Call]:
    def call(function: ast.FunctionDef, owner: str | None, name: str, skip: int) -> Call:
        arguments = function.args
        positional = [(item.arg, item.annotation) for item in [*arguments.posonlyargs, *arguments.args][skip:]]
        named = [(item.arg, item.annotation) for item in arguments.kwonlyargs]
        defaults = len(arguments.defaults)
        optional = {name for name, _ in positional[len(positional) - defaults :]}
        optional |= {name for (name, _), default in zip(named, arguments.kw_defaults, strict=True) if default is not None}
        return Call(module, owner, name, tuple(positional), tuple(named), frozenset(optional))  # type: ignore[arg-type]

    for item in ast.parse((STUBS / f"{module}.pyi").read_text()).body:
        if isinstance(item, ast.FunctionDef):
            yield call(item, None, item.name, 0)
        if isinstance(item, ast.ClassDef):
            for member in item.body:
                if isinstance(member, ast.FunctionDef) and member.name not in {"__eq__", "__hash__", "__iter__", "__len__"}:
                    marks = {mark.id for mark in member.decorator_list if isinstance(mark, ast.Name)}
                    if member.name == "__new__":
                        yield call(member, None, item.name, 1)
                    elif "staticmethod" in marks:
                        yield call(member, None, f"{item.name}.{member.name}", 0)
                    elif "property" not in marks:
                        yield call(member, item.name, member.name, 1)


CALLS = [call for module in MODULES for call in {str(call): call for call in calls_of(module)}.values()]


def aliases(path: pathlib.Path) -> dict[str, ast.expr]:
    """The types that a file of annotations gives a name."""
    found = {}
    for item in ast.parse(path.read_text()).body:
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name) and item.value:
            value = item.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                value = ast.parse(value.value, mode="eval").body
            found[item.target.id] = value
    return found


ALIASES = aliases(STUBS.parent / "_types.py") | {name: value for module in MODULES for name, value in aliases(STUBS / f"{module}.pyi").items()}


class Unreadable(io.RawIOBase):
    """A file whose methods do what files do not."""

    def __init__(self, source: random.Random) -> None:
        self.random = source

    def answer(self, *values: Any) -> Any:
        value = self.random.choice(values)
        if isinstance(value, Exception):
            raise value
        return value

    def read(self, size: int = -1) -> Any:
        return self.answer(b"", b"x", bytes(max(size, 0) + 1), None, "text", bytearray(3), OSError("gone"), ValueError("closed"))

    def write(self, data: Any) -> Any:
        return self.answer(None, 0, 1, len(data), len(data) + 1, 2**64, -1, "all", OSError("full"))

    def seek(self, *_place: Any) -> Any:
        return self.answer(0, 5, -1, 2**70, None, OSError("a pipe"))


class Program:
    """Calls that take what earlier ones gave."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.calls: list[str] = []
        self.results = 0
        self.wanted = ""
        self.values: dict[type, list[Any]] = {}
        for value in [*STARTS, *starts_that_change()]:
            self.keep(value)

    def keep(self, value: Any, depth: int = 0) -> None:
        """Puts what a call gave where later calls find it."""
        if isinstance(value, tuple | list):
            if depth < 2:
                for item in value[:3]:
                    self.keep(item, depth + 1)
        elif isinstance(value, str):
            self.keep(value.encode())
        elif value is not None:
            kept = self.values.setdefault(type(value), [])
            kept.append(value)
            # The newest are of most use to the calls that follow.
            del kept[:-8]

    def content(self) -> bytes:
        """Bytes that fit the argument that is wanted, or that an earlier call gave, as they are or changed; or any."""
        fitting = [sample for pattern, sample in SAMPLES if fnmatch.fnmatchcase(self.wanted, pattern)]
        choice = self.random.randint(0, 9)
        if choice == 9:
            return bytes(self.random.choice([12, 15, 16, 17, 32, 64, 65, 2047, 2048, 4095, 4096, 4097, 70_000]))
        if choice == 8:
            return self.random.randbytes(self.random.randint(0, 80))
        data = bytes(self.random.choice(fitting if fitting and choice < 7 else self.values[bytes]))
        if choice == 6 and data:
            place = self.random.randint(0, len(data) - 1)
            flipped = data[:place] + bytes([data[place] ^ 1 << self.random.randint(0, 7)]) + data[place + 1 :]
            return self.random.choice([data[:place], data[place:], data + b"\0", flipped, flipped])
        return data

    def buffer(self) -> Any:
        """Bytes in an object with the buffer protocol: contiguous in seven cases of ten."""
        data = self.content()
        kind = self.random.randint(0, 20)
        if kind < 7:
            return data
        even = data + bytes(-len(data) % 16)
        match kind:
            case 7:
                return bytearray(data)
            case 8:
                return memoryview(b"before" + data + b"after")[6 : 6 + len(data)]
            case 9:
                return array.array("B", data)
            case 10:
                return array.array("d", even)
            case 11:
                return memoryview(bytearray(even)).cast("I")
            case 12:
                return memoryview(even).cast("B", (4, len(even) // 4)) if even else memoryview(even)
            case 13:
                return (ctypes.c_ubyte * len(data)).from_buffer_copy(data)
            case 14:
                mapped = mmap.mmap(-1, max(len(data), 1))
                mapped[: len(data)] = data
                return mapped
            case 15:
                return numpy.frombuffer(data, numpy.uint8)
            case 16:
                return numpy.array(7, numpy.uint16)
            case 17:
                return memoryview(data)[:: self.random.choice([-1, 2])]
            case 18:
                return numpy.asfortranarray(numpy.frombuffer(even, numpy.uint8).reshape(4, -1))
            case 19:
                view = memoryview(data)
                view.release()
                return view
            case _:
                return pyarrow.py_buffer(data)

    def arrow(self) -> Any:
        values = [self.random.choice([None, self.content()]) for _ in range(self.random.randint(0, 4))]
        kind = self.random.randint(0, 9)
        match kind:
            case 0:
                return pyarrow.Array.from_buffers(pyarrow.null(), self.random.choice([0, 3, 2**60]), [None])
            case 1:
                return pyarrow.array(values, pyarrow.large_binary())
            case 2:
                return pyarrow.array(values, pyarrow.binary_view())
            case 3:
                return pyarrow.chunked_array([pyarrow.array(values, pyarrow.binary())] * 2)
            case 4:
                return pyarrow.array([None if value is None else value[:8].ljust(8) for value in values], pyarrow.binary(8))
            case 5:
                return pyarrow.array([None if value is None else value.hex() for value in values], pyarrow.string()).dictionary_encode()
            case 6:
                return pyarrow.array([None if value is None else value.hex() for value in values], pyarrow.large_string())
            case 7:
                return pyarrow.array([None if value is None else len(value) for value in values])
            case 8:
                return pyarrow.FixedSizeBinaryArray.from_buffers(pyarrow.binary(0), self.random.choice([2, 2**43]), [None, pyarrow.py_buffer(b"")])
            case _:
                return pyarrow.array(values, pyarrow.binary())[1:]

    def rows(self) -> Any:
        """NumPy's arrays of values of one width."""
        width = self.random.choice([0, 1, 32, 64, 65])
        count = self.random.choice([0, 1, 3])
        match self.random.randint(0, 5):
            case 0:
                return numpy.zeros((count, width), numpy.uint8)
            case 1:
                return numpy.zeros((2**43, 0), numpy.uint8)
            case 2:
                return numpy.array([self.content() for _ in range(count)], dtype=f"S{width}")
            case 3:
                return numpy.zeros(count, f"V{width}")
            case 4:
                return numpy.broadcast_to(numpy.zeros(width, numpy.uint8), (5, width))
            case _:
                return numpy.array([self.content(), None, "text"][:count], dtype=object)

    def number(self, name: str) -> int:
        usual = {"iterations": [1, 10, 1000], "hid": [1, 2, 3, 255], "threads": [1, 2], "recovery_id": [0, 1, 2, 3], "key": [0, 1, -1], "count": [0, 1, 9]}
        unusual = {"iterations": [0, 10_000_001], "hid": [0, 256], "threads": [0, 1025], "recovery_id": [4, 255, 256], "tag_length": [0, 3, 4, 17]}
        if self.random.randint(0, 7):
            return self.random.choice(usual.get(name, [16, 12, 32, 48, 1, 4097]))
        return self.random.choice(unusual.get(name, [0, 70_000]) + TOO_MANY)

    def anything(self) -> Any:
        kinds: list[Callable[[], Any]] = [
            lambda: None,
            lambda: "text",
            lambda: "\ud800",
            lambda: 7,
            lambda: 1.5,
            lambda: {},
            lambda: object(),
            lambda: [b"a", None, 3],
            lambda: iter([b"a"]),
            self.buffer,
            self.arrow,
            self.rows,
            lambda: self.random.choice([value for values in self.values.values() for value in values]),
        ]
        return self.random.choice(kinds)()

    def argument(self, call: Call, name: str, kind: ast.expr) -> Any:
        self.wanted = f"{call}({name})"
        return self.of(name, kind)

    def of(self, name: str, kind: ast.expr) -> Any:
        """An argument of this annotation, or now and then another."""
        if not self.random.randint(0, 39):
            return self.anything()
        match kind:
            case ast.Constant(value=None):
                return None
            case ast.Constant(value=str() as text):
                return self.of(name, ast.parse(text, mode="eval").body)
            case ast.BinOp(left=left, right=right):
                return self.of(name, self.random.choice([left, right]))
            case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=values)):
                return self.random.choice([value.value for value in values if isinstance(value, ast.Constant)] + ["none of them"])
            case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Constant(value=value)):
                return value
            case ast.Subscript(value=ast.Name(id="Sequence" | "Iterable"), slice=item):
                if self.random.randint(0, 3) == 0:
                    return self.rows()
                items = [self.of(name, item) for _ in range(self.random.randint(0, 3))]
                return self.random.choice([items, tuple(items), iter(items)])
            case ast.Subscript(value=ast.Name(id="IO")):
                return self.random.choice([io.BytesIO(self.content()), io.BytesIO(), Unreadable(self.random), io.StringIO("text")])
            case ast.Name(id="Buffer"):
                return self.buffer()
            case ast.Name(id="SupportsArrow" | "SupportsArrowArray" | "SupportsArrowStream"):
                return self.arrow()
            case ast.Name(id="bool"):
                return self.random.random() < 0.5
            case ast.Name(id="int"):
                return self.number(name)
            case ast.Name(id="str"):
                return self.random.choice(["alice", "bob"] * 4 + WORDS)
            case ast.Name(id="object" | "Any" | "Encryption"):
                return self.random.choice(WAYS.get(name) or [None]) if self.random.randint(0, 5) else self.anything()
            case ast.Subscript(value=ast.Name(id="dict")):
                return {}
            case ast.Name(id=alias) if alias in ALIASES:
                return self.of(name, ALIASES[alias])
            case ast.Name(id=class_name):
                kept = [value for of, values in self.values.items() if of.__name__ == class_name for value in values]
                return self.random.choice(kept) if kept else self.anything()
        raise AssertionError(f"the argument {name} has a type that this test does not know: {ast.unparse(kind)}")

    def step(self) -> None:
        call = self.random.choice(CALLS)
        function: Any = getattr(_native, call.module)
        if call.owner:
            kept = self.values.get(getattr(function, call.owner), [])
            if not kept:
                return
            function = self.random.choice(kept)
        for part in call.name.split("."):
            function = getattr(function, part)
        given = {name for name in call.optional if self.random.random() < 0.5}
        positional = []
        for name, kind in call.positional:
            # What is left out ends the arguments by position.
            if name in call.optional and name not in given:
                break
            positional.append(self.argument(call, name, kind))
        named = {name: self.argument(call, name, kind) for name, kind in call.named if name not in call.optional or name in given}
        self.calls.append(f"{call}({', '.join([*map(brief, positional), *(f'{name}={brief(value)}' for name, value in named.items())])})")
        outcome = attempt(function, positional, named)
        self.results += not issubclass(outcome[0], BaseException)
        self.keep(outcome[1])
        # The same bytes in another object have the same outcome.
        if call.owner in CHANGING or not all(map(repeatable, [*positional, *named.values()])):
            return
        plain = attempt(function, [*map(as_bytes, positional)], {name: as_bytes(value) for name, value in named.items()})
        assert outcome[0] == plain[0], (outcome, plain)
        if call.name.split(".")[-1] not in RANDOM and isinstance(outcome[1], bytes) and call.module != "batch":
            assert outcome[1] == plain[1]


def brief(value: Any) -> str:
    """For the report of what failed."""
    text = repr(value)
    return text if len(text) < 300 else f"{text[:300]}…"


def repeatable(value: Any) -> bool:
    """Whether a call may be made again with this argument: files and iterators are read once, and the kind of a buffer that is none of bytes counts."""
    if isinstance(value, memoryview | pyarrow.Buffer | array.array | ctypes.Array | mmap.mmap | bytearray):
        try:
            return memoryview(value).c_contiguous
        except (ValueError, TypeError, BufferError):
            return False
    return not isinstance(value, io.IOBase | list | tuple | numpy.ndarray) and not hasattr(value, "__next__") and not hasattr(value, "__arrow_c_array__")


def as_bytes(value: Any) -> Any:
    try:
        return memoryview(value).tobytes()
    except TypeError:
        return value


def attempt(function: Any, positional: list[Any], named: dict[str, Any]) -> tuple[type, Any]:
    """The class of what comes back or is raised, and what comes back."""
    try:
        result = function(*positional, **named)
        return type(result), result
    except EXPECTED as error:
        return type(error), None
    except MemoryError as error:
        # For nothing but what no machine has.
        assert has_too_many([*positional, *named.values()]), error
        return MemoryError, None


def has_too_many(values: list[Any]) -> bool:
    for value in values:
        rows = value.shape[0] if isinstance(value, numpy.ndarray) and value.shape else value
        rows = len(rows) if isinstance(rows, pyarrow.Array) else rows
        if isinstance(rows, int) and rows >= 2**43:
            return True
    return False


def test_any_arguments() -> None:
    calls = results = 0
    for seed in range(SEED, SEED + PROGRAMS):
        # For who looks on: pytest -s.
        print(f"\rprogram {seed}", end="", flush=True)
        program = Program(seed)
        try:
            for _ in range(program.random.randint(1, 50)):
                program.step()
        except BaseException as error:
            # A panic is no Exception.
            again = f"KUAIMI_PYTHON_SEED={seed} KUAIMI_PYTHON_PROGRAMS=1 makes these calls again:"
            raise AssertionError("\n".join([again, *program.calls])) from error
        calls += len(program.calls)
        results += program.results
    print(f": {calls} calls, of which {results} gave a result")
    # Otherwise the arguments are such that nothing is reached but their checks.
    assert PROGRAMS < 100 or results > 0.4 * calls


def test_memory() -> None:
    """What the calls above took at most: in KiB, for the whole process."""
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 2**20


def test_every_class_is_made() -> None:
    """A class of which there is no object is not looked at: the values to begin with must lead to each."""
    owners = {call.owner for call in CALLS if call.owner}
    made = {type(value).__name__ for value in STARTS} | {call.name.split(".")[0] for call in CALLS if call.name[0].isupper()}
    gives = {"ArrowColumn", "CipherContext"}
    assert owners <= made | gives, owners - made - gives
