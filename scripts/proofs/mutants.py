"""Planted bugs: copies of a program with one instruction changed."""

import copy
import random
import re
from dataclasses import replace

from listing import Instruction

# Operations that are easily taken for one another.
SWAPS = {
    "x86": {
        "add": "adc", "adc": "add", "adcx": "adox", "adox": "adcx", "sub": "sbb", "sbb": "sub", "cmovb": "cmovae", "cmovne": "cmove",
        "shlx": "shrx", "shrx": "shlx", "rcr": "shr", "shr": "rcr", "and": "add",
    },
    "a64": {
        "adds": "adcs", "adcs": "adds", "adc": "adcs", "subs": "sbcs", "sbcs": "subs", "sbc": "sub", "mul": "umulh", "umulh": "mul",
        "and": "orr", "orr": "and", "add": "adds", "sub": "subs",
    },
}
NAMES = {
    "x86": ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", *(f"r{n}" for n in range(8, 16))),
    "a64": tuple(f"x{n}" for n in range(29)),
}


def change(instruction, isa, generator):
    """Another instruction, or `None` where the kind of change drawn does not apply."""
    kind = generator.choice(("operation", "register", "drop", "number"))
    operands = list(instruction.operands)
    if kind == "operation":
        other = SWAPS[isa].get(instruction.operation)
        return replace(instruction, operation=other) if other else None
    if kind == "drop":
        return Instruction(instruction.address, "nop", ())
    if not operands:
        return None
    i = generator.randrange(len(operands))
    if kind == "register":
        names = [name for name in re.findall(r"\b\w+\b", operands[i]) if name in NAMES[isa]]
        if not names:
            return None
        other = generator.choice([name for name in NAMES[isa] if name != names[0]])
        operands[i] = re.sub(rf"\b{names[0]}\b", other, operands[i], count=1)
        return replace(instruction, operands=tuple(operands))
    number = re.search(r"(?<![\w])(?:0x[0-9a-f]+|\d+)(?![\w])", operands[i])
    if not number:
        return None
    value = int(number[0], 0)
    value = value + generator.choice((8, -8) if "[" in operands[i] else (1, -1, 1 << 32))
    if value < 0:
        return None
    operands[i] = operands[i][: number.start()] + hex(value) + operands[i][number.end() :]
    return replace(instruction, operands=tuple(operands))


def mutants(program, isa, addresses, count, seed):
    """So many different programs with a change at one of the addresses, and what was changed."""
    generator, seen = random.Random(seed), set()
    while len(seen) < count:
        address = generator.choice(addresses)
        before = program.instructions[address]
        after = change(before, isa, generator)
        if after is None or after == before or after in seen or before.operation in ("push", "pop", "ret", "call"):
            continue
        seen.add(after)
        mutant = copy.copy(program)
        mutant.instructions = {**program.instructions, address: after}
        yield mutant, f"{before}  →  {after.operation} {', '.join(after.operands)}"
