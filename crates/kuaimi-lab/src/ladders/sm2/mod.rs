//! Signatures and verifications of SM2 as a whole, in the steps in which Tongsuo became faster, and then the library's own.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`sign`] | a signature, whatever computes `[k]G` |
//! | [`verify`] | a verification, whatever computes `[s]G + [t]P` |
//!
//! What computes them are rungs of other ladders: the reduction, the inversion, windows and combs.

pub(crate) mod sign;
#[cfg(test)]
mod tests;
pub(crate) mod verify;

use kuaimi::sm2::batch::{Content, SignItem, VerifyItem, sign_batch, verify_batch};
use kuaimi::sm2::{PreparedVerifyingKey, SecretKey, Signature, SigningKey};
use kuaimi_math::arith::U256;
use kuaimi_math::curve::{Affine, Curve, Jacobian, scalar_mul};

use super::double_scalar::interleaved_wnaf;
use super::field::{Integers, Sm2Over};
use super::generator::comb::Combs;
use super::generator::double_and_add::to_affine;
use super::integer::scalars;
use super::reduction::Chained;
use super::reduction::folding_64_shifts::Folding64Shifts;
use super::reduction::montgomery_cios::MontgomeryCios;
use super::rung::{Ladder, Rung, Unit, Work, batches, each};

pub(super) const SIGN: &str = "sm2-sign";
pub(super) const VERIFY: &str = "sm2-verify";

/// Items of a batch.
const MANY: usize = 64;

type Generic = Sm2Over<MontgomeryCios>;
type Folding = Sm2Over<Folding64Shifts>;
type Chain = Sm2Over<Chained<Folding64Shifts>>;

const TONGSUO: &str = "the steps of Tongsuo's optimisation of SM2, with our own code for each";

/// Keys, digests and nonces: all as good as random, and the same each time.
struct Inputs {
    /// The private key.
    d: U256,
    /// Digests with nonces.
    items: Vec<(U256, U256)>,
}

impl Inputs {
    fn new() -> Self {
        let scalars = scalars();
        let nonces = scalars.iter().cycle().skip(1);
        Self {
            d: scalars[7],
            items: scalars.iter().copied().zip(nonces.copied()).collect(),
        }
    }

    fn key(&self) -> SigningKey {
        match SecretKey::from_bytes(&self.d.to_be_bytes()) {
            Ok(key) => SigningKey::new(key),
            Err(error) => unreachable!("a number below n is a key: {error}"),
        }
    }

    fn digests(&self) -> Vec<[u8; 32]> {
        self.items.iter().map(|(e, _)| e.to_be_bytes()).collect()
    }

    fn signatures(&self) -> Vec<([u8; 32], Signature)> {
        let key = self.key();
        let signed = |e: [u8; 32]| (e, key.sign_prehash_deterministic(&e));
        self.digests().into_iter().map(signed).collect()
    }
}

pub(super) fn signing() -> Ladder {
    let inputs = Inputs::new();
    let (single, many) = (inputs.key(), inputs.key());
    let digests: Vec<[u8; 32]> = inputs.digests();
    let combs = Combs::<Chain>::new(&Chain::GENERATOR);
    Ladder {
        name: SIGN,
        title: "SM2: a signature",
        about: "One operation signs a digest. The first four rungs are given the nonce and compute (1 + d)⁻¹ as a power each time; the library derives \
                a hedged nonce from the system's random numbers each time and keeps that inverse. Published: the first and the fourth step together.",
        rungs: vec![
            Rung::new(
                "tongsuo-generic",
                "Montgomery's multiplication for any modulus, no stored table, inversion by square-and-multiply.",
                TONGSUO,
                signs::<Generic>(windows),
            )
            .cost("as signed-windows-5 of [k]G")
            .published(1.0, Unit::Times),
            Rung::new(
                "tongsuo-folding",
                "Folding modulo p in 64-bit limbs.",
                TONGSUO,
                signs::<Folding>(windows),
            ),
            Rung::new(
                "tongsuo-chain",
                "Inversion modulo p by the addition chain.",
                TONGSUO,
                signs::<Chain>(windows),
            ),
            Rung::new(
                "tongsuo-tables",
                "Two stored tables of the generator, each of 16 entries and read whole.",
                TONGSUO,
                signs::<Chain>(move |k| to_affine(&combs.mul(k))),
            )
            .cost("as comb-2x16 of [k]G; 2 KiB")
            .published(3.416, Unit::Times),
            Rung::new(
                "library",
                "The library's field, 43 tables, division steps, and the inverse of 1 + d kept in the key.",
                "kuaimi, sm2/sign.rs",
                each(digests.clone(), move |e| single.sign_prehash(e)),
            )
            .cost("as windows-43-tables of [k]G; 86 KiB")
            .used_by_library(),
            Rung::new(
                "library-batch",
                "64 signatures at once, in lanes where there are any.",
                "kuaimi, sm2/batch/sign.rs",
                batches(MANY, move |size| {
                    let items = digests[..size].iter().map(Content::Digest);
                    let items: Vec<_> = items.map(|e| SignItem::new(&many, e)).collect();
                    std::hint::black_box(sign_batch(&items));
                }),
            )
            .used_by_library(),
        ],
    }
}

