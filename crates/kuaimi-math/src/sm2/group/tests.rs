//! Many operations at once, compared with single operations.

use kuaimi_platform::backend::Lanes;

#[cfg(all(target_arch = "x86_64", not(miri)))]
use super::lanes::{Avx2, Engine, Ifma};
use super::*;
use crate::arith::backend::Portable64;
use crate::arith::{Field, Modulus, PrimeField};
use crate::curve::{Affine, Curve, Jacobian, scalar_mul};
use crate::sm2::curve::{N, P, Scalar, Sm2};
use crate::sm2::tables::generator_table;
use crate::testing::{Repeatable, rounds};

type B = Portable64;
type C = Sm2<B>;

fn scalar(k: &U256) -> Scalar<B> {
    Scalar::<B>::from_u256_reduced(k)
}

/// `[k]G` by an algorithm that is not under test.
fn generator_mul(k: &U256) -> Point {
    let product = scalar_mul::mul_vartime(&scalar(k), &C::GENERATOR);
    product.to_affine().to_entry()
}

/// Numbers below `n`, including some at both ends of the range.
fn numbers(rng: &mut Repeatable, count: usize) -> Vec<U256> {
    let edges = [1, 2, 3, 31, 32, 33, 63, 64].into_iter().flat_map(|small| {
        let small = U256([small, 0, 0, 0]);
        [small, N::MODULUS.overflowing_sub(&small).0]
    });
    edges
        .chain(core::iter::repeat_with(|| {
            scalar(&U256(rng.number())).to_u256()
        }))
        .filter(|k| *k != U256::ZERO)
        .take(count)
        .collect()
}

/// Numbers of operations in a call: all small ones, and some above the recommended one.
fn sizes(implementation: &Implementation) -> impl Iterator<Item = usize> {
    let chunk = implementation.chunk;
    (0..=rounds(40)).chain([chunk, chunk + 1, 2 * chunk + 3])
}

#[test]
fn products_of_the_generator() {
    let mut rng = Repeatable(21);
    for implementation in implementations() {
        for size in sizes(implementation) {
            let k = numbers(&mut rng, size);
            let mut out = vec![Point::default(); size];
            (implementation.generator_mul_many)(&k, &mut out);
            let expected: Vec<Point> = k.iter().map(generator_mul).collect();
            assert!(out == expected, "{:?}, {size} at once", implementation.name);
        }
    }
}

#[test]
fn products_of_points() {
    let mut rng = Repeatable(22);
    let all = 67;
    let j: Vec<U256> = numbers(&mut rng, all).into_iter().rev().collect();
    let points: Vec<Point> = j.iter().map(generator_mul).collect();
    let tables: Vec<KeyTable> = points.iter().map(KeyTable::build_vartime).collect();
    let tables: Vec<&KeyTable> = tables.iter().collect();
    for implementation in implementations() {
        for size in sizes(implementation).step_by(5) {
            let size = size.min(all);
            let k = numbers(&mut rng, size);
            let expected: Vec<Point> = k
                .iter()
                .zip(&j)
                .map(|(k, j)| generator_mul(&(scalar(k) * scalar(j)).to_u256()))
                .collect();
            let mut out = vec![Point::default(); size];
            (implementation.point_mul_many)(&k, &points[..size], &mut out);
            assert!(out == expected, "{:?}, {size} at once", implementation.name);
            out.fill(Point::default());
            (implementation.prepared_mul_many)(&k, &tables[..size], &mut out);
            assert!(
                out == expected,
                "{:?}, {size} prepared",
                implementation.name
            );
        }
    }
}

/// The entries of all implementations are the odd multiples that single products give.
#[test]
fn tables_of_keys() {
    let mut rng = Repeatable(31);
    for j in numbers(&mut rng, 2) {
        let point = generator_mul(&j);
        let mut expected = Vec::new();
        let mut base = scalar(&j);
        for _ in 0..key_table::WINDOWS {
            let twice = base + base;
            let mut multiple = base;
            for _ in 0..key_table::PER_WINDOW {
                expected.push(generator_mul(&multiple.to_u256()));
                multiple = multiple + twice;
            }
            for _ in 0..key_table::WIDTH {
                base = base + base;
            }
        }
        for implementation in implementations() {
            let table = (implementation.key_table_vartime)(&point);
            assert!(table.entries() == expected, "{:?}", implementation.name);
        }
    }
}

