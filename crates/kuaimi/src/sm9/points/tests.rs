//! The standard's examples.

use super::*;
use crate::arith::Modulus;
use crate::sm9::curve::N;
use crate::testing::{Repeatable, rounds};

pub(super) fn vectors() -> serde_json::Value {
    serde_json::from_str(include_str!("../../../../../vectors/sm9.json")).expect("JSON")
}

pub(super) fn bytes<const N: usize>(value: &serde_json::Value) -> [u8; N] {
    let mut out = [0; N];
    let text = value.as_str().expect("a string");
    // Numbers are printed without leading zeros of their own.
    let decoded = hex::decode(text).expect("hexadecimal");
    out[N - decoded.len()..].copy_from_slice(&decoded);
    out
}

#[test]
fn the_standards_values() {
    let v = vectors();
    let s = &v["signature"];
    let q = g2_generator_mul(&U256::from_be_bytes(&bytes(&s["ks"])));
    assert_eq!(g2_to_bytes(&q), bytes(&s["p_pub_s"]));
    assert_eq!(g2_from_bytes_vartime(&bytes(&s["p_pub_s"])), Ok(q));
    let g = pairing(&g1_generator(), &q);
    assert_eq!(gt_to_bytes(&g), bytes(&s["g"]));
    let r = U256::from_be_bytes(&bytes(&s["r"]));
    let w = bytes(&s["w"]);
    assert_eq!(gt_to_bytes(&gt_pow(&g, &r)), w);
    assert_eq!(gt_to_bytes(&gt_pow_vartime(&g, &r)), w);
    let table = GtTable::new(&g);
    assert_eq!(gt_to_bytes(&table.pow(&r)), w);
    assert_eq!(gt_to_bytes(&table.pow_vartime(&r)), w);
    let lines = G2Lines::new(&q);
    assert_eq!(pairing_with(&g1_generator(), &lines), g);
}

/// Scalars at the ends of the range and anywhere.
fn scalars(rng: &mut Repeatable, count: usize) -> Vec<U256> {
    let edges = [1, 2, 3, 31, 32, 33].into_iter().flat_map(|small| {
        let small = U256([small, 0, 0, 0]);
        [small, N::MODULUS.overflowing_sub(&small).0]
    });
    edges
        .chain(core::iter::repeat_with(|| {
            scalar_mul(&rng.number(), &U256::ONE)
        }))
        .filter(|k| *k != U256::ZERO)
        .take(count)
        .collect()
}

#[test]
fn products_and_their_tables() {
    let mut rng = Repeatable(91);
    let k = scalars(&mut rng, 12 + rounds(20));
    let (p1, p2) = (g1_generator(), g2_generator());
    let (t1, t2) = (G1Table::new(&p1), G2Table::new(&p2));
    let mut many1 = vec![G1::default(); k.len()];
    let mut many2 = vec![G2::default(); k.len()];
    g1_generator_mul_many(&k, &mut many1);
    g2_generator_mul_many(&k, &mut many2);
    for (i, k) in k.iter().enumerate() {
        let (q1, q2) = (g1_generator_mul(k), g2_generator_mul(k));
        assert_eq!(g1_mul(k, &p1), q1);
        assert_eq!(g2_mul(k, &p2), q2);
        assert_eq!(t1.mul(k), q1);
        assert_eq!(t2.mul(k), q2);
        assert_eq!(many1[i], q1);
        assert_eq!(many2[i], q2);
        assert_eq!(g1_from_bytes(&g1_to_bytes(&q1)), Ok(q1));
        assert_eq!(g2_from_bytes_vartime(&g2_to_bytes(&q2)), Ok(q2));
    }
}
