"""Which columns of a table a step reads, and which the result has."""

from collections.abc import Sequence

from ._steps import Step
from .errors import InvalidArgument


def check(step: Step, names: Sequence[str], keep: Sequence[str] | None) -> list[str]:
    """The columns that are kept of those that there are. Says which is missing, or there twice."""
    for name in [*step.inputs, *(keep or [])]:
        if list(names).count(name) != 1:
            problem = "twice" if name in names else "not"
            raise InvalidArgument(f"the column {name!r} is {problem} there; there are: {', '.join(map(repr, names)) or 'none'}")
    kept = list(names if keep is None else keep)
    for name in step.outputs:
        if name in kept:
            raise InvalidArgument(f"there is a column {name!r} already: give the new one another name, or leave that one out with keep")
    return kept
