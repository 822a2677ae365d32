//! The curve code in lanes: exhaustively over a tiny curve with the portable model of an engine,
//! and over SM2's curve with every engine, compared with the scalar code.

use super::inverses::invert;
use super::multiples::{COUNT, WIDTH, look_up, tables_vartime};
use super::point::Point;
use super::products::{load, mul_many, multiples, multiples_vartime, shared_multiples};
use super::sums::BatchAffineSums;
use crate::arith::backend::Portable64;
use crate::arith::lanes::shared_table::SharedTable;
use crate::arith::lanes::vectorize;
use crate::arith::lanes::{Lanes, MAX_LANES, Pair, model::Model, on_every_engine};
use crate::arith::u256::Limbs;
use crate::arith::{Fe, Field, Modulus, PrimeField, U256};
use crate::curve::recode::{OddWindowRecoder, OddWindows, window_count};
use crate::curve::tests::{ORDER, Small, Tiny, TinyN, TinyP, affine, all_points};
use crate::curve::{Curve, FixedBaseTable, scalar_mul};
use crate::sm2::curve::{N, P, Sm2};
use crate::testing::{Repeatable, rounds};

type Coordinate = Fe<TinyP, Portable64>;
type TinyScalar = Fe<TinyN, Portable64>;
type C = Sm2<Portable64>;
type Scalar = Fe<N, Portable64>;

const LAST: usize = ORDER as usize;

fn entry(p: Small) -> Pair {
    affine(p).expect("not infinity").to_entry()
}

fn integer(k: usize) -> U256 {
    U256([k as u64, 0, 0, 0])
}

fn small(x: &Limbs, y: &Limbs) -> Small {
    let number = |limbs: &Limbs| Coordinate::from_montgomery(*limbs).to_u256().0[0];
    let found = (number(x), number(y));
    (found != (0, 0)).then_some(found)
}

fn stored<L: Lanes, M: Modulus>(p: &super::Affine<L>) -> Vec<Pair> {
    let (mut x, mut y) = ([[0; 4]; MAX_LANES], [[0; 4]; MAX_LANES]);
    vectorize!(L, {
        L::store::<M>(&p.x, &mut x[..L::LANES]);
        L::store::<M>(&p.y, &mut y[..L::LANES]);
    });
    x.into_iter()
        .zip(y)
        .map(|(x, y)| [x, y])
        .take(L::LANES)
        .collect()
}

/// The affine forms of the points in lanes, `None` where `Z` is zero.
fn affine_forms<L: Lanes, M: Modulus>(point: &Point<L, M>) -> Vec<Option<Pair>> {
    let mut inverse = [point.z];
    invert::<L, M, Portable64>(&mut inverse, Fe::invert);
    let half = vectorize!(
        L,
        L::splat::<M>(&Fe::<M, Portable64>::ONE.half().to_montgomery())
    );
    let infinity = point.infinity();
    stored::<L, M>(&point.affine_with(&inverse[0], &half))
        .into_iter()
        .enumerate()
        .map(|(lane, p)| (infinity >> lane & 1 == 0).then_some(p))
        .collect()
}

fn small_forms<L: Lanes>(point: &Point<L, TinyP>) -> Vec<Small> {
    let forms = affine_forms(point).into_iter();
    forms.map(|p| p.and_then(|[x, y]| small(&x, &y))).collect()
}

type Three = Model<3>;

