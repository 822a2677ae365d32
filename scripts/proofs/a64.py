"""
The instructions of AArch64 that the routines use, on a `Machine`. The flags are `c`, a carry (after a subtraction: no borrow), and `z`; others are
not known.
"""

import re

from linear import ONE, constant, is_constant, plus
from machine import WORD, Pointer, Unsupported

ARGUMENTS = ("x0", "x1", "x2")
# What a function must leave as it was.
PRESERVED = tuple(f"x{n}" for n in range(19, 31))
CONDITIONS = {"eq", "ne", "cs", "hs", "cc", "lo", "hi", "ls"}


def enter(machine, function):
    """The call of a function, which returns to the address in x30."""
    machine.registers["sp"] = Pointer("stack", 0)
    machine.registers["x30"] = Pointer("return", 0)
    machine.counter = function


def not_preserved(machine):
    """The registers that the routine should have left as they were. The last of them holds the address of return."""
    expected = {register: Pointer(f"the caller's {register}", 0) for register in PRESERVED[:-1]} | {"sp": Pointer("stack", 0)}
    return [f"{register} is not what it was" for register, value in expected.items() if machine.registers.get(register) != value]


def number_of(text):
    return int(text.removeprefix("#"), 0) % WORD


def value_of(machine, name):
    """What is in a register, or the number that is written."""
    if name == "xzr":
        return {}
    if name.startswith("#"):
        return constant(number_of(name))
    if re.fullmatch(r"w\d+|wzr", name):
        raise Unsupported("an operation on halves of registers")
    found = machine.registers.get(name)
    if found is None:
        raise Unsupported(f"nothing is known to be in {name}")
    return machine.resolve(found) if isinstance(found, dict) else found


def word(value):
    if not isinstance(value, dict):
        raise Unsupported("arithmetic on a pointer")
    return value


def holds(machine, condition):
    """Whether a condition holds; the run is split if that is not known."""
    if condition not in CONDITIONS:
        raise Unsupported(f"the condition {condition}")
    if condition in ("cs", "hs", "cc", "lo"):
        return machine.branch(machine.flag("c")) == (condition in ("cs", "hs"))
    if condition in ("eq", "ne"):
        return machine.is_zero(machine.flag("z")[1]) == (condition == "eq")
    higher = machine.branch(machine.flag("c")) and not machine.is_zero(machine.flag("z")[1])
    return higher == (condition == "hi")


