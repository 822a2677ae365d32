"""Packages that only some users need: imported where they are used, with an error that says how to install them."""

import importlib
from typing import Any


def need(package: str, extra: str) -> Any:
    """The module of a package that the extra of this name installs."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package.partition(".")[0]:
            raise
        raise ModuleNotFoundError(
            f"kuaimi.{extra} needs the package {package}, which is not installed: pip install 'kuaimi[{extra}]'", name=error.name
        ) from None