/// Sums of pairs of all kinds, three at once, after a doubling, so that `Z` is not 1.
#[test]
fn additions_over_a_tiny_curve() {
    let points = all_points();
    let mut rng = Repeatable(51);
    let mut pairs = Vec::new();
    for i in 1..LAST {
        // [2i]G is added to itself, to its opposite, and to another point.
        pairs.extend([(i, 2 * i % LAST), (i, (LAST - 2 * i % LAST) % LAST)]);
        pairs.push((i, 1 + rng.word() as usize % (LAST - 1)));
    }
    pairs.retain(|(_, j)| *j != 0);
    for triple in pairs.chunks_exact(3) {
        let first: Vec<Pair> = triple.iter().map(|(i, _)| entry(points[*i])).collect();
        let second: Vec<Pair> = triple.iter().map(|(_, j)| entry(points[*j])).collect();
        let signs = rng.word() & 7;
        let mut twice = Point::<Three, TinyP>::from_affine(&load::<Three, TinyP>(&first), signs);
        twice.double();
        let other = load::<Three, TinyP>(&second);
        let (mut incomplete, mut last) = (twice, twice);
        incomplete.add_incomplete(&other, signs);
        last.add_last(&other, signs);
        let (incomplete_forms, last_forms) = (small_forms(&incomplete), small_forms(&last));
        for (lane, (i, j)) in triple.iter().enumerate() {
            let negated = signs >> lane & 1 == 1;
            let sign = |k: usize| {
                if negated {
                    (LAST - k % LAST) % LAST
                } else {
                    k % LAST
                }
            };
            let expected = points[sign(2 * i + j)];
            assert_eq!(last_forms[lane], expected, "2·{i} + {j}");
            if 2 * i % LAST == *j {
                assert_eq!(
                    incomplete_forms[lane], None,
                    "the incomplete addition of equal points gives Z = 0"
                );
            } else {
                assert_eq!(incomplete_forms[lane], expected, "2·{i} + {j}");
            }
        }
        // Z stays zero, and another addition cancels the change of sign.
        let infinity = incomplete.infinity();
        incomplete.double();
        incomplete.add_incomplete(&other, 0);
        assert_eq!(incomplete.infinity() & infinity, infinity);
        let forms = small_forms(&incomplete);
        for (lane, (i, j)) in triple.iter().enumerate() {
            let sum = 2 * (2 * i + j);
            let sum = if signs >> lane & 1 == 1 {
                2 * LAST * 4 - sum
            } else {
                sum
            };
            let special = sum % LAST == *j || (sum + j) % LAST == 0 || infinity >> lane & 1 == 1;
            if !special {
                assert_eq!(forms[lane], points[(sum + j) % LAST]);
            }
        }
        let mut x = [[0; 4]; 3];
        for (x, p) in x.iter_mut().zip(&last_forms) {
            if let Some((number, _)) = p {
                *x = Coordinate::from_u256_reduced(&integer(*number as usize)).to_montgomery();
            }
        }
        let finite: u64 = !last.infinity() & 7;
        assert_eq!(last.x_is(&Three::load::<TinyP>(&x)), finite);
        x[0] = (Coordinate::from_montgomery(x[0]) + Coordinate::ONE).to_montgomery();
        assert_eq!(last.x_is(&Three::load::<TinyP>(&x)) & 1, 0);
    }
}

#[test]
fn every_scalar_of_points_of_a_tiny_curve() {
    let points = all_points();
    for base in [1usize, 2, 888, 1776].into_iter().take(rounds(4)) {
        // A different point in every lane.
        let scalars: Vec<usize> = (0..LAST).collect();
        let bases: Vec<usize> = scalars
            .iter()
            .map(|k| 1 + (base + k) % (LAST - 1))
            .collect();
        let entries: Vec<Pair> = bases.iter().map(|&b| entry(points[b])).collect();
        let k: Vec<U256> = scalars.iter().map(|&k| integer(k)).collect();
        let products = mul_many::<Three, TinyP, Portable64, TinyScalar>(&k, &entries);
        let forms = products.iter().flat_map(small_forms);
        for ((k, b), form) in scalars.iter().zip(&bases).zip(forms) {
            assert_eq!(form, points[k * b % LAST], "[{k}]([{b}]G)");
        }
    }
}

#[test]
fn every_scalar_of_fixed_base_tables_of_a_tiny_curve() {
    every_scalar_of_a_fixed_base_table::<8>(1);
    every_scalar_of_a_fixed_base_table::<8>(1000);
    every_scalar_of_a_fixed_base_table::<16>(1776);
    every_scalar_of_a_fixed_base_table::<32>(2);
    every_scalar_of_a_fixed_base_table::<64>(888);
}

