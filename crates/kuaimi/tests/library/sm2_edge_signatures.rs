//! Signatures that are valid although their numbers are extreme: the kinds of cases that Project
//! Wycheproof has for ECDSA, made for SM2.
//!
//! For any scalars `s` and `t` and any public key `P`, let `(x, y) = [s]G + [t]P`, `r = t − s` and
//! `e = r − x` modulo `n`: then `(r, s)` is a signature of the digest `e` (GB/T 32918.2-2016,
//! clause 7.1, read backwards). So every case is made by choosing the numbers that verification
//! computes with, with big integers and affine formulas, on every backend.

use crate::common::numbers::{bytes, number, order, prime};
use kuaimi::precompute::Precompute;
use kuaimi::sm2::{Error, PrivateKey, PublicKey, Signature, VerifyingKey, parameters};
use num_bigint::BigUint;

/// A point in affine coordinates; `None` is infinity.
type Point = Option<(BigUint, BigUint)>;

/// The sum, by the formulas of the textbook: chord or tangent.
fn sum(left: &Point, right: &Point) -> Point {
    let (Some((x1, y1)), Some((x2, y2))) = (left, right) else {
        return left.clone().or_else(|| right.clone());
    };
    let p = prime();
    let minus = |a: &BigUint, b: &BigUint| (a + &p - b) % &p;
    let (top, bottom) = if x1 != x2 {
        (minus(y2, y1), minus(x2, x1))
    } else if y1 == y2 {
        (x1 * x1 * 3u32 + number(&parameters::a()), y1 * 2u32)
    } else {
        return None;
    };
    let slope = top * bottom.modinv(&p)? % &p;
    let x = minus(&(&slope * &slope % &p), &((x1 + x2) % &p));
    let y = minus(&(slope * minus(x1, &x) % &p), y1);
    Some((x, y))
}

fn multiple(k: &BigUint, point: &Point) -> Point {
    (0..k.bits()).rev().fold(None, |sum_so_far, bit| {
        let doubled = sum(&sum_so_far, &sum_so_far);
        if k.bit(bit) {
            sum(&doubled, point)
        } else {
            doubled
        }
    })
}

fn generator() -> Point {
    let one = PrivateKey::from_bytes(&bytes(&1u32.into())).expect("a private key");
    let xy = one.public_key().to_xy_bytes();
    Some((number(&xy[..32]), number(&xy[32..])))
}

fn public_key(point: &Point) -> PublicKey {
    let (x, y) = point.as_ref().expect("not infinity");
    let xy = [bytes(x), bytes(y)].concat();
    PublicKey::from_xy_bytes(&xy.try_into().expect("64 bytes")).expect("on the curve")
}

/// A point whose first coordinate is `x`, or the next one upwards (or downwards) that some point
/// has.
fn point_near(mut x: BigUint, upwards: bool) -> Point {
    let p = prime();
    loop {
        let square =
            (x.modpow(&3u32.into(), &p) + number(&parameters::a()) * &x + number(&parameters::b()))
                % &p;
        // p is 3 modulo 4.
        let root = square.modpow(&((&p + 1u32) >> 2), &p);
        if &root * &root % &p == square {
            return Some((x, root));
        }
        x = if upwards { x + 1u32 } else { x - 1u32 };
    }
}

/// Numbers below `n` at which carries, windows and comparisons are at their limits.
fn edges() -> Vec<BigUint> {
    let (n, one) = (order(), BigUint::from(1u32));
    let mut edges: Vec<BigUint> = [1u32, 2, 3, 7, 16, 127].map(BigUint::from).to_vec();
    edges.extend([1u32, 2, 3, 16].map(|below| &n - below));
    edges.extend([32, 63, 64, 128, 192, 255].map(|bit| &one << bit));
    edges.extend([64, 128, 224, 255].map(|bit| (&one << bit) - 1u32));
    edges.extend([(&n - 1u32) / 2u32, (&n + 1u32) / 2u32, (prime() - &n) % &n]);
    edges
}