#[test]
fn an_implementation_is_selected() {
    let mut names = implementations().map(|implementation| implementation.name);
    assert!(names.any(|name| name == many::selected().name));
    let [engine, _] = many::selected().name;
    let lanes = Lanes::selected().get() != Lanes::None;
    assert_eq!(engine != "serial", lanes, "{engine}");
    assert!(chunk() > 0 && worth_a_table() > 1);
}

/// The last vector may be partly used, if it has enough operations; a single vector may need more
/// of them.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[test]
fn operations_in_lanes() {
    for (count, four, eight, generator) in [
        (0, 0, 0, 0),
        (2, 0, 0, 0),
        (3, 0, 3, 0),
        (4, 4, 4, 0),
        (7, 4, 7, 7),
        (10, 8, 8, 8),
        (12, 12, 12, 12),
    ] {
        let doublings = Avx2::DOUBLINGS.of::<Avx2>(count);
        assert_eq!(doublings, four, "{count}");
        let doublings = Ifma::DOUBLINGS.of::<Ifma>(count);
        assert_eq!(doublings, eight, "{count}");
        let products = Ifma::GENERATOR.of::<Ifma>(count);
        assert_eq!(products, generator, "{count}");
    }
}

/// Sums that are infinity, sums of equal products, and sums with equal or opposite points in an
/// intermediate addition. A signer who knows the private key can cause them.
#[test]
fn exceptional_sums_of_two_products() {
    let mut rng = Repeatable(23);
    let mut s = Vec::new();
    let mut t = Vec::new();
    let mut points = Vec::new();
    let mut sums = Vec::new();
    let count = rounds(24).max(4);
    for (i, j) in numbers(&mut rng, count).into_iter().enumerate() {
        let a = scalar(&U256(rng.number()));
        let j = scalar(&j);
        // [s]G + [t]([j]G), where s is −t·j, t·j, the product of that with a power of two, zero, or
        // random.
        for (s_i, t_i) in [
            (-(a * j), a),
            (a * j, a),
            (a * j * Scalar::<B>::power_of_two(i), a),
            (Scalar::<B>::ZERO, a),
            (a, Scalar::<B>::ZERO),
            (Scalar::<B>::ZERO, Scalar::<B>::ZERO),
            (a, j),
        ] {
            s.push(s_i.to_u256());
            t.push(t_i.to_u256());
            points.push(generator_mul(&j.to_u256()));
            let sum = generator_table::<B>().mul_vartime(&(s_i + t_i * j));
            sums.push(sum.to_affine_vartime().map(Affine::to_entry));
        }
    }
    assert!(sums.iter().filter(|sum| sum.is_none()).count() >= count);
    for implementation in implementations() {
        for size in [s.len(), 4, 3, 1] {
            let mut out = vec![None; s.len()];
            for (((s, t), points), out) in s
                .chunks(size)
                .zip(t.chunks(size))
                .zip(points.chunks(size))
                .zip(out.chunks_mut(size))
            {
                (implementation.double_scalar_mul_many_vartime)(s, t, points, out);
            }
            assert!(out == sums, "{:?}, {size} at once", implementation.name);
        }
    }

    let tables: Vec<KeyTable> = points.iter().map(KeyTable::build_vartime).collect();
    // The right x, a wrong one, and zero, which must not be accepted for infinity.
    for right in [Some(true), Some(false), None] {
        let x = |sum: &Option<Point>| match (sum, right) {
            (Some(sum), Some(right)) => {
                let x = Jacobian::from(Affine::<C>::from_entry(sum)).x.to_u256();
                let x = scalar(&x)
                    + if right {
                        Scalar::<B>::ZERO
                    } else {
                        Scalar::<B>::ONE
                    };
                x.to_u256()
            }
            _ => U256::ZERO,
        };
        let equation = |i: usize| Equation {
            s: s[i],
            t: t[i],
            x: x(&sums[i]),
            p: (),
        };
        let expected: Vec<bool> = sums
            .iter()
            .map(|sum| sum.is_some() && right == Some(true))
            .collect();
        let equations: Vec<Equation<()>> = (0..s.len()).map(equation).collect();
        let unprepared: Vec<Equation<Point>> = equations
            .iter()
            .zip(&points)
            .map(|(equation, point)| with(equation, *point))
            .collect();
        let prepared: Vec<Equation<&KeyTable>> = equations
            .iter()
            .zip(&tables)
            .map(|(equation, table)| with(equation, table))
            .collect();
        for implementation in implementations() {
            for size in [s.len(), 4, 3, 1] {
                let mut out = vec![right != Some(true); s.len()];
                for (equations, out) in unprepared.chunks(size).zip(out.chunks_mut(size)) {
                    (implementation.verify_many_vartime)(equations, out);
                }
                assert_eq!(out, expected, "{:?}, {size} at once", implementation.name);
                out.fill(right != Some(true));
                for (equations, out) in prepared.chunks(size).zip(out.chunks_mut(size)) {
                    (implementation.verify_prepared_many_vartime)(equations, out);
                }
                assert_eq!(out, expected, "{:?}, {size} prepared", implementation.name);
            }
        }
    }
}

