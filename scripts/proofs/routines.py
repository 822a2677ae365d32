"""The routines, and what each must compute."""

from dataclasses import dataclass

from goals import limbs_of, number
from linear import constant, plus, times

R = 1 << 256
MODULI = {
    "sm2p": ("kuaimi_math::sm2::curve::P", 2**256 - 2**224 - 2**96 + 2**64 - 1),
    "sm2n": ("kuaimi_math::sm2::curve::N", 0xFFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123),
    "sm9q": ("kuaimi_math::sm9::curve::Q", 0xB640000002A3A6F1D603AB4FF58EC74521F2934B1A7AEEDBE56F9B27E351457D),
    "sm9n": ("kuaimi_math::sm9::curve::N", 0xB640000002A3A6F1D603AB4FF58EC74449F2934B18EA8BEEE56EE19CD69ECF25),
}


BACKENDS = {
    "x86": "kuaimi_math::arith::backend::adx::Adx",
    "a64": "kuaimi_math::arith::backend::a64::A64",
}


@dataclass(frozen=True)
class Routine:
    """
    A routine: how many numbers it reads, each at most `m − slack`; what it returns as a text; which sums of products of the numbers it
    multiplies; `relation` has the polynomial in the result and the numbers that must vanish modulo `m`, and `most` the largest result
    is `m − most`.
    """

    name: str
    inputs: int
    statement: str
    relation: object
    pairs: tuple = ()
    slack: int = 1
    most: int = 1
    separate: bool = True
    exact: bool = False
    words: int = 4
    model: object = None


def product_relation(out, numbers, pairs):
    return plus((out, R), *((times(numbers[i], numbers[j]), -1) for i, j in pairs))


def sum_of_products(count):
    pairs = tuple((2 * i, 2 * i + 1) for i in range(count))
    return Routine(
        f"dot{count}", 2 * count, f"out·R ≡ Σ aᵢ·bᵢ ({count} products, factors ≤ m)",
        lambda out, numbers: product_relation(out, numbers, pairs),
        pairs, slack=0, separate=False,
        model=lambda m, v: sum(v[i] * v[j] for i, j in pairs) * pow(R, -1, m) % m,
    )


ROUTINES = (
        Routine("mul", 2, "out·R ≡ a·b", lambda out, v: product_relation(out, v, [(0, 1)]), ((0, 1),), model=lambda m, v: v[0] * v[1] * pow(R, -1, m) % m),
        Routine("square", 1, "out·R ≡ a²", lambda out, v: product_relation(out, v, [(0, 0)]), ((0, 0),), model=lambda m, v: v[0] ** 2 * pow(R, -1, m) % m),
        Routine("redc", 1, "out·R ≡ a", lambda out, v: plus((out, R), (v[0], -1)), model=lambda m, v: v[0] * pow(R, -1, m) % m),
        Routine("add", 2, "out ≡ a + b", lambda out, v: plus((out, 1), (v[0], -1), (v[1], -1)), model=lambda m, v: (v[0] + v[1]) % m),
        Routine("double", 1, "out ≡ 2a", lambda out, v: plus((out, 1), (v[0], -2)), model=lambda m, v: 2 * v[0] % m),
        Routine("minus_twice", 1, "out ≡ −2a, out ≤ m", lambda out, v: plus((out, 1), (v[0], 2)), most=0, model=lambda m, v: m if v[0] == 0 else -2 * v[0] % m),
        Routine("sub", 2, "out ≡ a − b", lambda out, v: plus((out, 1), (v[0], -1), (v[1], 1)), model=lambda m, v: (v[0] - v[1]) % m),
        Routine("half", 1, "2·out ≡ a", lambda out, v: plus((out, 2), (v[0], -1)), model=lambda m, v: v[0] * pow(2, -1, m) % m),
        *(sum_of_products(count) for count in range(1, 7)),
        Routine(
    "product", 2, "out = a·b (512 bits), for all a, b < 2²⁵⁶", lambda out, v: plus((out, 1), (times(v[0], v[1]), -1)),
            ((0, 1),), exact=True, words=8, model=lambda m, v: v[0] * v[1],
        ),
)


def read_numbers(machine, routine, modulus, values):
    """The numbers in memory, as polynomials, with the facts about their ranges and products."""
    numbers = []
    for i in range(routine.inputs):
        region, start = (f"in{i}", 0) if routine.separate else ("in0", 32 * i)
        words = limbs_of(values[i]) if values else [None] * 4
        limbs = [machine.new(f"{region}[{start // 8 + j}]", 0, (1 << 64) - 1, words[j]) for j in range(4)]
        for j, limb in enumerate(limbs):
            machine.memory[region, start + 8 * j] = limb
        numbers.append((number(limbs), limbs))
        if not routine.exact:
            machine.fact(plus((constant(modulus - routine.slack), 1), (number(limbs), -1)), lasting=True)
    for i, j in routine.pairs:
        if not machine.linear or routine.exact:
            continue
        (a, a_limbs), (b, b_limbs) = numbers[i], numbers[j]
        for x in a_limbs:
            for y in b_limbs:
                machine.remember(("bounds", tuple(times(x, y))), lambda: machine.bound_product(x, y) or True)
        for limb in b_limbs:
            machine.fact(times(plus((constant(modulus - routine.slack), 1), (a, -1)), limb), lasting=True)
    return [polynomial for polynomial, _ in numbers]
