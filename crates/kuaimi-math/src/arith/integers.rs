//! Integers modulo `M`, not in Montgomery form, with the selected backend: the scalars of
//! protocols.
//!
//! Arguments must be below the modulus unless the documentation says otherwise. Functions are
//! constant time unless their name ends in `_vartime`. They are part of the functions that name the
//! modulus, so that the compiler makes one function of both.

use alloc::vec::Vec;

use zeroize::{Zeroize, Zeroizing};

use super::backend::{Backend, Portable, with_backend};
use super::field::{Fe, Field, PrimeField, batch_invert};
use super::modulus::Modulus;
use super::u256::U256;

/// `a + b`. The choice of a backend would cost more than it gains.
#[inline]
pub fn add<M: Modulus>(a: &U256, b: &U256) -> U256 {
    U256(Portable::add::<M>(&a.0, &b.0))
}

/// `a − b`.
#[inline]
pub fn sub<M: Modulus>(a: &U256, b: &U256) -> U256 {
    U256(Portable::sub::<M>(&a.0, &b.0))
}

/// `a·b`.
#[inline(always)]
pub fn mul<M: Modulus>(a: &U256, b: &U256) -> U256 {
    with_backend!(B => Fe::<M, B>::from_u256_reduced(a).mul_plain(b))
}

/// `1/a`, and 0 for 0.
#[inline(always)]
pub fn invert<M: Modulus>(a: &U256) -> U256 {
    with_backend!(B => Fe::<M, B>::from_u256_reduced(a).invert().to_u256())
}

/// `1/a`, and 0 for 0, for public `a`.
#[inline(always)]
pub fn invert_vartime<M: Modulus>(a: &U256) -> U256 {
    with_backend!(B => Fe::<M, B>::from_u256_reduced(a).invert_vartime().to_u256())
}

/// Replaces each number by its inverse, and 0 by 0, with one inversion for all.
#[inline(always)]
pub fn invert_many<M: Modulus>(a: &mut [U256]) {
    with_backend!(B => {
        let mut elements: Zeroizing<Vec<Fe<M, B>>> =
            Zeroizing::new(a.iter().map(Fe::from_u256_reduced).collect());
        let mut scratch = elements.clone();
        batch_invert(&mut elements, &mut scratch, Field::invert);
        for (a, element) in a.iter_mut().zip(elements.iter()) {
            *a = element.to_u256();
        }
    })
}

/// Calls `f` with the element that is any 256-bit `a`, and wipes the element.
pub fn with_element<M: Modulus, B: Backend, T>(a: &U256, f: impl FnOnce(&Fe<M, B>) -> T) -> T {
    let mut a = Fe::from_u256_reduced(a);
    let result = f(&a);
    a.zeroize();
    result
}