/// `[k]P + Q` of the key exchange: even and odd `k`, short ones and others; sums that are infinity,
/// equal and opposite operands of the last addition, and of the one before, `Q − P`.
#[test]
fn products_and_sums() {
    let mut rng = Repeatable(27);
    let (mut k, mut p, mut q, mut sums) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let long = N::MODULUS.overflowing_sub(&U256::ONE).0;
    let edges = [0, 1, 2, 3].map(|k| U256([k, 0, 0, 0]));
    let top = [
        U256([0, 0, 1, 0]),
        U256([!0, !0, 3, 0]),
        U256([0, 0, 4, 0]),
        long,
    ];
    let random = core::iter::repeat_with(|| {
        let number = rng.number();
        // As the exchange has it: 2¹²⁷ + (x mod 2¹²⁷).
        U256([number[0], number[1] | 1 << 63, 0, 0])
    });
    let random: Vec<U256> = random.take(rounds(40).max(8)).collect();
    for k_i in edges.into_iter().chain(top).chain(random) {
        let j = scalar(&U256(rng.number()));
        let product = scalar(&k_i) * j;
        // Q as a multiple of G, where P = [j]G.
        for other in [scalar(&U256(rng.number())), product, -product, j, -j, j + j] {
            if other.to_u256() == U256::ZERO {
                continue;
            }
            k.push(k_i);
            p.push(generator_mul(&j.to_u256()));
            q.push(generator_mul(&other.to_u256()));
            let sum = generator_table::<B>().mul_vartime(&(product + other));
            sums.push(sum.to_affine_vartime().map(Affine::to_entry));
        }
    }
    assert!(sums.iter().filter(|sum| sum.is_none()).count() > 8);
    for implementation in implementations() {
        for size in [k.len(), 40, 9, 8, 5, 1] {
            let mut out = vec![Some(Point::default()); k.len()];
            for (i, out) in out.chunks_mut(size).enumerate() {
                let range = i * size..i * size + out.len();
                let (k, p, q) = (&k[range.clone()], &p[range.clone()], &q[range]);
                (implementation.point_mul_add_many_vartime)(k, p, q, out);
            }
            assert!(out == sums, "{:?}, {size} at once", implementation.name);
        }
    }
}

fn with<P>(equation: &Equation<()>, p: P) -> Equation<P> {
    let Equation { s, t, x, p: () } = *equation;
    Equation { s, t, x, p }
}

