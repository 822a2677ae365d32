//! Every operation in lanes against the scalar tower, with a different element in each lane.

use super::fq2::{Fq2s, product, square};
use super::fq6;
use super::fq12::Slopes;
use super::*;
use crate::arith::backend::Portable;
use crate::arith::lanes::called::Called;
use crate::arith::lanes::ifma::{Engine, PlainWords};
use crate::arith::lanes::{inlined_array, vectorize};
use crate::arith::{Fe, Field, Modulus, PrimeField};
use crate::curve::FixedBaseTable;
use crate::sm9::curve::{Fq, Q};
use crate::sm9::group::{self, G2Lines};
use crate::sm9::pairing::final_exponentiation::easy_part;
use crate::sm9::tower::fq12::{Line, ScaledLine};
use crate::sm9::tower::{Fq2, Fq6, Fq12, Fq12Arithmetic};
use crate::testing::{Repeatable, rounds};

type B = Portable;

/// The engine in plain words on every machine, and on those that have it that of AVX-512.
macro_rules! on_every_engine {
    ($test:ident) => {{
        $test::<Called<Engine<PlainWords<8>>>>();
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            use crate::arith::lanes::ifma::Ifma;
            if Ifma::available() {
                $test::<Ifma>();
            } else {
                std::eprintln!("note: nothing was tested with AVX-512 IFMA, which this CPU lacks");
            }
        }
    }};
}

/// Numbers from both ends of the range and random ones, with the windows of the table of `P2` and
/// of narrower ones.
fn products_in_g2<L: Wide>() {
    type C = crate::sm9::curve::Sm9G2<B>;
    type S = crate::sm9::curve::Scalar<B>;
    let base = crate::sm9::tables::g2_generator_table::<B>();
    let p = base.mul_vartime(&S::from_u256_reduced(&U256([5, 7, 0, 0])));
    let entries = FixedBaseTable::<C>::build_vartime(&p.to_affine(), 5);
    let mut rng = Repeatable(98);
    let mut scalars = vec![S::ONE, S::ONE.double(), -S::ONE, -S::ONE.double(), S::ZERO];
    scalars.extend((0..rounds(20)).map(|_| S::from_u256_reduced(&U256(rng.number()))));
    for table in [base, FixedBaseTable::new(5, &entries)] {
        for k in &scalars {
            let product = g2::mul::<L, B>(&table, k).to_affine();
            assert_eq!(product.to_entry(), table.mul(k).to_affine().to_entry());
        }
    }
}

#[test]
fn products_from_tables_in_g2() {
    on_every_engine!(products_in_g2);
}

/// Zero, the largest element, or a random one.
fn number(rng: &mut Repeatable) -> Fq<B> {
    let minus_one = Fq::<B>::ZERO - Fq::ONE;
    match rng.word() % 8 {
        0 => Fq::ZERO,
        1 => minus_one,
        _ => Fq::<B>::from_u256_reduced(&U256(rng.number())),
    }
}

fn fq2(rng: &mut Repeatable) -> Fq2<B> {
    Fq2::new(number(rng), number(rng))
}

fn fq12(rng: &mut Repeatable) -> Fq12<B> {
    Fq12::from_coefficients(core::array::from_fn(|_| fq2(rng)))
}

fn lanes<T>(rng: &mut Repeatable, make: fn(&mut Repeatable) -> T) -> [T; MAX_LANES] {
    core::array::from_fn(|_| make(rng))
}

fn load2<L: Wide>(elements: &[Fq2<B>; MAX_LANES]) -> Fq2s<L> {
    let limbs = elements.map(|element| element.to_limbs());
    vectorize!(L, Fq2s::load(&limbs))
}

fn load12<L: Wide>(elements: &[Fq12<B>; MAX_LANES]) -> Fq12s<L> {
    Fq12s::load(&elements.map(Fq12::to_limbs))
}

#[track_caller]
fn same<L: Wide>(elements: &Fq12s<L>, expected: impl Fn(usize) -> Fq12<B>) {
    for (lane, element) in elements.store().iter().enumerate() {
        assert!(*element == expected(lane).to_limbs(), "lane {lane}");
    }
}

