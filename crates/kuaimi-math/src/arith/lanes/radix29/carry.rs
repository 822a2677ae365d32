//! Sums, differences and carries.
//!
//! A loose limb is a signed number, with an absolute value of at most `w·(2²⁹ + 1)` for weight `w`,
//! far below `2⁴⁰`. AVX2 has no arithmetic right shift of 64-bit numbers. So without one, a carry
//! adds `2⁴⁰` to a limb before the shift, and subtracts `2¹¹` from the next limb.

use super::Limbs29;
use super::constants::{BITS, Constants, LIMBS, MASK, Number29, TOP};
use crate::arith::lanes::inlined_array;
use crate::arith::lanes::words::Simd;
use crate::arith::modulus::{Modulus, Reduction};

/// The same number in each lane.
#[inline(always)]
pub fn splat<S: Simd>(a: &Number29) -> Limbs29<S> {
    inlined_array!(9, |i| S::splat(a[i]))
}

/// `a + b`, limb by limb.
#[inline(always)]
pub fn add<S: Simd>(a: &Limbs29<S>, b: &Limbs29<S>) -> Limbs29<S> {
    inlined_array!(9, |i| a[i].add(b[i]))
}

/// `K·m − b`, limb by limb.
#[inline(always)]
pub fn negate<S: Simd, M: Modulus, const K: u64>(b: &Limbs29<S>) -> Limbs29<S> {
    let multiple = &const { Constants::<M>::multiple(K) };
    inlined_array!(9, |i| S::splat(multiple[i]).sub(b[i]))
}

/// `a` where the mask is set, `b` elsewhere.
#[inline(always)]
pub fn select<S: Simd>(mask: S::Mask, a: &Limbs29<S>, b: &Limbs29<S>) -> Limbs29<S> {
    inlined_array!(9, |i| S::blend(mask, a[i], b[i]))
}

/// The same number, which must not be negative, in tight limbs.
#[inline(always)]
pub fn carry<S: Simd>(a: &Limbs29<S>) -> Limbs29<S> {
    const RAISE: u64 = 1 << 40;
    let mask = S::splat(MASK);
    let mut out = *a;
    if !S::SHIFTS_SIGNED {
        out[0] = out[0].add(S::splat(RAISE));
    }
    for i in 1..LIMBS {
        let carry = if S::SHIFTS_SIGNED {
            out[i - 1].shr_signed::<BITS>()
        } else {
            let raise = if i < TOP { RAISE } else { 0 };
            out[i] = out[i].add(S::splat(raise.wrapping_sub(RAISE >> BITS)));
            out[i - 1].shr::<BITS>()
        };
        out[i] = out[i].add(carry);
        out[i - 1] = out[i - 1].and(mask);
    }
    out
}

/// The same residue, below `1.01·m`, in tight limbs.
///
/// It computes `a − t·m`, where `t` is the quotient, estimated from the top limb. The carries of
/// the other limbs may change the top limb by up to 40. If the quotient depends on that, `t` is one
/// too small; it may be −1.
#[inline(always)]
pub fn reduce<S: Simd, M: Modulus>(a: &Limbs29<S>) -> Limbs29<S> {
    // More than the carries of the other limbs.
    const MARGIN: u64 = 64;
    let mut out = *a;
    match M::REDUCTION {
        // a − t·p = a − t·2²⁵⁶ + t·(2²²⁴ + 2⁹⁶ − 2⁶⁴ + 1)
        Reduction::Sm2Prime => {
            let top = a[TOP].add(S::splat((1 << 24) - MARGIN));
            let t = top.shr::<24>().sub(S::splat(1));
            out[0] = a[0].add(t);
            out[2] = a[2].sub(t.shl::<6>());
            out[3] = a[3].add(t.shl::<9>());
            out[7] = a[7].add(t.shl::<21>());
            out[TOP] = a[TOP].sub(t.shl::<24>());
        }
        // t + 1 ≥ 0 is the quotient of the top limb, after one modulus is added.
        Reduction::Montgomery => {
            let modulus = &const { Constants::<M>::MODULUS };
            let top = a[TOP].add(S::splat(modulus[TOP] + 1 - MARGIN));
            let above = top.mul32(S::splat(Constants::<M>::RECIPROCAL)).shr::<52>();
            for i in 0..LIMBS {
                let m = S::splat(modulus[i]);
                out[i] = out[i].sub(above.mul32(m).sub(m));
            }
        }
    }
    carry(&out)
}

/// Where `a ≡ 0 (mod m)`.
#[inline(always)]
pub fn is_zero<S: Simd, M: Modulus>(a: &Limbs29<S>) -> S::Mask {
    // Below 2m, so 0 and m are the only multiples of m.
    let a = reduce::<S, M>(a);
    let modulus = &const { Constants::<M>::MODULUS };
    let zero = S::zero();
    let (mut not_zero, mut not_m) = (zero, zero);
    for i in 0..LIMBS {
        not_zero = not_zero.or(a[i]);
        not_m = not_m.or(a[i].xor(S::splat(modulus[i])));
    }
    S::mask_or(not_zero.eq(zero), not_m.eq(zero))
}

/// `a mod m` for `a < 2m` in tight limbs.
#[inline(always)]
pub fn subtract_modulus_once<S: Simd, M: Modulus>(a: &Limbs29<S>) -> Limbs29<S> {
    let mask = S::splat(MASK);
    let modulus = &const { Constants::<M>::MODULUS };
    let mut reduced = *a;
    let mut borrow = S::zero();
    for i in 0..LIMBS {
        let difference = a[i].sub(S::splat(modulus[i])).sub(borrow);
        borrow = difference.shr::<63>();
        reduced[i] = difference.and(mask);
    }
    select(borrow.eq(S::splat(1)), a, &reduced)
}