fn every_scalar_of_a_fixed_base_table<const PER_WINDOW: usize>(base: usize) {
    let points = all_points();
    let width = PER_WINDOW.ilog2() as usize + 1;
    let p = affine(points[base]).expect("not infinity");
    let table = FixedBaseTable::<Tiny>::build_vartime(&p, width);
    let windows = window_count(11, width);
    let words = table.as_flattened().as_flattened();
    let shared_table = SharedTable::<Three, 1, PER_WINDOW>::new::<TinyP>(words);
    let recoder = OddWindowRecoder::<TinyScalar>::new(width);
    let k: Vec<OddWindows> = (0..LAST).map(|k| recoder.windows(&integer(k))).collect();
    let rows = LAST.div_ceil(3);
    let mut shared = BatchAffineSums::<Three>::new(rows, windows);
    let mut own = BatchAffineSums::<Three>::new(rows, windows);
    let filled = shared.rows_mut().zip(own.rows_mut()).zip(k.chunks(3));
    for ((shared, own), k) in filled {
        shared_multiples::<Three, TinyP, _>(&shared_table, k, shared);
        multiples::<Three, TinyP, Portable64>(&[&table[..]; 3], PER_WINDOW, k, own);
    }
    let shared = shared
        .sum::<TinyP, Portable64>(Fe::invert)
        .flat_map(stored::<_, TinyP>);
    let own = own
        .sum::<TinyP, Portable64>(Fe::invert)
        .flat_map(stored::<_, TinyP>);
    for (k, (shared, own)) in shared.zip(own).take(LAST).enumerate() {
        let expected = points[k * base % LAST];
        assert_eq!(
            small(&shared[0], &shared[1]),
            expected,
            "[{k}]([{base}]G), {width}"
        );
        assert_eq!(
            small(&own[0], &own[1]),
            expected,
            "[{k}]([{base}]G), {width}"
        );
    }
}

/// `[s]G + [t]P` from two fixed-base tables: all lanes that are not marked as exceptional are
/// right, and most are not marked.
#[test]
fn sums_of_two_fixed_base_products_of_a_tiny_curve() {
    let points = all_points();
    let base = 1000;
    let width = 4;
    let [g, p] = [1, base].map(|b| {
        FixedBaseTable::<Tiny>::build_vartime(&affine(points[b]).expect("not infinity"), width)
    });
    let windows = window_count(11, width);
    let recoder = OddWindowRecoder::<TinyScalar>::new(width);
    let mut rng = Repeatable(52);
    let pairs: Vec<(usize, usize)> = (1..LAST)
        .map(|s| match s % 3 {
            // The sum is infinity: 1000·t ≡ −s.
            0 => (s * base % LAST, LAST - s),
            _ => (s, rng.word() as usize % LAST),
        })
        .collect();
    let recode = |all: Vec<usize>| -> Vec<OddWindows> {
        all.iter().map(|&k| recoder.windows(&integer(k))).collect()
    };
    let s = recode(pairs.iter().map(|pair| pair.0).collect());
    let t = recode(pairs.iter().map(|pair| pair.1).collect());
    let mut sums = BatchAffineSums::<Three>::new(pairs.len().div_ceil(3), 2 * windows);
    for ((row, s), t) in sums.rows_mut().zip(s.chunks(3)).zip(t.chunks(3)) {
        let (s_part, t_part) = row.split_at_mut(windows);
        multiples_vartime::<Three, TinyP>(&[&g[..]; 3], 8, s, s_part);
        multiples_vartime::<Three, TinyP>(&[&p[..]; 3], 8, t, t_part);
    }
    let mut right = 0;
    let results = sums.sum_vartime::<TinyP, Portable64>(Fe::invert_vartime);
    for ((sum, exceptional), pairs) in results.zip(pairs.chunks(3)) {
        let sum = stored::<_, TinyP>(sum);
        for (lane, (s, t)) in pairs.iter().enumerate() {
            let expected = points[(s + base * t) % LAST];
            if exceptional >> lane & 1 == 0 {
                assert_eq!(
                    small(&sum[lane][0], &sum[lane][1]),
                    expected,
                    "[{s}]G + [{t}]P"
                );
                assert!(expected.is_some());
                right += 1;
            }
        }
    }
    assert!(
        right > pairs.len() / 2,
        "only {right} of {} were right",
        pairs.len()
    );
}

fn generator() -> Pair {
    C::GENERATOR.to_entry()
}

/// `[k]G` by the scalar code.
fn multiple(k: &U256) -> Option<Pair> {
    let product = scalar_mul::mul_vartime(&Scalar::from_u256_reduced(k), &C::GENERATOR);
    product.to_affine_vartime().map(|p| p.to_entry())
}

