//! The curve code: exhaustively over a tiny curve, and over SM2's curve compared with a slow model.

use num_bigint::BigUint;
use subtle::{ConditionallySelectable, ConstantTimeEq};

use super::odd_multiples::odd_multiples_vartime;
use super::recode::{OddWindows, WNAF_LENGTH, window_count, wnaf_vartime};
use super::{
    Affine, BatchAffineSums, Coefficient, Curve, Entry, FixedBaseTable, Formulas, Jacobian,
    OddMultiples, Xyzz, batch_affine, double_scalar_mul_vartime, scalar_mul,
};
use crate::arith::backend::Portable64;
use crate::arith::modulus::montgomery_form;
use crate::arith::{Backend, Fe, Field, Modulus, PrimeField, U256};
use crate::sm2::curve::{N, P, Sm2};
use crate::testing::{Repeatable, big, from_big, on_every_backend, rounds};

/// `y² = x³ − 3x + 3` over the integers modulo 1787. It has prime order 1777, which is above
/// `2¹⁰ + 2⁷`, as [`FixedBaseTable::build_vartime`] requires for widths up to 7.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tiny;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TinyP;
impl Modulus for TinyP {
    const MODULUS: U256 = U256([1787, 0, 0, 0]);
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TinyN;
impl Modulus for TinyN {
    const MODULUS: U256 = U256([ORDER, 0, 0, 0]);
}

pub(super) const ORDER: u64 = 1777;

impl Formulas for Tiny {}

impl Curve for Tiny {
    type Field = Fe<TinyP, Portable64>;
    type Scalar = Fe<TinyN, Portable64>;
    const A: Coefficient = Coefficient::MinusThree;
    const B: Self::Field = Fe::from_montgomery(montgomery_form::<TinyP>(&U256([3, 0, 0, 0])));
    const GENERATOR: Affine<Self> = Affine {
        x: Fe::from_montgomery(montgomery_form::<TinyP>(&U256([0, 0, 0, 0]))),
        y: Fe::from_montgomery(montgomery_form::<TinyP>(&U256([264, 0, 0, 0]))),
    };
}

type Scalar = <Tiny as Curve>::Scalar;

fn scalar(k: u64) -> Scalar {
    Scalar::from_u256_reduced(&U256([k, 0, 0, 0]))
}

/// A point of the tiny curve as two small numbers; `None` is infinity.
pub(super) type Small = Option<(u64, u64)>;

fn small(p: &impl Projective<Tiny>) -> Small {
    p.affine().map(|a| (a.x.to_u256().0[0], a.y.to_u256().0[0]))
}

/// Both forms of points, so that the results of both are compared in the same way.
trait Projective<C: Curve> {
    fn affine(&self) -> Option<Affine<C>>;
}

impl<C: Curve> Projective<C> for Jacobian<C> {
    fn affine(&self) -> Option<Affine<C>> {
        self.to_affine_vartime()
    }
}

impl<C: Curve> Projective<C> for Xyzz<C> {
    fn affine(&self) -> Option<Affine<C>> {
        self.to_affine_vartime()
    }
}

/// The textbook's chord and tangent on small numbers, the expected results.
fn textbook_add(a: Small, b: Small) -> Small {
    const PRIME: u64 = 1787;
    let inverse = |v: u64| (0..PRIME - 2).fold(1, |power, _| power * v % PRIME);
    let ((x1, y1), (x2, y2)) = match (a, b) {
        (None, other) | (other, None) => return other,
        (Some(a), Some(b)) => (a, b),
    };
    let slope = if x1 != x2 {
        (y2 + PRIME - y1) * inverse((x2 + PRIME - x1) % PRIME) % PRIME
    } else if y1 == y2 {
        (3 * x1 * x1 + PRIME - 3) % PRIME * inverse(2 * y1 % PRIME) % PRIME
    } else {
        return None;
    };
    let x = (slope * slope + 2 * PRIME - x1 - x2) % PRIME;
    Some((x, (slope * (x1 + PRIME - x) + PRIME - y1) % PRIME))
}

/// `[0]G, [1]G, …, [n − 1]G`.
pub(super) fn all_points() -> Vec<Small> {
    let g = small(&Jacobian::from(Tiny::GENERATOR));
    let mut points = vec![None];
    for _ in 1..ORDER {
        let next = textbook_add(*points.last().expect("not empty"), g);
        points.push(next);
    }
    assert_eq!(
        textbook_add(*points.last().expect("not empty"), g),
        None,
        "the order is right"
    );
    points
}

pub(super) fn affine(p: Small) -> Option<Affine<Tiny>> {
    let element = |v| <Tiny as Curve>::Field::from_u256_reduced(&U256([v, 0, 0, 0]));
    p.map(|(x, y)| Affine {
        x: element(x),
        y: element(y),
    })
}

/// The same point with another `Z`.
fn rescaled(p: &Jacobian<Tiny>, z: u64) -> Jacobian<Tiny> {
    let z = <Tiny as Curve>::Field::from_u256_reduced(&U256([z, 0, 0, 0]));
    Jacobian {
        x: p.x * z.square(),
        y: p.y * z.square() * z,
        z: p.z * z,
    }
}

#[test]
fn every_sum_of_two_points() {
    let points = all_points();
    let jacobian: Vec<Jacobian<Tiny>> = points
        .iter()
        .enumerate()
        .map(|(i, p)| {
            affine(*p).map_or(Jacobian::INFINITY, |a| {
                rescaled(&a.into(), 2 + i as u64 % 1700)
            })
        })
        .collect();
    let sample = 2300 / rounds(100);
    for (i, a) in jacobian.iter().enumerate() {
        assert_eq!(small(&a.double()), points[2 * i % ORDER as usize]);
        for (j, b) in jacobian.iter().enumerate() {
            // All exceptional cases, and a sample of the other pairs.
            let special = i == j || (i + j) % ORDER as usize == 0 || i * j == 0;
            if !special && (i * 31 + j * 17) % sample != 0 {
                continue;
            }
            let expected = points[(i + j) % ORDER as usize];
            assert_eq!(small(&a.add_vartime(b)), expected, "[{i}]G + [{j}]G");
            if let Some(b_affine) = affine(points[j]) {
                assert_eq!(small(&a.add_affine_vartime(&b_affine)), expected);
                assert_eq!(small(&a.add_affine_complete(&b_affine)), expected);
                if i != 0 && i != j {
                    assert_eq!(small(&a.add_affine_incomplete(&b_affine)), expected);
                }
            }
            assert_eq!(bool::from(a.ct_eq(b)), i == j);
        }
    }
}

#[test]
fn every_scalar_of_many_points() {
    let points = all_points();
    let bases = [1776, 1, 2, 3, 5, 888, 889, 1000, 1775];
    for base in bases.into_iter().take(rounds(9)) {
        let p = affine(points[base]).expect("not infinity");
        let seven = FixedBaseTable::<Tiny>::build_vartime(&p, 7);
        let four = FixedBaseTable::<Tiny>::build_vartime(&p, 4);
        for k in 0..ORDER {
            let expected = points[base * k as usize % ORDER as usize];
            let k_scalar = scalar(k);
            assert_eq!(
                small(&scalar_mul::mul(&k_scalar, &p)),
                expected,
                "[{k}]([{base}]G)"
            );
            assert_eq!(small(&scalar_mul::mul_vartime(&k_scalar, &p)), expected);
            for (width, table) in [(7, &seven), (4, &four)] {
                let table = FixedBaseTable::new(width, table);
                assert_eq!(small(&table.mul(&k_scalar)), expected, "table of {width}");
                assert_eq!(
                    small(&table.mul_vartime(&k_scalar)),
                    expected,
                    "table of {width}"
                );
            }
        }
    }
}

/// Rows as [`BatchAffineSums`] sums them, made of points by `row`.
fn batch_affine<T>(
    rows: usize,
    stride: usize,
    mut row: impl FnMut(usize, &mut [Affine<Tiny>]),
    sum: impl FnOnce(&mut BatchAffineSums<'_, Tiny>) -> T,
) -> T {
    let (points, products) = batch_affine::memory(rows, stride);
    let mut points = vec![Affine::default(); points];
    let mut products = vec![<Tiny as Curve>::Field::ZERO; products];
    let mut sums = BatchAffineSums::new(&mut points, &mut products, stride);
    for (i, places) in sums.rows_mut().enumerate() {
        row(i, places);
    }
    sum(&mut sums)
}

#[test]
fn every_scalar_from_a_fixed_base_table_in_rows() {
    let points = all_points();
    for base in [1776, 1, 889].into_iter().take(rounds(3)) {
        let p = affine(points[base]).expect("not infinity");
        for width in [2, 4, 6] {
            let table = FixedBaseTable::<Tiny>::build_vartime(&p, width);
            let table = FixedBaseTable::new(width, &table);
            // One row at once, a few, or all of them: the passes stop at different widths.
            for rows in [1, 3, 50, ORDER as usize] {
                for first in (0..ORDER as usize).step_by(rows) {
                    let rows = rows.min(ORDER as usize - first);
                    let expected: Vec<Small> = (first..first + rows)
                        .map(|k| points[base * k % ORDER as usize])
                        .collect();
                    let found: Vec<Small> = batch_affine(
                        rows,
                        table.windows(),
                        |i, row| table.multiples(&scalar((first + i) as u64), row),
                        |sums| sums.sum().map(small_affine).collect(),
                    );
                    assert_eq!(found, expected, "width {width}, from {first}, {rows} rows");
                    let found: Vec<Small> = batch_affine(
                        rows,
                        table.windows(),
                        |i, row| table.multiples_vartime(&scalar((first + i) as u64), row),
                        |sums| sums.sum_vartime().map(|sum| small(&sum)).collect(),
                    );
                    assert_eq!(found, expected, "width {width}, from {first}, {rows} rows");
                }
            }
        }
    }
}

/// `(0, 0)` is infinity.
fn small_affine(a: &Affine<Tiny>) -> Small {
    let (x, y) = (a.x.to_u256().0[0], a.y.to_u256().0[0]);
    (x != 0 || y != 0).then_some((x, y))
}

/// Rows of few different points, so that many additions have equal or opposite points or infinity
/// as operands.
#[test]
fn sums_of_any_points_in_rows() {
    let points = all_points();
    let mut rng = Repeatable(9);
    let few = |word: u64| match word % 8 {
        0..3 => 1 + word as usize / 8 % 3,
        3..6 => ORDER as usize - 1 - word as usize / 8 % 3,
        _ => 1 + word as usize / 8 % (ORDER as usize - 1),
    };
    for (rows, stride) in [
        (1, 1),
        (1, 2),
        (1, 84),
        (2, 7),
        (40, 2),
        (40, 3),
        (40, 13),
        (40, 84),
    ] {
        for _ in 0..rounds(30) {
            let multiples: Vec<usize> = (0..rows * stride).map(|_| few(rng.word())).collect();
            let found: Vec<Small> = batch_affine(
                rows,
                stride,
                |i, row| {
                    for (place, &k) in row.iter_mut().zip(&multiples[i * stride..]) {
                        *place = affine(points[k]).expect("not infinity");
                    }
                },
                |sums| sums.sum_vartime().map(|sum| small(&sum)).collect(),
            );
            let expected: Vec<Small> = multiples
                .chunks(stride)
                .map(|row| points[row.iter().sum::<usize>() % ORDER as usize])
                .collect();
            assert_eq!(found, expected, "{rows} rows of {stride}");
        }
    }
}

#[test]
fn every_pair_of_scalars() {
    let points = all_points();
    let table = OddMultiples::<Tiny>::build_vartime(&Tiny::GENERATOR, 7);
    let g = OddMultiples::new(7, &table);
    for base in [1000, 1, 1776].into_iter().take(rounds(3)) {
        let p = affine(points[base]).expect("not infinity");
        for s in 0..ORDER {
            for t in (0..ORDER).filter(|t| base == 1 && s < 40 || (s * 7 + t) % 41 == 0) {
                let sum = double_scalar_mul_vartime(&scalar(s), &g, &scalar(t), &p);
                assert_eq!(
                    small(&sum),
                    points[(s as usize + base * t as usize) % ORDER as usize],
                    "[{s}]G + [{t}]([{base}]G)"
                );
            }
        }
    }
}

#[test]
fn recoded_scalars_sum_up() {
    let mut rng = Repeatable(7);
    let n = big(&N::MODULUS);
    let edges = [
        U256::ZERO,
        U256::ONE,
        N::MODULUS.overflowing_sub(&U256::ONE).0,
    ];
    for k in edges
        .into_iter()
        .chain((0..2000).map(|_| U256(rng.number())))
    {
        let k_big = big(&k) % &n;
        for width in [4, 5, 6, 7] {
            let windows = OddWindows::new(&Fe::<N, Portable64>::from_u256_reduced(&k), width);
            let mut sum = BigUint::from(0u32);
            for i in (0..window_count(256, width)).rev() {
                let (index, negative) = windows.digit(i);
                assert!(index < 1 << (width - 1));
                let digit = BigUint::from(2 * index + 1);
                sum = (sum << width) % &n;
                sum = if bool::from(negative) {
                    sum + &n - digit
                } else {
                    sum + digit
                };
            }
            assert_eq!(sum % &n, k_big, "windows of {width}");
        }
        for width in [3, 5, 7, 11] {
            let (digits, length) = wnaf_vartime(&k, width);
            assert!(digits[length..].iter().all(|&d| d == 0) && length <= WNAF_LENGTH);
            let mut sum = BigUint::from(0u32);
            let (mut last, mut negative_part) = (None, BigUint::from(0u32));
            for (i, &d) in digits.iter().enumerate().filter(|(_, d)| **d != 0) {
                assert!(d % 2 != 0 && d.unsigned_abs() < 1 << (width - 1));
                assert!(last.is_none_or(|l| i - l >= width), "zeros between digits");
                last = Some(i);
                let part = BigUint::from(d.unsigned_abs()) << i;
                if d < 0 {
                    negative_part += part
                } else {
                    sum += part
                }
            }
            assert_eq!(sum - negative_part, big(&k), "wNAF of {width}");
        }
    }
}

/// SM2's curve in affine coordinates with big integers: an independent slow model.
mod model {
    use super::*;

    pub(super) type Point = Option<(BigUint, BigUint)>;

    pub(super) fn add(a: &Point, b: &Point) -> Point {
        let p = big(&P::MODULUS);
        let ((x1, y1), (x2, y2)) = match (a, b) {
            (None, other) | (other, None) => return other.clone(),
            (Some(a), Some(b)) => (a, b),
        };
        let (numerator, denominator) = if x1 != x2 {
            (y2 + &p - y1, x2 + &p - x1)
        } else if y1 == y2 {
            (x1 * x1 * 3u32 + &p - 3u32, y1 * 2u32)
        } else {
            return None;
        };
        let slope = numerator * denominator.modinv(&p).expect("p is prime") % &p;
        let x = (&slope * &slope + &p + &p - x1 - x2) % &p;
        let y = (slope * (x1 + &p - &x) + &p - y1) % &p;
        Some((x, y))
    }

    pub(super) fn mul(k: &BigUint, a: &Point) -> Point {
        (0..k.bits()).rev().fold(None, |sum, i| {
            let twice = add(&sum, &sum);
            if k.bit(i) { add(&twice, a) } else { twice }
        })
    }
}

fn to_model<B: Backend>(p: &impl Projective<Sm2<B>>) -> model::Point {
    p.affine()
        .map(|a| (big(&a.x.to_u256()), big(&a.y.to_u256())))
}

fn sm2_against_model<B: Backend>() {
    use crate::sm2::tables::{generator_odd_multiples, generator_table};
    type S<B> = <Sm2<B> as Curve>::Scalar;
    let mut rng = Repeatable(8);
    let n = big(&N::MODULUS);
    let g = to_model(&Jacobian::from(Sm2::<B>::GENERATOR));
    // Scalars at the ends of the range, powers of two, and random ones.
    let near = rounds(39).max(3) as u32;
    let mut scalars: Vec<BigUint> = (1..=near).map(BigUint::from).collect();
    scalars.extend((1..=near).map(|i| &n - i));
    scalars.extend([4usize, 5, 7, 252, 255].map(|i| BigUint::from(1u32) << i));
    scalars.extend((0..rounds(20)).map(|_| big(&U256(rng.number())) % &n));
    for k in &scalars {
        let k_scalar = S::<B>::from_u256_reduced(&from_big(k));
        let expected = model::mul(k, &g);
        assert_eq!(
            to_model(&generator_table::<B>().mul(&k_scalar)),
            expected,
            "[{k}]G"
        );
        assert_eq!(
            to_model(&generator_table::<B>().mul_vartime(&k_scalar)),
            expected
        );
        assert_eq!(
            to_model(&scalar_mul::mul(&k_scalar, &Sm2::<B>::GENERATOR)),
            expected
        );
        assert_eq!(
            to_model(&scalar_mul::mul_vartime(&k_scalar, &Sm2::<B>::GENERATOR)),
            expected
        );
        let other = U256(rng.number());
        let p = generator_table::<B>()
            .mul(&S::<B>::from_u256_reduced(&other))
            .to_affine();
        assert!(p.is_on_curve_vartime());
        let sum =
            double_scalar_mul_vartime(&k_scalar, &generator_odd_multiples::<B>(), &k_scalar, &p);
        let factor = (big(&other) + 1u32) * k % &n;
        assert_eq!(
            to_model(&sum),
            model::mul(&factor, &g),
            "[{k}]G + [{k}]([{other:x?}]G)",
            other = other.0
        );
    }
    // The contract of constant-time products excludes zero, but zero gives infinity.
    assert!(bool::from(
        generator_table::<B>().mul(&S::<B>::ZERO).is_infinity()
    ));
    assert!(bool::from(
        scalar_mul::mul(&S::<B>::ZERO, &Sm2::<B>::GENERATOR).is_infinity()
    ));
}

#[test]
fn sm2_agrees_with_the_model() {
    on_every_backend!(B => sm2_against_model::<B>());
}

#[test]
fn odd_multiples_of_the_generator() {
    type C = Sm2<Portable64>;
    let table: [Entry<C>; 16] = odd_multiples_vartime(&C::GENERATOR);
    let g = to_model(&Jacobian::from(C::GENERATOR));
    for (i, entry) in table.iter().enumerate() {
        let k = BigUint::from(2 * i as u32 + 1);
        assert_eq!(
            to_model(&Jacobian::from(Affine::<C>::from_entry(entry))),
            model::mul(&k, &g)
        );
        // The constant-time look-up gives the same.
        let found = Affine::<C>::from_table(&table, i as u32);
        assert_eq!(found.to_entry(), *entry);
        assert_eq!(found.conditional_neg(1.into()).y, -found.y);
        assert_eq!(found.conditional_neg(0.into()).y, found.y);
    }
}

#[test]
fn infinity() {
    type C = Sm2<Portable64>;
    let infinity = Jacobian::<C>::INFINITY;
    let g = Jacobian::from(C::GENERATOR);
    assert!(infinity.to_affine_vartime().is_none());
    assert!(bool::from(infinity.double().is_infinity()));
    assert!(bool::from(infinity.ct_eq(&infinity.double())));
    assert!(!bool::from(infinity.ct_eq(&g)));
    assert!(bool::from(
        g.add_affine_complete(&C::GENERATOR.neg()).is_infinity()
    ));
    assert!(bool::from(
        g.add_affine_complete(&C::GENERATOR).ct_eq(&g.double())
    ));
    let zero = infinity.to_affine();
    assert!(zero.x.is_zero_vartime() && zero.y.is_zero_vartime() && !zero.is_on_curve_vartime());
    let chosen = Jacobian::conditional_select(&infinity, &g, 1.into());
    assert!(bool::from(chosen.ct_eq(&g)));
}
