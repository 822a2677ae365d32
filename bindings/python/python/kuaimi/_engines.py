"""What the packages for engines share: packages that only some users need, with an error that says how to install them; and columns."""

import importlib
from collections.abc import Sequence
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


def columns_of_the_program(options: dict[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    """The columns that `kuaimi verify-batch` takes where no option names them: a column id, and one of digests where there are no messages."""
    if "id" in columns and not {"id", "identity"} & options.keys():
        options = options | {"id": "id"}
    if "message" not in columns and "digest" in columns and not {"message", "digest"} & options.keys():
        options = options | {"digest": "digest"}
    return options