fn operations<L: Wide>() {
    let mut rng = Repeatable(31);
    for _ in 0..rounds(12) {
        let (a, b) = (lanes(&mut rng, fq2), lanes(&mut rng, fq2));
        let (x, y) = (load2::<L>(&a), load2::<L>(&b));
        let results = vectorize!(L, {
            [
                product(&x, &y).reduced::<2, 0>().store(),
                square(&x).reduced::<0, 0>().store(),
                x.sub(&y).store(),
                x.neg().store(),
                x.mul_u().store(),
                x.conjugate().store(),
                product(&x.plus(&x), &y.plus(&y)).reduced::<2, 0>().store(),
            ]
        });
        for lane in 0..MAX_LANES {
            let (a, b) = (a[lane], b[lane]);
            let four = (a * b).double().double();
            let expected = [a * b, a.square(), a - b, -a, a.mul_u(), a.conjugate(), four];
            for (result, expected) in results.iter().zip(expected) {
                assert!(result[lane] == expected.to_limbs(), "lane {lane}");
            }
        }

        let (a, b) = (lanes(&mut rng, fq12), lanes(&mut rng, fq12));
        let (x, y) = (load12::<L>(&a), load12::<L>(&b));
        let times = Fq12Arithmetic::<B>::times(&x, &y);
        same(&times, |i| a[i] * b[i]);
        same(&Fq12Arithmetic::<B>::squared(&x), |i| a[i].square());
        same(&Fq12Arithmetic::<B>::conjugated(&x), |i| a[i].conjugate());
        same(&Fq12Arithmetic::<B>::frobenius_power::<1>(&x), |i| {
            a[i].frobenius()
        });
        same(&Fq12Arithmetic::<B>::frobenius_power::<2>(&x), |i| {
            a[i].frobenius2()
        });
        same(&Fq12Arithmetic::<B>::frobenius_power::<3>(&x), |i| {
            a[i].frobenius3()
        });
        // The largest operands and the largest addend: 4m minus twice an element.
        let mut quadruple = y;
        vectorize!(L, {
            let (c, e) = (fq6::plus(&x.a, &x.a), fq6::plus(&y.a, &y.a));
            let minus = inlined_array!(3, |i| x.b[i].minus_sum(&x.b[i]));
            let d = [&minus[0], &minus[1], &minus[2]];
            fq6::mul_add(&mut quadruple.a, &c, &e, d);
        });
        same(&quadruple, |i| Fq12 {
            a: (a[i].a * b[i].a).double().double() - a[i].b.double(),
            b: b[i].b,
        });
        let mut out = y;
        x.times_numerator(&y.a, &mut out);
        same(&out, |i| {
            a[i] * Fq12 {
                a: b[i].a,
                b: Fq6::ONE,
            }
        });
        let line = [0; 3].map(|_| lanes(&mut rng, fq2));
        let [l0, l3, l5] = line.each_ref().map(load2::<L>);
        let slopes = vectorize!(L, Slopes::new(&l3, &l5));
        x.times_line(Some(&l0), &slopes, &mut out);
        same(&out, |i| {
            a[i].mul_line(&Line {
                l0: line[0][i],
                l3: line[1][i],
                l5: line[2][i],
            })
        });
        x.times_line(None, &slopes, &mut out);
        same(&out, |i| {
            a[i].mul_scaled_line(&ScaledLine {
                l3: line[1][i],
                l5: line[2][i],
            })
        });
        // Inverses, with the zeros of single coefficients, but not of all.
        let one = Fq12::<B>::ONE;
        let some = a.map(|a| if a == Fq12::ZERO { one } else { a });
        let quotient = Fq12Arithmetic::<B>::over_conjugate(&load12::<L>(&some));
        same(&quotient, |i| some[i] * some[i].conjugate().invert());
    }
}

#[test]
fn as_the_scalar_tower() {
    on_every_engine!(operations);
}

fn cyclotomic<L: Wide>() {
    let mut rng = Repeatable(32);
    for round in 0..rounds(4) {
        let mut a = lanes(&mut rng, fq12).map(|a| {
            let a = if a == Fq12::ZERO { Fq12::ONE } else { a };
            easy_part::<B, Fq12<B>>(&a)
        });
        if round == 0 {
            // Both quadratic halves are zero, and one of them is: 1, and its products with cube
            // roots.
            a[0] = Fq12::ONE;
        }
        let x = load12::<L>(&a);
        same(&Fq12Arithmetic::<B>::cyclotomic_squared(&x), |i| {
            a[i].cyclotomic_square()
        });
        for count in [1, 5] {
            let compressed = Fq12Arithmetic::<B>::compressed_squared(&x, count);
            same(&Fq12Arithmetic::<B>::decompressed(&compressed), |i| {
                (0..count).fold(a[i], |a, _| a.cyclotomic_square())
            });
        }
    }
}

#[test]
fn in_the_cyclotomic_subgroup() {
    on_every_engine!(cyclotomic);
}

