"""What `import kuaimi` brings with it: not the parts of the standard library that take longer to import than a signature."""

from __future__ import annotations

import subprocess
import sys

import pytest


def alone(program: str) -> str:
    """In a process of its own, where nothing was imported before."""
    return subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.PIPE, text=True).stdout


def test_a_signature_imports_little() -> None:
    program = (
        "import kuaimi, sys; key = kuaimi.sm2.SM2PrivateKey.generate(); key.public_key().verify(key.sign(b'm'), b'm');"
        "print(*sorted({'dataclasses', 'datetime', 'inspect', 'tempfile', 'kuaimi.x509', 'kuaimi.tlcp'} & sys.modules.keys()))"
    )
    assert alone(program).strip() == ""


@pytest.mark.parametrize("name", ["cms", "pkcs12", "serialization", "tlcp", "x509"])
def test_the_rest_is_imported_when_it_is_used(name: str) -> None:
    program = f"import kuaimi, sys; print(kuaimi.{name}.__name__, kuaimi.{name} is sys.modules['kuaimi.{name}'])"
    assert alone(program).split() == [f"kuaimi.{name}", "True"]


def test_names() -> None:
    assert alone("import kuaimi; print('x509' in dir(kuaimi), 'sm2' in dir(kuaimi), hasattr(kuaimi, 'nothing'))").split() == ["True", "True", "False"]
    assert alone("from kuaimi import *; print(tlcp.__name__, sm2.__name__)").split() == ["kuaimi.tlcp", "kuaimi.sm2"]
