//! The standard's examples, and the operations compared with each other.

use super::*;
use crate::arith::Modulus;
use crate::arith::backend::Portable64;
use crate::curve::scalar_mul as curve_scalar_mul;
use crate::sm9::curve::{N, Q};
use crate::sm9::plain_table::PlainTable;
use crate::sm9::tower::Fq2;
use crate::testing::{Repeatable, big, from_big, rounds};

pub(super) fn vectors() -> serde_json::Value {
    serde_json::from_str(include_str!("../../../../../vectors/sm9.json")).expect("JSON")
}

pub(super) fn bytes<const N: usize>(value: &serde_json::Value) -> [u8; N] {
    let mut out = [0; N];
    let text = value.as_str().expect("a string");
    // The standard prints numbers without leading zeros.
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
    assert_eq!(g2_from_bytes(&bytes(&s["p_pub_s"])), Ok(q));
    let g = pairing(&g1_generator(), &q);
    assert_eq!(gt_to_bytes(&g), bytes(&s["g"]));
    let r = U256::from_be_bytes(&bytes(&s["r"]));
    let w = bytes(&s["w"]);
    assert_eq!(gt_to_bytes(&gt_pow(&g, &r)), w);
    let table = GtTable::new(&g);
    assert_eq!(gt_to_bytes(&table.pow(&r)), w);
    assert_eq!(gt_to_bytes(&table.pow_vartime(&r)), w);
    let lines = G2Lines::new(&q);
    assert_eq!(pairing_with(&g1_generator(), lines.lines()), g);
}

