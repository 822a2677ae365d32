//! The final exponentiation: the power `(q¹² − 1)/N = (q⁶ − 1)·(q² + 1)·(q⁴ − q² + 1)/N`.
//!
//! The easy part is the power `(q⁶ − 1)·(q² + 1)`: Frobenius maps and an inversion. Its result is
//! in the cyclotomic subgroup. The hard part is the power `(q⁴ − q² + 1)/N = λ₀ + λ₁q + λ₂q² + q³`
//! with `λ₀ = −36t³ − 30t² − 18t − 2`, `λ₁ = −36t³ − 18t² − 12t + 1` and `λ₂ = 6t² + 1` (Scott,
//! Benger, Charlemagne, Dominguez Perez and Kachisa, Pairing 2009).
//!
//! **The addition chain.** Let `a = f^(6t)`, `b = a^t = f^(6t²)` and `c = b^(6t) = f^(36t³)`. Then
//! `f^λ₀ = 1/(c·b⁵·a³·f²)`, `f^λ₁ = f/(c·b³·a²)` and `f^λ₂ = b·f`. With `x = a·b`, `y = x·b` and
//! `z = c·x·y = c·b³·a²` this is `f^λ₀ = 1/(z·y·f²)` and `f^λ₁ = f/z`. An inverse is a conjugate.
//!
//! Apart from `a`, `b` and `c` that is 11 products and a square. `a` and `c` each need a cube and a
//! square in addition to the power `t`, which costs 8 products and 62 squares: see [`power_of_t`].
//! The total is 37 products, 191 squares and 3 Frobenius maps. (The best published count for this
//! curve is 38, 195 and 8.) Of the squares, 120 are in runs of 40 compressed ones, which cost a
//! third less.

use crate::arith::{Backend, U256};
use crate::sm9::curve::T;
use crate::sm9::gt::power::pow_naf_vartime;
use crate::sm9::tower::{Fq12, Fq12Arithmetic};

/// `f^((q¹² − 1)/N)`, for `f` other than zero.
pub fn final_exponentiation<B: Backend, F: Fq12Arithmetic<B>>(f: &F) -> F {
    hard_part(&easy_part(f))
}

/// The easy part, `f^((q⁶ − 1)(q² + 1))`.
pub fn easy_part<B: Backend, F: Fq12Arithmetic<B>>(f: &F) -> F {
    let f = f.conjugated().over_conjugate();
    f.frobenius_power::<2>().times(&f)
}

/// The hard part, `f^((q⁴ − q² + 1)/N)`, for `f` in the cyclotomic subgroup.
pub fn hard_part<B: Backend, F: Fq12Arithmetic<B>>(f: &F) -> F {
    let a = power_of_6t(f);
    let b = power_of_t(&a);
    let c = power_of_6t(&b);
    let x = a.times(&b);
    let y = x.times(&b);
    let z = c.times(&x.times(&y));
    let zero = z.times(&y).times(&f.cyclotomic_squared()).conjugated();
    let one = z.conjugated().times(f).frobenius_power::<1>();
    let two = b.times(f).frobenius_power::<2>();
    let three = f.frobenius_power::<3>();
    zero.times(&one).times(&two.times(&three))
}

/// `f^(6t)`.
fn power_of_6t<B: Backend, F: Fq12Arithmetic<B>>(f: &F) -> F {
    let power = power_of_t(f);
    let cube = power.cyclotomic_squared().times(&power);
    cube.cyclotomic_squared()
}

/// `f^t`, where `t = 3·2⁶¹ + 3·2²¹ − 2¹⁹ + 2¹⁶ − 3·2⁹ − 2⁷ + 2³ + 2`.
pub fn power_of_t<B: Backend, F: Fq12Arithmetic<B>>(f: &F) -> F {
    let inverse = &f.conjugated();
    let cube = &f.cyclotomic_squared().times(f);
    let power = cube.cyclotomic_squares(40).times(cube);
    let power = power.cyclotomic_squares(2).times(inverse);
    let power = power.cyclotomic_squares(3).times(f);
    let power = power.cyclotomic_squares(7).times(&cube.conjugated());
    let power = power.cyclotomic_squares(2).times(inverse);
    let power = power.cyclotomic_squares(4).times(f);
    power.cyclotomic_squares(2).times(f).cyclotomic_squared()
}

/// For measurements and tests: the hard part with the published addition chain (Scott and others),
/// and powers of `t` with its non-adjacent form. 43 products, 193 squares and 8 Frobenius maps.
pub fn published_hard_part<B: Backend>(f: &Fq12<B>) -> Fq12<B> {
    let t = U256([T, 0, 0, 0]);
    let f1 = pow_naf_vartime(f, &t);
    let f2 = pow_naf_vartime(&f1, &t);
    let f3 = pow_naf_vartime(&f2, &t);
    let y0 = f.frobenius() * f.frobenius2() * f.frobenius3();
    let y1 = f.conjugate();
    let y2 = f2.frobenius2();
    let y3 = f1.frobenius().conjugate();
    let y4 = (f1 * f2.frobenius()).conjugate();
    let y5 = f2.conjugate();
    let y6 = (f3 * f3.frobenius()).conjugate();
    let a = y6.cyclotomic_square() * y4 * y5;
    let b = y3 * y5 * a;
    let a = a * y2;
    let b = (b.cyclotomic_square() * a).cyclotomic_square();
    let a = (b * y1).cyclotomic_square();
    a * (b * y0)
}

/// `(q⁴ − q² + 1)/N`, least significant word first.
const EXPONENT: [u64; 12] = [
    0xA9B2_ADA5_9315_2855,
    0x44BF_9D0F_A74D_DFB7,
    0x8368_7EE0_C6D9_188C,
    0xE0D4_9DE3_AA8A_4748,
    0x0DA3_D71B_CDB1_3FE5,
    0xA578_2C82_FDB6_B0A1,
    0x7C0C_A02D_9B0D_8649,
    0xBA4C_ADE0_9029_E471,
    0xDC53_E586_9308_46F1,
    0xD62C_D8FB_7B49_7A0A,
    0xF12F_CAD3_B31F_E2B0,
    0x5C5E_4524_0403_4E2A,
];

/// For measurements and tests: the hard part by squaring and multiplying, with general squares.
pub fn plain_hard_part<B: Backend>(f: &Fq12<B>) -> Fq12<B> {
    let mut power = Fq12::ONE;
    for i in (0..64 * EXPONENT.len()).rev() {
        power = power.square();
        if (EXPONENT[i / 64] >> (i % 64)) & 1 == 1 {
            power = power * *f;
        }
    }
    power
}
