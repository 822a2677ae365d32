//! All signatures are equal, the library accepts them, and all verifications tell them from others.

use kuaimi::sm2::{Ciphertext, CiphertextForm, Signature};
use kuaimi_math::arith::U256;
use kuaimi_math::arith::backend::Portable32;
use kuaimi_math::curve::{Affine, Curve, Jacobian};
use kuaimi_math::sm2::curve::Sm2 as Sm2With;
use kuaimi_math::sm2::group::scalar_sub;

use super::encrypt::{decrypt, encrypt};
use super::gmssl::{Sm2, wide, wide_constant_time, wide_sum};
use super::go::{allocations, heap_product, heap_sum, product, sum};
use super::inputs::{Inputs, MANY, comb_sum, no_tables, public_point, windows};
use super::tongsuo::{Chain, Folding, Generic};
use crate::ladders::field::Integers;
use crate::ladders::generator::comb::Combs;
use crate::ladders::generator::double_and_add::to_affine;
use crate::ladders::sm2::{pke, sign, verify};

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
        let portable: [fn(&_) -> Affine<Sm2>; 5] =
            [windows, wide, wide_constant_time, heap_product, product];
        for (i, mul) in portable.into_iter().enumerate() {
            assert!(
                generic == sign::sign::<Sm2>([&e, &inputs.d, &k], mul),
                "{i}"
            );
        }
        let heap = heap_product::<Sm2With<Portable32>>;
        assert!(generic == sign::sign([&e, &inputs.d, &k], heap));
        assert!(generic == sign::sign([&e, &inputs.d, &k], heap_product::<Generic>));
        let [r, s] = generic.map(U256::to_be_bytes);
        let signature = Signature::from_scalars(&r, &s).unwrap();
        key.verifying_key()
            .verify_digest(&e.to_be_bytes(), &signature)
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
    tells::<Sm2>("32-tables", wide_sum);
    tells::<Sm2>("no-allocation", sum);
    tells::<Sm2>("unrolled", heap_sum);
    tells::<Generic>("digits-64", heap_sum);
    tells::<Sm2With<Portable32>>("digits-32", heap_sum);
    tells::<Chain>("tables", comb_sum());
}

/// What is measured are signatures that the library accepts.
#[test]
fn measured_signatures_are_valid() {
    let inputs = Inputs::new();
    let signatures = inputs.signatures();
    assert_eq!(signatures.len(), MANY);
    let key = inputs.key();
    for (e, signature) in signatures {
        key.verifying_key().verify_digest(&e, &signature).unwrap();
    }
}

/// Three products: for each the table and the first sum, 256 doublings, about 43 additions; and a
/// sum.
#[test]
fn allocations_are_counted() {
    assert!((900..960).contains(&allocations()), "{}", allocations());
}

/// Every step encrypts what the library decrypts, equal for equal nonces, and decrypts what the
/// library encrypted, and nothing that was altered.
#[test]
fn ciphertexts() {
    let inputs = Inputs::new();
    let key = inputs.key();
    let combs = Combs::<Chain>::new(&Chain::GENERATOR);
    let n_minus_one = scalar_sub(&U256::ZERO, &U256::ONE);
    let nonces = items().into_iter().map(|(_, k)| k);
    for k in nonces.chain([U256::ONE, n_minus_one]) {
        let p = (
            public_point::<Generic>(&key),
            public_point::<Folding>(&key),
            public_point::<Chain>(&key),
        );
        let message = &pke::MESSAGE[..7];
        let generic = encrypt(message, &k, &p.0, windows, pke::product).unwrap();
        assert_eq!(
            encrypt(message, &k, &p.1, windows, pke::product).unwrap(),
            generic
        );
        assert_eq!(
            encrypt(message, &k, &p.2, windows, pke::product).unwrap(),
            generic
        );
        let combed = encrypt(
            message,
            &k,
            &p.2,
            |k| to_affine(&combs.mul(k)),
            pke::product,
        )
        .unwrap();
        assert_eq!(combed, generic);
        let wide = encrypt(
            message,
            &k,
            &public_point::<Sm2>(&key),
            wide_constant_time,
            pke::product,
        );
        assert_eq!(wide.unwrap(), generic);
        let parsed = Ciphertext::from_bytes(CiphertextForm::BareC1C3C2, &generic).unwrap();
        assert_eq!(*key.private_key().decrypt(&parsed).unwrap(), *message);
    }
    let made = key.public_key().encrypt(&pke::MESSAGE).unwrap();
    let bytes = made.to_bytes(CiphertextForm::BareC1C3C2);
    let all = |bytes: &[u8]| {
        [
            decrypt::<Generic>(bytes, &inputs.d, pke::product),
            decrypt::<Folding>(bytes, &inputs.d, pke::product),
            decrypt::<Chain>(bytes, &inputs.d, pke::product),
        ]
    };
    for message in all(&bytes) {
        assert_eq!(message.unwrap(), pke::MESSAGE);
    }
    // A coordinate, the check, the message; and too few bytes.
    for place in [0, 40, 70, bytes.len() - 1] {
        let mut altered = bytes.clone();
        altered[place] ^= 1;
        assert_eq!(all(&altered), [const { None }; 3], "{place}");
    }
    assert_eq!(all(&bytes[..95]), [const { None }; 3]);
    assert_eq!(pke::ciphertexts(&inputs).len(), MANY);
    assert_eq!(pke::parsed(&inputs).len(), MANY);
}
