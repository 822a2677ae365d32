//! What is signed and verified, and the rungs' work on it.

use kuaimi::Threads;
use kuaimi::precompute::Precompute;
use kuaimi::sm2::batch::{Content, VerifyItem, verify_batch};
use kuaimi::sm2::{PrivateKey, Signature, SigningKey, VerifyingKey};
use kuaimi_math::arith::U256;
use kuaimi_math::curve::{Affine, Curve, Jacobian, scalar_mul};

use super::{sign, verify};
use crate::ladders::double_scalar::interleaved_wnaf;
use crate::ladders::field::Integers;
use crate::ladders::generator::comb::Combs;
use crate::ladders::generator::double_and_add::to_affine;
use crate::ladders::integer::scalars;
use crate::ladders::rung::{Rung, Work, batches, each};

/// Items of a batch.
pub(super) const MANY: usize = 64;

/// Keys, digests and nonces: all as good as random, and the same each time.
pub(super) struct Inputs {
    /// The private key.
    pub(super) d: U256,
    /// Digests with nonces.
    pub(super) items: Vec<(U256, U256)>,
}

impl Inputs {
    pub(super) fn new() -> Self {
        let scalars = scalars();
        let nonces = scalars.iter().cycle().skip(1);
        Self {
            d: scalars[7],
            items: scalars.iter().copied().zip(nonces.copied()).collect(),
        }
    }

    pub(super) fn key(&self) -> SigningKey {
        match PrivateKey::from_bytes(&self.d.to_be_bytes()) {
            Ok(key) => SigningKey::new(key),
            Err(error) => unreachable!("a number below n is a key: {error}"),
        }
    }

    pub(super) fn digests(&self) -> Vec<[u8; 32]> {
        self.items.iter().map(|(e, _)| e.to_be_bytes()).collect()
    }

    pub(super) fn signatures(&self) -> Vec<([u8; 32], Signature)> {
        let key = self.key();
        let signed = |e: [u8; 32]| (e, key.sign_digest_deterministic(&e));
        self.digests().into_iter().map(signed).collect()
    }
}

/// `[k]G` without a stored table, in constant time.
pub(super) fn windows<C: Curve>(k: &C::Scalar) -> Affine<C> {
    to_affine(&scalar_mul::mul(k, &C::GENERATOR))
}

/// `[s]G + [t]P` without a stored table.
pub(super) fn no_tables<C: Curve>(s: &C::Scalar, t: &C::Scalar, p: &Affine<C>) -> Jacobian<C> {
    interleaved_wnaf::mul(s, &C::GENERATOR, t, p)
}

pub(super) fn signs<C: Integers>(
    generator_mul: impl Fn(&C::Scalar) -> Affine<C> + 'static,
) -> Work {
    let Inputs { d, items } = Inputs::new();
    each(items, move |(e, k)| {
        sign::sign::<C>([e, &d, k], &generator_mul)
    })
}

pub(super) fn verifies<C: Integers>(
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

pub(super) fn integers(signature: &Signature) -> [U256; 2] {
    [signature.r(), signature.s()].map(|bytes| U256::from_be_bytes(&bytes))
}

pub(super) fn public_point<C: Integers>(key: &SigningKey) -> Affine<C> {
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
pub(super) fn many_keys() -> Vec<SigningKey> {
    let keys = scalars().into_iter().map(|d| {
        Inputs {
            d,
            items: Vec::new(),
        }
        .key()
    });
    keys.take(MANY).collect()
}

pub(super) fn different_keys(
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
        std::hint::black_box(verify_batch(&items, Threads::Pool));
    })
}

pub(super) fn same_key(key: VerifyingKey, items: Vec<([u8; 32], Signature)>) -> Work {
    batches(MANY, move |size| {
        let items: Vec<_> = items[..size]
            .iter()
            .map(|(e, signature)| VerifyItem::new(&key, Content::Digest(e), signature))
            .collect();
        std::hint::black_box(verify_batch(&items, Threads::Pool));
    })
}

/// The library's signature of a digest.
pub(super) fn library_sign() -> Rung {
    let inputs = Inputs::new();
    let key = inputs.key();
    Rung::new(
        "library",
        "The library's field, 43 tables, division steps, and the inverse of 1 + d kept in the key.",
        "kuaimi, sm2/sign.rs",
        each(inputs.digests(), move |e| key.sign_digest(e)),
    )
    .cost("as windows-43-tables of [k]G; 86 KiB")
    .used_by_library()
    .depends_on_cpu()
}

/// The library's verifications, with a public key and with a prepared one.
pub(super) fn library_verify() -> [Rung; 2] {
    let inputs = Inputs::new();
    let key = inputs.key().verifying_key().clone();
    let prepared = key.with_precompute(Precompute::AtOnce);
    [
        Rung::new(
            "library",
            "The library's field, interleaved wNAF with a stored table of the generator, no inversion of the result.",
            "kuaimi, sm2/verify.rs",
            each(inputs.signatures(), move |(e, signature)| key.verify_digest(e, signature)),
        )
        .cost("32 KiB")
        .leaks()
        .used_by_library().depends_on_cpu(),
        Rung::new(
            "library-prepared",
            "Stored tables for the generator and for the key.",
            "kuaimi, sm2/point_with_table.rs",
            each(inputs.signatures(), move |(e, signature)| prepared.verify_digest(e, signature)),
        )
        .cost("256 KiB, and 52 KiB for each key")
        .leaks()
        .used_by_library().depends_on_cpu(),
    ]
}

/// `[s]G` from combs, `[t]P` by wNAF, and an addition.
pub(super) fn comb_sum<C: Curve>() -> impl Fn(&C::Scalar, &C::Scalar, &Affine<C>) -> Jacobian<C> {
    let combs = Combs::<C>::new(&C::GENERATOR);
    move |s, t, p| {
        combs
            .mul_vartime(s)
            .add_vartime(&scalar_mul::mul_vartime(t, p))
    }
}
