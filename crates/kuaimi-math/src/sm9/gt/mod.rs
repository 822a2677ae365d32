//! Powers in `GT`, the subgroup of order `N` of `Fq12*`.
//!
//! An element of `GT` is in the cyclotomic subgroup, where the inverse is the conjugate. So exponents have signed
//! digits.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`power`] | powers of any element |
//! | [`fixed_base`] | powers of a fixed element from a precomputed table |

pub mod fixed_base;
pub mod power;

use crate::arith::Backend;
use crate::sm9::curve::T;
use crate::sm9::tower::Fq12;

/// Whether an element is in `GT` and not 1. For public values.
///
/// The first check is for the cyclotomic subgroup: `f^(q⁴)·f = f^(q²)`. The second is `f^q = f^(6t²)`, which is
/// `f^N = 1`, as `q = N + 6t²`.
pub fn is_member_vartime<B: Backend>(f: &Fq12<B>) -> bool {
    let two = f.frobenius2();
    if *f == Fq12::ONE || *f == Fq12::ZERO || two.frobenius2() * *f != two {
        return false;
    }
    let power = |f: &Fq12<B>| power::pow_u64_vartime(f, T);
    let tt = power(&power(f));
    let cube = tt.cyclotomic_square() * tt;
    cube.cyclotomic_square() == f.frobenius()
}
