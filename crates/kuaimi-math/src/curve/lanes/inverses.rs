//! Inversion of all lanes of many vectors by Montgomery's trick: three products for each vector,
//! and one scalar inversion.

use crate::arith::lanes::vectorize;
use zeroize::Zeroize;

use crate::arith::lanes::{Lanes, MAX_LANES, wipe};
use crate::arith::{Backend, Fe, Field, Modulus, batch_invert};

/// Replaces all values, which may be loose, by their inverses, tight and of magnitude 2. Zero
/// becomes 1. Constant time if `inversion` is.
pub fn invert<L: Lanes, M: Modulus, B: Backend>(
    values: &mut [L::Vector],
    inversion: fn(&Fe<M, B>) -> Fe<M, B>,
) {
    vectorize!(L, {
        let one = L::splat::<M>(&M::R);
        let mut prefixes = alloc::vec![one; values.len()];
        let mut product = one;
        for (value, prefix) in values.iter_mut().zip(prefixes.iter_mut()) {
            *prefix = product;
            let zero = L::is_zero::<M>(value);
            *value = L::select(zero, &one, &L::reduce::<M>(value));
            product = L::mul::<M>(&product, value);
        }
        let mut inverse = invert_lanes::<L, M, B>(&product, inversion);
        for (value, prefix) in values.iter_mut().zip(prefixes.iter()).rev() {
            let next = L::mul::<M>(&inverse, value);
            *value = L::mul::<M>(&inverse, prefix);
            inverse = next;
        }
        wipe::<L>(&mut prefixes);
        wipe::<L>(&mut [product, inverse]);
    });
}

/// The inverse of each lane, where no lane is zero.
#[inline(always)]
fn invert_lanes<L: Lanes, M: Modulus, B: Backend>(
    value: &L::Vector,
    inversion: fn(&Fe<M, B>) -> Fe<M, B>,
) -> L::Vector {
    let mut limbs = [[0; 4]; MAX_LANES];
    L::store::<M>(value, &mut limbs[..L::LANES]);
    let mut elements = limbs.map(Fe::<M, B>::from_montgomery);
    let mut products = [Fe::<M, B>::ZERO; MAX_LANES];
    batch_invert(&mut elements[..L::LANES], &mut products, inversion);
    for (limbs, element) in limbs.iter_mut().zip(&elements) {
        *limbs = element.to_montgomery();
    }
    let inverse = L::load::<M>(&limbs[..L::LANES]);
    limbs.zeroize();
    elements.zeroize();
    products.zeroize();
    inverse
}
