//! One operation at a time.

#[cfg(all(target_arch = "x86_64", not(miri)))]
use kuaimi_platform::backend::Lanes;
use zeroize::Zeroize;

use super::{Equation, KeyTable, Point, serial};
use crate::arith::backend::with_backend;
use crate::arith::integers::with_element;
use crate::arith::{Backend, Field, PrimeField, U256};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::arith::{backend::Adx, lanes::radix29::Avx2};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use crate::curve::summation::InLanes;
use crate::curve::summation::{Summation, with_summation};
use crate::curve::{
    Affine, Xyzz, double_scalar_mul_vartime as interleaved_wnaf, scalar_mul, wiped_after_entry,
};
use crate::sm2::curve::{N, Scalar, Sm2};
use crate::sm2::tables::{generator_odd_multiples, generator_table, generator_wide_table};

/// `[k]G`, in constant time.
pub fn generator_mul(k: &U256) -> Point {
    with_summation!(B, S => {
        wiped_after_entry!(with_element::<N, B, _>(k, |k| S::product(&generator_table::<B>(), k)))
    })
}

/// `[k]P`, in constant time.
pub fn point_mul(k: &U256, p: &Point) -> Point {
    with_backend!(B => {
        let p = Affine::<Sm2<B>>::from_entry(p);
        wiped_after_entry!(with_element::<N, B, _>(k, |k| scalar_mul::mul(k, &p)))
    })
}

/// `[k]G` and `[k]P` with one inversion, in constant time.
pub fn generator_and_point_mul(k: &U256, p: &Point) -> (Point, Point) {
    with_summation!(B, S => {
        let p = Affine::<Sm2<B>>::from_entry(p);
        with_generator::<B, S>(k, |k| scalar_mul::mul(k, &p).into())
    })
}

/// `[k]G` and `[k]P` with one inversion, given the table of `P`, in constant time.
pub fn generator_and_prepared_mul(k: &U256, table: &KeyTable) -> (Point, Point) {
    with_summation!(B, S => with_generator::<B, S>(k, |k| S::product(&table.fixed_base_table::<B>(), k)))
}

/// `[k]G`, and `[k]P` from the function `point_mul`, with one inversion.
fn with_generator<B: Backend, S: Summation<B>>(
    k: &U256,
    point_mul: impl FnOnce(&Scalar<B>) -> Xyzz<Sm2<B>>,
) -> (Point, Point) {
    let (mut first, mut second) = with_element::<N, B, _>(k, |k| {
        (S::product(&generator_table::<B>(), k), point_mul(k))
    });
    let (a, b) = (*first.denominator(), *second.denominator());
    let inverse = (a * b).invert();
    let points = (
        first.affine_with(&(inverse * b)).to_entry(),
        second.affine_with(&(inverse * a)).to_entry(),
    );
    first.zeroize();
    second.zeroize();
    points
}

/// `[k]P + Q`, or `None` for infinity. For public values.
pub fn point_mul_add_vartime(k: &U256, p: &Point, q: &Point) -> Option<Point> {
    with_backend!(B => {
        let k = Scalar::<B>::from_u256_reduced(k);
        let sum = scalar_mul::mul_vartime::<Sm2<B>>(&k, &Affine::from_entry(p))
            .add_affine_vartime(&Affine::from_entry(q));
        sum.to_affine_vartime().map(Affine::to_entry)
    })
}

/// `[s]G + [t]P`: where the products of the generator are summed in lanes, apart from the doublings
/// of `P`, else with them.
fn double_scalar_product_vartime<B: Backend, S: Summation<B>>(
    s: &U256,
    t: &U256,
    p: &Point,
) -> Xyzz<Sm2<B>> {
    let s = Scalar::<B>::from_u256_reduced(s);
    let t = Scalar::<B>::from_u256_reduced(t);
    let p = Affine::from_entry(p);
    match S::sum_of_products_vartime(&[(&generator_wide_table::<B>(), &s)]) {
        Some(product) => Xyzz::from(scalar_mul::mul_vartime(&t, &p)).add_complete(&product),
        None => interleaved_wnaf(&s, &generator_odd_multiples::<B>(), &t, &p).into(),
    }
}

/// `[s]G + [t]P`, or `None` for infinity. For public values.
pub fn double_scalar_mul_vartime(s: &U256, t: &U256, p: &Point) -> Option<Point> {
    with_summation!(B, S => double_scalar_mul_with::<B, S>(s, t, p))
}

/// [`double_scalar_mul_vartime`] with these implementations.
pub(super) fn double_scalar_mul_with<B: Backend, S: Summation<B>>(
    s: &U256,
    t: &U256,
    p: &Point,
) -> Option<Point> {
    let sum = double_scalar_product_vartime::<B, S>(s, t, p);
    sum.to_affine_vartime().map(Affine::to_entry)
}

/// Whether the equation holds, for public values. No memory is allocated.
pub fn verify_vartime(equation: &Equation<&Point>) -> bool {
    let Equation { s, t, x, p } = equation;
    with_summation!(B, S => verify_with::<B, S>([s, t, x], p))
}

/// [`verify_vartime`] with these implementations.
pub(super) fn verify_with<B: Backend, S: Summation<B>>([s, t, x]: [&U256; 3], p: &Point) -> bool {
    let sum = double_scalar_product_vartime::<B, S>(s, t, p);
    serial::x_is_vartime::<B>(&sum.x, &sum.zz, x)
}

/// [`verify_vartime`] with the table of `P`. No memory is allocated.
pub fn verify_prepared_vartime(equation: &Equation<&KeyTable>) -> bool {
    // Two sums of public multiples gain in the four lanes of AVX2. A secret product does not, as
    // its look-ups are the same.
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    if matches!(Lanes::selected().get(), Lanes::Avx2 | Lanes::Avx512) {
        return verify_prepared_with::<Adx, InLanes<Avx2>>(equation);
    }
    with_summation!(B, S => verify_prepared_with::<B, S>(equation))
}

/// [`verify_prepared_vartime`] with these implementations.
pub(super) fn verify_prepared_with<B: Backend, S: Summation<B>>(
    equation: &Equation<&KeyTable>,
) -> bool {
    let s = Scalar::<B>::from_u256_reduced(&equation.s);
    let t = Scalar::<B>::from_u256_reduced(&equation.t);
    let table = equation.p.fixed_base_table::<B>();
    match S::sum_of_products_vartime(&[(&generator_wide_table::<B>(), &s), (&table, &t)]) {
        Some(sum) => serial::x_is_vartime::<B>(&sum.x, &sum.zz, &equation.x),
        None => serial::verify_prepared_vartime::<B>(equation),
    }
}
