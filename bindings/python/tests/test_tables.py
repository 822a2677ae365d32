"""kuaimi.arrow: the columns that all engines share, over every layout of Arrow; wrong options; where keys come from."""

from __future__ import annotations

import base64
import os
import pathlib
import pickle
import subprocess
import sys
import threading
from typing import Any

import pyarrow as pa
import pytest

import kuaimi.arrow
from kuaimi import _steps, sm2, sm3, sm9
from kuaimi.secrets import SecretFile, SecretFunction, SecretVariable
from kuaimi.serialization import BestAvailableEncryption, Encoding, PrivateFormat

ROWS = 40
KEYS = [sm2.SM2PrivateKey.generate() for _ in range(3)]
SIGNERS = [KEYS[row % 3] for row in range(ROWS)]
MESSAGES: list[bytes | None] = [b"message %d" % row for row in range(ROWS)]
SIGNATURES = list(sm2.sign_batch(SIGNERS, MESSAGES, form="raw"))
POINTS: list[bytes | None] = [signer.public_key().to_bytes() for signer in SIGNERS]
# Rows that are not right, and why.
SIGNATURES[3], MESSAGES[5], POINTS[7], SIGNATURES[9] = SIGNATURES[4], None, b"\x04" + b"\x01" * 64, b"\x01" * 63 + b"\x02"
WRONG = {3: "invalid: ", 5: "malformed: message: is missing", 7: "malformed: key: the point is not", 9: "invalid: "}


def expect(table: Any, rows: int = ROWS, first: int = 0) -> None:
    wrong = {row - first: why for row, why in WRONG.items() if first <= row < first + rows}
    assert table["valid"].type == pa.bool_() and table["reason"].type == pa.string()
    assert table["valid"].null_count == 0
    assert [row for row, valid in enumerate(table["valid"].to_pylist()) if not valid] == list(wrong)
    for row, reason in enumerate(table["reason"].to_pylist()):
        assert reason.startswith(wrong[row]) if row in wrong else reason is None


def layouts(values: list[bytes | None], width: int | None = None) -> dict[str, Any]:
    out = {name: pa.array(values, kind) for name, kind in {"binary": pa.binary(), "large": pa.large_binary(), "view": pa.binary_view()}.items()}
    out["fixed"] = pa.array(values, pa.binary(width)) if width else out["binary"]
    out["dictionary"] = out["binary"].dictionary_encode()
    out["chunks"] = pa.chunked_array([out["binary"][:7], out["binary"][7:7], out["binary"][7:]])
    return out


def texts(values: list[bytes | None], kind: Any) -> Any:
    return pa.array([None if value is None else value.hex() for value in values], kind)


@pytest.mark.parametrize("layout", ["binary", "large", "view", "fixed", "dictionary", "chunks"])
def test_layouts(layout: str) -> None:
    table = pa.table({"key": layouts(POINTS, 65)[layout], "message": layouts(MESSAGES)[layout], "signature": layouts(SIGNATURES, 64)[layout]})
    expect(kuaimi.arrow.verify_signatures(table))
    expect(kuaimi.arrow.verify_signatures(table.slice(2, 11)), 11, 2)
    batch = table.combine_chunks().to_batches()[0]
    assert isinstance(kuaimi.arrow.verify_signatures(batch), pa.RecordBatch)
    expect(kuaimi.arrow.verify_signatures(batch.slice(6)), ROWS - 6, 6)
    empty = kuaimi.arrow.verify_signatures(table.slice(0, 0))
    assert empty.num_rows == 0 and empty.column_names == ["key", "message", "signature", "valid", "reason"]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())])
def test_text(kind: Any) -> None:
    table = pa.table({"key": texts(POINTS, kind), "m": texts(MESSAGES, kind), "signature": texts(SIGNATURES, kind)})
    expect(kuaimi.arrow.verify_signatures(table, message="m", message_encoding="hex", keep=["m"]))
    # Without it, the digits are the message.
    assert not any(kuaimi.arrow.verify_signatures(table, message="m")["valid"].to_pylist())


def test_text_is_not_taken_for_bytes() -> None:
    """64 letters in a column of text are 32 bytes of hexadecimal, and not r and s."""
    signature = sm2.sign_batch(KEYS[0], [b"m"], form="raw")[0]
    both = pa.table({"signature": pa.array([signature, signature.hex().encode()[:64]]), "message": ["m", "m"]})  # type: ignore[union-attr]
    reasons = kuaimi.arrow.verify_signatures(both, public_key=KEYS[0].public_key())["reason"].to_pylist()
    assert reasons[0] is None and "malformed: signature" not in str(reasons[1])
    as_text = pa.table({"signature": ["ab" * 32], "message": ["m"]})
    assert "malformed: signature" in kuaimi.arrow.verify_signatures(as_text, public_key=KEYS[0].public_key())["reason"][0].as_py()


