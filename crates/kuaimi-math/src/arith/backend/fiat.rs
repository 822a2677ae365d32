//! SM2's two moduli by the crate `fiat-crypto`, whose code was generated together with
//! machine-checked proofs (Erbsen, Philipoom, Gross, Sloan and Chlipala, 2019). What it is compared
//! with: `docs/evidence.md`.
//!
//! Proved there: multiplication, squaring, addition, subtraction, and both directions of the
//! Montgomery form, for factors below the modulus. From here: the subtraction that brings a factor
//! below the modulus, the power that inverts, and halving. Other moduli, which are SM9's, are
//! computed by the portable backend.

use fiat_crypto::{sm2_64 as p, sm2_scalar_64 as n};

use kuaimi_platform::backend::Field;

use super::{Backend, Portable, subtract_modulus_once};
use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// The backend for those who want proofs before speed.
#[derive(Clone, Copy, Default, Debug)]
pub struct Fiat;

/// Whose code computes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Code {
    Prime,
    Order,
    Portable,
}

/// Whether two numbers are the same.
const fn same(a: &Limbs, b: &[u64; 5]) -> bool {
    a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3] && b[4] == 0
}

/// Which code has this modulus: fiat-crypto says for which it was generated.
const fn code_for<M: Modulus>() -> Code {
    let (mut prime, mut order) = ([0; 5], [0; 5]);
    p::fiat_sm2_msat(&mut prime);
    n::fiat_sm2_scalar_msat(&mut order);
    if same(&M::MODULUS.0, &prime) {
        Code::Prime
    } else if same(&M::MODULUS.0, &order) {
        Code::Order
    } else {
        Code::Portable
    }
}

/// A function of one or two elements, by the code for `M`, whose proofs ask for factors below the
/// modulus.
macro_rules! by {
    ($M:ident, $p:ident, $n:ident, $fallback:expr, $($a:expr),+) => {
        match const { code_for::<$M>() } {
            Code::Prime => {
                let mut out = p::fiat_sm2_montgomery_domain_field_element([0; 4]);
                p::$p(&mut out, $(&p::fiat_sm2_montgomery_domain_field_element(below::<$M>($a))),+);
                out.0
            }
            Code::Order => {
                let mut out = n::fiat_sm2_scalar_montgomery_domain_field_element([0; 4]);
                n::$n(&mut out, $(&n::fiat_sm2_scalar_montgomery_domain_field_element(below::<$M>($a))),+);
                out.0
            }
            Code::Portable => $fallback,
        }
    };
}

/// A number of 256 bits below the modulus: both moduli are over half of `2²⁵⁶`.
#[inline(always)]
fn below<M: Modulus>(a: &Limbs) -> Limbs {
    subtract_modulus_once::<M>(a, false)
}

/// `aᵐ⁻²`, all in Montgomery form: the inverse by Fermat's little theorem. The exponent is public.
fn power<M: Modulus>(a: &Limbs) -> Limbs {
    let mut exponent = M::MODULUS.0;
    // Both moduli are odd and not 1 modulo 2⁶⁴, so nothing is borrowed.
    exponent[0] -= 2;
    let mut result = *a;
    for bit in (0..255).rev() {
        result = Fiat::square::<M>(&result);
        if exponent[bit / 64] >> (bit % 64) & 1 == 1 {
            result = Fiat::mul::<M>(&result, a);
        }
    }
    result
}

impl super::sealed::Sealed for Fiat {}

impl Backend for Fiat {
    const IMPLEMENTATION: Field = Field::Fiat;

    fn mul<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        by!(
            M,
            fiat_sm2_mul,
            fiat_sm2_scalar_mul,
            Portable::mul::<M>(a, b),
            a,
            b
        )
    }

    fn product(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
        Portable::product(a, b)
    }

    fn square<M: Modulus>(a: &Limbs) -> Limbs {
        by!(
            M,
            fiat_sm2_square,
            fiat_sm2_scalar_square,
            Portable::square::<M>(a),
            a
        )
    }

    fn redc<M: Modulus>(a: &Limbs) -> Limbs {
        match const { code_for::<M>() } {
            Code::Prime => {
                let mut out = p::fiat_sm2_non_montgomery_domain_field_element([0; 4]);
                let a = p::fiat_sm2_montgomery_domain_field_element(below::<M>(a));
                p::fiat_sm2_from_montgomery(&mut out, &a);
                out.0
            }
            Code::Order => {
                let mut out = n::fiat_sm2_scalar_non_montgomery_domain_field_element([0; 4]);
                let a = n::fiat_sm2_scalar_montgomery_domain_field_element(below::<M>(a));
                n::fiat_sm2_scalar_from_montgomery(&mut out, &a);
                out.0
            }
            Code::Portable => Portable::redc::<M>(a),
        }
    }

    fn invert<M: Modulus>(a: &Limbs) -> Limbs {
        if const { matches!(code_for::<M>(), Code::Portable) } {
            return Portable::invert::<M>(a);
        }
        power::<M>(a)
    }

    fn invert_vartime<M: Modulus>(a: &Limbs) -> Limbs {
        if const { matches!(code_for::<M>(), Code::Portable) } {
            return Portable::invert_vartime::<M>(a);
        }
        // Twice out of the Montgomery form.
        Self::redc::<M>(&Self::redc::<M>(&power::<M>(a)))
    }

    fn dot<M: Modulus>(terms: &[[&Limbs; 2]]) -> Limbs {
        if const { matches!(code_for::<M>(), Code::Portable) } {
            return Portable::dot::<M>(terms);
        }
        let mut sum = [0; 4];
        for [a, b] in terms {
            sum = Self::add::<M>(&sum, &Self::mul::<M>(a, b));
        }
        sum
    }

    fn add<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        by!(
            M,
            fiat_sm2_add,
            fiat_sm2_scalar_add,
            Portable::add::<M>(a, b),
            a,
            b
        )
    }

    fn sub<M: Modulus>(a: &Limbs, b: &Limbs) -> Limbs {
        by!(
            M,
            fiat_sm2_sub,
            fiat_sm2_scalar_sub,
            Portable::sub::<M>(a, b),
            a,
            b
        )
    }
}
