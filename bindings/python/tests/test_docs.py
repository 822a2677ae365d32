"""Every public thing is documented with an example, and every example runs: in docstrings, README, docs/python.md and docs/certificates.md."""

import doctest
import inspect
import pathlib
import re
import sys
import tomllib
import types
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import PROJECT

import kuaimi
from kuaimi import arrow, cms, errors, pkcs12, secrets, serialization, sm2, sm3, sm4, sm9, x509
from kuaimi.compat import gmalg, gmssl
from kuaimi.compat.gmalg import errors as gmalg_errors
from kuaimi.x509 import ocsp, verification

MODULES = [kuaimi, sm2, sm3, sm4, sm9, x509, verification, ocsp, cms, pkcs12, errors, serialization, arrow, secrets]
COMPAT = [gmssl, gmssl.sm2, gmssl.sm3, gmssl.sm4, gmssl.func, gmalg, gmalg_errors]
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def public(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """The module, its functions and classes, and their methods and attributes."""
    yield module.__name__, module
    names = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
    for name in names:
        thing = getattr(module, name)
        home = getattr(thing, "__module__", None) or "kuaimi"
        ours = home.startswith("kuaimi") and (hasattr(module, "__all__") or home == module.__name__)
        if not (inspect.isclass(thing) or inspect.isroutine(thing)) or not ours:
            continue
        yield f"{module.__name__}.{name}", thing
        if inspect.isclass(thing):
            for attribute, value in vars(thing).items():
                described = inspect.isroutine(value) or inspect.isgetsetdescriptor(value) or isinstance(value, property | staticmethod)
                if described and not attribute.startswith("_"):
                    value = value.__func__ if isinstance(value, staticmethod) else value
                    yield f"{module.__name__}.{name}.{attribute}", value


THINGS = dict(thing for module in MODULES + COMPAT for thing in public(module))


def run(name: str, text: str, names: dict[str, Any]) -> int:
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    out: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=out.append)
    assert not out, "".join(out)
    return len(test.examples)


@pytest.mark.parametrize("name", THINGS)
def test_docstrings(name: str) -> None:
    thing = THINGS[name]
    assert thing.__doc__, "it has no documentation"
    home = getattr(thing, "fget", thing)
    home = thing if inspect.ismodule(thing) else sys.modules.get(getattr(home, "__module__", None) or "")
    count = run(name, thing.__doc__, {**(vars(home) if home else {}), "kuaimi": kuaimi})
    # The classes of x509 show their methods together, in the example of the class.
    shown_by_class = re.match(r"kuaimi\.x509\.((verification|ocsp)\.)?[A-Z]\w+\.", name)
    assert count or inspect.ismodule(thing) or shown_by_class, "it has no example"


def test_errors_in_examples_are_those_that_are_raised() -> None:
    """What follows "Traceback" is compared by its type alone above: here the type itself."""
    for name, thing in THINGS.items():
        for kind in re.findall(r"^kuaimi\.errors\.(\w+):", inspect.getdoc(thing) or "", re.M):
            assert issubclass(getattr(errors, kind), kuaimi.Error), name


def blocks(page: pathlib.Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.S)


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "README.zh-CN.md",
        "docs/python.md",
        "docs/python.zh-CN.md",
        "docs/certificates.md",
        "docs/certificates.zh-CN.md",
        "bindings/python/README.md",
    ],
)
def test_pages(page: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.pdf").write_bytes(b"a report")
    found = blocks(PROJECT / page)
    assert found, "there is no example"
    names: dict[str, Any] = {"__name__": "example"}
    for block in found:
        if ">>>" in block:
            run(page, block, names)
        else:
            exec(compile(block, page, "exec"), names)


@pytest.mark.parametrize("page", ["docs/python.md", "docs/python.zh-CN.md", "docs/scale.md", "docs/scale.zh-CN.md"])
def test_what_is_installed_goes_into_an_environment(page: str) -> None:
    """Debian's pip installs nothing outside of one."""
    shell = [block for block in re.findall(r"```sh\n(.*?)```", (PROJECT / page).read_text(), re.S) if "pip install" in block]
    assert shell and all(block.startswith("python3 -m venv .venv && . .venv/bin/activate") for block in shell)


@pytest.mark.parametrize("page", ["docs/scale.md", "docs/scale.zh-CN.md"])
def test_what_spark_needs(page: str) -> None:
    """Spark 4 cannot use pandas 3, and needs a Java machine."""
    extras = tomllib.loads((PROJECT / "bindings/python/pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert "pandas<3" in extras["spark"]
    assert "JDK" in (PROJECT / page).read_text() and "pandas" in (PROJECT / page).read_text()


@pytest.mark.parametrize("page", ["README", "docs/python", "docs/certificates"])
def test_both_languages_have_the_same_examples(page: str) -> None:
    english, chinese = (blocks(PROJECT / f"{page}{ending}") for ending in (".md", ".zh-CN.md"))
    without_comments = [[re.sub(r"\s*#.*", "", block) for block in page] for page in (english, chinese)]
    assert without_comments[0] == without_comments[1]
