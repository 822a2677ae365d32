//! The formulas against the library's complete ones, on many points, and through points that share
//! a coordinate's edge.

use kuaimi_math::arith::backend::{Portable, Visitor, for_each};
use kuaimi_math::arith::lanes::{self, Lanes, vectorize};
use kuaimi_math::arith::u256::Limbs;
use kuaimi_math::arith::{Backend, Field, Modulus, PrimeField, U256};
use kuaimi_math::curve::lanes::{point::Point, products::load, xyzz::Xyzz as XyzzLanes};
use kuaimi_math::curve::{Affine, Curve, Jacobian, Xyzz, scalar_mul};
use kuaimi_math::sm2::curve::{Fp, N, P, Scalar, Sm2};

use super::{add_2007_bl, affine, dbl_2001_b, madd_2007_bl, two_lanes, xyzz};
use crate::ladders::tests::pairs_below;

/// Two different points that are not opposite, for each pair of numbers that gives such points.
fn points<B: Backend>() -> Vec<[Affine<Sm2<B>>; 2]> {
    let point = |k: &_| {
        let k = Scalar::<B>::from_u256_reduced(&U256(*k));
        scalar_mul::mul_vartime::<Sm2<B>>(&k, &Sm2::GENERATOR).to_affine_vartime()
    };
    let numbers = pairs_below(&N::MODULUS.0).into_iter().step_by(97);
    numbers
        .filter_map(|(a, b)| Some([point(&a)?, point(&b)?]))
        .filter(|[a, b]| a.x != b.x)
        .collect()
}

struct Formulas;

impl Visitor for Formulas {
    fn visit<B: Backend>(&mut self) {
        let points = points::<B>();
        assert!(points.len() > 100, "{} points", points.len());
        for [a, b] in points {
            let (ja, jb) = (Jacobian::from(a).double(), Jacobian::from(b).double());
            let (aa, bb) = (ja.to_affine(), jb.to_affine());
            let same = |name: &str, expected: Affine<Sm2<B>>, result: Affine<Sm2<B>>| {
                assert!(
                    expected.x == result.x && expected.y == result.y,
                    "{name} on {}",
                    B::NAME
                );
            };
            let twice = Jacobian::from(a).add_affine_complete(&a).to_affine();
            same("affine doubling", twice, affine::double(&a));
            same("4M + 4S", twice, ja.to_affine());
            let four = Jacobian::from(aa).add_affine_complete(&aa).to_affine();
            same("dbl-2001-b", four, dbl_2001_b::double(&ja).to_affine());
            same("4M + 4S again", four, ja.double().to_affine());
            let sum = ja.add_affine_complete(&bb).to_affine();
            same("affine addition", sum, affine::add(&aa, &bb));
            same("add-2007-bl", sum, add_2007_bl::add(&ja, &jb).to_affine());
            same("12M + 4S", sum, ja.add_vartime(&jb).to_affine());
            same("madd-2007-bl", sum, madd_2007_bl::add(&ja, &bb).to_affine());
            same("8M + 3S", sum, ja.add_affine_incomplete(&bb).to_affine());
            let (xa, xb) = (Xyzz::from(ja), Xyzz::from(jb));
            same("xyzz", sum, xa.add_affine_incomplete(&bb).to_affine());
            same("xyzz doubling", four, xyzz::double(&xa).to_affine());
            same("add-2008-s", sum, xyzz::add(&xa, &xb).to_affine());
        }
        // Infinity doubled is infinity.
        assert!(bool::from(
            xyzz::double(&Xyzz::<Sm2<B>>::INFINITY).is_infinity()
        ));
        assert!(bool::from(
            dbl_2001_b::double(&Jacobian::<Sm2<B>>::INFINITY).is_infinity()
        ));
    }
}

#[test]
fn formulas() {
    for_each(&mut Formulas);
}

type C = Sm2<Portable>;

fn element(limbs: Limbs) -> Fp<Portable> {
    Fp::from_limbs(limbs)
}

fn jacobian([x, y, z]: [Limbs; 3]) -> Affine<C> {
    let [x, y, z] = [x, y, z].map(element);
    Jacobian { x, y, z }.to_affine()
}

