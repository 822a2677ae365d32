//! Sums in `(X, Y, ZZ, ZZZ)`: all over a tiny curve, compared with the multiples of its generator.

use super::super::tests::{ORDER, Small, Tiny, affine, all_points};
use super::Xyzz;
use crate::arith::{Backend, Fe, Field, Modulus, PrimeField, U256};
use crate::curve::{Affine, Curve, Jacobian};
use crate::sm2::curve::P;
use crate::testing::{Repeatable, on_every_backend, rounds};

fn numbers(a: &Affine<Tiny>) -> (u64, u64) {
    (a.x.to_u256().0[0], a.y.to_u256().0[0])
}

fn small(p: &Xyzz<Tiny>) -> Small {
    let found = p.to_affine_vartime().map(|a| numbers(&a));
    assert_eq!(
        numbers(&p.to_affine()),
        found.unwrap_or_default(),
        "in constant time"
    );
    assert_eq!(bool::from(p.is_infinity()), found.is_none());
    assert_eq!(p.zz.square() * p.zz, p.zzz.square(), "ZZ³ = ZZZ²");
    found
}

/// The same point with other denominators.
fn rescaled(p: Small, z: u64) -> Xyzz<Tiny> {
    let z = <Tiny as Curve>::Field::from_u256_reduced(&U256([z, 0, 0, 0]));
    affine(p).map_or(Xyzz::INFINITY, |a| Xyzz {
        x: a.x * z.square(),
        y: a.y * z.square() * z,
        zz: z.square(),
        zzz: z.square() * z,
    })
}

#[test]
fn every_sum_of_two_points() {
    let points = all_points();
    let sample = 2300 / rounds(100);
    for (i, &p) in points.iter().enumerate() {
        let a = rescaled(p, 2 + i as u64 % 1700);
        assert_eq!(small(&a), p);
        assert_eq!(small(&a.add_complete(&Xyzz::INFINITY)), p);
        for (j, b) in points.iter().enumerate() {
            let Some(b) = affine(*b) else { continue };
            // All exceptional cases, and a sample of the other pairs.
            let special = i == j || (i + j) % ORDER as usize == 0 || i == 0;
            if !special && (i * 31 + j * 17) % sample != 0 {
                continue;
            }
            let expected = points[(i + j) % ORDER as usize];
            assert_eq!(
                small(&a.add_affine_vartime(&b)),
                expected,
                "[{i}]G + [{j}]G"
            );
            assert_eq!(
                small(&a.add_affine_complete(&b)),
                expected,
                "[{i}]G + [{j}]G"
            );
            if i != 0 && i != j {
                assert_eq!(small(&a.add_affine_incomplete(&b)), expected);
            }
            let other = rescaled(points[j], 3 + j as u64 % 1700);
            assert_eq!(small(&a.add_complete(&other)), expected, "[{i}]G + [{j}]G");
            assert_eq!(small(&other.add_complete(&a)), expected, "[{j}]G + [{i}]G");
            let Some(a) = affine(p) else { continue };
            assert_eq!(small(&Xyzz::sum_vartime([a, b].into_iter())), expected);
            if i != j {
                assert_eq!(small(&Xyzz::sum_incomplete(&a, &b)), expected);
            }
        }
    }
}

/// Sums at infinity are not `(1, 1, 0, 0)`, and further points are added to them correctly.
#[test]
fn sums_of_few_points_through_infinity() {
    let points = all_points();
    let multiples = [1usize, 2, 3, 1774, 1775, 1776];
    let mut through_infinity = 0;
    for length in 0..5 {
        for word in 0..multiples.len().pow(length) {
            let terms: Vec<usize> = (0..length)
                .map(|i| multiples[word / multiples.len().pow(i) % multiples.len()])
                .collect();
            let terms_affine = terms
                .iter()
                .map(|&k| affine(points[k]).expect("not infinity"));
            let sum = terms.iter().sum::<usize>() % ORDER as usize;
            assert_eq!(
                small(&Xyzz::sum_vartime(terms_affine.clone())),
                points[sum],
                "{terms:?}"
            );
            let complete = terms_affine.fold(Xyzz::INFINITY, |sum, a| sum.add_affine_complete(&a));
            assert_eq!(small(&complete), points[sum], "{terms:?}");
            through_infinity += usize::from(length == 3 && terms[0] + terms[1] == ORDER as usize);
        }
    }
    assert!(through_infinity > 0);
}

#[test]
fn a_jacobian_point_is_the_same_point() {
    for (i, &p) in all_points().iter().enumerate() {
        let a = affine(p).map_or(Jacobian::INFINITY, Jacobian::from);
        // The Z of [2i]G is not 1.
        let twice = a.double();
        let expected = twice.to_affine_vartime().map(|a| numbers(&a));
        assert_eq!(small(&Xyzz::from(twice)), expected, "2·[{i}]G");
    }
}

#[test]
fn differences_of_products() {
    /// Edge cases and random elements.
    fn elements<M: Modulus, B: Backend>() -> Vec<Fe<M, B>> {
        let mut rng = Repeatable(3);
        let edges = [Fe::ZERO, Fe::ONE, Fe::ZERO - Fe::ONE];
        let any = core::iter::repeat_with(|| Fe::from_u256_reduced(&U256(rng.number())));
        // The element with the largest limbs in Montgomery form.
        let largest = Fe::from_montgomery(M::MODULUS.overflowing_sub(&U256::ONE).0.0);
        edges
            .into_iter()
            .chain([largest])
            .chain(any.take(4))
            .collect()
    }
    fn check<F: Field>(elements: &[F]) {
        for a in elements {
            for b in elements {
                for c in elements {
                    for d in elements {
                        let found = F::difference_of_products([a, b], [c, d]);
                        assert!(bool::from(found.ct_eq(&(*a * *b - *c * *d))));
                    }
                }
            }
        }
    }
    on_every_backend!(B => check(&elements::<P, B>()));
    #[cfg(feature = "sm9")]
    on_every_backend!(B => {
        use crate::sm9::{curve::Q, tower::Fq2};
        let elements = elements::<Q, B>();
        check(&elements);
        let pairs: Vec<Fq2<B>> = elements
            .iter()
            .zip(elements.iter().rev())
            .map(|(a, b)| Fq2::new(*a, *b))
            .collect();
        check(&pairs);
    });
}