/// Scalars at the ends of the range, and random ones.
pub(super) fn scalars(rng: &mut Repeatable, count: usize) -> Vec<U256> {
    let edges = [1, 2, 3, 31, 32, 33].into_iter().flat_map(|small| {
        let small = U256([small, 0, 0, 0]);
        [small, N::MODULUS.overflowing_sub(&small).0]
    });
    edges
        .chain(core::iter::repeat_with(|| {
            scalar_mul(&U256(rng.number()), &U256::ONE)
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
    let mut with_tables = vec![G1::default(); k.len()];
    let other = G1Table::new(&g1_generator_mul(&U256([7, 0, 0, 0])));
    let tables: Vec<&G1Table> = [&t1, &other].into_iter().cycle().take(k.len()).collect();
    g1_table_mul_many(&tables, &k, &mut with_tables);
    for (i, k) in k.iter().enumerate() {
        let (q1, q2) = (g1_generator_mul(k), g2_generator_mul(k));
        assert_eq!(g1_mul(k, &p1), q1);
        assert_eq!(g2_mul(k, &p2), q2);
        assert_eq!(t1.mul(k), q1);
        assert_eq!(t2.mul(k), q2);
        assert_eq!(many1[i], q1);
        assert_eq!(many2[i], q2);
        assert_eq!(with_tables[i], tables[i].mul(k));
        assert_eq!(g1_from_bytes(&g1_to_bytes(&q1)), Ok(q1));
        assert_eq!(g2_from_bytes(&g2_to_bytes(&q2)), Ok(q2));
    }
}

/// The stored lines are those that the selected backend computes.
#[test]
fn the_generators_lines() {
    assert_eq!(g2_generator_lines(), G2Lines::new(&g2_generator()).lines());
    let k = U256([5, 6, 7, 8]);
    let p = g1_generator_mul(&k);
    assert_eq!(
        pairing_with(&p, g2_generator_lines()),
        pairing(&p, &g2_generator())
    );
}

/// The points of the examples, and the values that are computed from them.
#[test]
fn the_standards_points() {
    let v = vectors();
    let number = |value| U256::from_be_bytes(&bytes(value));
    let keys = [&v["key_exchange"], &v["key_encapsulation"]];
    for key in keys {
        let expected = bytes::<64>(&key["p_pub_e"]);
        assert_eq!(
            g1_to_bytes(&g1_generator_mul(&number(&key["ke"]))),
            expected
        );
    }
    let [exchange, kem] = keys;
    for name in ["de_a", "de_b"] {
        assert!(g2_from_bytes(&bytes(&exchange[name])).is_ok());
    }
    // w = e(Ppub-e, P2)^r, which is also e(C, de) with C = [r]Q.
    let public = g1_from_bytes(&bytes(&kem["p_pub_e"])).expect("a point");
    let g = pairing(&public, &g2_generator());
    let r = number(&kem["r"]);
    let q = g1_from_bytes(&bytes(&kem["q_b"])).expect("a point");
    let c = g1_mul(&r, &q);
    assert_eq!(g1_to_bytes(&c), bytes(&kem["c"]));
    assert_eq!(gt_to_bytes(&g), bytes(&kem["g"]));
    let w = gt_to_bytes(&gt_pow(&g, &r));
    let de = g2_from_bytes(&bytes(&kem["de"])).expect("a point");
    assert_eq!(gt_to_bytes(&pairing(&c, &de)), w);
    assert_eq!(gt_to_bytes(&pairing_with(&c, G2Lines::new(&de).lines())), w);
    assert_eq!(gt_to_bytes(&GtTable::new(&g).pow(&r)), w);
    let ds = g1_from_bytes(&bytes(&v["signature"]["ds"])).expect("a point");
    // S = [l]ds with l = (r − h) mod N.
    let s = &v["signature"];
    let l = scalar_sub(&number(&s["r"]), &number(&s["h"]));
    assert_eq!(g1_to_bytes(&g1_mul(&l, &ds)), bytes(&s["s"]));
    assert_eq!(g1_to_bytes(&G1Table::new(&ds).mul(&l)), bytes(&s["s"]));
}

/// `−P`.
fn g2_neg(p: &G2) -> G2 {
    with_backend!(B => g2::<B>(p).neg().to_entry())
}

#[test]
fn sums_and_their_exceptions() {
    let mut rng = Repeatable(92);
    let minus_one = N::MODULUS.overflowing_sub(&U256::ONE).0;
    let (p1, p2) = (g1_generator(), g2_generator());
    assert_eq!(g1_generator_mul(&minus_one), g1_neg(&p1));
    assert_eq!(g2_generator_mul(&minus_one), g2_neg(&p2));
    assert_eq!(g1_generator_mul_add_vartime(&minus_one, &p1), None);
    assert_eq!(g2_generator_mul_add_vartime(&minus_one, &p2), None);
    assert_eq!(g1_add_vartime(&p1, &g1_neg(&p1)), None);
    let two = U256([2, 0, 0, 0]);
    assert_eq!(g1_add_vartime(&p1, &p1), Some(g1_generator_mul(&two)));
    assert_eq!(
        g2_generator_mul_add_vartime(&U256::ONE, &p2),
        Some(g2_generator_mul(&two))
    );
    for k in scalars(&mut rng, 12 + rounds(10)) {
        let j = scalar_mul(&U256(rng.number()), &U256::ONE);
        let sum = scalar_add(&k, &j);
        let (q1, q2) = (g1_generator_mul(&j), g2_generator_mul(&j));
        assert_eq!(
            g1_generator_mul_add_vartime(&k, &q1),
            Some(g1_generator_mul(&sum))
        );
        assert_eq!(
            g2_generator_mul_add_vartime(&k, &q2),
            Some(g2_generator_mul(&sum))
        );
        // [a]P1 + [b]([j]P1), also with equal summands.
        let table = G1Table::new(&q1);
        for b in [k, scalar_mul(&k, &scalar_invert(&j))] {
            let total = scalar_add(&k, &scalar_mul(&b, &j));
            assert_eq!(
                g1_generator_table_mul(&k, &b, &table),
                g1_generator_mul(&total)
            );
        }
    }
}

#[test]
fn arithmetic_modulo_n() {
    let mut rng = Repeatable(93);
    let n = big(&N::MODULUS);
    let mut inverses = vec![U256::ZERO];
    for _ in 0..rounds(100) {
        let (a, b) = (big(&U256(rng.number())) % &n, big(&U256(rng.number())) % &n);
        let (x, y) = (from_big(&a), from_big(&b));
        assert_eq!(big(&scalar_add(&x, &y)), (&a + &b) % &n);
        assert_eq!(big(&scalar_sub(&x, &y)), (&a + &n - &b) % &n);
        assert_eq!(big(&scalar_mul(&x, &y)), &a * &b % &n);
        let inverse = a.modinv(&n).unwrap_or_default();
        assert_eq!(big(&scalar_invert(&x)), inverse);
        inverses.push(x);
    }
    let expected: Vec<U256> = inverses.iter().map(scalar_invert).collect();
    scalar_invert_many(&mut inverses);
    assert!(inverses == expected);
}

/// Products with endomorphisms, compared with wNAF without them.
#[test]
fn products_with_endomorphisms() {
    let mut rng = Repeatable(94);
    let t = U256([crate::sm9::curve::T, 0, 0, 0]);
    let mut k = scalars(&mut rng, 12 + rounds(60));
    k.extend([
        t,
        scalar_mul(&t, &t),
        scalar_mul(&U256([6, 0, 0, 0]), &scalar_mul(&t, &t)),
    ]);
    // The operands of the last addition are equal, for the first scalar in G2, for the second in
    // G1.
    k.extend([
        U256::from_hex("0000000000000012FC00000034C90AE08030EC2A179DB88637A2E0E49B32C4CE"),
        U256::from_hex("0000000000000029C40000007420B174F06BA12944BF4897C7233003A9D273AE"),
    ]);
    let minus_one = scalar_sub(&U256::ZERO, &U256::ONE);
    let mut points = [U256::ONE, minus_one, U256([2, 0, 0, 0])].into_iter();
    for k in &k {
        let j = points.next().unwrap_or_else(|| U256(rng.number()));
        let (p1, p2) = (g1_generator_mul(&j), g2_generator_mul(&j));
        let plain1 = with_backend!(B => {
            let k = Scalar::<B>::from_u256_reduced(k);
            curve_scalar_mul::mul_vartime(&k, &g1(&p1)).to_affine().to_entry()
        });
        assert_eq!(g1_mul(k, &p1), plain1);
        let plain2 = with_backend!(B => {
            let k = Scalar::<B>::from_u256_reduced(k);
            curve_scalar_mul::mul_vartime(&k, &g2(&p2)).to_affine().to_entry()
        });
        assert_eq!(g2_mul(k, &p2), plain2);
    }
}

#[test]
fn powers_agree() {
    let mut rng = Repeatable(95);
    let g = pairing(&g1_generator(), &g2_generator());
    let table = GtTable::new(&g);
    let one = with_backend!(B => Fq12::<B>::ONE.to_limbs());
    let minus_one = N::MODULUS.overflowing_sub(&U256::ONE).0;
    for k in scalars(&mut rng, 12 + rounds(20)) {
        let expected = with_backend!(B => {
            gt::power::pow_binary_vartime(&Fq12::<B>::from_limbs(&g), &k).to_limbs()
        });
        assert_eq!(gt_pow(&g, &k), expected);
        assert_eq!(table.pow(&k), expected);
        assert_eq!(table.pow_vartime(&k), expected);
        with_backend!(B => {
            let (f, s) = (Fq12::<B>::from_limbs(&g), Scalar::from_u256_reduced(&k));
            assert!(gt::power::pow_naf_vartime(&f, &k).to_limbs() == expected);
            assert!(gt::power::pow_windows(&f, &s).to_limbs() == expected);
        });
        let inverse = gt_pow(&expected, &minus_one);
        assert_eq!(gt_mul(&expected, &inverse), one);
    }
    // The exponent 0 gives 1.
    assert_eq!(gt_pow(&g, &U256::ZERO), one);
    assert_eq!(table.pow(&U256::ZERO), one);
}

#[test]
fn plain_tables_agree() {
    let mut rng = Repeatable(96);
    with_backend!(B => {
        let p = Sm9G1::<B>::GENERATOR;
        let table = PlainTable::<Sm9G1<B>>::generate_vartime(&p);
        assert_eq!(table.points().len(), 32 * 255);
        let naive = PlainTable::<Sm9G1<B>>::generate_naively_vartime(&p);
        let same = |(a, b): (&Affine<_>, &Affine<_>)| a.to_entry() == b.to_entry();
        assert!(table.points().iter().zip(naive.points()).all(same));
        let table2 = PlainTable::<Sm9G2<B>>::generate_vartime(&Sm9G2::GENERATOR);
        for k in scalars(&mut rng, 20) {
            assert_eq!(table.mul_vartime(&k).to_affine().to_entry(), g1_generator_mul(&k));
            assert_eq!(table2.mul_vartime(&k).to_affine().to_entry(), g2_generator_mul(&k));
        }
    });
}

#[test]
fn bad_points_are_refused() {
    let (p1, p2) = (g1_generator(), g2_generator());
    let q: [u8; 32] = Q::MODULUS.to_be_bytes();
    // A coordinate that is not below q, even if it is right modulo q.
    for position in [0, 32] {
        let mut bytes = g1_to_bytes(&p1);
        bytes[position..position + 32].copy_from_slice(&q);
        assert_eq!(g1_from_bytes(&bytes), Err(InvalidPoint::Coordinate));
        bytes[position..position + 32].fill(0xFF);
        assert_eq!(g1_from_bytes(&bytes), Err(InvalidPoint::Coordinate));
    }
    for position in [0, 32, 64, 96] {
        let mut bytes = g2_to_bytes(&p2);
        bytes[position..position + 32].copy_from_slice(&q);
        assert_eq!(g2_from_bytes(&bytes), Err(InvalidPoint::Coordinate));
    }
    assert_eq!(g1_from_bytes(&[0; 64]), Err(InvalidPoint::NotOnCurve));
    assert_eq!(g2_from_bytes(&[0; 128]), Err(InvalidPoint::NotOnCurve));
    let mut bytes = g1_to_bytes(&p1);
    bytes[63] ^= 1;
    assert_eq!(g1_from_bytes(&bytes), Err(InvalidPoint::NotOnCurve));
    let mut bytes = g2_to_bytes(&p2);
    bytes[127] ^= 1;
    assert_eq!(g2_from_bytes(&bytes), Err(InvalidPoint::NotOnCurve));
}

/// Compressed points, and points of the twist that are not in the subgroup, as nearly all random
/// ones are.
#[test]
fn compressed_points_and_the_subgroup() {
    let mut rng = Repeatable(97);
    let (mut not_in_subgroup, mut not_on_twist, mut not_on_curve) = (0, 0, 0);
    for _ in 0..rounds(40).max(20) {
        let k = U256(rng.number());
        let (p1, p2) = (g1_generator_mul(&k), g2_generator_mul(&k));
        let (b1, b2) = (g1_to_bytes(&p1), g2_to_bytes(&p2));
        let (x1, x2) = (
            b1.first_chunk().expect("long"),
            b2.first_chunk().expect("long"),
        );
        assert_eq!(g1_decompress_vartime(x1, b1[63] & 1 == 1), Ok(p1));
        assert_eq!(g1_decompress_vartime(x1, b1[63] & 1 == 0), Ok(g1_neg(&p1)));
        assert_eq!(g2_decompress_vartime(x2, b2[127] & 1 == 1), Ok(p2));
        assert_eq!(g2_decompress_vartime(x2, b2[127] & 1 == 0), Ok(g2_neg(&p2)));

        let mut x = [0; 64];
        let random = with_backend!(B => {
            let coordinate = |rng: &mut Repeatable| Fq::<B>::from_u256_reduced(&U256(rng.number()));
            let x = Fq2::new(coordinate(&mut rng), coordinate(&mut rng));
            point_encoding::coordinate_fq2_to_bytes(&x)
        });
        x.copy_from_slice(&random);
        match g2_decompress_vartime(&x, false) {
            Err(InvalidPoint::NotInSubgroup) => not_in_subgroup += 1,
            Err(InvalidPoint::NotOnCurve) => not_on_twist += 1,
            other => panic!("a random x-coordinate is in G2: {other:?}"),
        }
        match g1_decompress_vartime(x.first_chunk().expect("long"), false) {
            Ok(p) => assert_eq!(g1_from_bytes(&g1_to_bytes(&p)), Ok(p)),
            Err(InvalidPoint::NotOnCurve) => not_on_curve += 1,
            Err(other) => panic!("{other:?}"),
        }
    }
    assert!(not_in_subgroup > 0 && not_on_twist > 0 && not_on_curve > 0);
}

/// The subgroup check, compared with the multiplication by N: points of the subgroup, points of the
/// cofactor's order, and others.
#[test]
fn the_subgroup_check_is_multiplication_by_n() {
    let mut rng = Repeatable(98);
    let times = |k: &num_bigint::BigUint, p: &Affine<Sm9G2<Portable64>>| {
        (0..k.bits()).rev().fold(Jacobian::INFINITY, |sum, i| {
            let twice = sum.double();
            if k.bit(i) {
                twice.add_affine_vartime(p)
            } else {
                twice
            }
        })
    };
    let n = big(&N::MODULUS);
    let cofactor = big(&Q::MODULUS) * 2u32 - &n;
    let (mut found, mut small_found) = (0, 0);
    while found < rounds(6) {
        let x = Fq2::new(
            Fq::from_u256_reduced(&U256(rng.number())),
            Fq::from_u256_reduced(&U256(rng.number())),
        );
        let Some(y) = crate::curve::affine::right_side::<Sm9G2<Portable64>>(&x).sqrt_vartime()
        else {
            continue;
        };
        found += 1;
        let p = Affine { x, y };
        assert!(
            bool::from(times(&(&n * &cofactor), &p).is_infinity()),
            "the twist's order"
        );
        assert!(!bool::from(glv_mul::is_in_g2(&p)));
        let in_g2 = times(&cofactor, &p).to_affine();
        assert!(bool::from(times(&n, &in_g2).is_infinity()));
        assert!(bool::from(glv_mul::is_in_g2(&in_g2)));
        let in_cofactor = times(&n, &p).to_affine();
        assert!(!bool::from(glv_mul::is_in_g2(&in_cofactor)));
        // Points of the smallest orders, with all exceptional additions; and their sums with a
        // point of G2.
        for order in [13u32, 1621] {
            assert_eq!(&cofactor % order, num_bigint::BigUint::ZERO);
            let small = times(&(&cofactor / order), &in_cofactor);
            if bool::from(small.is_infinity()) {
                continue;
            }
            small_found += 1;
            let small = small.to_affine();
            let mut multiple = Jacobian::from(small);
            for _ in 1..order.min(20) {
                if let Some(p) = multiple.to_affine_vartime() {
                    assert!(!bool::from(glv_mul::is_in_g2(&p)), "order {order}");
                }
                multiple = multiple.add_affine_vartime(&small);
            }
            let both = Jacobian::from(in_g2).add_affine_vartime(&small);
            assert!(!bool::from(glv_mul::is_in_g2(&both.to_affine())));
        }
    }
    assert!(small_found > 0);
}

#[test]
fn tables_are_stored() {
    let k = U256([5, 6, 7, 8]);
    let (p1, p2) = (g1_generator_mul(&k), g2_generator_mul(&k));
    let g = pairing(&p1, &p2);
    let (t1, t2, lines, powers) = (
        G1Table::new(&p1),
        G2Table::new(&p2),
        G2Lines::new(&p2),
        GtTable::new(&g),
    );
    let stored = [
        t1.to_bytes(),
        t2.to_bytes(),
        lines.to_bytes(),
        powers.to_bytes(),
    ];
    assert_eq!(
        stored.each_ref().map(|s| s.len()),
        [
            G1Table::BYTES,
            G2Table::BYTES,
            G2Lines::BYTES,
            GtTable::BYTES,
        ]
    );
    assert_eq!(
        G1Table::from_bytes(&stored[0]).expect("stored").mul(&k),
        t1.mul(&k)
    );
    assert_eq!(
        G2Table::from_bytes(&stored[1]).expect("stored").mul(&k),
        t2.mul(&k)
    );
    let loaded = G2Lines::from_bytes(&stored[2]).expect("stored");
    assert_eq!(pairing_with(&p1, loaded.lines()), g);
    assert_eq!(
        GtTable::from_bytes(&stored[3]).expect("stored").pow(&k),
        powers.pow(&k)
    );

    type Load = fn(&[u8]) -> Option<InvalidTable>;
    let loads: [Load; 4] = [
        |b| G1Table::from_bytes(b).err(),
        |b| G2Table::from_bytes(b).err(),
        |b| G2Lines::from_bytes(b).err(),
        |b| GtTable::from_bytes(b).err(),
    ];
    for (load, stored) in loads.iter().zip(&stored) {
        assert_eq!(load(stored), None);
        for length in [0, 7, 8, 40, stored.len() - 1] {
            let expected = stored.len();
            assert_eq!(
                load(&stored[..length]),
                Some(InvalidTable::Length {
                    expected,
                    found: length
                })
            );
        }
        let longer = [stored.as_slice(), &[0]].concat();
        assert!(matches!(load(&longer), Some(InvalidTable::Length { .. })));
        // An element that is not below q, at different positions.
        for position in [0, stored.len() / 64 * 32, stored.len() - 32] {
            let mut altered = stored.to_vec();
            altered[position..position + 32].fill(0xFF);
            assert_eq!(load(&altered), Some(InvalidTable::Element));
        }
    }
    assert!(
        format!("{t1:?} {t2:?} {lines:?} {powers:?}")
            == "G1Table(..) G2Table(..) G2Lines(..) GtTable(..)"
    );
}
