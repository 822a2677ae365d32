//! The power `(q¹² − 1)/N = (q⁶ − 1)·(q² + 1)·(q⁴ − q² + 1)/N`.
//!
//! The first two factors are Frobenius maps and an inversion; after them the element is in the cyclotomic subgroup. The third,
//! the hard part, is `λ₀ + λ₁q + λ₂q² + q³` with (Scott, Benger, Charlemagne, Dominguez Perez and Kachisa, Pairing 2009)
//! `λ₀ = −36t³ − 30t² − 18t − 2`, `λ₁ = −36t³ − 18t² − 12t + 1`, `λ₂ = 6t² + 1`.
//!
//! **The chain used here.** With `a = f^(6t)`, `b = a^t = f^(6t²)` and `c = b^(6t) = f^(36t³)` these are
//! `λ₀ = −(c·b⁵·a³·f²)`, `λ₁ = −(c·b³·a²) + f`, `λ₂ = b·f` as exponents of products; and
//! `x = a·b`, `y = x·b`, `z = c·x·y = c·b³·a²`, so that `λ₀: 1/(z·y·f²)`, `λ₁: f/z`. An inverse is a conjugate.
//! That is 11 products and a square beside the powers; `a` and `c` take a cube and a square beside the power of `t`.
//! The power of `t` takes 8 products and 62 squares: see [`power_of_t`]. In all 37 products, 191 squares and
//! 3 Frobenius maps, where the best published count for this curve is 38, 195 and 8.

use crate::arith::Backend;
use crate::sm9::tower::Fq12;

/// `f^((q¹² − 1)/N)`, for `f` other than zero.
pub fn final_exponentiation<B: Backend>(f: &Fq12<B>) -> Fq12<B> {
    hard_part(&easy_part(f))
}

/// `f^((q⁶ − 1)(q² + 1))`, in the cyclotomic subgroup.
pub fn easy_part<B: Backend>(f: &Fq12<B>) -> Fq12<B> {
    let f = f.conjugate() * f.invert();
    f.frobenius2() * f
}

/// `f^((q⁴ − q² + 1)/N)`, for `f` in the cyclotomic subgroup.
pub fn hard_part<B: Backend>(f: &Fq12<B>) -> Fq12<B> {
    let a = power_of_6t(f);
    let b = power_of_t(&a);
    let c = power_of_6t(&b);
    let x = a * b;
    let y = x * b;
    let z = c * (x * y);
    let zero = (z * y * f.cyclotomic_square()).conjugate();
    let one = (z.conjugate() * *f).frobenius();
    let two = (b * *f).frobenius2();
    (zero * one) * (two * f.frobenius3())
}

/// `f^(6t)`.
fn power_of_6t<B: Backend>(f: &Fq12<B>) -> Fq12<B> {
    let power = power_of_t(f);
    (power.cyclotomic_square() * power).cyclotomic_square()
}

/// `f^t`, by `t = 3·2⁶¹ + 3·2²¹ − 2¹⁹ + 2¹⁶ − 3·2⁹ − 2⁷ + 2³ + 2`.
pub fn power_of_t<B: Backend>(f: &Fq12<B>) -> Fq12<B> {
    let cube = f.cyclotomic_square() * *f;
    let squares = |mut f: Fq12<B>, count: usize| {
        for _ in 0..count {
            f = f.cyclotomic_square();
        }
        f
    };
    let power = squares(cube, 40) * cube;
    let power = squares(power, 2) * f.conjugate();
    let power = squares(power, 3) * *f;
    let power = squares(power, 7) * cube.conjugate();
    let power = squares(power, 2) * f.conjugate();
    let power = squares(power, 4) * *f;
    squares(squares(power, 2) * *f, 1)
}
