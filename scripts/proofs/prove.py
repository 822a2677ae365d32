"""
Proves the routines of the arithmetic from the compiled instructions of `examples/proved.rs`, compares the semantics of the instructions with
the processor, and plants bugs, which must not be proved. docs/proofs.md says what this shows, and what it trusts.
"""

import argparse
import multiprocessing
import random
import subprocess
import sys
import time

import a64
import x86
from listing import Program
from machine import Unsupported
from mutants import mutants
from proof import compute, function_of, prove, start
from routines import MODULI, ROUTINES

# A planted bug that is not proved in this time is not proved.
SECONDS = 60
# A step that is not known, a certificate that is not one, and one whose numbers are too large to write down.
FAILURES = (Unsupported, AssertionError, ValueError)
SEMANTICS = {"x86": x86, "a64": a64}
PREFIX = {"x86": "", "a64": "aarch64-linux-gnu-"}
# What the compiler makes of plain Rust, and shares between the backends: not a routine of the assembly.
PLAIN = {("x86", "half", modulus) for modulus in ("sm2n", "sm9q", "sm9n")} | {("a64", "redc", modulus) for modulus in ("sm2n", "sm9q", "sm9n")}
# For these the solver found no contradiction, or no factors for it, in the time that was tried: they are tested only.
OPEN = {
    "x86": {("dot3", "sm2n"), ("dot3", "sm9q"), ("dot3", "sm9n"), *((f"dot{n}", modulus) for n in (4, 5, 6) for modulus in MODULI)},
    "a64": {(f"dot{n}", modulus) for n in (4, 5, 6) for modulus in MODULI},
}
# Planted bugs are spread over these, which have every kind of instruction between them.
BUGS = {
    "x86": [("add", "sm2p"), ("sub", "sm2p"), ("half", "sm2p"), ("redc", "sm2p"), ("minus_twice", "sm9q"), ("redc", "sm2n"), ("sub", "sm2n"), ("product", "sm2p")],
    "a64": [("add", "sm2p"), ("sub", "sm2p"), ("half", "sm2p"), ("redc", "sm2p"), ("minus_twice", "sm9q"), ("half", "sm2n"), ("sub", "sm2n"), ("product", "sm2p")],
}


def selected(isa, only):
    """The routines with their moduli, the sums of many products last."""
    for routine in ROUTINES:
        for modulus in MODULI:
            name = f"{routine.name}:{modulus}"
            if (isa, routine.name, modulus) in PLAIN or (routine.exact and modulus != "sm2p"):
                continue
            if not only or any(name == wanted or routine.name == wanted for wanted in only):
                yield routine, modulus


