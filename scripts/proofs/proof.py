"""The proof of a routine of a program, and its execution with numbers."""

from goals import check, number
from linear import constant, is_constant, plus
from machine import Machine, Pointer, Split, Unsupported
from routines import BACKENDS, MODULI, read_numbers


def function_of(program, isa, routine, modulus):
    """The address of the compiled routine."""
    types = [BACKENDS[isa]] if routine.exact else [MODULI[modulus][0], BACKENDS[isa]]
    return program.functions.get(f"proved::{routine.name}::<{', '.join(types)}>")


def start(program, semantics, routine, modulus, function, values=None):
    """A machine at the entry of the routine, and the numbers that it reads."""
    machine = Machine(program, values={} if values is not None else None)
    numbers = read_numbers(machine, routine, modulus, values)
    places = ["out", *(f"in{i}" for i in range(routine.inputs))] if routine.separate else ["out", "in0"]
    for register in semantics.PRESERVED:
        machine.registers[register] = Pointer(f"the caller's {register}", 0)
    for register, region in zip(semantics.ARGUMENTS, places):
        machine.registers[register] = Pointer(region, 0)
    for i in range(routine.words):
        machine.memory["out", 8 * i] = None
    # The other regions may be the same memory: they are only read.
    machine.writable = {"out", "stack"}
    semantics.enter(machine, function)
    return machine, numbers


def run(machine, semantics, leaf):
    """Executes to the end, in all cases."""
    while not machine.finished:
        try:
            semantics.step(machine)
        except Split as split:
            for facts in split.alternatives:
                case = machine.copy()
                count = len(machine.linear.facts)
                case.assume(facts)
                run(case, semantics, leaf)
                machine.linear.shrink(count)
            return
        except (Unsupported, KeyError, TypeError, AssertionError) as error:
            raise Unsupported(f"{type(error).__name__}: {error}, at {machine.program.instructions.get(machine.counter)}") from error
        if machine.steps > 5000:
            raise Unsupported("too many steps")
    leaf(machine)


def result(machine, routine):
    words = [machine.memory["out", 8 * i] for i in range(routine.words)]
    if not all(isinstance(word, dict) for word in words):
        raise Unsupported("a word of the result is not written")
    return number([machine.resolve(word) for word in words])


def prove(program, semantics, routine, modulus, function):
    """What could not be shown, the number of cases, and that of certificates."""
    machine, numbers = start(program, semantics, routine, modulus, function)
    failures, cases = [], 0

    def leaf(end):
        nonlocal cases
        cases += 1
        failures.extend(semantics.not_preserved(end))
        out = result(end, routine)
        congruence = (routine.statement, routine.relation(out, numbers), None if routine.exact else modulus)
        bounds = [] if routine.exact else [("the bound of the result", plus((constant(modulus - routine.most), 1), (out, -1)))]
        failures.extend(check(end, [congruence], bounds))

    run(machine, semantics, leaf)
    return failures, cases, machine.linear.certificates


def compute(program, semantics, routine, modulus, function, values):
    """What the machine computes of these numbers, by the same semantics as the proof."""
    machine, _ = start(program, semantics, routine, modulus, function, values)
    run(machine, semantics, lambda end: None)
    value = machine.value(result(machine, routine))
    assert value >= 0 and is_constant(constant(value))
    return value
