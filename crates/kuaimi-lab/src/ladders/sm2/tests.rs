//! All signatures are equal, the library accepts them, and all verifications tell them from others.

use kuaimi::sm2::Signature;
use kuaimi_math::arith::U256;
use kuaimi_math::curve::{Affine, Curve, Jacobian};
use kuaimi_math::sm2::group::scalar_sub;

use super::{Chain, Combs, Folding, Generic, Inputs, Integers, no_tables, public_point, windows};
use crate::ladders::generator::double_and_add::to_affine;
use crate::ladders::sm2::{sign, verify};

/// Digests and nonces that are as good as random, and those at the edges.
fn items() -> Vec<(U256, U256)> {
    let mut items = Inputs::new().items;
    items.truncate(12);
    // n − 1
    let last = scalar_sub(&U256::ZERO, &U256::ONE);
    for e in [U256::ZERO, U256::ONE, last] {
        items.extend([U256([2, 0, 0, 0]), last].map(|k| (e, k)));
    }
    items
}

#[test]
fn signatures_are_equal_and_valid() {
    let inputs = Inputs::new();
    let key = inputs.key();
    let combs = Combs::<Chain>::new(&Chain::GENERATOR);
    for (e, k) in items() {
        let generic = sign::sign::<Generic>([&e, &inputs.d, &k], windows);
        assert!(generic == sign::sign::<Folding>([&e, &inputs.d, &k], windows));
        assert!(generic == sign::sign::<Chain>([&e, &inputs.d, &k], windows));
        assert!(generic == sign::sign::<Chain>([&e, &inputs.d, &k], |k| to_affine(&combs.mul(k))));
        let [r, s] = generic.map(U256::to_be_bytes);
        let signature = Signature::from_scalars(&r, &s).unwrap();
        key.verifying_key()
            .verify_prehash(&e.to_be_bytes(), &signature)
            .unwrap();
    }
}

fn tells<C: Integers>(name: &str, sum: impl Fn(&C::Scalar, &C::Scalar, &Affine<C>) -> Jacobian<C>) {
    let inputs = Inputs::new();
    let p = public_point::<C>(&inputs.key());
    for (e, k) in items() {
        let [r, s] = sign::sign::<Generic>([&e, &inputs.d, &k], windows);
        let valid = |e: &U256, r: &U256, s: &U256| verify::verify(e, &[*r, *s], &p, &sum);
        assert!(valid(&e, &r, &s), "{name}");
        let other = |a: &U256| scalar_sub(a, &U256::ONE);
        assert!(!valid(&other(&e), &r, &s), "{name}");
        assert!(!valid(&e, &other(&r), &s), "{name}");
        assert!(!valid(&e, &r, &other(&s)), "{name}");
        // t = r + s is zero.
        assert!(!valid(&e, &r, &scalar_sub(&U256::ZERO, &r)), "{name}");
    }
}

#[test]
fn verifications() {
    tells::<Generic>("generic", no_tables);
    tells::<Folding>("folding", no_tables);
    tells::<Chain>("chain", no_tables);
    let combs = Combs::<Chain>::new(&Chain::GENERATOR);
    tells::<Chain>("tables", |s, t, p| {
        combs
            .mul_vartime(s)
            .add_vartime(&kuaimi_math::curve::scalar_mul::mul_vartime(t, p))
    });
}

/// What is measured are signatures that the library accepts.
#[test]
fn measured_signatures_are_valid() {
    let inputs = Inputs::new();
    let signatures = inputs.signatures();
    assert_eq!(signatures.len(), super::MANY);
    let key = inputs.key();
    for (e, signature) in signatures {
        key.verifying_key().verify_prehash(&e, &signature).unwrap();
    }
}
