"""python -m kuaimi, as a newcomer uses it."""

import pathlib
import subprocess
import sys

import pytest


def kuaimi(*arguments: str, folder: pathlib.Path, stdin: bytes = b"", status: int = 0) -> tuple[str, str]:
    command = [sys.executable, "-m", "kuaimi", *arguments]
    done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, check=False)
    assert done.returncode == status, done.stderr.decode()
    assert b"Traceback" not in done.stderr
    return done.stdout.decode(), done.stderr.decode()


def test_keys_and_signatures(tmp_path: pathlib.Path) -> None:
    (tmp_path / "report.pdf").write_bytes(b"a report")
    kuaimi("keygen", "--out", "alice.pem", "--pubout", "alice.pub", folder=tmp_path)
    assert (tmp_path / "alice.pem").stat().st_mode & 0o777 == 0o600
    kuaimi("sign", "--key", "alice.pem", "--out", "report.sig", "report.pdf", folder=tmp_path)
    # What is there stays there, the key above all.
    for there in ("report.sig", "alice.pem"):
        before = (tmp_path / there).read_bytes()
        assert "is there already" in kuaimi("sign", "--key", "alice.pem", "--out", there, "report.pdf", folder=tmp_path, status=1)[1]
        assert (tmp_path / there).read_bytes() == before
    verify = ("verify", "--key", "alice.pub", "--signature", "report.sig")
    assert kuaimi(*verify, "report.pdf", folder=tmp_path)[0] == "the signature is valid\n"
    assert kuaimi(*verify, "-", folder=tmp_path, stdin=b"a report")[0] == "the signature is valid\n"
    assert "does not fit" in kuaimi(*verify, "-", folder=tmp_path, stdin=b"another", status=1)[1]
    assert "does not fit" in kuaimi(*verify, "--id", "bob", "report.pdf", folder=tmp_path, status=1)[1]
    digits, _ = kuaimi("sign", "--key", "alice.pem", "--form", "raw", "--id", "alice", "-", folder=tmp_path, stdin=b"m")
    assert len(digits) == 129
    (tmp_path / "digits").write_text(digits)
    kuaimi("verify", "--key", "alice.pub", "--signature", "digits", "--id", "alice", "-", folder=tmp_path, stdin=b"m")
    # OpenSSL agrees.
    openssl = ["openssl", "dgst", "-sm3", "-verify", "alice.pub", "-signature", "report.sig", "-sigopt", "distid:1234567812345678", "report.pdf"]
    subprocess.run(openssl, cwd=tmp_path, check=True, capture_output=True)


def test_passwords(tmp_path: pathlib.Path) -> None:
    kuaimi("keygen", "--encrypt", "--out", "key.pem", folder=tmp_path, stdin=b"secret\n")
    assert b"ENCRYPTED" in (tmp_path / "key.pem").read_bytes()
    (tmp_path / "file").write_bytes(b"m")
    kuaimi("sign", "--key", "key.pem", "file", folder=tmp_path, stdin=b"secret\n")
    assert "password" in kuaimi("sign", "--key", "key.pem", "file", folder=tmp_path, stdin=b"wrong\n", status=1)[1]
    assert "both" in kuaimi("sign", "--key", "key.pem", "-", folder=tmp_path, stdin=b"m", status=1)[1]
    assert "empty" in kuaimi("keygen", "--encrypt", "--out", "other.pem", folder=tmp_path, stdin=b"\n", status=1)[1]
    assert not (tmp_path / "other.pem").exists()


def test_mistakes(tmp_path: pathlib.Path) -> None:
    kuaimi("keygen", "--out", "key.pem", folder=tmp_path)
    before = (tmp_path / "key.pem").read_bytes()
    assert "not overwritten" in kuaimi("keygen", "--out", "key.pem", folder=tmp_path, status=1)[1]
    assert (tmp_path / "key.pem").read_bytes() == before
    assert "none.pem" in kuaimi("sign", "--key", "none.pem", "key.pem", folder=tmp_path, status=1)[1]
    assert "private key" in kuaimi("verify", "--key", "key.pem", "--signature", "key.pem", "key.pem", folder=tmp_path, status=1)[1]
    assert "COMMAND" in kuaimi(folder=tmp_path, status=2)[1]
    assert "no algorithm sm5" in kuaimi("speed", "sm5", folder=tmp_path, status=1)[1]


@pytest.mark.parametrize("arguments", [["--help"], ["keygen", "--help"], ["sign", "--help"], ["verify", "--help"], ["speed", "--help"]])
def test_help(tmp_path: pathlib.Path, arguments: list[str]) -> None:
    assert "usage: python -m kuaimi" in kuaimi(*arguments, folder=tmp_path)[0]


def test_speed(tmp_path: pathlib.Path) -> None:
    shown, _ = kuaimi("speed", "--seconds", "0.001", folder=tmp_path)
    assert shown.count("/s\n") == 14 and "sm9" in shown and "MB/s" in shown
    assert kuaimi("--version", folder=tmp_path)[0].startswith("kuaimi 0.1.0 (")