def inputs(routine, modulus, count, generator):
    """Numbers at the ends of the range, with limbs of zeros and ones, and others."""
    most = (1 << 256) - 1 if routine.exact else modulus - routine.slack

    def draw():
        kind = generator.randrange(4)
        if kind == 0:
            return generator.choice((0, 1, 2, most, most - 1, most // 2, most // 2 + 1, (1 << 192) - 1, 1 << 64))
        if kind == 1:
            limbs = [generator.choice((0, 1, (1 << 64) - 1, (1 << 32) - 1, 1 << 63, generator.getrandbits(64))) for _ in range(4)]
            return sum(limb << (64 * i) for i, limb in enumerate(limbs)) % (most + 1)
        return generator.randrange(most + 1)

    return [[draw() for _ in range(routine.inputs)] for _ in range(count)]


def semantics_agree(program, isa, runner, chosen, count):
    """Runs the routines on the processor and on the machine, with the same numbers: the number of results, or a difference."""
    generator = random.Random(19)
    cases = [
        (routine, modulus, values)
        for routine, modulus in chosen
        for values in inputs(routine, MODULI[modulus][1], count, generator)
    ]
    lines = [f"{modulus} {routine.name} {' '.join(f'{value:064x}' for value in values)}" for routine, modulus, values in cases]
    done = subprocess.run(runner, input="\n".join(lines) + "\n", check=True, capture_output=True, text=True)
    backend, *answers = done.stdout.splitlines()
    assert backend == {"x86": "adx", "a64": "a64"}[isa], f"this processor runs the backend {backend}"
    assert len(answers) == len(cases)
    for (routine, name, values), answer in zip(cases, answers):
        modulus = MODULI[name][1]
        processor = sum(int(word, 16) << (256 * i) for i, word in enumerate(answer.split()))
        ours = compute(program, SEMANTICS[isa], routine, modulus, function_of(program, isa, routine, name), values)
        assert processor == ours == routine.model(modulus, values), f"{routine.name} modulo {name} of {values}: {processor:x}, {ours:x}"
    return len(cases)


def prove_all(program, isa, chosen):
    failed = 0
    for routine, name in chosen:
        function = function_of(program, isa, routine, name)
        label = f"{isa} {routine.name} {'' if routine.exact else name}"
        began = time.time()
        if (routine.name, name) in OPEN[isa]:
            print(f"{'not tried':10}  {label:26} {routine.statement}  (docs/proofs.md)", flush=True)
            continue
        if function is None:
            failures, note = ["the routine is not in the program"], ""
        else:
            try:
                failures, cases, certificates = prove(program, SEMANTICS[isa], routine, MODULI[name][1], function)
                note = f"{cases} cases, {certificates} certificates, {time.time() - began:.0f} s"
            except FAILURES as error:
                failures, note = [str(error)], ""
        failed += bool(failures)
        print(f"{'NOT PROVED' if failures else 'proved':10}  {label:26} {routine.statement}  ({note})", flush=True)
        for failure in sorted(set(failures)):
            print(f"            {failure}", flush=True)
    return failed


def addresses_of(program, semantics, routine, modulus, function):
    """The addresses of the instructions that a run executes."""
    machine, _ = start(program, semantics, routine, modulus, function, inputs(routine, modulus, 1, random.Random(1))[0])
    found = set()
    while not machine.finished:
        found.add(machine.counter)
        semantics.step(machine)
    return sorted(found)


def differs(mutant, semantics, routine, modulus, function, cases):
    """Whether a mutant computes something else for one of the cases."""
    for values in cases:
        try:
            if compute(mutant, semantics, routine, modulus, function, values) != routine.model(modulus, values):
                return True
        except FAILURES:
            return True
    return False


def proved_in_time(mutant, semantics, routine, modulus, function):
    """Whether a mutant is proved, within some time, in a process of its own: the search for a contradiction that does not exist may be long."""

    def attempt():
        try:
            sys.exit(bool(prove(mutant, semantics, routine, modulus, function)[0]))
        except FAILURES:
            sys.exit(1)

    process = multiprocessing.get_context("fork").Process(target=attempt)
    process.start()
    process.join(SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
    return process.exitcode == 0


def plant(program, isa, count, seed):
    """Every planted bug must be unproved, or change nothing: the number of those that were proved but do change a result."""
    semantics, wrong = SEMANTICS[isa], 0
    for number, (wanted, name) in enumerate(BUGS[isa]):
        routine = next(routine for routine in ROUTINES if routine.name == wanted)
        modulus, function = MODULI[name][1], function_of(program, isa, routine, name)
        addresses = addresses_of(program, semantics, routine, modulus, function)
        cases = inputs(routine, modulus, 200, random.Random(seed + number))
        caught, same = 0, []
        for mutant, what in mutants(program, isa, addresses, count, seed + number):
            if not proved_in_time(mutant, semantics, routine, modulus, function):
                caught += 1
            elif differs(mutant, semantics, routine, modulus, function, cases):
                wrong += 1
                print(f"error: {routine.name} modulo {name} is proved with a bug: {what}", file=sys.stderr, flush=True)
            else:
                same.append(what)
        print(f"{caught} of {count} planted bugs found in {isa} {routine.name} {name}; {len(same)} are proved, and change nothing", flush=True)
        for what in same:
            print(f"            {what}", flush=True)
    return wrong


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("isa", choices=SEMANTICS)
    options.add_argument("program", help="the compiled examples/proved.rs")
    options.add_argument("--runner", default="", help="a program that runs it, with its arguments")
    options.add_argument("--values", type=int, default=20, help="so many inputs of each routine for the comparison with the processor")
    options.add_argument("--bugs", type=int, default=25, help="so many planted bugs in each of some routines")
    options.add_argument("--seed", type=int, default=1, help="for planted bugs")
    options.add_argument("--only", nargs="*", help="some routines: mul, or mul:sm2p")
    chosen = options.parse_args()
    program = Program(chosen.program, PREFIX[chosen.isa])
    routines = list(selected(chosen.isa, chosen.only))
    # Of all instruction sets: a name may be of a routine that only the other one has.
    names = {name for routine in ROUTINES for modulus in MODULI for name in (routine.name, f"{routine.name}:{modulus}")}
    if unknown := [name for name in chosen.only or [] if name not in names]:
        print(f"error: there is no routine {', '.join(unknown)}; there are {', '.join(sorted(names))}", file=sys.stderr)
        return 2
    if not routines:
        print(f"error: {chosen.isa} has none of these routines", file=sys.stderr)
        return 2
    count = semantics_agree(program, chosen.isa, [*chosen.runner.split(), chosen.program], routines, chosen.values)
    print(f"{count} results of {chosen.isa} are the same on the processor, in the semantics of the prover, and in Python's integers", flush=True)
    failed = prove_all(program, chosen.isa, routines)
    wrong = plant(program, chosen.isa, chosen.bugs, chosen.seed) if chosen.bugs else 0
    if failed or wrong:
        print(f"error: {failed} routines are not proved, and {wrong} planted bugs were not found", file=sys.stderr)
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
