//! Many operations against single ones, with whatever the selected backend computes them.

use crate::arith::U256;
use crate::sm9::group::tests::scalars;
use crate::sm9::group::*;
use crate::testing::Repeatable;

/// As many as fill the lanes of vectors, fewer and more: lanes without a number must not change the
/// others.
#[test]
fn products_of_any_number() {
    let mut rng = Repeatable(97);
    let k = scalars(&mut rng, 22);
    let table = G1Table::new(&g1_generator_mul(&U256([7, 0, 0, 0])));
    for count in [0, 1, 2, 4, 5, 8, 9, 13, 16, 19, 22] {
        let k = &k[..count];
        let (mut one, mut two) = (vec![G1::default(); count], vec![G2::default(); count]);
        let mut three = one.clone();
        g1_generator_mul_many(k, &mut one);
        g2_generator_mul_many(k, &mut two);
        g1_table_mul_many(&vec![&table; count], k, &mut three);
        assert_eq!(one, k.iter().map(g1_generator_mul).collect::<Vec<_>>());
        assert_eq!(two, k.iter().map(g2_generator_mul).collect::<Vec<_>>());
        assert_eq!(three, k.iter().map(|k| table.mul(k)).collect::<Vec<_>>());
    }
}

/// Among others of equal and of opposite points.
#[test]
fn sums_of_two_products() {
    let mut rng = Repeatable(95);
    let k = scalars(&mut rng, 22);
    let (one, two) = (
        G1Table::new(&g1_generator()),
        G1Table::new(&g1_generator_mul(&U256([2, 0, 0, 0]))),
    );
    for count in [0, 1, 2, 9, 22] {
        let a = &k[..count];
        let opposite = a.iter().map(|a| scalar_sub(&U256::ZERO, a));
        let b: Vec<U256> = a
            .iter()
            .copied()
            .zip(opposite)
            .enumerate()
            .map(|(i, (a, opposite))| if i % 3 == 0 { opposite } else { a })
            .collect();
        let tables: Vec<&G1Table> = (0..count)
            .map(|i| if i % 2 == 0 { &one } else { &two })
            .collect();
        let mut sums = vec![[[1; 4]; 2]; count];
        g1_generator_table_mul_many(a, &b, &tables, &mut sums);
        for i in 0..count {
            assert_eq!(
                sums[i],
                g1_generator_table_mul(&a[i], &b[i], tables[i]),
                "{i} of {count}"
            );
            if i % 6 == 0 {
                assert_eq!(sums[i], G1::default(), "infinity");
            }
        }
    }
}

/// As many as fill the lanes, fewer and more, with and without the lines of a point; pairs that
/// repeat.
#[test]
fn many_pairings_and_powers() {
    let mut rng = Repeatable(96);
    let k = scalars(&mut rng, 19);
    let p: Vec<G1> = k.iter().map(g1_generator_mul).collect();
    let q: Vec<G2> = k.iter().rev().map(g2_generator_mul).collect();
    let lines: Vec<G2Lines> = q.iter().map(G2Lines::new).collect();
    let lines: Vec<&Lines> = lines.iter().map(G2Lines::lines).collect();
    let expected: Vec<Gt> = p.iter().zip(&q).map(|(p, q)| pairing(p, q)).collect();
    let tables = [GtTable::new(&expected[0]), GtTable::new(&expected[5])];
    for count in [0, 1, 2, 4, 5, 8, 9, 19] {
        let mut out = vec![Gt::default(); count];
        pairing_many(&p[..count], &q[..count], &mut out);
        assert_eq!(out, expected[..count]);
        out.fill(Gt::default());
        pairing_with_many(&p[..count], &lines[..count], &mut out);
        assert_eq!(out, expected[..count]);
        // Two tables, and one.
        for different in [2, 1] {
            let tables: Vec<&GtTable> = (0..count).map(|i| &tables[i % different]).collect();
            out.fill(Gt::default());
            gt_table_pow_many(&tables, &k[..count], &mut out);
            for i in 0..count {
                assert_eq!(
                    out[i],
                    gt_pow(&expected[5 * (i % different)], &k[i]),
                    "{i} of {count}, of {different} tables"
                );
            }
        }
    }
    let mut out = vec![Gt::default(); 8];
    pairing_many(&[p[0]; 8], &[q[0]; 8], &mut out);
    assert_eq!(out, [expected[0]; 8]);
}
