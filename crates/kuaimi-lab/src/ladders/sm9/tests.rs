//! The slower ways against those that the library takes.

use kuaimi_math::arith::Modulus;
use kuaimi_math::arith::backend::{Visitor, for_each};
use kuaimi_math::arith::{Backend, U256};
use kuaimi_math::curve::{Curve, Entry};
use kuaimi_math::sm9::curve::{N, Sm9G1, Sm9G2};
use kuaimi_math::sm9::group;
use kuaimi_math::sm9::gt::fixed_base::GtFixedBaseTable;
use kuaimi_math::sm9::plain_table::PlainTable;
use kuaimi_math::sm9::tower::Fq12;

use super::{base, hard_parts, numbers, pairing_with_hard_part, pairs, powers, wnaf};

/// A few numbers, and those at the edges.
fn some() -> Vec<U256> {
    let order = N::MODULUS;
    let below = |k: u64| order.overflowing_sub(&U256([k, 0, 0, 0])).0;
    let edges = [
        U256::ONE,
        U256([2, 0, 0, 0]),
        U256([u64::MAX, u64::MAX, 0, 0]),
        below(1),
        below(2),
    ];
    edges
        .into_iter()
        .chain(numbers().into_iter().take(4))
        .collect()
}

fn products<C: Curve>(mul: fn(&U256, &Entry<C>) -> Entry<C>, generator_mul: fn(&U256) -> Entry<C>)
where
    C::Field: zeroize::Zeroize,
{
    let g = C::GENERATOR;
    let table = PlainTable::<C>::generate_vartime(&g);
    let words = |entry: &Entry<C>| entry.map(|x| x.as_ref().to_vec());
    for k in some() {
        let expected = words(&generator_mul(&k));
        assert!(
            words(&mul(&k, &g.to_entry())) == expected,
            "endomorphisms: {:x?}",
            k.0
        );
        assert!(
            words(&wnaf(&k, &g).to_entry()) == expected,
            "wnaf: {:x?}",
            k.0
        );
        let plain = table.mul_vartime(&k).to_affine().to_entry();
        assert!(words(&plain) == expected, "plain-table: {:x?}", k.0);
    }
}

struct Parts;

impl Visitor for Parts {
    fn visit<B: Backend>(&mut self) {
        products::<Sm9G1<B>>(group::g1_mul, group::g1_generator_mul);
        products::<Sm9G2<B>>(group::g2_mul, group::g2_generator_mul);

        let g = Fq12::<B>::from_limbs(&base());
        let (table, stored) = (GtFixedBaseTable::new(&g), group::GtTable::new(&base()));
        for k in some() {
            let expected = group::gt_pow(&base(), &k);
            for (name, pow) in powers::<B>() {
                assert!(
                    pow(&g, &k).to_limbs() == expected,
                    "{name} on {}: {:x?}",
                    B::NAME,
                    k.0
                );
            }
            assert!(
                table.pow::<B, Fq12<B>>(&k).to_limbs() == expected,
                "{:x?}",
                k.0
            );
            assert!(stored.pow(&k) == expected, "{:x?}", k.0);
        }

        for pair in pairs().iter().take(2) {
            let expected = group::pairing(&pair.0, &pair.1);
            for (name, hard_part) in hard_parts::<B>() {
                let result = pairing_with_hard_part(pair, hard_part).to_limbs();
                assert!(result == expected, "{name} on {}", B::NAME);
            }
            let lines = group::G2Lines::new(&pair.1);
            assert!(group::pairing_with(&pair.0, lines.lines()) == expected);
        }
    }
}

#[test]
fn parts() {
    for_each(&mut Parts);
}
