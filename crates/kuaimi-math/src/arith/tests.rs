//! Every backend, with all four moduli, against `num-bigint`: random and adversarial numbers.

use num_bigint::BigUint;
use subtle::ConditionallySelectable;

use super::backend::{Backend, Portable64};
use super::{Fe, Field, Modulus, PrimeField, Reduction, U256, batch_invert};
use crate::sm2::curve::{N, P};
use crate::testing::{Repeatable, big, from_big, on_every_backend, rounds};

/// SM2's prime with the general reduction, which must give the same results.
#[derive(Clone, Copy, Debug)]
struct GeneralP;
impl Modulus for GeneralP {
    const MODULUS: U256 = P::MODULUS;
    const REDUCTION: Reduction = Reduction::Montgomery;
}

/// The prime of SM9's coordinates: 5 modulo 8, for which square roots are by Atkin's algorithm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sm9Q;
impl Modulus for Sm9Q {
    const MODULUS: U256 =
        U256::from_hex("B640000002A3A6F1D603AB4FF58EC74521F2934B1A7AEEDBE56F9B27E351457D");
}

/// SM9's order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sm9N;
impl Modulus for Sm9N {
    const MODULUS: U256 =
        U256::from_hex("B640000002A3A6F1D603AB4FF58EC74449F2934B18EA8BEEE56EE19CD69ECF25");
}

/// A small prime: the derived constants must be right for it, too.
#[derive(Clone, Copy, Debug)]
struct Tiny;
impl Modulus for Tiny {
    const MODULUS: U256 = U256([1787, 0, 0, 0]);
}

/// Runs a generic test under every backend and modulus.
macro_rules! everywhere {
    ($test:ident) => {
        on_every_backend!(B => {
            $test::<P, B>();
            $test::<GeneralP, B>();
            $test::<N, B>();
            $test::<Sm9Q, B>();
            $test::<Sm9N, B>();
            $test::<Tiny, B>();
        })
    };
}

/// Edge cases: numbers near zero, near the modulus, near powers of two, and with limbs that carry.
pub(crate) fn edges<M: Modulus>() -> Vec<U256> {
    let m = big(&M::MODULUS);
    let mut all: Vec<BigUint> = (0u32..4).map(BigUint::from).collect();
    all.extend((1u32..4).map(|i| &m - i));
    all.extend([&m >> 1, (&m >> 1) + 1u32]);
    for shift in [32, 63, 64, 96, 127, 128, 192, 224, 255] {
        let power: BigUint = BigUint::from(1u32) << shift;
        all.extend([&power - 1u32, power.clone(), power + 1u32]);
    }
    let limbs = [0, 1, u64::MAX, u64::MAX << 32, 0xFFFF_FFFF];
    for i in 0..limbs.len().pow(4) {
        all.push(big(&U256(core::array::from_fn(|j| {
            limbs[i / limbs.len().pow(j as u32) % limbs.len()]
        }))));
    }
    all.iter().filter(|a| **a < m).map(from_big).collect()
}

/// Elements whose Montgomery forms are the edge cases, so that the backend computes with just these
/// limbs.
fn edge_elements<M: Modulus, B: Backend>() -> Vec<Fe<M, B>> {
    edges::<M>()
        .iter()
        .map(|a| Fe::from_montgomery(a.0))
        .collect()
}

fn element<M: Modulus, B: Backend>(rng: &mut Repeatable) -> Fe<M, B> {
    Fe::from_u256_reduced(&U256(rng.number()))
}

