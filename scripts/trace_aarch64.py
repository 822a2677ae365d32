"""Reads QEMU's trace of `examples/traced.rs` from standard input, and objdump's listing of the program from a file.

For each operation it prints the number of executed instructions. It fails if two secrets lead to different instructions or, where the
trace has the registers, to different addresses of loads and stores, or operands of divisions; and if it does not find the leaks that the
program has for this.
"""

import hashlib
import re
import sys
from collections import Counter

MODULI = {"multiplication", "square", "sum", "double", "difference", "half", "reduction", "four_products", "inversion"}
NAMES = ["modulo SM2's p", "modulo SM2's n", "modulo SM9's q"]
# How the program's two leaks must be reported.
LEAKS = {"leaking_branch": "instructions", "leaking_index": "addresses or divisions", "leaking_division": "addresses or divisions"}


def accesses(listing):
    """The registers that the time of each instruction may depend on, by its place in the file; and the places of the symbols."""
    found, symbols = {}, {}
    for line in listing:
        symbol = re.match(r"([0-9a-f]+) <(.*)>:", line)
        if symbol:
            symbols[symbol[2]] = int(symbol[1], 16)
            continue
        match = re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)", line)
        if not match:
            continue
        place, mnemonic, operands = int(match[1], 16), match[2], match[3]
        address = re.search(r"\[([^\]]*)\]", operands)
        text = operands.partition(",")[2] if mnemonic in ("udiv", "sdiv") else address[1] if address else ""
        found[place] = re.findall(r"\b(x\d+|w\d+|sp)\b", text)
    return found, symbols


def instructions(lines):
    """The place of each instruction, its function, and the registers before it, as text."""
    line, registers = None, []
    for following in lines:
        if not following.startswith("Trace"):
            registers.append(following)
            continue
        if line:
            yield int(line.split("/")[1], 16), line.split()[-1], registers
        line, registers = following, []


def calls(lines, program, symbols):
    """For each call of a traced function: its name and symbol, the places of its instructions, the registers of those that use some."""
    call, loaded_at = None, 0
    for place, symbol, registers in instructions(lines):
        if call is None:
            # Rust's names of functions are preceded by their length, and followed by a digest.
            start = re.search(r"\dtraced_(\w+?)17h[0-9a-f]{16}E$", symbol)
            if not start:
                continue
            loaded_at = place - symbols[symbol]
            call = {"name": start[1], "symbol": symbol, "places": [], "registers": []}
        elif re.search(r"\ddrive_\w+?17h[0-9a-f]{16}E$", symbol):
            yield call
            call = None
            continue
        # What the listing lacks is the C library.
        names = program.get(place - loaded_at)
        call["places"].append(place)
        if names and registers:
            values = dict(re.findall(r"(X\d\d|SP)=([0-9a-f]+)", "".join(registers)))
            names = ["SP" if name == "sp" else f"X{int(name[1:]):02}" for name in names]
            call["registers"].append((place, *(values[name] for name in names)))


def differences(runs):
    """What differs between the calls with different secrets. The first call of all chooses the implementations."""
    _, places, registers = zip(*runs[1:])
    return [kind for kind, seen in (("instructions", places), ("addresses or divisions", registers)) if len(set(seen)) > 1]


def main(listing, expected_leaks):
    with open(listing, encoding="utf-8") as file:
        program, symbols = accesses(file)
    operations = {}
    for call in calls(sys.stdin, program, symbols):
        digests = (hashlib.sha256(repr(call[key]).encode()).digest() for key in ("places", "registers"))
        run = (len(call["places"]), *digests)
        operations.setdefault((call["name"], call["symbol"]), []).append(run)

    failures, seen = [], Counter()
    for (name, _), runs in operations.items():
        label = name.replace("_", " ")
        if name in MODULI:
            label += f" {NAMES[seen[name]]}"
            seen[name] += 1
        found = differences(runs)
        if name in expected_leaks:
            if LEAKS[name] in found:
                expected_leaks.remove(name)
                print(f"{'found':>9}  {label}")
            continue
        print(f"{runs[1][0]:9}  {label}")
        failures += [f"{label}: different {kind} for different secrets" for kind in found]
        if len(runs) < 4:
            failures.append(f"{label}: called {len(runs)} times only")
    failures += [f"the leak {name} of the program was not found" for name in expected_leaks]
    if not operations or len(set(seen[name] for name in MODULI)) > 1:
        failures.append("an operation is missing")
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
