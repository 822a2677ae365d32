//! Signatures over messages of 1 MB, whose hash takes longer than the curve: Tongsuo's first and
//! last step, each with SM3 in plain code, then the library's hash, then the library.

use std::rc::Rc;

use kuaimi::sm3::Sm3;
use kuaimi_math::arith::U256;
use kuaimi_math::curve::{Affine, Curve, Jacobian};

use super::inputs::{Inputs, comb_sum, integers, no_tables, public_point, windows};
use super::tongsuo::{Chain, Generic};
use super::{sign, verify};
use crate::harness::implementation::with_implementation;
use crate::ladders::backend::implementations;
use crate::ladders::field::Integers;
use crate::ladders::generator::comb::Combs;
use crate::ladders::generator::double_and_add::to_affine;
use crate::ladders::rung::{Ladder, Rung, Unit, Work, each};

pub(in crate::ladders) const SIGN: &str = "sm2-sign-1mb";
pub(in crate::ladders) const VERIFY: &str = "sm2-verify-1mb";

const TONGSUO: &str = "Tongsuo's optimisation of SM2 and SM3, with our own code for each step";
const LENGTH: usize = 1_000_000;

/// The digest of what is signed, of the message after `Z`, by plain code, or by the library's.
fn digest(after_z: &Sm3, message: &[u8], plain: bool) -> U256 {
    let run = || {
        let mut hash = after_z.clone();
        hash.update(message);
        U256::from_be_bytes(&hash.finalize())
    };
    match implementations().first() {
        Some(name) if plain => with_implementation(name, run),
        _ => run(),
    }
}

/// What is signed, by whom, and the hash after `Z`.
struct Long {
    inputs: Inputs,
    message: Rc<[u8]>,
    z: Sm3,
}

impl Long {
    fn new() -> Self {
        let inputs = Inputs::new();
        let z = inputs.key().message_hash();
        Self {
            inputs,
            message: vec![0x5A; LENGTH].into(),
            z,
        }
    }
}

fn signs<C: Integers>(
    plain: bool,
    generator_mul: impl Fn(&C::Scalar) -> Affine<C> + 'static,
) -> Work {
    let Long {
        inputs: Inputs { d, items },
        message,
        z,
    } = Long::new();
    each(items, move |(_, k)| {
        let e = digest(&z, &message, plain);
        sign::sign::<C>([&e, &d, k], &generator_mul)
    })
}

fn verifies<C: Integers>(
    plain: bool,
    sum: impl Fn(&C::Scalar, &C::Scalar, &Affine<C>) -> Jacobian<C> + 'static,
) -> Work {
    let Long { inputs, message, z } = Long::new();
    let key = inputs.key();
    let p = public_point::<C>(&key);
    let signature = match key.sign(&message) {
        Ok(signature) => integers(&signature),
        Err(error) => unreachable!("the system has random numbers: {error}"),
    };
    each(vec![signature], move |signature| {
        let valid = verify::verify(&digest(&z, &message, plain), signature, &p, &sum);
        assert!(valid, "a signature of the library is refused");
    })
}

pub(in crate::ladders) fn signing() -> Ladder {
    let combs = || {
        let combs = Combs::<Chain>::new(&Chain::GENERATOR);
        move |k: &_| to_affine(&combs.mul(k))
    };
    let Long {
        inputs, message, ..
    } = Long::new();
    let key = inputs.key();
    Ladder {
        name: SIGN,
        title: "SM2: a signature over 1 MB",
        about: "One operation hashes 1,000,000 bytes after Z, and signs. Published: the first and the third step together.",
        rungs: vec![
            Rung::new(
                "plain-hash-generic",
                "SM3 in plain code; the curve as in tongsuo-generic.",
                TONGSUO,
                signs::<Generic>(true, windows),
            )
            .published(1.0, Unit::Times),
            Rung::new(
                "plain-hash-tables",
                "The curve as in tongsuo-tables.",
                TONGSUO,
                signs::<Chain>(true, combs()),
            ),
            Rung::new(
                "hash-tables",
                "SM3 as the library has it here.",
                TONGSUO,
                signs::<Chain>(false, combs()),
            )
            .published(3.862, Unit::Times),
            Rung::new(
                "library",
                "The library's curve.",
                "kuaimi, sm2/sign.rs",
                each(vec![message], move |message| key.sign(message)),
            )
            .used_by_library()
            .depends_on_cpu(),
        ],
    }
}

pub(in crate::ladders) fn verifying() -> Ladder {
    let Long {
        inputs, message, ..
    } = Long::new();
    let key = inputs.key();
    let signature = match key.sign(&message) {
        Ok(signature) => signature,
        Err(error) => unreachable!("the system has random numbers: {error}"),
    };
    Ladder {
        name: VERIFY,
        title: "SM2: a verification of 1 MB",
        about: "One operation hashes 1,000,000 bytes after Z, and verifies. Published: the first and the third step together.",
        rungs: vec![
            Rung::new(
                "plain-hash-generic",
                "SM3 in plain code; the curve as in tongsuo-generic.",
                TONGSUO,
                verifies::<Generic>(true, no_tables),
            )
            .leaks()
            .published(1.0, Unit::Times),
            Rung::new(
                "plain-hash-tables",
                "The curve as in tongsuo-tables.",
                TONGSUO,
                verifies::<Chain>(true, comb_sum()),
            )
            .leaks(),
            Rung::new(
                "hash-tables",
                "SM3 as the library has it here.",
                TONGSUO,
                verifies::<Chain>(false, comb_sum()),
            )
            .leaks()
            .published(1.971, Unit::Times),
            Rung::new(
                "library",
                "The library's curve.",
                "kuaimi, sm2/verify.rs",
                each(vec![message], move |message| {
                    key.verifying_key().verify(message, &signature)
                }),
            )
            .leaks()
            .used_by_library()
            .depends_on_cpu(),
        ],
    }
}

#[cfg(test)]
mod tests {
    use kuaimi::sm2::Signature;

    use super::{Long, digest};

    /// The digest is that which the library signs, by either hash.
    #[test]
    fn digests_are_the_library_s() {
        let Long { inputs, message, z } = Long::new();
        let key = inputs.key();
        let signature: Signature = key.sign(&message).unwrap();
        for plain in [true, false] {
            let e = digest(&z, &message, plain).to_be_bytes();
            key.verifying_key().verify_digest(&e, &signature).unwrap();
            assert!(
                key.verifying_key()
                    .verify_digest(&[1; 32], &signature)
                    .is_err()
            );
        }
    }
}