def test_nulls_alone() -> None:
    table = pa.table({"key": pa.nulls(3), "message": pa.nulls(3), "signature": pa.nulls(3)})
    assert kuaimi.arrow.verify_signatures(table)["reason"].to_pylist() == ["malformed: key: is missing"] * 3


def test_one_key_and_identities() -> None:
    key = KEYS[0]
    signatures = [key.sign(b"m", id=id) for id in ("alice", "bob")]
    table = pa.table({"who": ["alice", "bob"], "message": ["m", "m"], "signature": signatures})
    pem = key.public_key().public_bytes(kuaimi.serialization.Encoding.PEM, kuaimi.serialization.PublicFormat.SubjectPublicKeyInfo)
    for public_key in (key.public_key(), pem, pem.decode(), key.public_key().to_bytes().hex()):
        assert kuaimi.arrow.verify_signatures(table, public_key=public_key, id="who")["valid"].to_pylist() == [True, True]
    assert kuaimi.arrow.verify_signatures(table, public_key=pem, identity="bob")["valid"].to_pylist() == [False, True]
    assert kuaimi.arrow.verify_signatures(table, public_key=pem)["valid"].to_pylist() == [False, False]


def test_digests() -> None:
    digest = KEYS[0].message_hash()
    digest.update(b"m")
    table = pa.table({"e": [digest.digest(), b"short"], "signature": [KEYS[0].sign(b"m")] * 2})
    found = kuaimi.arrow.verify_signatures(table, public_key=KEYS[0].public_key(), digest="e")
    assert found["reason"].to_pylist() == [None, "malformed: digest: has 5 bytes in place of 32"]


def test_a_reader_gives_a_reader() -> None:
    """A batch at a time is read, when it is asked for."""
    table = pa.table({"key": POINTS, "message": MESSAGES, "signature": SIGNATURES})
    read = 0

    def batches() -> Any:
        nonlocal read
        for batch in table.to_batches(max_chunksize=10):
            read += 1
            yield batch

    reader = kuaimi.arrow.verify_signatures(pa.RecordBatchReader.from_batches(table.schema, batches()))
    assert read == 0
    first = reader.read_next_batch()
    assert read == 1 and first.num_rows == 10
    expect(pa.Table.from_batches([first, *reader]))


def test_threads_and_parts_do_not_matter() -> None:
    table = pa.table({"key": POINTS, "message": MESSAGES, "signature": SIGNATURES})
    many = pa.concat_tables([table] * 2000).combine_chunks()
    found = [kuaimi.arrow.verify_signatures(many, threads=threads) for threads in (1, 2, None)]
    assert found[0].equals(found[1]) and found[0].equals(found[2])
    expect(found[0].slice(0, ROWS))
    expect(found[0].slice(many.num_rows - ROWS))


def test_a_row_that_is_too_long() -> None:
    key = KEYS[0]
    messages = [b"x" * (16 << 20), b"y", b"x" * ((16 << 20) - 64)]
    signatures = sm2.sign_batch(key, messages, form="raw")
    table = pa.table({"message": messages, "signature": signatures})
    found = kuaimi.arrow.verify_signatures(table, public_key=key.public_key())
    assert found["reason"].to_pylist() == ["malformed: the row has more than 16 MiB", None, None]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"key": "nobody"}, "'nobody' is not there"),
        ({"keep": ["nobody"]}, "'nobody' is not there"),
        ({"valid": "message"}, "'message' already"),
        ({"message": "message", "digest": "key"}, "choose one"),
        ({"id": "key", "identity": "alice"}, "choose one"),
        ({"key_encoding": "hexx"}, "key_encoding is one of"),
        ({"signature_form": "long"}, "one of"),
        ({"identity": "x" * 8192}, "8191"),
        ({"public_key": b"no key"}, "no key"),
        ({"threads": 0}, "threads is from 1"),
    ],
)
def test_wrong_options(options: dict[str, Any], said: str) -> None:
    table = pa.table({"key": POINTS, "message": MESSAGES, "signature": SIGNATURES})
    with pytest.raises((kuaimi.InvalidArgument, kuaimi.FormatError), match=said):
        kuaimi.arrow.verify_signatures(table, **options)


