//! One product in all lanes: exhaustively over a tiny curve with the portable model of an engine,
//! and over SM2's curve and SM9's with every engine, compared with the scalar code.

use super::{mul, sum_vartime};
use crate::arith::backend::Portable64;
use crate::arith::lanes::{Lanes, model::Model, on_every_engine};
use crate::arith::{Fe, Field, Modulus, PrimeField, U256};
use crate::curve::recode::window_count;
use crate::curve::tests::{ORDER, Small, Tiny, TinyP, affine, all_points};
use crate::curve::{Affine, Curve, Entry, FixedBaseTable, Jacobian, Xyzz, scalar_mul};
use crate::sm2::curve::{N, P, Sm2};
#[cfg(feature = "sm9")]
use crate::sm9::curve::{N as Sm9N, Q, Sm9G1};
use crate::testing::{Repeatable, rounds};

type B = Portable64;

fn tiny(k: u64) -> <Tiny as Curve>::Scalar {
    PrimeField::from_u256_reduced(&U256([k, 0, 0, 0]))
}

fn small(p: &Xyzz<Tiny>) -> Small {
    p.to_affine_vartime()
        .map(|p| (p.x.to_u256().0[0], p.y.to_u256().0[0]))
}

fn tiny_table(base: u64, points: &[Small], width: usize) -> Vec<Entry<Tiny>> {
    let base = affine(points[base as usize]).expect("not infinity");
    FixedBaseTable::build_vartime(&base, width)
}

/// Narrow windows fill several rows of lanes, wide ones leave lanes without a point.
fn every_scalar<L: Lanes>() {
    let points = all_points();
    for (base, width) in [(1, 1), (1776, 2), (888, 3), (1000, 4), (2, 5), (3, 7)] {
        let entries = tiny_table(base, &points, width);
        let table = FixedBaseTable::<Tiny>::new(width, &entries);
        for k in 0..ORDER {
            let product = mul::<L, TinyP, B, Tiny>(&table, &tiny(k));
            let expected = points[(k * base % ORDER) as usize];
            assert_eq!(
                small(&product),
                expected,
                "[{k}]([{base}]G), {width} bits, {} lanes",
                L::LANES
            );
        }
    }
}

#[test]
fn every_scalar_over_a_tiny_curve() {
    every_scalar::<Model<1>>();
    every_scalar::<Model<2>>();
    every_scalar::<Model<3>>();
    every_scalar::<Model<8>>();
}

/// `[s]P + [t]Q` is right or refused, and refused only where an addition is exceptional: rarely for
/// random scalars, and always where the sum is infinity. `Q` is a small multiple of `P`, or `P`
/// itself, so that the lanes have equal and opposite sums.
#[test]
fn sums_of_public_products_over_a_tiny_curve() {
    type L = Model<8>;
    let points = all_points();
    let mut rng = Repeatable(61);
    for (base, width) in [(1, 1), (1, 2), (ORDER - 1, 3), (3, 1), (1000, 4)] {
        let (a, b) = (
            tiny_table(1, &points, width),
            tiny_table(base, &points, width),
        );
        let (a, b) = (
            FixedBaseTable::<Tiny>::new(width, &a),
            FixedBaseTable::<Tiny>::new(width, &b),
        );
        let (mut given, mut refused) = (0, 0);
        for s in 1..ORDER {
            let t = match s % 3 {
                0 => s,
                // The sum is infinity: base·t ≡ −s.
                1 => (tiny(ORDER - s) * tiny(base).invert()).to_u256().0[0],
                _ => rng.word() % ORDER,
            };
            let terms = a.terms_vartime(&tiny(s)).chain(b.terms_vartime(&tiny(t)));
            let count = a.windows() + b.windows();
            let sum = sum_vartime::<L, TinyP, B, Tiny>(count, terms);
            let expected = points[((s + base * t) % ORDER) as usize];
            match &sum {
                Some(sum) => {
                    assert_eq!(small(sum), expected, "[{s}]G + [{t}]([{base}]G)");
                    assert!(expected.is_some());
                    given += 1;
                }
                None => refused += 1,
            }
        }
        assert!(refused >= ORDER / 3, "infinity is refused: {refused}");
        // Where `Q` is not a small multiple of `P`, few other sums have such lanes.
        let least = if base == 1000 { ORDER / 3 } else { 1 };
        assert!(given >= least, "most other sums are given: {given}");
    }
}

