//! Conversions between numbers in words of 64 bits and in limbs, in all lanes.

use super::Limbs29;
use super::constants::MASK;
use crate::arith::lanes::inlined_array;
use crate::arith::lanes::words::Simd;

/// `2⁵` times each number, of which the words are given: `a·2²⁵⁶` becomes `a·2²⁶¹`, not reduced.
#[inline(always)]
pub fn to_limbs<S: Simd>([w0, w1, w2, w3]: [S; 4]) -> Limbs29<S> {
    let mask = S::splat(MASK);
    let limbs = [
        w0.shl::<5>(),
        w0.shr::<24>(),
        w0.shr::<53>().or(w1.shl::<11>()),
        w1.shr::<18>(),
        w1.shr::<47>().or(w2.shl::<17>()),
        w2.shr::<12>(),
        w2.shr::<41>().or(w3.shl::<23>()),
        w3.shr::<6>(),
        w3.shr::<35>(),
    ];
    inlined_array!(9, |i| limbs[i].and(mask))
}

/// The words of numbers below `2²⁵⁶`, in tight limbs.
#[inline(always)]
pub fn to_words<S: Simd>(a: &Limbs29<S>) -> [S; 4] {
    let [a0, a1, a2, a3, a4, a5, a6, a7, a8] = *a;
    [
        a0.or(a1.shl::<29>().or(a2.shl::<58>())),
        a2.shr::<6>().or(a3.shl::<23>().or(a4.shl::<52>())),
        a4.shr::<12>().or(a5.shl::<17>().or(a6.shl::<46>())),
        a6.shr::<18>().or(a7.shl::<11>().or(a8.shl::<40>())),
    ]
}