def test_wrong_types() -> None:
    table = pa.table({"key": [1], "message": [b"m"], "signature": [b"s"]})
    with pytest.raises(TypeError, match="key: an Arrow column of bytes or text is expected, not of Int64"):
        kuaimi.arrow.verify_signatures(table)
    with pytest.raises(TypeError, match="a Table, a RecordBatch or a RecordBatchReader"):
        kuaimi.arrow.verify_signatures([1])
    with pytest.raises(TypeError, match="sig_encoding"):
        kuaimi.arrow.verify_signatures(table, sig_encoding="hex")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="a private one must not"):
        kuaimi.arrow.verify_signatures(table, public_key=KEYS[0])  # type: ignore[arg-type]
    twice = pa.Table.from_arrays([pa.array([b"k"])] * 4, ["key", "key", "message", "signature"])
    with pytest.raises(kuaimi.InvalidArgument, match="'key' is twice there"):
        kuaimi.arrow.verify_signatures(twice)


def test_keys_are_kept_by_the_process() -> None:
    """Equal options share the keys that were used; others do not; threads may use one at the same time; a child of a fork has its own."""
    step = _steps.verification(id="who")
    assert _steps._kept.verifier(step) is _steps._kept.verifier(pickle.loads(pickle.dumps(step)))
    assert _steps._kept.verifier(step) is not _steps._kept.verifier(_steps.verification(identity="alice"))
    for number in range(10):
        _steps._kept.verifier(_steps.verification(identity=str(number)))
    assert len(_steps._kept._verifiers) == 4
    table = pa.table({"key": POINTS, "message": MESSAGES, "signature": SIGNATURES})
    many = pa.concat_tables([table] * 100)
    threads = [threading.Thread(target=lambda: expect(kuaimi.arrow.verify_signatures(many).slice(0, ROWS))) for _ in range(4)]
    for thread in threads:
        thread.start()
    with _steps._kept._lock:
        child = os.fork()
        if child == 0:
            # The lock was held when the process was copied.
            os._exit(0 if kuaimi.arrow.verify_signatures(table)["valid"].to_pylist().count(False) == len(WRONG) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    for thread in threads:
        thread.join()


def test_signing(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = KEYS[0]
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"a password"))
    (tmp_path / "key.pem").write_bytes(pem)
    (tmp_path / "password").write_bytes(b"a password\n")
    monkeypatch.setenv("THE_PASSWORD", "a password")
    table = pa.table({"message": ["one", None, "zz", "6f6e65"]})
    source = SecretFile(str(tmp_path / "key.pem"))
    for password in (SecretFile(str(tmp_path / "password")), SecretVariable("THE_PASSWORD")):
        signed = kuaimi.arrow.sign_column(table, source, password=password, identity="alice", message_encoding="hex", form="raw", output="s", reason="why")
        assert signed["why"].to_pylist()[1] == "malformed: has neither a message nor a digest"
        assert signed["why"].to_pylist()[2].startswith("malformed: message: is not hexadecimal")
        assert signed["s"].type == pa.binary() and signed["s"].null_count == 3
        key.public_key().verify(signed["s"][3].as_py(), b"one", id="alice", form="raw")
    with pytest.raises(kuaimi.PasswordNeeded):
        kuaimi.arrow.sign_column(table, source)
    with pytest.raises(kuaimi.WrongPassword) as caught:
        kuaimi.arrow.sign_column(table, source, password=source)
    assert "a password" not in str(caught.value)


def test_hashes() -> None:
    table = pa.table({"message": ["616263", None, "6", ""]})
    expected = [sm3.digest(b"abc"), None, None, sm3.digest(b"")]
    assert kuaimi.arrow.sm3_column(table, encoding="hex", output="h")["h"].to_pylist() == expected
    assert kuaimi.arrow.sm3_column(table)["sm3"].to_pylist() == [sm3.digest(b"616263"), None, sm3.digest(b"6"), sm3.digest(b"")]


def test_sm9() -> None:
    centre = sm9.MasterSigningKey.generate()
    signature = centre.extract("alice").sign(b"one").hex()
    rows = [("alice", "6f6e65", signature), ("bob", "6f6e65", signature), (None, "6f6e65", signature), ("alice", "6", signature)]
    rows += [("alice", "6f6e65", "zz"), ("alice", "6f6e65", signature[:-2]), ("", "6f6e65", signature)]
    table = pa.table(dict(zip(("identity", "message", "signature"), map(list, zip(*rows, strict=True)), strict=True)))
    found = kuaimi.arrow.sm9_verify_column(table, centre.public_key(), message_encoding="hex", signature_encoding="hex")
    assert found["valid"].to_pylist() == [True] + [False] * 6
    kinds = [str(reason).partition(": ")[0] for reason in found["reason"].to_pylist()]
    assert kinds == ["None", "invalid", "malformed", "malformed", "malformed", "malformed", "malformed"]
    assert found["reason"].to_pylist()[3:5] == ["malformed: message: is not hexadecimal", "malformed: signature: is not hexadecimal"]
    with pytest.raises(TypeError, match="MasterSigningPublicKey"):
        kuaimi.arrow.sm9_verify_column(table, centre)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", [SecretFile, SecretVariable, SecretFunction])
