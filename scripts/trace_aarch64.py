"""Judges what the plugin `trace_aarch64.c` saw of a program: `trace_aarch64.py FILE OPERATIONS LEAK=KIND…`, with the number of its operations.

For each operation it prints the number of executed instructions. It fails if two secrets lead to different instructions, to different
addresses of loads and stores, or if there is a division elsewhere than in functions that are known; and if the leaks that the program has for this were not found.
"""

import re
import sys
from collections import Counter

MODULI = {"multiplication", "square", "sum", "double", "difference", "half", "reduction", "four_products", "inversion"}
NAMES = ["modulo SM2's p", "modulo SM2's n", "modulo SM9's q"]
# Functions that divide numbers and sizes of items or windows, which are public. What they divide is not looked at.
DIVISIONS = {
    "kuaimi::batch::chunk_size",
    "kuaimi_math::curve::batch_affine::BatchAffineSums::add_neighbours",
    "kuaimi_math::curve::batch_affine::BatchAffineSums::denominator_product",
    "kuaimi_math::curve::batch_affine::BatchAffineSums::sum",
    "kuaimi_math::curve::fixed_base::FixedBaseTable::mul",
    "kuaimi_math::curve::recode::OddWindows::new",
    "traced_operations::sm2::traced_signing_many",
}


def path(symbol):
    """Of a Rust function, without parameters: each name of a symbol's path comes after its length, the last is a digest."""
    names, rest = [], symbol.removeprefix("_ZN")
    while length := re.match(r"\d+", rest):
        end = length.end() + int(length[0])
        names.append(re.sub(r"\$.*", "", rest[length.end() : end]))
        rest = rest[end:]
    return "::".join(names[:-1]) or symbol


def main(file, expected, leaks):
    failures, seen, operations = [], Counter(), 0
    for line in open(file, encoding="utf-8"):
        symbol, calls, instructions, difference, where, *divisions = line.split()
        name = path(symbol).split("::")[-1].removeprefix("traced_")
        label = name.replace("_", " ")
        divisions = {path(division) for division in divisions} - DIVISIONS
        if name in leaks:
            if leaks[name] in (difference, "division" if divisions else None):
                del leaks[name]
                print(f"{'found':>9}  {label}")
            continue
        operations += 1
        if name in MODULI:
            label += f" {NAMES[seen[name]]}"
            seen[name] += 1
        print(f"{instructions:>9}  {label}")
        if difference != "none":
            failures.append(f"{label}: different {difference} for different secrets, in {path(where)}")
        failures += [f"{label}: a division, in {division}" for division in sorted(divisions)]
        if int(calls) < 4:
            failures.append(f"{label}: called {calls} times only")
    failures += [f"the leak {name} of the program was not found" for name in leaks]
    if operations != expected or (seen and (set(seen) != MODULI or set(seen.values()) != {len(NAMES)})):
        failures.append(f"there are {operations} operations, not {expected}")
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), dict(leak.split("=") for leak in sys.argv[3:])))
