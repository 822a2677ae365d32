"""A machine whose words are polynomials.

A word is a polynomial with integer coefficients over variables, whose value is in [0, 2⁶⁴); or it is a pointer into a region of memory.
An addition makes two new variables, the sum and the carry, and the linear facts that define them. `expanded` has the same word as a
polynomial over the variables that nothing defines: inputs, carries, upper halves. So congruences are identities of polynomials, and
bounds follow from linear facts (`linear.py`). What cannot be expressed raises `Unsupported`: nothing is skipped.

With `values`, the machine also computes with numbers: each new variable gets the value that it has for these inputs, and every word is
compared with it. Then nothing is proved, and a case is chosen by the values.
"""

from dataclasses import dataclass

from knowledge import WORD, Knowledge, Unsupported
from linear import ONE, constant, is_constant, plus, times, variable


class Split(Exception):
    """The run depends on a condition: each alternative is a list of facts with their kinds."""

    def __init__(self, alternatives):
        super().__init__("a condition")
        self.alternatives = alternatives


@dataclass(frozen=True)
class Pointer:
    """An address: a region, and a distance from its start."""

    region: str
    offset: int


class Machine(Knowledge):
    """Words, memory and flags, and what is known of them."""

    def __init__(self, program, values=None):
        super().__init__(values)
        self.program = program
        self.registers, self.memory, self.flags = {}, {}, {}
        self.writable = set()
        # Carries that nothing has read, those that were dropped and may not be zero, and the bits of the cases of a proof.
        self.unread, self.open, self.cased = [], [], set()
        self.counter = 0
        self.steps = 0
        self.finished = False

    def copy(self):
        twin = object.__new__(Machine)
        twin.__dict__.update(self.__dict__)
        for name in ("known", "expanded", "partly", "solved", "registers", "memory", "flags"):
            setattr(twin, name, dict(getattr(self, name)))
        for name in ("unread", "open", "known_facts", "recent"):
            setattr(twin, name, list(getattr(self, name)))
        twin.opaque = set(self.opaque)
        return twin

    def in_use(self):
        """The variables of the words that the machine holds."""
        for value in (*self.registers.values(), *self.memory.values(), *self.flags.values()):
            if isinstance(value, dict):
                yield from (name for monomial in value for name in monomial)

    # Operations on words.

    @staticmethod
    def key(polynomial):
        return tuple(sorted(polynomial.items()))

    def add(self, a, b, carry):
        """The sum of two words and a bit, and the carry."""

        def compute():
            total = plus((a, 1), (b, 1), (carry, 1))
            low, high = self.range(total)
            if high < WORD:
                return self.define("sum", total), {}
            if low >= WORD:
                return self.define("sum", plus((total, 1), (constant(WORD), -1))), constant(1)
            over = self.new("carry", 0, 1, None if self.values is None else self.value(total) // WORD)
            return self.define("sum", plus((total, 1), (over, -WORD))), over

        return self.remember(("add", *sorted((self.key(a), self.key(b))), self.key(carry)), compute)

    def subtract(self, a, b, borrow):
        """The difference of words and a bit, and the borrow."""

        def compute():
            if a == b:
                return self.cases(borrow, lambda bit: -bit % WORD), borrow
            total = plus((a, 1), (b, -1), (borrow, -1))
            low, high = self.range(total)
            if low >= 0:
                return self.define("difference", total), {}
            if high < 0:
                return self.define("difference", plus((total, 1), (constant(WORD), 1))), constant(1)
            under = self.new("borrow", 0, 1, None if self.values is None else -(self.value(total) // WORD))
            return self.define("difference", plus((total, 1), (under, WORD))), under

        return self.remember(("subtract", self.key(a), self.key(b), self.key(borrow)), compute)

    def named(self, a):
        """The word as a constant or a variable, for products."""
        if is_constant(a) or (len(a) == 1 and len(next(iter(a))) == 1 and next(iter(a.values())) == 1):
            return a
        if self.values is not None:
            return self.new("word", 0, WORD - 1, self.value(a))
        expanded, partly = self.expand(a), self.expand_partly(a)
        number = self.variables.new("word", 0, WORD - 1)
        self.fact(plus((variable(number), 1), (a, -1)), equal=True)
        self.expanded[number], self.partly[number] = expanded, partly
        return variable(number)

    def bound_product(self, x, y):
        """Facts about the product of two variables: that of their distances from the ends of their ranges is not negative."""
        ends = [[plus((v, 1), (constant(low), -1)), plus((constant(high), 1), (v, -1))] for v in (x, y) for low, high in [self.range(v)]]
        for a in ends[0]:
            for b in ends[1]:
                product = times(a, b)
                self.fact(product)
                self.products.setdefault(next(iter(times(x, y))), []).append(product)

    def product(self, a, b):
        """The lower and the upper word of a product."""

        def compute():
            x, y = self.named(a), self.named(b)
            total = times(x, y)
            if is_constant(total):
                number = total.get(ONE, 0)
                return constant(number % WORD), constant(number // WORD)
            if not is_constant(x) and not is_constant(y):
                self.remember(("bounds", tuple(total)), lambda: self.bound_product(x, y) or True)
            most = self.range(total)[1] // WORD
            if most == 0:
                return total, {}
            high = self.new("upper", 0, most, None if self.values is None else self.value(total) // WORD)
            low = self.define("lower", plus((total, 1), (high, -WORD)))
            self.cancels(low, x, y)
            return low, high

        return self.remember(("product", *sorted((self.key(a), self.key(b)))), compute)

    def quotient(self, low, a, b):
        """Notes that `low` is the lower word of a product, of which only this is used: the digit of a step of Montgomery's reduction."""
        self.cut(low)
        for x, y in ((a, b), (b, a)):
            if is_constant(y) and not is_constant(x):
                self.known["digit", self.key(low)] = x

    def cancels(self, low, a, b):
        """
        The lower word of a digit times the modulus cancels the number `t` that the digit is made from: their sum is 0 or 2⁶⁴. Code that does not
        compute the sum has its carry from a comparison of `t` with 1.
        """
        for x in (a, b):
            number = self.known.get(("digit", self.key(x)))
            if number is None or self.values is not None:
                continue
            compared = self.known.get(("subtract", self.key(number), self.key(constant(1)), self.key({})))
            total = plus((low, 1), (number, 1))
            if compared and low != x and all(c % WORD == 0 for c in self.expand(total).values()):
                over = self.new("carry", 0, 1)
                self.lemma(plus((total, 1), (over, -WORD)))
                claim = plus((over, 1), (compared[1], 1), (constant(1), -1))
                if self.proves(claim) and self.proves(plus((claim, -1))):
                    self.lemma(claim)

    def divide(self, a, bits):
        """`a` modulo `2^bits`, and the quotient."""

        def compute():
            unit = 1 << bits
            found = self.cases(a, lambda number: number % unit)
            if found is not None:
                return found, self.cases(a, lambda number: number // unit)
            if self.values is not None:
                number = self.value(a)
                return self.new("remainder", 0, unit - 1, number % unit), self.new("quotient", 0, WORD // unit - 1, number // unit)
            expanded = self.expand(a)
            if all(c % unit == 0 for c in expanded.values()):
                high = self.variables.new("quotient", 0, WORD // unit - 1)
                self.fact(variable(high))
                self.fact(plus((a, 1), (variable(high), -unit)), equal=True)
                self.expanded[high] = {monomial: c // unit for monomial, c in expanded.items()}
                self.known_facts.append((plus((a, 1), (variable(high), -unit)), True))
                return {}, variable(high)
            high = self.new("quotient", 0, WORD // unit - 1)
            low = self.define("remainder", plus((a, 1), (high, -unit)), unit - 1)
            return low, high

        if bits == 64:
            return a, {}
        self.cut(a)
        return self.remember(("divide", self.key(a), bits), compute)

    def shift_left(self, a, bits):
        return plus((self.divide(a, 64 - bits)[0], 1 << bits)) if bits else a

    def shift_right(self, a, bits):
        return self.divide(a, bits)[1]

    def conjunction(self, a, b):
        """The bitwise AND of a constant and a word that depends on one bit, or of a word and a mask."""
        for x, y in ((a, b), (b, a)):
            if is_constant(x):
                number = x.get(ONE, 0)
                found = self.cases(y, lambda other: other & number)
                if found is not None:
                    return found
                if number & (number + 1) == 0:
                    return self.divide(y, number.bit_length())[0]
            elif (name := self.bit_of(x)) is not None and {x.get(ONE, 0), x.get(ONE, 0) + x[(name,)]} == {0, WORD - 1}:
                # A mask. Once the bit is known, so is the mask.
                self.branch(variable(name))
        if self.values is not None:
            return self.new("conjunction", 0, WORD - 1, self.value(a) & self.value(b))
        raise Unsupported("AND of two words")

    def disjunction(self, a, b):
        """The bitwise OR of a multiple of a power of two and a word below that power."""
        if self.values is not None and self.value(a) & self.value(b) == 0:
            return self.define("union", plus((a, 1), (b, 1)))
        for x, y in ((a, b), (b, a)):
            if self.values is not None:
                break
            if not x:
                return y
            expanded = self.expand(x)
            bits = min((c & -c).bit_length() - 1 for c in expanded.values())
            if 0 < bits < 64:
                if self.proves(plus((constant((1 << bits) - 1), 1), (y, -1))):
                    return self.define("union", plus((x, 1), (y, 1)))
        raise Unsupported("OR of words that may have common bits")

    # Conditions.

    def branch(self, bit):
        """The value of a condition; the run is split if that is not known."""
        bit = self.resolve(bit)
        if is_constant(bit):
            return bit.get(ONE, 0)
        if self.values is not None:
            return self.value(bit)
        raise Split([[(bit, True)], [(plus((bit, 1), (constant(1), -1)), True)]])

    def is_zero(self, word):
        word = self.resolve(word)
        if is_constant(word):
            return not word
        if self.values is not None:
            return self.value(word) == 0
        if ("zero", self.key(word)) in self.known:
            return self.known["zero", self.key(word)]
        raise Split([[(word, True)], [(plus((word, 1), (constant(1), -1)), False)]])

    def assume(self, facts):
        """What a case adds."""
        for polynomial, equal in facts:
            self.fact(polynomial, equal, lasting=True)
            if equal:
                self.known["zero", self.key(polynomial)] = True
                names = {name for monomial in polynomial for name in monomial}
                if len(names) == 1 and len(polynomial) <= 2:
                    name = names.pop()
                    value, rest = divmod(-polynomial.get(ONE, 0), polynomial[(name,)])
                    low, high = self.variables.ranges[name]
                    assert rest == 0 and low <= value <= high
                    self.known["fixed", name] = value
                self.solve(polynomial)
            else:
                self.known["zero", self.key(plus((polynomial, 1), (constant(1), 1)))] = False

    def resolve(self, word):
        """The word with the bits that the case has fixed."""
        for name in {name for monomial in word for name in monomial}:
            if ("fixed", name) in self.known:
                at = self.known["fixed", name]
                word = plus(*(
                    ({tuple(n for n in monomial if n != name): coefficient * at ** monomial.count(name)}, 1)
                    for monomial, coefficient in word.items()
                ))
        return word

    def set_flag(self, name, bit):
        """Sets a flag; a carry that nobody has read is dropped here."""
        old = self.flags.get(name)
        self.flags[name] = bit
        if isinstance(bit, dict) and not is_constant(bit):
            self.unread.append(self.key(bit))
        if isinstance(old, dict) and self.key(old) in self.unread:
            self.unread.remove(self.key(old))
            self.dropped(old)

    def flag(self, name):
        bit = self.flags.get(name)
        if bit is None:
            raise Unsupported(f"the flag {name} is not known here")
        if isinstance(bit, dict):
            if self.key(bit) in self.unread:
                self.unread.remove(self.key(bit))
            return self.resolve(bit)
        return bit

    def dropped(self, bit):
        """Tries to show that a carry that is not used is zero, or equal to another one that is not used, as a lemma for later."""
        bit = self.resolve(bit)
        if self.values is not None or is_constant(bit) or not self.expand(bit):
            return
        if self.proves(plus((bit, -1))):
            self.lemma(bit)
            return
        for other in reversed(self.open[-3:]):
            difference = plus((bit, 1), (other, -1))
            if self.proves(difference) and self.proves(plus((difference, -1))):
                self.lemma(difference)
                self.open.remove(other)
                return
        self.open.append(bit)

    # Memory.

    def load(self, pointer):
        if not isinstance(pointer, Pointer):
            raise Unsupported("an address that is not a pointer")
        if pointer.region == "image":
            address = pointer.offset
            if address in self.program.relocations:
                return Pointer("image", self.program.relocations[address])
            return constant(self.program.word(address))
        found = self.memory.get((pointer.region, pointer.offset))
        if found is None:
            raise Unsupported(f"nothing is known to be at {pointer}")
        return found

    def store(self, pointer, word):
        if not isinstance(pointer, Pointer) or pointer.region not in self.writable or pointer.offset % 8:
            raise Unsupported(f"a write to {pointer}")
        if pointer.region == "stack" and pointer.offset >= 0:
            raise Unsupported("a write to the caller's stack")
        if pointer.region != "stack" and (pointer.region, pointer.offset) not in self.memory:
            raise Unsupported(f"a write past the end of {pointer.region}")
        self.memory[pointer.region, pointer.offset] = word
