"""What a routine must compute, and the check of it: congruences of polynomials, and bounds."""

from linear import ONE, constant, plus, variable


def number(limbs):
    """`Σ limbᵢ·2⁶⁴ⁱ`."""
    return plus(*((limb, 1 << (64 * i)) for i, limb in enumerate(limbs)))


def limbs_of(value, count=4):
    return [value >> (64 * i) & ((1 << 64) - 1) for i in range(count)]


def centred(residue, modulus):
    """The residue of least absolute value."""
    residue %= modulus
    return residue - modulus if residue > modulus // 2 else residue


def proves_by_cases(machine, polynomial, depth=3):
    """Whether the polynomial is not negative, with a case for each value of a few of its bits if need be."""
    if machine.proves(polynomial):
        return True
    bits = sorted({n for m in machine.expand(polynomial) for n in m if machine.variables.ranges[n] == (0, 1)})
    bits = [bit for bit in bits if bit not in machine.cased]
    if not bits or depth == 0:
        return False
    machine.cased.add(bits[0])
    try:
        for value in (0, 1):
            count = len(machine.linear.facts)
            case = machine.copy()
            case.fact(plus((variable(bits[0]), 1), (constant(value), -1)), equal=True, lasting=True)
            proved = proves_by_cases(case, polynomial, depth - 1)
            machine.linear.shrink(count)
            if not proved:
                return False
    finally:
        machine.cased.discard(bits[0])
    return True


def vanishes(machine, polynomial, modulus):
    """
    Whether the polynomial is zero (modulo the modulus, if there is one) for all values. Its coefficients must be. What remains may be
    carries that were dropped: those with the same coefficient are a sum that must be zero as an integer, which the bounds show.
    """
    for _ in range(64):
        rest = machine.expand(polynomial)
        if modulus:
            rest = {m: r for m, c in rest.items() if (r := centred(c, modulus))}
        if not rest:
            return True
        first = min((m for m in rest if m != ONE), default=None)
        if first is None:
            return False
        group = {}
        for monomial, coefficient in rest.items():
            if modulus:
                ratio = centred(coefficient * pow(rest[first], -1, modulus), modulus)
            elif coefficient % rest[first] == 0:
                ratio = coefficient // rest[first]
            else:
                continue
            if abs(ratio) <= 8:
                group[monomial] = ratio
        if not proves_by_cases(machine, group) or not proves_by_cases(machine, plus((group, -1))):
            return False
        machine.lemma(group)
    return False


def check(machine, congruences, bounds):
    """The failures of a run: `congruences` are polynomials with their moduli, and `bounds` must not be negative."""
    failures = []
    for name, polynomial, modulus in congruences:
        if not vanishes(machine, polynomial, modulus):
            failures.append(f"not shown: {name}")
    for name, polynomial in bounds:
        if not proves_by_cases(machine, polynomial):
            failures.append(f"not shown: {name}")
    if failures and machine.proves(constant(-1)):
        # The case does not occur.
        return []
    return failures