/// Scalars `s` and `t`, and a public key.
fn cases() -> Vec<(BigUint, BigUint, Point)> {
    let (n, p, g) = (order(), prime(), generator());
    let edges = edges();
    let ordinary = number(&[0x35; 32]);
    let ordinary_key = multiple(&number(&[0x7A; 32]), &g);
    let mut cases = Vec::new();
    for edge in &edges {
        cases.push((edge.clone(), ordinary.clone(), ordinary_key.clone()));
        cases.push((ordinary.clone(), edge.clone(), ordinary_key.clone()));
        // P = [d]G for an extreme d: tables of P have points in common with those of G.
        if edge + 1u32 < n {
            cases.push((ordinary.clone(), edge.clone(), multiple(edge, &g)));
        }
    }
    for (left, right) in edges.iter().zip(edges.iter().rev()) {
        cases.push((left.clone(), right.clone(), ordinary_key.clone()));
    }
    // [s]G = [t]P, so that the last sum is a doubling; and sums of which one term is twice or minus
    // the other.
    for d in [1u32, 2, 3, 8] {
        let key = multiple(&d.into(), &g);
        for t in [BigUint::from(5u32), ordinary.clone(), &n - 9u32] {
            for s in [&t * d % &n, &t * d * 2u32 % &n, (&n - &t) * d * 2u32 % &n] {
                cases.push((s, t.clone(), key.clone()));
            }
        }
    }
    // Keys whose coordinates are small, large, or have limbs of zeros and of ones.
    for (x, upwards) in [
        (BigUint::from(0u32), true),
        (&p - 1u32, false),
        (BigUint::from(1u32) << 64, true),
        ((BigUint::from(1u32) << 128) - 1u32, false),
        (BigUint::from(1u32) << 192, true),
        (n.clone(), true),
    ] {
        let key = point_near(x, upwards);
        let negative = key.clone().map(|(x, y)| (x, &p - y));
        cases.push((ordinary.clone(), ordinary.clone() + 1u32, key));
        cases.push((BigUint::from(1u32), &n - 1u32, negative));
    }
    cases
}

/// The signature and the digest of a case; `None` where no signature has these numbers.
fn signed((s, t, key): &(BigUint, BigUint, Point)) -> Option<(Signature, [u8; 32])> {
    let n = order();
    let r = (t + &n - s) % &n;
    let (x, _) = sum(&multiple(s, &generator()), &multiple(t, key))?;
    let e = (&r + &n - x % &n) % &n;
    Some((
        Signature::from_scalars(&bytes(&r), &bytes(s)).ok()?,
        bytes(&e),
    ))
}

#[test]
fn extreme_numbers_are_verified() {
    let made: Vec<_> = cases()
        .iter()
        .filter_map(|case| Some((signed(case)?, public_key(&case.2))))
        .collect();
    // Only where s = t (so that r would be zero) there is no signature.
    assert!(made.len() > 120, "{}", made.len());
    let backends: Vec<_> = kuaimi::backends().collect();
    for backend in backends {
        kuaimi::set_backend(backend).expect("it is one of this machine");
        for ((signature, e), public) in &made {
            let verifier = VerifyingKey::new(*public);
            let prepared = verifier.with_precompute(Precompute::AtOnce);
            let [mut other, mut rest] = [*e, *e];
            other[31] ^= 1;
            rest[0] ^= 0x80;
            assert_eq!(
                verifier.verify_digest(e, signature),
                Ok(()),
                "{backend}: {signature:?}"
            );
            assert_eq!(
                prepared.verify_digest(e, signature),
                Ok(()),
                "{backend}: {signature:?}"
            );
            for wrong in [other, rest] {
                let refused = Err(Error::InvalidSignature);
                assert_eq!(
                    verifier.verify_digest(&wrong, signature),
                    refused,
                    "{backend}"
                );
                assert_eq!(
                    prepared.verify_digest(&wrong, signature),
                    refused,
                    "{backend}"
                );
            }
        }
    }
}