def moved(pointer, distance):
    if not isinstance(pointer, Pointer) or not is_constant(distance):
        raise Unsupported("arithmetic on a pointer")
    number = (distance.get(ONE, 0) ^ WORD // 2) - WORD // 2
    return Pointer(pointer.region, pointer.offset + number)


def memory_access(machine, operation, operands):
    """Loads and stores of one or two registers, with the three kinds of addresses."""
    count = 2 if operation in ("ldp", "stp") else 1
    registers, rest = operands[:count], operands[count:]
    inside = re.fullmatch(r"\[(\w+)(?:, #(-?\w+))?\](!?)", rest[0])
    if not inside:
        raise Unsupported(f"the address {rest[0]}")
    base = value_of(machine, inside[1])
    pointer = moved(base, constant(number_of(inside[2] or "0")))
    width = 2 if registers[0].startswith("q") else 1
    for i, register in enumerate(registers):
        places = [moved(pointer, constant(8 * (width * i + j))) for j in range(width)]
        if operation in ("ldp", "ldr"):
            if register == inside[1] and (inside[3] or rest[1:]):
                raise Unsupported("a load of the register that holds the address")
            found = [machine.load(place) for place in places]
            machine.registers[register] = found if width == 2 else found[0]
        elif width == 2:
            for place, value in zip(places, machine.registers[register]):
                machine.store(place, value)
        else:
            # A register of the caller that is saved.
            machine.store(places[0], machine.registers.get(register) if register != "xzr" else {})
    if inside[3] or rest[1:]:
        machine.registers[inside[1]] = moved(base, constant(number_of(rest[1])) if rest[1:] else constant(number_of(inside[2])))


def step(machine):
    """Executes the instruction at the counter."""
    instruction = machine.program.instructions.get(machine.counter)
    if instruction is None:
        raise Unsupported(f"no instruction at {machine.counter:x}")
    operation, operands = instruction.operation, instruction.operands
    following = machine.program.following.get(machine.counter)
    if operation not in ("movk",) and any(re.match(r"(lsl|lsr|asr|uxt|sxt)", text) for text in operands):
        operands, shift = operands[:-1], operands[-1]
        amount = re.fullmatch(r"(lsl|lsr) #(\d+)", shift)
        if not amount:
            raise Unsupported(f"the operand {shift}")
        last = word(value_of(machine, operands[-1]))
        machine.registers["shifted"] = (machine.shift_left if amount[1] == "lsl" else machine.shift_right)(last, int(amount[2]))
        operands = (*operands[:-1], "shifted")

    def get(i):
        return value_of(machine, operands[i])

    def put(value):
        if not re.fullmatch(r"x\d+|xzr|sp", operands[0]):
            raise Unsupported(f"the operand {operands[0]}")
        if operands[0] != "xzr":
            machine.registers[operands[0]] = value

    if operation in ("cmp", "tst", "cmn"):
        operation, operands = {"cmp": "subs", "tst": "ands", "cmn": "adds"}[operation], ("xzr", *operands)
    elif operation in ("ngc", "neg", "ngcs", "negs"):
        operation, operands = {"ngc": "sbc", "neg": "sub", "ngcs": "sbcs", "negs": "subs"}[operation], (operands[0], "xzr", operands[1])

    if operation == "mov" and re.fullmatch(r"w\d+", operands[0]) and operands[1].startswith("#"):
        # A number in the lower half, which clears the upper one.
        machine.registers[f"x{operands[0][1:]}"] = constant(number_of(operands[1]) % (1 << 32))
    elif operation == "mov":
        put(get(1))
    elif operation == "movk":
        at = int(operands[2].split("#")[1]) if operands[2:] else 0
        old = word(value_of(machine, operands[0]))
        if not is_constant(old):
            raise Unsupported("MOVK of a variable")
        put(constant(old.get(ONE, 0) & ~(0xFFFF << at) | number_of(operands[1]) << at))
    elif operation == "adrp":
        put(Pointer("image", int(operands[1].split()[0], 16)))
    elif operation == "adr":
        put(Pointer("image", int(operands[1].split()[0], 16)))
    elif operation in ("add", "sub") and isinstance(get(1), Pointer):
        distance = word(get(2))
        put(moved(get(1), distance if operation == "add" else constant(-distance.get(ONE, 0) % WORD) if is_constant(distance) else distance))
    elif operation in ("add", "adds", "adc", "adcs"):
        total, carry = machine.add(word(get(1)), word(get(2)), machine.flag("c") if operation.startswith("adc") else {})
        if operation.endswith("s"):
            machine.set_flag("c", carry)
            machine.set_flag("z", ("zero", total))
        put(total)
        if not operation.endswith("s"):
            machine.dropped(carry)
    elif operation == "subs" and isinstance(get(1), Pointer) and isinstance(get(2), Pointer) and operands[0] == "xzr":
        # The end of a loop over memory.
        first, second = get(1), get(2)
        if first.region != second.region:
            raise Unsupported("a comparison of addresses in different regions")
        machine.set_flag("c", constant(int(first.offset >= second.offset)))
        machine.set_flag("z", ("zero", constant(int(first != second))))
    elif operation in ("sub", "subs", "sbc", "sbcs"):
        borrow = plus((constant(1), 1), (machine.flag("c"), -1)) if operation.startswith("sbc") else {}
        difference, under = machine.subtract(word(get(1)), word(get(2)), borrow)
        if operation.endswith("s"):
            machine.set_flag("c", plus((constant(1), 1), (under, -1)))
            machine.set_flag("z", ("zero", difference))
        put(difference)
        if operation == "sbc":
            machine.dropped(under)
    elif operation == "mul":
        low, _ = machine.product(word(get(1)), word(get(2)))
        machine.quotient(low, word(get(1)), word(get(2)))
        put(low)
    elif operation == "umulh":
        put(machine.product(word(get(1)), word(get(2)))[1])
    elif operation == "lsl":
        put(machine.shift_left(word(get(1)), number_of(operands[2])))
    elif operation == "lsr":
        put(machine.shift_right(word(get(1)), number_of(operands[2])))
    elif operation == "extr":
        bits = number_of(operands[3])
        high = machine.divide(word(get(1)), bits)[0]
        put(machine.define("extract", plus((machine.shift_right(word(get(2)), bits), 1), (high, 1 << (64 - bits)))))
    elif operation == "sbfx" and operands[2:] == ("#0", "#1"):
        put(machine.cases(machine.divide(word(get(1)), 1)[0], lambda bit: -bit % WORD))
    elif operation == "and":
        put(machine.conjunction(word(get(1)), word(get(2))))
    elif operation == "orr":
        put(machine.disjunction(word(get(1)), word(get(2))))
    elif operation == "csel":
        put(get(1) if holds(machine, operands[3]) else get(2))
    elif operation in ("cset", "csetm"):
        bit = machine.flag("c")
        if operands[1] in ("cc", "lo"):
            bit = plus((constant(1), 1), (bit, -1))
        elif operands[1] not in ("cs", "hs"):
            raise Unsupported(f"the condition {operands[1]}")
        put(machine.cases(bit, lambda b: -b % WORD) if operation == "csetm" else bit)
    elif operation in ("ldp", "ldr", "stp", "str"):
        memory_access(machine, operation, operands)
    elif operation == "bl":
        machine.registers["x30"] = Pointer("code", following)
        following = int(operands[0].split()[0], 16)
    elif operation == "b":
        following = int(operands[0].split()[0], 16)
    elif operation.startswith("b."):
        if holds(machine, operation[2:]):
            following = int(operands[0].split()[0], 16)
    elif operation in ("cbz", "cbnz"):
        value = word(get(0))
        if not is_constant(value):
            raise Unsupported("a branch that depends on numbers")
        if (not value) == (operation == "cbz"):
            following = int(operands[1].split()[0], 16)
    elif operation == "ret":
        back = value_of(machine, "x30")
        if back == Pointer("return", 0):
            machine.finished = True
        elif isinstance(back, Pointer) and back.region == "code":
            following = back.offset
        else:
            raise Unsupported("a return to what is not a return address")
    elif operation != "nop":
        raise Unsupported("this instruction")
    machine.counter = following
    machine.steps += 1
