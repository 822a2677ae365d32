//! Leaks: which of the branches are taken depends on the number.
//!
//! Euclid's algorithm without divisions: factors of two are removed by shifts, and the smaller odd
//! number is subtracted from the larger one (Stein, *Computational problems associated with Racah
//! algebra*, 1967; with cofactors: Hankerson, Menezes and Vanstone, *Guide to Elliptic Curve
//! Cryptography*, algorithm 2.22). The cofactors are kept below `p`, and halved modulo `p`.

use kuaimi_math::arith::U256;
use kuaimi_math::arith::u256::{Limbs, add_limbs, sub_limbs};

use crate::ladders::reduction::prime::P;

const ONE: Limbs = [1, 0, 0, 0];

/// `1/a mod p`, and 0 for 0.
pub(crate) fn invert(a: &Limbs) -> Limbs {
    if *a == [0; 4] {
        return *a;
    }
    // u ≡ x·a and v ≡ y·a.
    let (mut u, mut v) = (*a, P);
    let (mut x, mut y) = (ONE, [0; 4]);
    while u != ONE && v != ONE {
        remove_twos(&mut u, &mut x);
        remove_twos(&mut v, &mut y);
        if U256(u).lt_vartime(&U256(v)) {
            v = sub_limbs(&v, &u).0;
            y = subtract(&y, &x);
        } else {
            u = sub_limbs(&u, &v).0;
            x = subtract(&x, &y);
        }
    }
    if u == ONE { x } else { y }
}

/// Halves both numbers until the first one is odd.
fn remove_twos(u: &mut Limbs, x: &mut Limbs) {
    while u[0] & 1 == 0 {
        *u = U256(*u).shr1(false).0;
        let (even, carry) = if x[0] & 1 == 0 {
            (*x, false)
        } else {
            add_limbs(x, &P)
        };
        *x = U256(even).shr1(carry).0;
    }
}

/// `x − y mod p`.
fn subtract(x: &Limbs, y: &Limbs) -> Limbs {
    let (difference, borrow) = sub_limbs(x, y);
    if borrow {
        add_limbs(&difference, &P).0
    } else {
        difference
    }
}