/// Sums of one to six products of largest, edge and random elements.
fn sums_of_products<M: Modulus, B: Backend>() {
    let mut rng = Repeatable(12);
    let m = big(&M::MODULUS);
    let r_inverse = (BigUint::from(1u32) << 256u32).modinv(&m).expect("odd");
    let edges = edge_elements::<M, B>();
    let largest = Fe::<M, B>::from_montgomery(from_big(&(&m - 1u32)).0);
    for round in 0..rounds(600) {
        for count in 1..=6 {
            let mut pick = || match round {
                0 => largest,
                // The modulus itself is allowed as a factor.
                1 => Fe::from_montgomery(M::MODULUS.0),
                2 => Fe::ZERO.minus_twice(),
                3 => edges[rng.word() as usize % edges.len()].minus_twice(),
                _ if rng.word().is_multiple_of(2) => edges[rng.word() as usize % edges.len()],
                _ => element(&mut rng),
            };
            let factors: Vec<[Fe<M, B>; 2]> = (0..count).map(|_| [pick(), pick()]).collect();
            let terms: Vec<_> = factors
                .iter()
                .map(|[a, b]| [a.limbs(), b.limbs()])
                .collect();
            let sum = factors.iter().fold(BigUint::ZERO, |sum, [a, b]| {
                sum + big(&U256(a.to_montgomery())) * big(&U256(b.to_montgomery()))
            });
            let found = big(&U256(Fe::<M, B>::dot(&terms).to_montgomery()));
            assert_eq!(found, sum * &r_inverse % &m, "{count} products");
        }
    }
}

#[test]
fn sums_of_products_agree() {
    everywhere!(sums_of_products);
}

/// All binary and unary operations on one pair, compared limb for limb.
fn check_pair<M: Modulus, B: Backend>(
    a: &Fe<M, B>,
    b: &Fe<M, B>,
    m: &BigUint,
    r_inverse: &BigUint,
) {
    let (x, y) = (big(&U256(a.to_montgomery())), big(&U256(b.to_montgomery())));
    let got = |e: Fe<M, B>| big(&U256(e.to_montgomery()));
    assert_eq!(got(*a * *b), &x * &y % m * r_inverse % m, "{x} · {y}");
    assert_eq!(got(a.square()), &x * &x % m * r_inverse % m, "{x}²");
    assert_eq!(got(*a + *b), (&x + &y) % m, "{x} + {y}");
    assert_eq!(got(*a - *b), (&x + m - &y) % m, "{x} − {y}");
    assert_eq!(got(-*a), (m - &x) % m, "−{x}");
    assert_eq!(got(a.double()), &x * 2u32 % m, "2·{x}");
    assert_eq!(got(a.half()) * 2u32 % m, x, "{x}/2");
    let minus_twice = got(a.minus_twice());
    assert!(minus_twice <= *m);
    assert_eq!((minus_twice + &x * 2u32) % m, BigUint::ZERO, "−2·{x}");
    assert_eq!(
        big(&a.to_u256()),
        &x * r_inverse % m,
        "out of Montgomery form: {x}"
    );
}

fn ring<M: Modulus, B: Backend>() {
    let m = big(&M::MODULUS);
    let r: BigUint = BigUint::from(1u32) << 256;
    let r_inverse = r.modinv(&m).expect("m is odd");
    let edges = edge_elements::<M, B>();
    let mut rng = Repeatable(1);
    for a in &edges {
        for _ in 0..rounds(30) {
            let b = &edges[rng.word() as usize % edges.len()];
            check_pair(a, b, &m, &r_inverse);
            check_pair(a, &element(&mut rng), &m, &r_inverse);
        }
    }
    for _ in 0..rounds(60_000) {
        check_pair::<M, B>(&element(&mut rng), &element(&mut rng), &m, &r_inverse);
    }
}

#[test]
fn ring_operations() {
    everywhere!(ring);
}