/// An x-coordinate that is not below `n`: the smallest one. Random points have one with probability
/// 2⁻³².
#[test]
fn x_coordinates_above_the_order() {
    let (x, target) = (0..200)
        .map(|small| U256([small, 0, 0, 0]))
        .find_map(|x| {
            let (above, carry) = x.overflowing_add(&N::MODULUS);
            assert!(!carry && above.lt_vartime(&P::MODULUS));
            Some((
                x,
                Affine::<C>::from_entry(&point_decompress_vartime(&above, false).ok()?),
            ))
        })
        .expect("about half of all numbers are x-coordinates");
    let mut rng = Repeatable(25);
    // [s]G + [1]P = target, with the right x or with a wrong one.
    let equations: Vec<Equation<Point>> = (0..9)
        .map(|i| {
            let s = scalar(&U256(rng.number()));
            let opposite = Affine::<C>::from_entry(&generator_mul(&(-s).to_u256()));
            let p = Jacobian::from(opposite).add_affine_incomplete(&target);
            let other = scalar(&U256(rng.number())).to_u256();
            Equation {
                s: s.to_u256(),
                t: U256::ONE,
                x: if i % 2 == 0 { x } else { other },
                p: p.to_affine().to_entry(),
            }
        })
        .collect();
    let tables: Vec<KeyTable> = equations
        .iter()
        .map(|equation| KeyTable::build_vartime(&equation.p))
        .collect();
    let prepared: Vec<Equation<&KeyTable>> = equations
        .iter()
        .zip(&tables)
        .map(|(Equation { s, t, x, .. }, p)| Equation {
            s: *s,
            t: *t,
            x: *x,
            p,
        })
        .collect();
    for implementation in implementations() {
        let mut out = [false; 9];
        (implementation.verify_many_vartime)(&equations, &mut out);
        assert_eq!(
            out,
            core::array::from_fn(|i| i % 2 == 0),
            "{:?}",
            implementation.name
        );
        out = [false; 9];
        (implementation.verify_prepared_many_vartime)(&prepared, &mut out);
        assert_eq!(
            out,
            core::array::from_fn(|i| i % 2 == 0),
            "{:?}",
            implementation.name
        );
    }
}

/// All implementations with random numbers and points.
#[test]
fn implementations_agree() {
    let mut rng = Repeatable(26);
    for _ in 0..rounds(12) {
        let count = 1 + rng.word() as usize % 70;
        let mut random = || -> Vec<U256> {
            (0..count)
                .map(|_| scalar(&U256(rng.number())).to_u256())
                .collect()
        };
        let (s, t, j) = (random(), random(), random());
        let mut points = vec![Point::default(); count];
        generator_mul_many(&j, &mut points);
        let tables: Vec<KeyTable> = points.iter().map(KeyTable::build_vartime).collect();
        let tables: Vec<&KeyTable> = tables.iter().collect();
        let results = |implementation: &Implementation| {
            let mut products = vec![vec![Point::default(); count]; 3];
            (implementation.generator_mul_many)(&s, &mut products[0]);
            (implementation.point_mul_many)(&s, &points, &mut products[1]);
            (implementation.prepared_mul_many)(&t, &tables, &mut products[2]);
            let mut sums = vec![None; count];
            (implementation.double_scalar_mul_many_vartime)(&s, &t, &points, &mut sums);
            (products, sums)
        };
        let mut all = implementations();
        let expected = results(all.next().expect("portable code"));
        for implementation in all {
            assert!(
                results(implementation) == expected,
                "{:?}, {count} at a time",
                implementation.name
            );
        }
    }
}

#[test]
fn inverses() {
    let mut rng = Repeatable(24);
    for size in 0..=rounds(40) {
        let mut a = numbers(&mut rng, size);
        if let Some(first) = a.get_mut(size / 2) {
            *first = U256::ZERO;
        }
        let expected: Vec<U256> = a.iter().map(|a| scalar(a).invert().to_u256()).collect();
        scalar_invert_many(&mut a);
        assert!(a == expected, "{size} at once");
    }
}
