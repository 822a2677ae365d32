"""The instructions of x86-64 that the routines use, on a `Machine`. The flags are `c`, `o` and `z`; others are not known."""

import re

from linear import ONE, constant, is_constant
from machine import WORD, Pointer, Unsupported

NAMES = {
    **{f"r{n}": f"r{n}" for n in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp")},
    **{f"r{n}": f"r{n}" for n in range(8, 16)},
}
HALVES = {
    **{f"e{n}": f"r{n}" for n in ("ax", "bx", "cx", "dx", "si", "di", "bp", "sp")},
    **{f"r{n}d": f"r{n}" for n in range(8, 16)},
}
ARGUMENTS = ("rdi", "rsi", "rdx")
STACK = "rsp"
# What a function must leave as it was.
PRESERVED = ("rbx", "rbp", "r12", "r13", "r14", "r15", "rsp")


def enter(machine, function):
    """The call of a function: a return address on the stack."""
    machine.registers["rsp"] = Pointer("stack", 0)
    machine.memory["stack", 0] = Pointer("return", 0)
    machine.counter = function


def not_preserved(machine):
    """The registers that the routine should have left as they were."""
    expected = {register: Pointer(f"the caller's {register}", 0) for register in PRESERVED} | {"rsp": Pointer("stack", 8)}
    return [f"{register} is not what it was" for register, value in expected.items() if machine.registers.get(register) != value]


def number_of(text):
    value = int(text, 0)
    return value % WORD


def address(machine, instruction, text):
    """The pointer of a memory operand."""
    inside = re.search(r"\[(.*)\]", text)[1]
    base, offset = None, 0
    for sign, part in re.findall(r"([+-]?)([^+-]+)", inside):
        if part == "rip":
            base = Pointer("image", machine.program.following[instruction.address])
        elif part in NAMES:
            value = machine.registers.get(part)
            if isinstance(value, Pointer) and base is None and sign != "-":
                base = value
            elif isinstance(value, dict) and is_constant(value):
                offset += value.get(ONE, 0)
            else:
                raise Unsupported(f"the address {text}")
        else:
            distance = int(part, 0)
            offset += -distance if sign == "-" else distance
    if base is None:
        raise Unsupported(f"the address {text}")
    offset = (base.offset + offset) % WORD
    return Pointer(base.region, offset - WORD if offset >= WORD // 2 else offset)


def read(machine, instruction, text):
    if text in NAMES:
        if text not in machine.registers:
            raise Unsupported(f"nothing is known to be in {text}")
        value = machine.registers[text]
        return value if isinstance(value, Pointer) else machine.resolve(value)
    if text in HALVES:
        return machine.divide(word(read(machine, instruction, HALVES[text])), 32)[0]
    if text.startswith("QWORD PTR"):
        value = machine.load(address(machine, instruction, text))
        return value if isinstance(value, Pointer) else machine.resolve(value)
    return constant(number_of(text))


def write(machine, instruction, text, value):
    if text in NAMES:
        machine.registers[text] = value
    elif text in HALVES:
        low, high = machine.divide(word(value), 32)
        if high:
            raise Unsupported(f"a word in {text}")
        machine.registers[HALVES[text]] = low
    elif text.startswith("QWORD PTR"):
        machine.store(address(machine, instruction, text), value)
    else:
        raise Unsupported(f"the operand {text}")


def word(value):
    if isinstance(value, Pointer):
        raise Unsupported("arithmetic on a pointer")
    return value


def vector_move(machine, instruction, to, source):
    def words(text):
        pointer = address(machine, instruction, text)
        return [Pointer(pointer.region, pointer.offset + 8 * i) for i in range(2)]

    found = machine.registers.get(source) if source.startswith("xmm") else [machine.load(p) for p in words(source)]
    if found is None:
        raise Unsupported(f"nothing is known to be in {source}")
    if to.startswith("xmm"):
        machine.registers[to] = found
    else:
        for pointer, value in zip(words(to), found):
            machine.store(pointer, value)


def arithmetic_flags(machine, carry, result):
    machine.set_flag("c", carry)
    machine.set_flag("o", None)
    machine.set_flag("z", ("zero", result))


def step(machine):
    """Executes the instruction at the counter."""
    instruction = machine.program.instructions.get(machine.counter)
    if instruction is None:
        raise Unsupported(f"no instruction at {machine.counter:x}")
    operation, operands = instruction.operation, instruction.operands
    following = machine.program.following.get(machine.counter)

    def get(i):
        return read(machine, instruction, operands[i])

    def put(value, i=0):
        write(machine, instruction, operands[i], value)

    narrow = any(text in HALVES for text in operands)
    if narrow and not (operation == "mov" or (operation == "xor" and operands[0] == operands[1])):
        raise Unsupported("an operation on halves of registers")

    if operation in ("mov", "movabs"):
        put(get(1))
    elif operation == "lea":
        register = re.fullmatch(r"\[(\w+)([+-]0x[0-9a-f]+)\]", operands[1])
        value = machine.registers.get(register[1]) if register else None
        if isinstance(value, dict):
            total, carry = machine.add(machine.resolve(value), constant(number_of(register[2])), {})
            if carry:
                raise Unsupported("LEA with a carry")
            put(total)
        else:
            put(address(machine, instruction, operands[1]))
    elif operation in ("movups", "movaps", "movupd", "movapd"):
        vector_move(machine, instruction, *operands)
    elif operation in ("add", "sub") and isinstance(get(0), Pointer):
        base, distance = get(0), word(get(1))
        if not is_constant(distance):
            raise Unsupported("arithmetic on a pointer")
        distance = (distance.get(ONE, 0) ^ WORD // 2) - WORD // 2
        put(Pointer(base.region, base.offset + (distance if operation == "add" else -distance)))
        for name in "coz":
            machine.set_flag(name, None)
    elif operation in ("add", "adc"):
        total, carry = machine.add(word(get(0)), word(get(1)), machine.flag("c") if operation == "adc" else {})
        arithmetic_flags(machine, carry, total)
        put(total)
    elif operation in ("adcx", "adox"):
        flag = "c" if operation == "adcx" else "o"
        total, carry = machine.add(word(get(0)), word(get(1)), machine.flag(flag))
        machine.set_flag(flag, carry)
        put(total)
    elif operation == "sbb" and operands[0] == operands[1]:
        # Zeros or ones, whatever the register held.
        difference, under = machine.subtract({}, {}, machine.flag("c"))
        put(difference)
        arithmetic_flags(machine, under, difference)
    elif operation in ("sub", "sbb", "cmp"):
        borrow = machine.flag("c") if operation == "sbb" else {}
        difference, under = machine.subtract(word(get(0)), word(get(1)), borrow)
        arithmetic_flags(machine, under, difference)
        if operation != "cmp":
            put(difference)
    elif operation == "mulx":
        # The upper half is written last, so it wins if both are one register.
        low, high = machine.product(word(machine.registers["rdx"]), word(get(2)))
        put(low, 1)
        put(high, 0)
    elif operation == "imul" and len(operands) == 2:
        low, _ = machine.product(word(get(0)), word(get(1)))
        machine.cut(low)
        put(low)
        for name in "coz":
            machine.set_flag(name, None)
    elif operation in ("shlx", "shrx"):
        count = word(get(2))
        if not is_constant(count):
            raise Unsupported("a shift by a variable")
        shift = machine.shift_left if operation == "shlx" else machine.shift_right
        put(shift(word(get(1)), count.get(ONE, 0) % 64))
    elif operation == "shl":
        put(machine.shift_left(word(get(0)), number_of(operands[1])))
        for name in "coz":
            machine.set_flag(name, None)
    elif operation in ("shr", "rcr") and operands[1:] in ((), ("1",)):
        bit, half = machine.divide(word(get(0)), 1)
        if operation == "rcr":
            half, over = machine.add(half, machine.cases(machine.flag("c"), lambda b: b << 63) , {})
            if over:
                raise Unsupported("RCR with a carry")
        put(half)
        machine.set_flag("c", bit)
        machine.set_flag("o", None)
        machine.set_flag("z", None)
    elif operation == "xor" and operands[0] == operands[1]:
        write(machine, instruction, HALVES.get(operands[0], operands[0]), {})
        machine.set_flag("c", {})
        machine.set_flag("o", {})
        machine.set_flag("z", ("zero", {}))
    elif operation == "and":
        result = machine.conjunction(word(get(0)), word(get(1)))
        put(result)
        machine.set_flag("c", {})
        machine.set_flag("o", {})
        machine.set_flag("z", ("zero", result))
    elif operation in ("cmovb", "cmovae"):
        if machine.branch(machine.flag("c")) == (operation == "cmovb"):
            put(get(1))
    elif operation in ("cmove", "cmovne"):
        if machine.is_zero(machine.flag("z")[1]) == (operation == "cmove"):
            put(get(1))
    elif operation == "nop":
        pass
    elif operation == "push":
        value = machine.registers.get(operands[0])
        machine.registers["rsp"] = top = Pointer("stack", machine.registers["rsp"].offset - 8)
        machine.store(top, value)
    elif operation == "pop":
        top = machine.registers["rsp"]
        machine.registers[operands[0]] = machine.load(top)
        machine.registers["rsp"] = Pointer("stack", top.offset + 8)
    elif operation == "call":
        target = get(0) if operands[0].startswith("QWORD") else Pointer("image", int(operands[0].split()[0], 16))
        if target.region != "image":
            raise Unsupported("a call of something that is not code")
        machine.registers["rsp"] = top = Pointer("stack", machine.registers["rsp"].offset - 8)
        machine.store(top, Pointer("code", following))
        following = target.offset
    elif operation == "jmp" and re.match(r"[0-9a-f]+ <", operands[0]):
        following = int(operands[0].split()[0], 16)
    elif operation == "ret":
        top = machine.registers["rsp"]
        back = machine.load(top)
        machine.registers["rsp"] = Pointer("stack", top.offset + 8)
        if back == Pointer("return", 0):
            machine.finished = True
        elif isinstance(back, Pointer) and back.region == "code":
            following = back.offset
        else:
            raise Unsupported("a return to what is not a return address")
    else:
        raise Unsupported("this instruction")
    machine.counter = following
    machine.steps += 1