/// Lanes with equal or opposite sums, in each round in which two lanes are added, are noticed; so
/// are they in the rows before.
#[test]
fn equal_and_opposite_lanes() {
    type L = Model<8>;
    let points = all_points();
    let entry = |i: usize| affine(points[i]).expect("not infinity").to_entry();
    let one = entry(1);
    let sum = |terms: &[(&Entry<Tiny>, u32)]| {
        sum_vartime::<L, TinyP, B, Tiny>(terms.len(), terms.iter().copied())
    };
    for count in 2..40 {
        assert!(sum(&vec![(&one, 0); count]).is_none(), "{count} copies");
    }
    // Sums of any of these are different, and not opposite.
    let powers: Vec<usize> = (0..8).map(|i| 1 << i).collect();
    let entries: Vec<Entry<Tiny>> = powers.iter().map(|&k| entry(k)).collect();
    let terms: Vec<(&Entry<Tiny>, u32)> = entries.iter().map(|entry| (entry, 0)).collect();
    let expected = points[powers.iter().sum::<usize>()];
    assert_eq!(sum(&terms).as_ref().map(small), Some(expected));
    // Lanes i and i + 4 meet in the first round, then i and i + 2, then 0 and 1: each with the sums
    // that they have by then.
    let opposite = |lane: usize, negative: u32| (terms[lane].0, negative);
    for negative in [0, 1] {
        for lane in 0..4 {
            let mut terms = terms.clone();
            terms[lane + 4] = opposite(lane, negative);
            assert!(sum(&terms).is_none(), "first round, {lane}, {negative}");
        }
        // ±([2] + [4]) and ±([5] + [1]).
        let (three, five) = (entry(3), entry(5));
        let mut second = terms.clone();
        [second[0], second[4]] = [terms[1], terms[2]];
        [second[2], second[6]] = [(&five, negative), (&one, negative)];
        assert!(sum(&second).is_none(), "second round, {negative}");
        // [1] + [3] in lane 0, and ±[4] in lane 1.
        let third = [(&one, 0), (&entries[2], negative), (&three, 0)];
        assert!(sum(&third).is_none(), "last round, {negative}");
    }
}

/// Scalars whose digits are all extreme, or all alike, or whose last addition has equal operands,
/// and random ones.
fn scalars<S: PrimeField>(width: usize) -> Vec<S> {
    let mut rng = Repeatable(62);
    let number = |words: [u64; 4]| S::from_u256_reduced(&U256(words));
    let offset = S::power_of_two(width * window_count(256, width)) - S::ONE;
    // The scalar with these signed bits: see `recode`.
    let with_bits = |bits: S| bits.double() - offset;
    let mut all: Vec<S> = [1, 2, 3, 31, 32, 33, 63, 64]
        .into_iter()
        .flat_map(|small| [number([small, 0, 0, 0]), -number([small, 0, 0, 0])])
        .collect();
    all.extend([S::ZERO, S::ONE, -S::ONE, number([u64::MAX, 0, 0, 0])].map(with_bits));
    // All windows with the same bits.
    for bits in 0..1u64 << width {
        let mut words = [0u64; 4];
        for bit in 0..255 {
            words[bit / 64] |= (bits >> (bit % width) & 1) << (bit % 64);
        }
        all.push(with_bits(number(words)));
    }
    // Twice each multiple of the last window.
    let last = S::power_of_two(width * (window_count(256, width) - 1));
    for digit in (1..1u64 << width).step_by(2) {
        let multiple = number([digit, 0, 0, 0]) * last;
        all.extend([multiple, -multiple, multiple.double(), -multiple.double()]);
    }
    all.extend((0..rounds(100)).map(|_| number(rng.number())));
    all
}

fn products_of<L: Lanes, M: Modulus, O: Modulus, C>(width: usize)
where
    C: Curve<Field = Fe<M, B>, Scalar = Fe<O, B>>,
{
    let entries = FixedBaseTable::<C>::build_vartime(&C::GENERATOR, width);
    let table = FixedBaseTable::<C>::new(width, &entries);
    let twice = Jacobian::from(C::GENERATOR).double().to_affine_vartime();
    let other = FixedBaseTable::<C>::build_vartime(&twice.expect("not infinity"), 5);
    let other = FixedBaseTable::<C>::new(5, &other);
    let (mut last, mut refused, mut all) = (C::Scalar::ONE, 0, 0);
    for k in scalars::<C::Scalar>(width) {
        let expected = scalar_mul::mul_vartime(&k, &C::GENERATOR).to_affine_vartime();
        let found = mul::<L, M, B, C>(&table, &k).to_affine_vartime();
        let entry = |p: Option<Affine<C>>| p.map(Affine::to_entry);
        assert_eq!(entry(found), entry(expected), "{:x?}", k.to_u256());
        let terms = table.terms_vartime(&k).chain(other.terms_vartime(&last));
        let sum = sum_vartime::<L, M, B, C>(table.windows() + other.windows(), terms);
        // Small scalars have partial sums that are equal.
        let Some(sum) = sum else {
            refused += 1;
            last = k;
            continue;
        };
        let sum = sum.to_affine_vartime();
        let factor = k + last.double();
        let expected = scalar_mul::mul_vartime(&factor, &C::GENERATOR).to_affine_vartime();
        assert_eq!(entry(sum), entry(expected), "{:x?}", k.to_u256());
        last = k;
        all += 1;
    }
    assert!(refused < all / 2, "{refused} of {all} sums were refused");
}

fn products<L: Lanes>() {
    products_of::<L, P, N, Sm2<B>>(6);
    products_of::<L, P, N, Sm2<B>>(5);
    #[cfg(feature = "sm9")]
    {
        products_of::<L, Q, Sm9N, Sm9G1<B>>(6);
        products_of::<L, Q, Sm9N, Sm9G1<B>>(5);
    }
}

#[test]
fn products_on_every_engine() {
    on_every_engine!(products);
}