/// Every operation against the plain 64-bit code, limb for limb, on more numbers than `num-bigint`
/// is fast enough for: `make test-millions` uses two million for every modulus and backend.
fn agreement<M: Modulus, B: Backend>() {
    if B::NAME == Portable64::NAME {
        return;
    }
    let mut rng = Repeatable(7);
    for i in 0..rounds(10_000) {
        let (a, b) = (U256(rng.number()), U256(rng.number()));
        // A product may have one factor of any 256 bits.
        let x = Portable64::mul::<M>(&a.0, &M::R2);
        let y = Portable64::mul::<M>(&b.0, &M::R2);
        assert_eq!(B::mul::<M>(&a.0, &M::R2), x, "{a:?}·R²");
        assert_eq!(
            B::mul::<M>(&x, &y),
            Portable64::mul::<M>(&x, &y),
            "{x:?}·{y:?}"
        );
        assert_eq!(
            B::mul::<M>(&a.0, &y),
            Portable64::mul::<M>(&a.0, &y),
            "{a:?}·{y:?}"
        );
        assert_eq!(B::square::<M>(&x), Portable64::square::<M>(&x), "{x:?}²");
        assert_eq!(B::redc::<M>(&a.0), Portable64::redc::<M>(&a.0), "{a:?}/R");
        assert_eq!(
            B::add::<M>(&x, &y),
            Portable64::add::<M>(&x, &y),
            "{x:?} + {y:?}"
        );
        assert_eq!(B::double::<M>(&x), Portable64::add::<M>(&x, &x), "2·{x:?}");
        assert_eq!(
            B::sub::<M>(&x, &y),
            Portable64::sub::<M>(&x, &y),
            "{x:?} − {y:?}"
        );
        assert_eq!(B::half::<M>(&x), Portable64::half::<M>(&x), "{x:?}/2");
        if i % 16 == 0 {
            let inverse = Portable64::invert::<M>(&x);
            assert_eq!(B::invert::<M>(&x), inverse, "1/{x:?}");
            assert_eq!(
                B::mul::<M>(&B::invert_vartime::<M>(&x), &M::R3),
                inverse,
                "1/{x:?}, variable time"
            );
        }
    }
}

#[test]
fn backends_agree() {
    everywhere!(agreement);
}

fn conversion<M: Modulus, B: Backend>() {
    let m = big(&M::MODULUS);
    let mut rng = Repeatable(2);
    assert_eq!(Fe::<M, B>::ONE.to_u256(), U256::ONE);
    for i in 0..rounds(20_000) {
        // The modulus itself and larger numbers, too.
        let a = match i {
            0 => M::MODULUS,
            1 => U256([u64::MAX; 4]),
            _ => U256(rng.number()),
        };
        assert_eq!(
            big(&Fe::<M, B>::from_u256_reduced(&a).to_u256()),
            big(&a) % &m
        );
        let exact = Fe::<M, B>::from_u256_vartime(&a);
        assert_eq!(exact.is_some(), big(&a) < m);
        let b = U256(rng.number());
        let product = Fe::<M, B>::from_u256_reduced(&a).mul_plain(&U256(
            Fe::<M, B>::from_montgomery(from_big(&(big(&b) % &m)).0).to_montgomery(),
        ));
        assert_eq!(big(&product), big(&a) * big(&b) % &m);
    }
    for exponent in [0, 1, 63, 64, 255, 256, 257, 259, 260] {
        let power = Fe::<M, B>::power_of_two(exponent).to_u256();
        assert_eq!(
            big(&power),
            (BigUint::from(1u32) << exponent) % &m,
            "2^{exponent}"
        );
    }
}

#[test]
fn conversions() {
    everywhere!(conversion);
}

fn inversion<M: Modulus, B: Backend>() {
    let mut rng = Repeatable(3);
    let mut elements = edge_elements::<M, B>();
    elements.extend((0..rounds(20_000)).map(|_| element::<M, B>(&mut rng)));
    for a in &elements {
        let inverse = a.invert();
        assert_eq!(a.invert_vartime(), inverse);
        if a.is_zero_vartime() {
            assert_eq!(inverse, Fe::ZERO);
        } else {
            assert_eq!(*a * inverse, Fe::ONE);
        }
    }
    for length in [0, 1, 2, 7, 64] {
        let mut batch: Vec<Fe<M, B>> = elements[..length].to_vec();
        let mut scratch = vec![Fe::ZERO; length + 1];
        batch_invert(&mut batch, &mut scratch, Fe::invert);
        assert!(
            batch.iter().zip(&elements).all(|(b, e)| *b == e.invert()),
            "{length} at once"
        );
    }
}

