//! Leaks: the number of steps, and the shift of each, depend on the number.
//!
//! Euclid's algorithm with cofactors (Knuth, *The Art of Computer Programming*, volume 2, 4.5.2,
//! algorithm X). From `r₀ = p` and `r₁ = a`, multiples of the smaller number are subtracted from
//! the larger one until one of them is 1. The quotients are not divided out: `r₁` is shifted as far
//! as it goes into `r₀`, and subtracted. The cofactors `tᵢ` of `a` have alternating signs, so they
//! are kept without them, and only grow.

use kuaimi_math::arith::U256;
use kuaimi_math::arith::u256::{Limbs, add_limbs, sub_limbs};

use crate::ladders::reduction::prime::P;

/// `1/a mod p`, and 0 for 0.
pub(crate) fn invert(a: &Limbs) -> Limbs {
    if *a == [0; 4] {
        return *a;
    }
    let (mut r0, mut r1) = (P, *a);
    let (mut t0, mut t1): (Limbs, Limbs) = ([0; 4], [1, 0, 0, 0]);
    // r₀ ≡ ±t₀·a, and r₁ has the other sign.
    let mut negative = true;
    while r1 != [0; 4] {
        while !U256(r0).lt_vartime(&U256(r1)) {
            let mut shift = length(&r0) - length(&r1);
            if U256(r0).lt_vartime(&U256(shift_left(&r1, shift))) {
                shift -= 1;
            }
            r0 = sub_limbs(&r0, &shift_left(&r1, shift)).0;
            t0 = add_limbs(&t0, &shift_left(&t1, shift)).0;
        }
        (r0, r1, t0, t1) = (r1, r0, t1, t0);
        negative = !negative;
    }
    if negative { sub_limbs(&P, &t0).0 } else { t0 }
}

fn length(a: &Limbs) -> usize {
    U256(*a).bit_length_vartime()
}

/// `a·2^shift`, which has at most 256 bits.
pub(crate) fn shift_left(a: &Limbs, shift: usize) -> Limbs {
    let (limbs, bits) = (shift / 64, shift % 64);
    core::array::from_fn(|i| {
        let limb = |place: Option<usize>| place.map_or(0, |place| a[place]);
        let low = limb(i.checked_sub(limbs + 1));
        let carried = if bits == 0 { 0 } else { low >> (64 - bits) };
        (limb(i.checked_sub(limbs)) << bits) | carried
    })
}
