//! What the backends in assembly have in common: which of their functions are the methods of a
//! [`Backend`](super::Backend), and the end of a sum of products.

use crate::arith::modulus::Modulus;
use crate::arith::u256::Limbs;

/// The methods of a backend that are functions of its modules: for any modulus, and most of them
/// for SM2's prime, too.
macro_rules! methods_in_assembly {
    () => {
        $crate::arith::backend::assembly::methods_in_assembly! {
            mul(a, b) = montgomery;
            square(a) = montgomery;
            redc(a) = montgomery;
            add(a, b) = sums;
            double(a) = sums;
            sub(a, b) = sums;
            half(a) = sums;
        }

        #[inline(always)]
        fn minus_twice<M: Modulus>(a: &Limbs) -> Limbs {
            sums::minus_twice::<M>(a)
        }

        #[inline(always)]
        fn product(a: &Limbs, b: &Limbs) -> [Limbs; 2] {
            montgomery::product(a, b)
        }

        #[inline(always)]
        fn dot<M: Modulus>(terms: &[[&Limbs; 2]]) -> Limbs {
            dot::dot::<M>(terms)
        }
    };
    ($($name:ident($($operand:ident),+) = $module:ident;)+) => {
        $(
            #[inline(always)]
            fn $name<M: Modulus>($($operand: &Limbs),+) -> Limbs {
                match M::REDUCTION {
                    Reduction::Montgomery => $module::$name::<M>($($operand),+),
                    Reduction::Sm2Prime => sm2p::$name($($operand),+),
                }
            }
        )+
    };
}
pub(super) use methods_in_assembly;

/// `t mod m`, where `t` is a sum of `terms` products after its reduction: below `(k·m/R + 1)·m`,
/// for `k` terms. The functions subtract `4m`, `2m` and `m`, unless the result is negative.
#[inline(always)]
pub(super) fn subtract_multiples<M: Modulus>(
    terms: usize,
    mut t: [u64; 5],
    [four, two, one]: [fn([u64; 5]) -> [u64; 5]; 3],
) -> Limbs {
    // These are needed only if k·m/R may exceed 3, and 1.
    let excess = terms as u128 * (M::MODULUS.0[3] as u128 + 1);
    if excess > 3 << 64 {
        t = four(t);
    }
    if excess > 1 << 64 {
        t = two(t);
    }
    let [t0, t1, t2, t3, _] = one(t);
    [t0, t1, t2, t3]
}