fn pairings_and_powers<L: Wide>() {
    let mut rng = Repeatable(33);
    let scalar = |rng: &mut Repeatable| {
        let k = Fe::<crate::sm9::curve::N, B>::from_u256_reduced(&U256(rng.number()));
        k.to_u256()
    };
    for count in [1, 3, 8] {
        let p: Vec<G1> = (0..count)
            .map(|_| group::g1_generator_mul(&scalar(&mut rng)))
            .collect();
        let q: Vec<G2> = (0..count)
            .map(|_| group::g2_generator_mul(&scalar(&mut rng)))
            .collect();
        let expected: Vec<Gt> = p
            .iter()
            .zip(&q)
            .map(|(p, q)| group::pairing(p, q))
            .collect();
        let mut out = vec![[[0; 4]; 12]; count];
        pairings::<L, B>(&p, &q, &mut out);
        assert!(out == expected, "{count} pairings");
        let tables: Vec<G2Lines> = q.iter().map(G2Lines::new).collect();
        let lines: Vec<&Lines> = tables.iter().map(G2Lines::lines).collect();
        out.fill([[1; 4]; 12]);
        pairings_with::<L, B>(&p, &lines, &mut out);
        assert!(out == expected, "{count} pairings with lines");

        let tables: Vec<GtFixedBaseTable> = expected
            .iter()
            .map(|g| GtFixedBaseTable::new(&Fq12::<B>::from_limbs(g)))
            .collect();
        let tables: Vec<&GtFixedBaseTable> = tables.iter().collect();
        let mut k: Vec<U256> = (0..count).map(|_| scalar(&mut rng)).collect();
        k[0] = U256::ONE;
        if let Some(k) = k.get_mut(1) {
            *k = crate::sm9::curve::N::MODULUS.overflowing_sub(&U256::ONE).0;
        }
        powers::<L, B>(&tables, &k, &mut out);
        for ((power, g), k) in out.iter().zip(&expected).zip(&k) {
            assert!(*power == group::gt_pow(g, k), "{count} powers");
        }
        // More than the lanes, of one element.
        k.extend_from_within(..);
        let mut out = vec![[[0; 4]; 12]; k.len()];
        powers_of_one::<L, B>(&power::shared(tables[0]), &k, &mut out);
        for (power, k) in out.iter().zip(&k) {
            assert!(
                *power == group::gt_pow(&expected[0], k),
                "{count} powers of one"
            );
        }
    }
}

#[test]
fn pairings_and_powers_are_the_single_ones() {
    on_every_engine!(pairings_and_powers);
}

/// Exponents from both ends of the range and random ones.
fn one_power_in_all_lanes<L: Wide>() {
    let mut rng = Repeatable(34);
    let g = group::pairing(&group::g1_generator(), &group::g2_generator());
    let table = GtFixedBaseTable::new(&Fq12::<B>::from_limbs(&g));
    let shared = power::shared::<L>(&table);
    let minus_one = crate::sm9::curve::N::MODULUS.overflowing_sub(&U256::ONE).0;
    let mut exponents = vec![U256::ZERO, U256::ONE, U256([2, 0, 0, 0]), minus_one];
    exponents.extend((0..rounds(20)).map(|_| {
        let k = Fe::<crate::sm9::curve::N, B>::from_u256_reduced(&U256(rng.number()));
        k.to_u256()
    }));
    for k in &exponents {
        let expected = table.pow::<B, Fq12<B>>(k).to_limbs();
        assert!(one_power::pow::<L, B>(&shared, k) == expected);
    }
}

#[test]
fn one_power_is_that_without_lanes() {
    on_every_engine!(one_power_in_all_lanes);
}

/// The largest and the smallest sums of products that the tower reduces.
fn wide<L: Wide>() {
    let minus_one = (Fq::<B>::ZERO - Fq::ONE).to_limbs();
    let check = |times: u64, sign: Fq<B>, result: L::Vector| {
        let mut limbs = [[0; 4]; MAX_LANES];
        vectorize!(
            L,
            L::store::<Q>(&L::reduce::<Q>(&result), &mut limbs[..L::LANES])
        );
        let expected = Fq::<B>::from_u256_reduced(&U256([times, 0, 0, 0])) * sign;
        assert!(limbs[0] == expected.to_limbs(), "{times} products");
    };
    let (sums, differences) = vectorize!(L, {
        let one = L::splat::<Q>(&minus_one);
        let square = L::wide_product(&one, &one);
        let zero = L::wide_sub(&square, &square);
        let (mut sum, mut difference) = (zero, zero);
        for _ in 0..80 {
            sum = L::wide_add(&sum, &square);
            difference = L::wide_sub(&difference, &square);
        }
        (
            L::wide_reduce::<Q, 0>(&sum),
            L::wide_reduce::<Q, 5>(&difference),
        )
    });
    check(80, Fq::ONE, sums);
    check(80, Fq::ZERO - Fq::ONE, differences);
}

#[test]
fn many_products_are_reduced_once() {
    on_every_engine!(wide);
}
