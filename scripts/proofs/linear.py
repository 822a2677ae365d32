"""Linear facts about integers, and proofs from them that do not ask for trust in a solver.

A polynomial is a dictionary from monomials, which are sorted tuples of variables, to integers. A fact says that a polynomial is zero, or
not negative. For the proofs here each monomial is a number of its own. Z3 finds out which facts contradict a negated claim, and with
which factors; that these factors make the facts a contradiction is then computed in exact fractions.
"""

import re
from fractions import Fraction
from math import gcd

import z3

ONE = ()


def constant(number):
    return {ONE: number} if number else {}


def variable(name):
    return {(name,): 1}


def plus(*terms):
    """The sum of polynomials, each with a factor."""
    total = {}
    for polynomial, factor in terms:
        for monomial, coefficient in polynomial.items():
            value = total.get(monomial, 0) + coefficient * factor
            if value:
                total[monomial] = value
            else:
                total.pop(monomial, None)
    return total


def times(a, b):
    product = {}
    for x, i in a.items():
        for y, j in b.items():
            monomial = tuple(sorted(x + y))
            product[monomial] = product.get(monomial, 0) + i * j
    return {monomial: value for monomial, value in product.items() if value}


def is_constant(polynomial):
    return not polynomial or (len(polynomial) == 1 and ONE in polynomial)


def text(polynomial):
    """The polynomial in the language of solvers."""
    terms = []
    for monomial, coefficient in polynomial.items():
        number = f"{coefficient}.0" if coefficient >= 0 else f"(- {-coefficient}.0)"
        name = "v" + "_".join(map(str, monomial))
        terms.append(number if monomial == ONE else name if coefficient == 1 else f"(* {number} {name})")
    return "".join(terms) or "0.0" if len(terms) < 2 else f"(+ {' '.join(terms)})"


def ask(*commands):
    """What Z3 answers. Old arithmetic (2) is faster here, and gives smaller contradictions."""
    return z3.Z3_eval_smtlib2_string(z3.main_ctx().ref(), "\n".join(commands))


class Linear:
    """A growing list of facts, which a case leaves as it found them."""

    def __init__(self):
        self.facts = []
        self.texts = []
        self.certificates = 0

    def shrink(self, count):
        del self.facts[count:], self.texts[count:]

    def add(self, polynomial, equal=False):
        """The fact that the polynomial is not negative, or that it is zero."""
        self.texts.append(claim_text(polynomial, equal, len(self.facts)))
        self.facts.append((polynomial, equal))

    def proves(self, polynomial):
        """Whether the facts imply that the polynomial, which has integer values, is not negative."""
        return self.contradicts(self.facts, self.texts, polynomial)

    def local(self, facts, polynomial):
        """As `proves`, from a few facts alone."""
        return self.contradicts(facts, [claim_text(row, equal, i) for i, (row, equal) in enumerate(facts)], polynomial)

    def contradicts(self, facts, texts, polynomial):
        negated = plus((polynomial, -1), (constant(1), -1))
        if is_constant(negated) and negated.get(ONE, 0) < 0:
            return True
        facts, texts = [*facts, (negated, False)], [*texts, claim_text(negated, False, len(facts))]
        names = sorted({name for fact, _ in facts for name in fact if name != ONE})
        answer = ask(
            "(reset)(set-option :produce-unsat-cores true)",
            "(set-option :smt.arith.solver 2)",
            "(set-logic QF_LRA)",
            *(f"(declare-const v{'_'.join(map(str, name))} Real)" for name in names),
            *texts,
            "(check-sat)",
        )
        if answer.startswith("sat"):
            return False
        assert answer.startswith("unsat"), f"the solver gives up: {answer}"
        core = [int(name) for name in re.findall(r"fact(\d+)", ask("(get-unsat-core)"))]
        self.certify([facts[i] for i in core])
        return True

    def certify(self, facts):
        """Uses the equations to eliminate variables, finds factors with which the sum of the rest is a negative number, and adds them up."""
        rows = eliminate([polynomial for polynomial, equal in facts if equal], [polynomial for polynomial, equal in facts if not equal])
        if any(is_constant(row) and row.get(ONE, 0) < 0 for row in rows):
            self.certificates += 1
            return
        columns = {}
        for i, row in enumerate(rows):
            for monomial, coefficient in row.items():
                columns.setdefault(monomial, {})[(i,)] = coefficient
        answer = ask(
            "(reset)(set-option :produce-models true)",
            "(set-option :smt.arith.solver 2)",
            "(set-logic QF_LRA)",
            *(f"(declare-const v{i} Real)\n(assert (>= v{i} 0.0))" for i in range(len(rows))),
            *(f"(assert (= {text(column)} {'(- 1.0)' if monomial == ONE else '0.0'}))" for monomial, column in columns.items()),
            "(check-sat)",
        )
        assert answer.startswith("sat"), f"no certificate for a claim of the solver: {answer}"
        found = {
            int(i): Fraction(int(over), int(under or 1))
            for i, over, under in re.findall(
                r"\(v(\d+)\s+(?:\(/\s+)?(\d+)\.0(?:\s+(\d+)\.0\))?\)",
                ask(f"(get-value ({' '.join(f'v{i}' for i in range(len(rows)))}))"),
            )
        }
        total = {}
        for i, row in enumerate(rows):
            # All factors are read, and none is negative, as the pattern has no sign.
            for monomial, coefficient in row.items():
                total[monomial] = total.get(monomial, Fraction(0)) + found[i] * coefficient
        assert total.pop(ONE) < 0 and not any(total.values()), "a certificate is wrong"
        self.certificates += 1


def claim_text(polynomial, equal, number):
    return f"(assert (! ({'=' if equal else '>='} {text(polynomial)} 0.0) :named fact{number}))"


def eliminate(equations, rows):
    """The rows without the variables that the equations determine, by adding multiples of the equations."""
    equations = [dict(equation) for equation in equations]
    for i in reversed(range(len(equations))):
        equation = equations[i]
        if not equation:
            continue
        units = [m for m, c in equation.items() if abs(c) == 1 and m != ONE]
        pivot = max(units or [m for m in equation if m != ONE], default=None)
        if pivot is None:
            return [constant(-1)]
        for polynomials in (equations[:i], rows):
            for j, polynomial in enumerate(polynomials):
                if coefficient := polynomial.get(pivot):
                    # A positive multiple of the polynomial, minus a multiple of the equation.
                    head = equation[pivot]
                    scale = abs(head) if coefficient % head else 1
                    reduced = plus((polynomial, scale), (equation, -scale * coefficient // head))
                    common = gcd(*reduced.values()) if reduced else 1
                    reduced = {monomial: c // common for monomial, c in reduced.items()}
                    (equations if polynomials is not rows else rows)[j] = reduced
    return rows
