//! 32-bit words and 64-bit products, in plain Rust, for CPUs without a 64-bit multiplier.
//!
//! The limbs are split into words by shifts, so that the byte order of the target does not matter.
//! No 128-bit type is used.

use kuaimi_platform::backend::Field;

use super::{Backend, subtract_modulus_once};
use crate::arith::divsteps::d30;
use crate::arith::modulus::{Modulus, Reduction};
use crate::arith::u256::Limbs;

/// The backend for 32-bit CPUs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Portable32;

const WORD: u64 = 0xFFFF_FFFF;

#[inline(always)]
const fn to_words(a: &Limbs) -> [u32; 8] {
    let mut out = [0u32; 8];
    let mut i = 0;
    while i < 4 {
        out[2 * i] = a[i] as u32;
        out[2 * i + 1] = (a[i] >> 32) as u32;
        i += 1;
    }
    out
}

#[inline(always)]
fn from_words(w: &[u32]) -> Limbs {
    let mut out = [0u64; 4];
    for (limb, pair) in out.iter_mut().zip(w.chunks_exact(2)) {
        *limb = u64::from(pair[0]) | (u64::from(pair[1]) << 32);
    }
    out
}

/// The sixteen words of `a·b`, row by row.
#[inline(always)]
fn product(a: &Limbs, b: &Limbs) -> [u32; 16] {
    let (a, b) = (to_words(a), to_words(b));
    let mut t = [0u32; 16];
    for i in 0..8 {
        let mut carry = 0u64;
        for j in 0..8 {
            let wide = u64::from(t[i + j]) + u64::from(a[i]) * u64::from(b[j]) + carry;
            t[i + j] = wide as u32;
            carry = wide >> 32;
        }
        t[i + 8] = carry as u32;
    }
    t
}

/// The sixteen words of `a²`: twice the products off the diagonal, and the squares on it.
#[inline(always)]
fn product_square(a: &Limbs) -> [u32; 16] {
    let a = to_words(a);
    let mut t = [0u32; 16];
    for i in 0..7 {
        let mut carry = 0u64;
        for j in i + 1..8 {
            let wide = u64::from(t[i + j]) + u64::from(a[i]) * u64::from(a[j]) + carry;
            t[i + j] = wide as u32;
            carry = wide >> 32;
        }
        t[i + 8] = carry as u32;
    }
    let mut carry = 0u64;
    let mut shifted_out = 0u32;
    for i in 0..8 {
        let square = u64::from(a[i]) * u64::from(a[i]);
        let (low, high) = (t[2 * i], t[2 * i + 1]);
        let wide = u64::from((low << 1) | shifted_out) + (square & WORD) + carry;
        t[2 * i] = wide as u32;
        let wide = u64::from((high << 1) | (low >> 31)) + (square >> 32) + (wide >> 32);
        t[2 * i + 1] = wide as u32;
        carry = wide >> 32;
        shifted_out = high >> 31;
    }
    t
}

/// `t·R⁻¹ mod m` for `t < m·2²⁵⁶`.
#[inline(always)]
fn reduce<M: Modulus>(t: &[u32; 16]) -> Limbs {
    let () = M::CHECKED;
    match M::REDUCTION {
        Reduction::Montgomery => {
            let m = to_words(&M::MODULUS.0);
            let m0_neg_inv = M::M0_NEG_INV as u32;
            let mut t = *t;
            let mut top = 0u64; // the carry into word i + 8
            for i in 0..8 {
                let q = t[i].wrapping_mul(m0_neg_inv);
                let mut carry = 0u64;
                for j in 0..8 {
                    let wide = u64::from(t[i + j]) + u64::from(q) * u64::from(m[j]) + carry;
                    t[i + j] = wide as u32;
                    carry = wide >> 32;
                }
                let wide = u64::from(t[i + 8]) + carry + top;
                t[i + 8] = wide as u32;
                top = wide >> 32;
            }
            subtract_modulus_once::<M>(&from_words(&t[8..]), top == 1)
        }
        Reduction::Sm2Prime => {
            // The columns are signed. Adding q·m = q·(2²⁵⁶ − 2²²⁴ − 2⁹⁶ + 2⁶⁴ − 1) adds ±q to five
            // columns. The term −q makes column i a multiple of 2³², which is carried to column i +
            // 1.
            let mut column = [0i64; 16];
            for (c, &word) in column.iter_mut().zip(t) {
                *c = i64::from(word);
            }
            for i in 0..8 {
                let q = column[i] & WORD as i64;
                column[i + 1] += column[i] >> 32;
                column[i + 2] += q;
                column[i + 3] -= q;
                column[i + 7] -= q;
                column[i + 8] += q;
            }
            let mut words = [0u32; 8];
            let mut carry = 0i64;
            for (word, c) in words.iter_mut().zip(&column[8..]) {
                carry += c;
                *word = carry as u32;
                carry >>= 32;
            }
            subtract_modulus_once::<M>(&from_words(&words), carry == 1)
        }
    }
}

impl super::sealed::Sealed for Portable32 {}

impl Backend for Portable32 {
    const IMPLEMENTATION: Field = Field::Portable32;

    #[inline(never)]
    fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        reduce::<M>(&product(a, b))
    }

    #[inline]
    fn product(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
        let t = product(a, b);
        [from_words(&t[..8]), from_words(&t[8..])]
    }

    #[inline(never)]
    fn square<M: Modulus>(a: &Limbs) -> Limbs {
        reduce::<M>(&product_square(a))
    }

    #[inline(never)]
    fn redc<M: Modulus>(a: &Limbs) -> Limbs {
        let mut t = [0u32; 16];
        t[..8].copy_from_slice(&to_words(a));
        reduce::<M>(&t)
    }

    fn invert<M: Modulus>(a: &Limbs) -> Limbs {
        d30::invert::<M, Self>(a)
    }

    fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
        d30::invert_vartime::<M>(a)
    }
}