pub(super) fn verifying() -> Ladder {
    let inputs = Inputs::new();
    let signatures = inputs.signatures();
    let single = inputs.key().verifying_key().clone();
    let (prepared, many_prepared) = (single.prepare(), single.prepare());
    let keys = many_keys();
    let signed_by_many: Vec<Signature> = keys
        .iter()
        .zip(&signatures)
        .map(|(key, (e, _))| key.sign_prehash_deterministic(e))
        .collect();
    let batch = signatures.clone();
    let combs = Combs::<Chain>::new(&Chain::GENERATOR);
    Ladder {
        name: VERIFY,
        title: "SM2: a verification",
        about: "One operation verifies a signature over a digest. All numbers are public, so every rung takes as long as they make it. In the batch without \
                prepared keys, all 64 keys are different. Published: the first and the fourth step together.",
        rungs: vec![
            Rung::new(
                "tongsuo-generic",
                "Montgomery's multiplication for any modulus, wNAF with tables made each time, inversion by square-and-multiply.",
                TONGSUO,
                verifies::<Generic>(no_tables),
            )
            .cost("as interleaved-wnaf-5 of [s]G + [t]P")
            .leaks()
            .published(1.0, Unit::Times),
            Rung::new(
                "tongsuo-folding",
                "Folding modulo p in 64-bit limbs.",
                TONGSUO,
                verifies::<Folding>(no_tables),
            )
            .leaks(),
            Rung::new(
                "tongsuo-chain",
                "Inversion modulo p by the addition chain.",
                TONGSUO,
                verifies::<Chain>(no_tables),
            )
            .leaks(),
            Rung::new(
                "tongsuo-tables",
                "[s]G from two stored tables of 16 entries, [t]P by wNAF, and an addition.",
                TONGSUO,
                verifies::<Chain>(move |s, t, p| {
                    combs.mul_vartime(s).add_vartime(&scalar_mul::mul_vartime(t, p))
                }),
            )
            .cost("2 KiB")
            .leaks()
            .published(1.744, Unit::Times),
            Rung::new(
                "library",
                "The library's field, interleaved wNAF with a stored table of the generator, no inversion of the result.",
                "kuaimi, sm2/verify.rs",
                each(signatures.clone(), move |(e, signature)| single.verify_prehash(e, signature)),
            )
            .cost("32 KiB")
            .leaks()
            .used_by_library(),
            Rung::new(
                "library-prepared",
                "Stored tables for the generator and for the key.",
                "kuaimi, sm2/prepared.rs",
                each(signatures, move |(e, signature)| prepared.verify_prehash(e, signature)),
            )
            .cost("256 KiB, and 52 KiB for each key")
            .leaks()
            .used_by_library(),
            Rung::new(
                "library-batch",
                "64 signatures at once, of as many keys, in lanes where there are any.",
                "kuaimi, sm2/batch/verify.rs",
                different_keys(keys, batch.clone(), signed_by_many),
            )
            .leaks()
            .used_by_library(),
            Rung::new(
                "library-batch-prepared",
                "64 signatures at once, of a prepared key.",
                "kuaimi, sm2/batch/verify.rs",
                same_key(many_prepared, batch),
            )
            .leaks()
            .used_by_library(),
        ],
    }
}

/// `[k]G` without a stored table, in constant time.
fn windows<C: Curve>(k: &C::Scalar) -> Affine<C> {
    to_affine(&scalar_mul::mul(k, &C::GENERATOR))
}

/// `[s]G + [t]P` without a stored table.
fn no_tables<C: Curve>(s: &C::Scalar, t: &C::Scalar, p: &Affine<C>) -> Jacobian<C> {
    interleaved_wnaf::mul(s, &C::GENERATOR, t, p)
}

fn signs<C: Integers>(generator_mul: impl Fn(&C::Scalar) -> Affine<C> + 'static) -> Work {
    let Inputs { d, items } = Inputs::new();
    each(items, move |(e, k)| {
        sign::sign::<C>([e, &d, k], &generator_mul)
    })
}

fn verifies<C: Integers>(
    sum: impl Fn(&C::Scalar, &C::Scalar, &Affine<C>) -> Jacobian<C> + 'static,
) -> Work {
    let inputs = Inputs::new();
    let items: Vec<(U256, [U256; 2])> = inputs
        .signatures()
        .iter()
        .map(|(e, signature)| (U256::from_be_bytes(e), integers(signature)))
        .collect();
    let p = public_point::<C>(&inputs.key());
    each(items, move |(e, signature)| {
        verify::verify(e, signature, &p, &sum)
    })
}

fn integers(signature: &Signature) -> [U256; 2] {
    [signature.r(), signature.s()].map(|bytes| U256::from_be_bytes(&bytes))
}

fn public_point<C: Integers>(key: &SigningKey) -> Affine<C> {
    let bytes = key.public_key().to_xy_bytes();
    let coordinate = |start: usize| {
        let mut out = [0; 32];
        out.copy_from_slice(&bytes[start..start + 32]);
        C::element(&U256::from_be_bytes(&out))
    };
    Affine {
        x: coordinate(0),
        y: coordinate(32),
    }
}

/// Keys for a batch in which all of them are different.
fn many_keys() -> Vec<SigningKey> {
    let keys = scalars().into_iter().map(|d| {
        Inputs {
            d,
            items: Vec::new(),
        }
        .key()
    });
    keys.take(MANY).collect()
}

fn different_keys(
    keys: Vec<SigningKey>,
    items: Vec<([u8; 32], Signature)>,
    signatures: Vec<Signature>,
) -> Work {
    batches(MANY, move |size| {
        let pairs = keys.iter().zip(&items).zip(&signatures).take(size);
        let items: Vec<_> = pairs
            .map(|((key, (e, _)), signature)| {
                VerifyItem::new(key.verifying_key(), Content::Digest(e), signature)
            })
            .collect();
        std::hint::black_box(verify_batch(&items));
    })
}

fn same_key(key: PreparedVerifyingKey, items: Vec<([u8; 32], Signature)>) -> Work {
    batches(MANY, move |size| {
        let items: Vec<_> = items[..size]
            .iter()
            .map(|(e, signature)| VerifyItem::new(&key, Content::Digest(e), signature))
            .collect();
        std::hint::black_box(verify_batch(&items));
    })
}