#[test]
fn inversions() {
    everywhere!(inversion);
}

fn root<M: Modulus, B: Backend>() {
    let m = big(&M::MODULUS);
    let mut rng = Repeatable(4);
    let half = from_big(&((&m - 1u32) >> 1));
    assert_eq!(Fe::<M, B>::ZERO.sqrt_vartime(), Some(Fe::ZERO));
    let mut squares = 0;
    for _ in 0..300 {
        let a = element::<M, B>(&mut rng);
        // Euler's criterion is the oracle of the roots, and `modpow` that of the powers.
        let power = a.pow_vartime(&half);
        assert_eq!(
            big(&power.to_u256()),
            big(&a.to_u256()).modpow(&big(&half), &m)
        );
        let is_square = power == Fe::ONE || a.is_zero_vartime();
        squares += u32::from(is_square);
        match a.sqrt_vartime() {
            Some(r) => assert!(is_square && r.square() == a),
            None => assert!(!is_square),
        }
        assert!(a.square().sqrt_vartime().is_some());
    }
    assert!(
        (100..200).contains(&squares),
        "half of all elements are squares"
    );
}

#[test]
fn square_roots() {
    // The orders are tested, too, although roots modulo them are not needed; SM9's is 5 modulo 8,
    // like its prime.
    everywhere!(root);
}

fn selection<M: Modulus, B: Backend>() {
    let mut rng = Repeatable(5);
    for _ in 0..rounds(100) {
        let (a, b) = (element::<M, B>(&mut rng), element::<M, B>(&mut rng));
        assert_eq!(Fe::conditional_select(&a, &b, 0.into()), a);
        assert_eq!(Fe::conditional_select(&a, &b, 1.into()), b);
        assert_eq!(a == b, a.to_montgomery() == b.to_montgomery());
    }
    assert_eq!(format!("{:?}", Fe::<M, B>::ONE), "Fe(..)");
}

#[test]
fn selections() {
    everywhere!(selection);
}

#[test]
fn integers() {
    let mut rng = Repeatable(6);
    for _ in 0..rounds(20_000) {
        let (a, b) = (U256(rng.number()), U256(rng.number()));
        let (x, y) = (big(&a), big(&b));
        assert_eq!(U256::from_be_bytes(&a.to_be_bytes()), a);
        assert_eq!(bool::from(a.ct_lt(&b)), x < y);
        assert_eq!(a.lt_vartime(&b), x < y);
        assert_eq!(bool::from(a.ct_is_zero()), a == U256::ZERO);
        assert_eq!(a.bit_length_vartime() as u64, x.bits());
        assert_eq!(big(&a.shr1(false)), &x >> 1);
        assert_eq!(big(&a.shr1(true)), (&x >> 1) + (BigUint::from(1u32) << 255));
        let (sum, carry) = a.overflowing_add(&b);
        assert_eq!(big(&sum) + (BigUint::from(u8::from(carry)) << 256), &x + &y);
        let (difference, borrow) = a.overflowing_sub(&b);
        assert_eq!(
            big(&difference) + &y,
            &x + (BigUint::from(u8::from(borrow)) << 256)
        );
        let (position, width) = (rng.word() as usize % 270, 1 + rng.word() as usize % 32);
        let bits = (&x >> position) & ((BigUint::from(1u32) << width) - 1u32);
        assert_eq!(
            BigUint::from(a.bits(position, width)),
            bits,
            "{width} bits at {position}"
        );
    }
}
