//! The constants of a modulus `m` in limbs of 29 bits, computed by the compiler.

use core::marker::PhantomData;

use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// Bits of a limb.
pub const BITS: u32 = 29;
/// Limbs of a number, which has up to 261 bits.
pub const LIMBS: usize = 9;
/// The index of the top limb.
pub const TOP: usize = LIMBS - 1;
/// The bits of a limb.
pub const MASK: u64 = (1 << BITS) - 1;

/// A number in limbs of 29 bits, the least significant first.
pub type Number29 = [u64; LIMBS];

/// A 256-bit number in limbs of 29 bits.
pub const fn split(a: &Limbs) -> Number29 {
    [
        a[0] & MASK,
        (a[0] >> 29) & MASK,
        ((a[0] >> 58) | (a[1] << 6)) & MASK,
        (a[1] >> 23) & MASK,
        ((a[1] >> 52) | (a[2] << 12)) & MASK,
        (a[2] >> 17) & MASK,
        ((a[2] >> 46) | (a[3] << 18)) & MASK,
        (a[3] >> 11) & MASK,
        a[3] >> 40,
    ]
}

/// The constants of a modulus.
pub struct Constants<M>(PhantomData<M>);

impl<M: Modulus> Constants<M> {
    /// `m`.
    pub const MODULUS: Number29 = split(&M::MODULUS.0);

    /// `−m⁻¹ mod 2²⁹`.
    pub const M0_NEG_INV: u64 = M::M0_NEG_INV & MASK;

    /// `2²⁵⁶ mod m`: the Montgomery product with it converts `a·2²⁶¹` to `a·2²⁵⁶`.
    pub const TO_SCALAR_FORM: Number29 = split(&M::R);

    /// `⌊2⁵² / (⌊m / 2²³²⌋ + 1)⌋`: its product with the top limb of a number, shifted right by 52,
    /// is the quotient of the number by `m`, or slightly less.
    pub const RECIPROCAL: u64 = (1 << 52) / (Self::MODULUS[TOP] + 1);

    /// `k·m`.
    pub const fn multiple(k: u64) -> Number29 {
        let mut limbs = [0; LIMBS];
        let mut carry = 0;
        let mut i = 0;
        while i < TOP {
            let sum = Self::MODULUS[i] * k + carry;
            limbs[i] = sum & MASK;
            carry = sum >> BITS;
            i += 1;
        }
        limbs[TOP] = Self::MODULUS[TOP] * k + carry;
        limbs
    }
}
