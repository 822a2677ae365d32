"""The type annotations: mypy, pyright and stubtest over the package; and a program that uses it."""

import pathlib
import subprocess
import sys

import kuaimi

PACKAGE = pathlib.Path(kuaimi.__file__).parent
TESTS = pathlib.Path(__file__).parent


def passes(*command: str | pathlib.Path) -> None:
    done = subprocess.run([str(part) for part in command], cwd=PACKAGE.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy(tmp_path: pathlib.Path) -> None:
    passes(sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, PACKAGE, TESTS / "typed_program.py")


def test_pyright() -> None:
    passes("pyright", "--pythonpath", sys.executable, PACKAGE, TESTS / "typed_program.py")


def test_stubs() -> None:
    passes(sys.executable, "-m", "mypy.stubtest", "kuaimi._native")


def test_wrong_programs_are_refused(tmp_path: pathlib.Path) -> None:
    """A type checker finds the usual mistakes: this is what the annotations are for."""
    mistakes = [
        'kuaimi.sm2.SM2PrivateKey.generate().sign("text")',
        'kuaimi.sm2.SM2PrivateKey.generate().sign(b"x", form="hex")',
        "kuaimi.sm2.load_private_key(b'x', 'password')",
        "kuaimi.sm2.SM2PrivateKey.generate().verify(b'', b'')",
        "kuaimi.sm9.MasterSigningKey.generate().public_key().encryption_key('bob')",
        "kuaimi.sm4.Cipher(bytes(16), 'CTR')",
        "kuaimi.sm3.digest('text')",
    ]
    program = tmp_path / "program.py"
    program.write_text("import kuaimi\n" + "\n".join(mistakes) + "\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(program)]
    done = subprocess.run(command, cwd=PACKAGE.parent, capture_output=True, text=True, check=False)
    for line in range(2, 2 + len(mistakes)):
        assert f"program.py:{line}: error" in done.stdout, mistakes[line - 2]