fn tables_and_look_ups<L: Lanes>() {
    let mut rng = Repeatable(53);
    let bases: Vec<Pair> = (0..2 * L::LANES)
        .map(|_| multiple(&U256(rng.number())).expect("not infinity"))
        .collect();
    let vectors: Vec<super::Affine<L>> = bases.chunks(L::LANES).map(load::<L, P>).collect();
    let tables = tables_vartime::<L, P, Portable64>(&vectors);
    for (bases, table) in bases.chunks(L::LANES).zip(&tables) {
        for first in 0..COUNT {
            let indices: Vec<u32> = (0..L::LANES)
                .map(|i| ((first + 3 * i) % COUNT) as u32)
                .collect();
            let found = stored::<L, P>(&look_up::<L>(table, &indices));
            for ((base, index), found) in bases.iter().zip(indices).zip(found) {
                let factor = Scalar::from_u256_reduced(&integer(2 * index as usize + 1));
                let base = crate::curve::Affine::<C>::from_entry(base);
                let expected = scalar_mul::mul_vartime(&factor, &base).to_affine_vartime();
                assert_eq!(Some(found), expected.map(|p| p.to_entry()));
            }
        }
    }
}

fn products<L: Lanes>() {
    let mut rng = Repeatable(54);
    let n_minus = |i: u64| N::MODULUS.overflowing_sub(&U256([i, 0, 0, 0])).0;
    let mut k = vec![
        U256::ONE,
        n_minus(1),
        integer(2),
        n_minus(2),
        integer(31),
        n_minus(31),
    ];
    k.extend((0..5).map(|_| Scalar::from_u256_reduced(&U256(rng.number())).to_u256()));
    // A number of points that is no multiple of the lanes, and different points.
    let bases: Vec<U256> = (0..k.len() as u64)
        .map(|i| {
            if i % 2 == 0 {
                U256::ONE
            } else {
                integer(i as usize + 3)
            }
        })
        .collect();
    let points: Vec<Pair> = bases.iter().map(|b| multiple(b).expect("finite")).collect();
    let products = mul_many::<L, P, Portable64, Scalar>(&k, &points);
    assert_eq!(products.len(), k.len().div_ceil(L::LANES));
    let forms = products.iter().flat_map(affine_forms::<L, P>);
    for ((k, base), form) in k.iter().zip(&bases).zip(forms) {
        let factor = Scalar::from_u256_reduced(k) * Scalar::from_u256_reduced(base);
        assert_eq!(form, multiple(&factor.to_u256()), "{k:x?}");
    }

    // The products of one point, from a fixed-base table that the lanes share, and from one for
    // each lane.
    let table = FixedBaseTable::<C>::build_vartime(&C::GENERATOR, WIDTH);
    let words = table.as_flattened().as_flattened();
    let shared_table = SharedTable::<L, 1, COUNT>::new::<P>(words);
    let recoder = OddWindowRecoder::<Scalar>::new(WIDTH);
    let windows: Vec<OddWindows> = k.iter().map(|k| recoder.windows(k)).collect();
    let stride = window_count(256, WIDTH);
    let mut shared = BatchAffineSums::<L>::new(products.len(), stride);
    let mut own = BatchAffineSums::<L>::new(products.len(), stride);
    let rows = shared.rows_mut().zip(own.rows_mut());
    for ((shared, own), k) in rows.zip(windows.chunks(L::LANES)) {
        shared_multiples::<L, P, _>(&shared_table, k, shared);
        multiples::<L, P, Portable64>(&vec![&table[..]; k.len()], COUNT, k, own);
    }
    let shared = shared
        .sum::<P, Portable64>(Fe::invert)
        .flat_map(stored::<L, P>);
    let own = own
        .sum::<P, Portable64>(Fe::invert)
        .flat_map(stored::<L, P>);
    for (k, (shared, own)) in k.iter().zip(shared.zip(own)) {
        assert_eq!(Some(shared), multiple(k), "{k:x?}");
        assert_eq!(Some(own), multiple(k), "{k:x?}");
    }
    assert_eq!(Some(generator()), multiple(&U256::ONE));
}

#[test]
fn tables_on_every_engine() {
    on_every_engine!(tables_and_look_ups);
}

#[test]
fn products_on_every_engine() {
    on_every_engine!(products);
}

/// The windows of plain integers are those of the same scalars.
#[test]
fn recoded_integers() {
    let mut rng = Repeatable(55);
    for width in [4, 5, 6, 8] {
        let recoder = OddWindowRecoder::<Scalar>::new(width);
        for _ in 0..rounds(200) {
            let k = Scalar::from_u256_reduced(&U256(rng.number()));
            let (expected, got) = (OddWindows::new(&k, width), recoder.windows(&k.to_u256()));
            for i in 0..window_count(256, width) {
                let (index, negative) = got.digit(i);
                assert_eq!(index, expected.digit(i).0);
                assert_eq!(negative.unwrap_u8(), expected.digit(i).1.unwrap_u8());
            }
        }
    }
}