fn xyzz_point([x, y, zz, zzz]: [Limbs; 4]) -> Affine<C> {
    let [x, y, zz, zzz] = [x, y, zz, zzz].map(element);
    Xyzz { x, y, zz, zzz }.to_affine()
}

/// The rungs in vector registers, on every engine. What the library computes has signs of its own:
/// a point or its opposite.
struct Vectors;

impl lanes::Visitor for Vectors {
    fn visit<L: Lanes>(&mut self) {
        let points = points::<Portable>();
        let entries = |which: usize| points.iter().map(move |pair| pair[which].to_entry());
        let (first, second): (Vec<_>, Vec<_>) = (entries(0).collect(), entries(1).collect());
        let same = |name: &str, expected: &Affine<C>, result: Affine<C>| {
            let opposite = expected.neg();
            assert!(
                expected.x == result.x && (expected.y == result.y || opposite.y == result.y),
                "{name} on {}",
                L::NAME
            );
            expected.y == result.y
        };
        for [a, b] in &points {
            let start = Jacobian::from(*a).double();
            let coordinates = [start.x, start.y, start.z].map(|c| c.to_limbs());
            // Several in a chain: each result is the operand of the next.
            let mut lanes = two_lanes::Jacobian::<L>::new(&coordinates);
            let mut expected = start;
            for _ in 0..4 {
                lanes = lanes.double();
                expected = expected.double();
                let result = jacobian(lanes.coordinates());
                assert!(same("two lanes, doubling", &expected.to_affine(), result));
            }
            let mut expected = Xyzz::from(start);
            let coordinates = [expected.x, expected.y, expected.zz, expected.zzz];
            let mut lanes = two_lanes::Xyzz::<L>::new(&coordinates.map(|c| c.to_limbs()));
            let addend = two_lanes::Affine::<L>::new(&b.to_entry());
            for _ in 0..4 {
                lanes = lanes.add(&addend);
                expected = expected.add_affine_complete(b);
                let result = xyzz_point(lanes.coordinates());
                assert!(same("two lanes, addition", &expected.to_affine(), result));
            }
        }
        for (a, b) in first
            .chunks_exact(L::LANES)
            .zip(second.chunks_exact(L::LANES))
        {
            let (start, addend) = (load::<L, P>(a), load::<L, P>(b));
            let mut doubled = Point::<L, P>::from_affine(&start, 0);
            doubled.double_times(3);
            let mut sum = Point::<L, P>::from_affine(&start, 0);
            sum.add_incomplete(&addend, 0);
            let mut coordinates = [[[0; 4]; lanes::MAX_LANES]; 6];
            vectorize!(L, {
                let vectors = [&doubled.x, &doubled.w, &doubled.z, &sum.x, &sum.w, &sum.z];
                for (out, vector) in coordinates.iter_mut().zip(vectors) {
                    L::store::<P>(vector, &mut out[..L::LANES]);
                }
            });
            for lane in 0..L::LANES {
                let [a, b] = [a[lane], b[lane]].map(|entry| Affine::<C>::from_entry(&entry));
                // W = 2Y
                let point = |from: usize| {
                    let [x, w, z] = [from, from + 1, from + 2].map(|i| coordinates[i][lane]);
                    jacobian([x, element(w).half().to_limbs(), z])
                };
                let expected = Jacobian::from(a).double().double().double().to_affine();
                same("a doubling a lane", &expected, point(0));
                let expected = Jacobian::from(a).add_affine_complete(&b).to_affine();
                same("a mixed addition a lane", &expected, point(3));
            }
            let mut sum = XyzzLanes::<L, P>::from_affine(&start, 0);
            sum.add_incomplete(&addend, 0, u64::MAX);
            let result = xyzz_point(sum.sum_of_lanes_incomplete(1).xyzz);
            let [a, b] = [a[0], b[0]].map(|entry| Affine::<C>::from_entry(&entry));
            let expected = Jacobian::from(a).add_affine_complete(&b).to_affine();
            same("an XYZZ addition a lane", &expected, result);
        }
    }
}

#[test]
fn vectors() {
    lanes::for_each(&mut Vectors);
}
