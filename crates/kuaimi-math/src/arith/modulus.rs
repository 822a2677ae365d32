//! A modulus, and the constants of Montgomery arithmetic that follow from it.

use super::u256::{Limbs, U256, add_limbs, sub_limbs};

/// How a product of two elements is reduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// Montgomery reduction, for any odd modulus.
    Montgomery,
    /// Montgomery reduction for `m = 2²⁵⁶ − 2²²⁴ − 2⁹⁶ + 2⁶⁴ − 1`, the prime of SM2. As
    /// `m ≡ −1 (mod 2⁶⁴)`, the quotient digit of each step is the low limb itself, and its product
    /// with `m` is two shifts and a few additions. So there is no multiplication.
    Sm2Prime,
}

/// An odd modulus below `2²⁵⁶ − 2¹⁹²`. An implementation gives the number; the compiler computes
/// the other constants.
///
/// With this bound, a Montgomery reduction has no carry out of its top limb: each step leaves less
/// than `2¹⁹² + m`. All four moduli of SM2 and SM9 are below it.
pub trait Modulus: Copy + Clone + Send + Sync + 'static {
    /// The modulus `m`.
    const MODULUS: U256;
    /// The reduction for this modulus.
    const REDUCTION: Reduction = Reduction::Montgomery;

    /// `−m⁻¹ mod 2⁶⁴`.
    const M0_NEG_INV: u64 = neg_inverse(Self::MODULUS.0[0]);
    /// `R mod m`: one, in Montgomery form.
    const R: Limbs = shift_left_mod([1, 0, 0, 0], 256, &Self::MODULUS.0);
    /// `R² mod m`: multiplication by it converts to Montgomery form.
    const R2: Limbs = shift_left_mod(Self::R, 256, &Self::MODULUS.0);
    /// `R³ mod m`: multiplication by it converts the inverse of `a·R` to `a⁻¹·R`.
    const R3: Limbs = shift_left_mod(Self::R2, 256, &Self::MODULUS.0);

    /// Checks the assumptions of the arithmetic at compile time.
    const CHECKED: () = {
        let m = &Self::MODULUS.0;
        assert!(m[0] & 1 == 1, "the modulus must be odd");
        assert!(m[3] < u64::MAX, "the modulus must be below 2^256 - 2^192");
        if matches!(Self::REDUCTION, Reduction::Sm2Prime) {
            assert!(
                m[0] == u64::MAX
                    && m[1] == 0xFFFF_FFFF_0000_0000
                    && m[2] == u64::MAX
                    && m[3] == 0xFFFF_FFFE_FFFF_FFFF,
                "this reduction is for SM2's prime only"
            );
        }
    };
}

/// `−a⁻¹ mod 2⁶⁴` for odd `a`, by Newton's iteration: each step doubles the number of correct bits.
pub const fn neg_inverse(a: u64) -> u64 {
    let mut x = a; // correct to 3 bits, since a² ≡ 1 (mod 8)
    let mut i = 0;
    while i < 5 {
        x = x.wrapping_mul(2u64.wrapping_sub(a.wrapping_mul(x)));
        i += 1;
    }
    x.wrapping_neg()
}

/// The Montgomery form of a constant below the modulus.
pub const fn montgomery_form<M: Modulus>(a: &U256) -> Limbs {
    assert!(
        a.lt_vartime(&M::MODULUS),
        "the constant is not below its modulus"
    );
    shift_left_mod(a.0, 256, &M::MODULUS.0)
}

/// `a·2^count mod m` for `a < m`, by repeated doubling. For constants.
pub(crate) const fn shift_left_mod(a: Limbs, count: usize, m: &Limbs) -> Limbs {
    let mut r = a;
    let mut i = 0;
    while i < count {
        let (doubled, carry) = add_limbs(&r, &r);
        let (reduced, borrow) = sub_limbs(&doubled, m);
        r = if carry || !borrow { reduced } else { doubled };
        i += 1;
    }
    r
}
