//! Encryption and decryption in Tongsuo's steps, with those of a study of GmSSL's tables, which
//! measured them, then the library's own.

use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::batch::{DecryptItem, EncryptItem, decrypt_batch, encrypt_batch};
use kuaimi::sm2::{Ciphertext, EncryptionKey};
use kuaimi_math::curve::{Affine, Curve, scalar_mul};

use super::encrypt::{decrypt, encrypt};
use super::gmssl::{Sm2, wide_constant_time};
use super::inputs::{Inputs, MANY, public_point, windows};
use super::tongsuo::{Chain, Folding, Generic};
use crate::ladders::field::Integers;
use crate::ladders::generator::comb::Combs;
use crate::ladders::generator::double_and_add::to_affine;
use crate::ladders::rung::{Ladder, Rung, Unit, Work, batches, each};

pub(in crate::ladders) const ENCRYPT: &str = "sm2-encrypt";
pub(in crate::ladders) const DECRYPT: &str = "sm2-decrypt";

pub(super) const MESSAGE: [u8; 32] = [0x5A; 32];

const STEPS: &str = "the steps of Tongsuo's optimisation of SM2 and of a study of GmSSL's tables, with our own code for each";

/// `[k]P` without a stored table.
pub(super) fn product<C: Curve>(k: &C::Scalar, p: &Affine<C>) -> Affine<C> {
    to_affine(&scalar_mul::mul(k, p))
}

fn encrypts<C: Integers>(generator_mul: impl Fn(&C::Scalar) -> Affine<C> + 'static) -> Work {
    let inputs = Inputs::new();
    let public = public_point::<C>(&inputs.key());
    each(inputs.items, move |(_, k)| {
        encrypt(&MESSAGE, k, &public, &generator_mul, product)
    })
}

fn decrypts<C: Integers>() -> Work {
    let inputs = Inputs::new();
    let d = inputs.d;
    each(ciphertexts(&inputs), move |ciphertext| {
        decrypt::<C>(ciphertext, &d, product)
    })
}

/// Ciphertexts for the inputs' key.
pub(super) fn ciphertexts(inputs: &Inputs) -> Vec<Vec<u8>> {
    let public = public_point::<Chain>(&inputs.key());
    let made = inputs.items.iter();
    made.filter_map(|(_, k)| encrypt(&MESSAGE, k, &public, windows::<Chain>, product))
        .collect()
}

/// The same as the library has them.
pub(super) fn parsed(inputs: &Inputs) -> Vec<Ciphertext> {
    let form = kuaimi::sm2::CiphertextForm::BareC1C3C2;
    let made = ciphertexts(inputs).into_iter();
    made.filter_map(|bytes| Ciphertext::from_bytes(form, &bytes).ok())
        .collect()
}

pub(in crate::ladders) fn encryption() -> Ladder {
    let inputs = Inputs::new();
    let recipient = *inputs.key().public_key();
    let prepared = EncryptionKey::new(recipient).with_precompute(Precompute::AtOnce);
    let combs = Combs::<Chain>::new(&Chain::GENERATOR);
    let once = || vec![MESSAGE; MANY];
    Ladder {
        name: ENCRYPT,
        title: "SM2: an encryption",
        about: "One operation encrypts 32 bytes for an unknown key, in constant time. The rungs before the library's are given the nonce; \
                the library takes it from the system's random numbers.",
        rungs: vec![
            Rung::new(
                "tongsuo-generic",
                "Montgomery's multiplication for any modulus, no stored table, inversion by square-and-multiply.",
                STEPS,
                encrypts::<Generic>(windows),
            )
            .cost("twice signed-windows-5 of [k]G"),
            Rung::new("tongsuo-folding", "Folding modulo p in 64-bit limbs.", STEPS, encrypts::<Folding>(windows)),
            Rung::new(
                "tongsuo-chain",
                "Inversion modulo p by the addition chain.",
                STEPS,
                encrypts::<Chain>(windows),
            ),
            Rung::new(
                "2-tables",
                "Two stored tables of the generator, each of 16 entries and read whole.",
                STEPS,
                encrypts::<Chain>(move |k| to_affine(&combs.mul(k))),
            )
            .cost("2 KiB")
            .published(1165.0, Unit::PerSecond),
            Rung::new(
                "32-tables",
                "32 stored tables of the generator, each of 128 entries and read whole; the library's portable field.",
                STEPS,
                encrypts::<Sm2>(wide_constant_time),
            )
            .cost("256 KiB")
            .published(1513.0, Unit::PerSecond),
            Rung::new(
                "library",
                "The library's field, 43 tables of the generator, division steps.",
                "kuaimi, sm2/encrypt.rs",
                each(once(), move |message| recipient.encrypt(message)),
            )
            .used_by_library().depends_on_cpu(),
            Rung::new(
                "library-prepared",
                "A stored table of the recipient's key, too.",
                "kuaimi, sm2/point_with_table.rs",
                each(once(), move |message| prepared.encrypt(message)),
            )
            .cost("52 KiB for each key")
            .used_by_library().depends_on_cpu(),
            Rung::new(
                "library-batch",
                "64 messages at once for one recipient, in lanes where there are any.",
                "kuaimi, sm2/batch/encrypt.rs",
                batches(MANY, move |size| {
                    let items = vec![EncryptItem::new(&recipient, &MESSAGE); size];
                    drop(std::hint::black_box(encrypt_batch(&items, Threads::Pool)));
                }),
            )
            .used_by_library().depends_on_cpu(),
        ],
    }
}

pub(in crate::ladders) fn decryption() -> Ladder {
    let inputs = Inputs::new();
    let (one, many) = (inputs.key(), inputs.key());
    let all = parsed(&inputs);
    Ladder {
        name: DECRYPT,
        title: "SM2: a decryption",
        about: "One operation decrypts 32 bytes, in constant time. A table of the generator is of no use to it.",
        rungs: vec![
            Rung::new(
                "tongsuo-generic",
                "Montgomery's multiplication for any modulus, inversion by square-and-multiply.",
                STEPS,
                decrypts::<Generic>(),
            )
            .cost("as signed-windows-5 of [k]G"),
            Rung::new(
                "tongsuo-folding",
                "Folding modulo p in 64-bit limbs.",
                STEPS,
                decrypts::<Folding>(),
            ),
            Rung::new(
                "tongsuo-chain",
                "Inversion modulo p by the addition chain.",
                STEPS,
                decrypts::<Chain>(),
            )
            .published(1397.0, Unit::PerSecond),
            Rung::new(
                "library",
                "The library's field, division steps.",
                "kuaimi, sm2/decrypt.rs",
                each(all.clone(), move |ciphertext| {
                    one.private_key().decrypt(ciphertext)
                }),
            )
            .used_by_library()
            .depends_on_cpu(),
            Rung::new(
                "library-batch",
                "64 ciphertexts at once for one key, in lanes where there are any.",
                "kuaimi, sm2/batch/decrypt.rs",
                batches(MANY, move |size| {
                    let items: Vec<_> = all[..size]
                        .iter()
                        .map(|ciphertext| DecryptItem::new(many.private_key(), ciphertext))
                        .collect();
                    drop(std::hint::black_box(decrypt_batch(&items, Threads::Pool)));
                }),
            )
            .used_by_library()
            .depends_on_cpu(),
        ],
    }
}
