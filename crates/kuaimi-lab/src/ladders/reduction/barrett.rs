//! Barrett reduction (Paul Barrett, *Implementing the Rivest Shamir and Adleman public key
//! encryption algorithm on a standard digital signal processor*, CRYPTO 1986; *Handbook of Applied
//! Cryptography*, algorithm 14.42). The quotient is a product with `μ = ⌊2⁵¹²/p⌋` of which the
//! upper half is kept. It is too small by two at the most in general. Here it is too small by one:
//! the limbs cut off the product and of `μ` make the quotient smaller by less than
//! `p²/2⁵¹² + 2⁻⁶² < 1` before it is rounded down. So `p` is subtracted once more, if need be.

use kuaimi_math::arith::u256::{Limbs, sbb};

use super::Arithmetic;
use super::prime::P;
use crate::ladders::multiplication::schoolbook;

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Barrett;

/// `⌊2⁵¹²/p⌋`.
pub(super) const MU: [u64; 5] = [
    0x0000_0002_0000_0003,
    0x0000_0002_0000_0002,
    0x0000_0001_0000_0001,
    0x0000_0001_0000_0001,
    0x0000_0000_0000_0001,
];

impl Arithmetic for Barrett {
    const ONE: Limbs = [1, 0, 0, 0];

    #[inline(always)]
    fn multiply(a: &Limbs, b: &Limbs) -> Limbs {
        reduce(&schoolbook::multiply(a, b))
    }
}

/// `x mod p` for `x < p²`.
#[inline(always)]
fn reduce(x: &[Limbs; 2]) -> Limbs {
    let x = x.as_flattened();
    // ⌊x/2¹⁹²⌋·μ, and of it the limbs from the sixth on.
    let upper = core::array::from_fn(|i| x[i + 3]);
    let [_, quotient] = schoolbook::multiply::<u64, 5>(&upper, &MU);
    let modulus = core::array::from_fn(|i| if i < 4 { P[i] } else { 0 });
    let [multiple, _] = schoolbook::multiply::<u64, 5>(&quotient, &modulus);
    // What is left is below 2p, so five limbs of the difference are enough.
    let mut rest: [u64; 5] = core::array::from_fn(|i| x[i]);
    rest = subtract(&rest, &multiple).0;
    let (smaller, borrow) = subtract(&rest, &modulus);
    let keep = kuaimi_math::arith::u256::mask(borrow);
    rest = core::array::from_fn(|i| smaller[i] ^ (keep & (smaller[i] ^ rest[i])));
    [rest[0], rest[1], rest[2], rest[3]]
}

/// `a − b` and the borrow.
#[inline(always)]
fn subtract(a: &[u64; 5], b: &[u64; 5]) -> ([u64; 5], bool) {
    let mut borrow = false;
    let mut out = [0; 5];
    for i in 0..5 {
        (out[i], borrow) = sbb(a[i], b[i], borrow);
    }
    (out, borrow)
}
