"""What is known of the words of a machine: variables, definitions, and facts that were proved."""

from linear import ONE, Linear, constant, is_constant, plus, times, variable

WORD = 1 << 64
# So many words after their making are known to `proves`, also if nothing uses them.
RECENT = 24


class Unsupported(Exception):
    """Something that the machine does not know, or that a routine must not do."""


class Variables:
    """Names and ranges of all variables."""

    def __init__(self):
        self.ranges = {}
        self.names = {}

    def new(self, name, low, high):
        number = len(self.ranges)
        self.ranges[number] = (low, high)
        self.names[number] = f"{name}#{number}"
        return number


class Knowledge:
    """Variables with their ranges, and facts about them. With `values`, the variables have values, and nothing is proved."""

    def __init__(self, values=None):
        self.variables = Variables()
        self.linear = Linear() if values is None else None
        self.values = values
        # What was computed before; words over variables that nothing defines; what equations say of variables; facts of products.
        self.known, self.expanded, self.solved, self.products = {}, {}, {}, {}
        # For proofs from few facts: words over variables and the words in `opaque`, what is known beside definitions, and the last words.
        self.partly, self.opaque, self.known_facts, self.recent = {}, set(), [], []

    def in_use(self):
        """The variables of the words that the machine holds."""
        raise NotImplementedError

    def fact(self, polynomial, equal=False, lasting=False):
        if self.linear and not is_constant(polynomial):
            self.linear.add(polynomial, equal)
            if lasting:
                self.known_facts.append((polynomial, equal))

    def value(self, polynomial):
        total = 0
        for monomial, coefficient in polynomial.items():
            for name in monomial:
                coefficient *= self.values[name]
            total += coefficient
        return total

    def new(self, name, low, high, value=None):
        """A variable that nothing defines, with a range."""
        number = self.variables.new(name, low, high)
        if self.values is not None:
            assert low <= value <= high, f"{name} is {value:#x}"
            self.values[number] = value
        self.fact(variable(number) if low == 0 else plus((variable(number), 1), (constant(low), -1)))
        self.fact(plus((constant(high), 1), (variable(number), -1)))
        return variable(number)

    def define(self, name, polynomial, high=WORD - 1):
        """A word that is equal to a polynomial, which has a value from 0 to `high`."""
        if is_constant(polynomial):
            number = polynomial.get(ONE, 0)
            assert 0 <= number <= high
            return polynomial
        if self.values is not None:
            value = self.value(polynomial)
            return self.new(name, 0, high, value)
        low, most = self.range(polynomial)
        if low >= 0 and most <= high and len(polynomial) == 1 and len(next(iter(polynomial))) == 1:
            return polynomial
        expanded = self.expand(polynomial)
        if high == WORD - 1 and expanded and all(c % WORD == 0 for c in expanded.values()):
            # A multiple of 2⁶⁴ that is below 2⁶⁴.
            self.fact(polynomial, equal=True, lasting=True)
            self.solve(expanded)
            return {}
        number = self.variables.new(name, 0, high)
        word = variable(number)
        self.fact(word)
        self.fact(plus((constant(high), 1), (word, -1)))
        self.fact(plus((word, 1), (polynomial, -1)), equal=True)
        self.expanded[number] = expanded
        self.partly[number] = self.expand_partly(polynomial)
        self.recent = [*self.recent[-RECENT:], number]
        return word

    def cut(self, word):
        """From now on the word is a variable in `expand_partly`."""
        if self.linear and not is_constant(word) and len(word) == 1 and (name := next(iter(word))[0]) in self.partly and name not in self.opaque:
            self.known_facts.append((plus((self.partly[name], 1), (word, -1)), True))
            self.opaque.add(name)

    def expand_partly(self, polynomial):
        """The polynomial over variables that nothing defines, and opaque words."""
        total = {}
        for monomial, coefficient in polynomial.items():
            product = constant(1)
            for name in monomial:
                known = name in self.partly and name not in self.opaque
                product = times(product, self.partly[name] if known else variable(name))
            total = plus((total, 1), (product, coefficient))
        # Carries that were shown to be zero after the words were made.
        return {m: c for m, c in total.items() if not any(self.solved.get(name) == {} for name in m)}

    def proves(self, polynomial):
        """Whether the polynomial, an integer, is not negative: from what is known of the last words and those in use, or from everything."""
        words = {*self.recent, *(name for name in self.in_use() if name in self.partly)}
        claim = self.expand_partly(polynomial)
        facts = [(self.expand_partly(fact), equal) for fact, equal in self.known_facts]
        for name in words:
            word = self.expand_partly(variable(name))
            facts += [(word, False), (plus((constant(self.variables.ranges[name][1]), 1), (word, -1)), False)]
        columns = {monomial for row, _ in [(claim, None), *facts] for monomial in row}
        for monomial in [m for m in columns if len(m) == 2]:
            columns.update({(name,) for name in monomial})
            if products := self.products.get(monomial):
                facts += [(product, False) for product in products]
        for monomial in columns:
            if len(monomial) == 1:
                low, high = self.variables.ranges[monomial[0]]
                facts += [(plus((variable(monomial[0]), 1), (constant(low), -1)), False), (plus((constant(high), 1), (variable(monomial[0]), -1)), False)]
        return self.linear.local([fact for fact in facts if not is_constant(fact[0])], claim) or self.linear.proves(polynomial)

    def expand(self, polynomial):
        """The polynomial over variables that nothing defines."""
        for _ in range(1000):
            names = {n for monomial in polynomial for n in monomial if n in self.expanded or n in self.solved}
            if not names:
                return polynomial
            total = {}
            for monomial, coefficient in polynomial.items():
                product = constant(1)
                for name in monomial:
                    meaning = self.expanded if name in self.expanded else self.solved
                    product = times(product, meaning[name] if name in names else variable(name))
                total = plus((total, 1), (product, coefficient))
            polynomial = total
        raise AssertionError("definitions in a circle")

    def solve(self, polynomial):
        """Uses that the polynomial is zero: eliminates the newest variable for which that is possible."""
        polynomial = self.expand(polynomial)
        if not polynomial:
            return
        smallest = min(abs(c) for c in polynomial.values())
        candidates = [
            monomial[0]
            for monomial, coefficient in polynomial.items()
            if len(monomial) == 1 and abs(coefficient) == smallest
            and not any(monomial[0] in other for other in polynomial if other != monomial)
        ]
        if not candidates or any(c % smallest for c in polynomial.values()):
            raise Unsupported("an equation that cannot be solved for a variable")
        name = max(candidates)
        sign = polynomial[(name,)]
        rest = {monomial: -coefficient // sign for monomial, coefficient in polynomial.items() if monomial != (name,)}
        self.solved[name] = rest

    def range(self, polynomial):
        low = high = 0
        for monomial, coefficient in polynomial.items():
            least = most = coefficient
            for name in monomial:
                a, b = self.variables.ranges[name]
                ends = (least * a, least * b, most * a, most * b)
                least, most = min(ends), max(ends)
            low, high = low + least, high + most
        return low, high

    def bit_of(self, polynomial):
        """The variable of a word that depends on one bit, if it is such a word."""
        names = {name for monomial in polynomial for name in monomial}
        if len(names) == 1:
            name = names.pop()
            if self.variables.ranges[name] == (0, 1) and all(len(m) <= 1 for m in polynomial):
                return name
        return None

    def cases(self, polynomial, function):
        """A function of a word that is a constant or depends on one bit; `None` for others."""
        if is_constant(polynomial):
            return constant(function(polynomial.get(ONE, 0)))
        name = self.bit_of(polynomial)
        if name is None:
            return None
        at = polynomial.get(ONE, 0)
        zero, one = function(at), function(at + polynomial[(name,)])
        return plus((constant(zero), 1), (variable(name), one - zero))

    def remember(self, key, compute):
        if key not in self.known:
            self.known[key] = compute()
        return self.known[key]

    def lemma(self, polynomial):
        """Uses that a polynomial is zero, which has been proved."""
        self.fact(polynomial, equal=True, lasting=True)
        self.solve(polynomial)