def test_a_source_is_no_secret(source: Any) -> None:
    """Who gives the key in place of its name is stopped, and the error does not show it."""
    # Ones are slashes in base64, which paths have too.
    for key in (KEYS[0], sm2.SM2PrivateKey.from_bytes(b"\x3f" + b"\xff" * 31)):
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8).decode()
        encrypted = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"word")).decode()
        traditional = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL).decode()
        secrets: list[Any] = [key.to_bytes(), key.to_bytes().hex(), "0x" + key.to_bytes().hex().upper()]
        secrets += [base64.b64encode(key.to_bytes()).decode(), base64.urlsafe_b64encode(key.to_bytes()).decode()]
        for text in (pem, encrypted, traditional):
            secrets += [text, text.replace("\n", ""), text.splitlines()[1], "".join(text.splitlines()[1:-1])]
        for secret in secrets:
            with pytest.raises((kuaimi.InvalidArgument, TypeError)) as caught:
                source(secret)
            assert str(secret)[3:20] not in str(caught.value)


def test_long_names_are_no_secrets() -> None:
    name = "PAYMENTS_LEDGER_SIGNING_KEY_PRODUCTION_EU_WEST_1"
    assert SecretVariable(name).name == name


def test_the_job_takes_the_columns_of_the_program() -> None:
    """A row signed under a name that the table has is no signature under the default one."""
    from kuaimi._engines import columns_of_the_program

    rows = ["key", "message", "signature"]
    assert columns_of_the_program({}, rows) == {}
    assert columns_of_the_program({}, [*rows, "id", "digest"]) == {"id": "id"}
    assert columns_of_the_program({"identity": "alice"}, [*rows, "id"]) == {"identity": "alice"}
    assert columns_of_the_program({"id": "name"}, [*rows, "id"]) == {"id": "name"}
    assert columns_of_the_program({}, ["key", "digest", "signature"]) == {"digest": "digest"}


def test_paths_are_no_secrets() -> None:
    for path in (
        "/run/secrets/company/production/signing/alice/key",
        "Keys/production/signing/department/of/alice/key",
        "MIGrated/keys/production/signing/department/alice",
        "m/" * 40,
        "alice.pem",
        "payments-ledger-signing-key-production-eu-west-1",
    ):
        assert SecretFile(path).path == path


def test_sources_fail_with_a_reason(tmp_path: pathlib.Path) -> None:
    for source, said in [
        (SecretVariable("NO_SUCH_VARIABLE"), "NO_SUCH_VARIABLE is not set on this worker"),
        (SecretFile(str(tmp_path / "nothing")), "No such file"),
        (SecretFunction("os:getpid"), "returns text or bytes, not <class 'int'>"),
        (SecretFunction("no_such_module:x"), "no_such_module"),
        (SecretFunction("os:no_such_function"), "no_such_function"),
    ]:
        with pytest.raises(Exception, match=said):
            source.read()
    (tmp_path / "large").write_bytes(bytes((1 << 20) + 1))
    with pytest.raises(kuaimi.FormatError, match="1 MiB"):
        SecretFile(str(tmp_path / "large")).read()
    with pytest.raises(kuaimi.InvalidArgument, match="package.module:function"):
        SecretFunction("os.getpid")


def test_what_is_pickled_has_no_key(tmp_path: pathlib.Path) -> None:
    key = KEYS[0]
    path = tmp_path / "key"
    path.write_bytes(key.to_bytes().hex().encode())
    step = _steps.signing(SecretFile(str(path)))
    step.open()
    sent = pickle.dumps(step)
    assert str(path).encode() in sent
    assert key.to_bytes() not in sent and key.to_bytes().hex().encode() not in sent and key.to_bytes().hex() not in repr(step)
    assert key.to_bytes() in pickle.dumps([key.to_bytes()])


@pytest.mark.parametrize(
    ("module", "package"), [("spark", "pyspark"), ("ray", "ray.data"), ("polars", "polars"), ("datafusion", "datafusion"), ("duckdb", "duckdb")]
)
def test_engines_that_are_not_installed(module: str, package: str) -> None:
    """The tests' environment has none of them: the error says what to install."""
    done = subprocess.run([sys.executable, "-c", f"import kuaimi.{module}"], capture_output=True, text=True, check=False)
    assert f"needs the package {package}, which is not installed: pip install 'kuaimi[{module}]'" in done.stderr.splitlines()[-1]
