//! Many operations at once, over columns: one digest, signature or key after another.
//!
//! Node's addon has the library's batches, on all cores. WebAssembly has one thread and no lanes
//! for fields, where batches save little, and their code would be a sixth of the module: it works
//! on one after another.

use alloc::vec::Vec;

use kuaimi::sm2::{PrivateKey, Signature, SigningKey, VerifyingKey};
use zeroize::Zeroizing;

use crate::Result;
use crate::object::Handle;
use crate::random::Random;

/// A column of items of `N` bytes.
pub(crate) fn column<const N: usize>(bytes: &[u8]) -> Result<&[[u8; N]]> {
    match bytes.as_chunks() {
        (items, []) => Ok(items),
        _ => Err(argument!(
            "a column has items of 32 bytes (digests, private keys), 64 (signatures) or 65 (keys), and no part of one",
        )),
    }
}

pub(crate) fn as_many<A, B>(a: &[A], b: &[B]) -> Result<()> {
    if a.len() == b.len() {
        return Ok(());
    }
    Err(argument!(
        "the columns have different numbers of items: give as many of each",
    ))
}

/// `count` private keys of 32 bytes, then as many public keys of 65 bytes.
pub fn sm2_generate_batch(count: u32, threads: u32) -> Result<Zeroizing<Vec<u8>>> {
    if count > 1 << 20 {
        return Err(argument!("at most 1048576 keys at a time"));
    }
    let keys = generate(count as usize, threads)?;
    let mut out = Zeroizing::new(Vec::with_capacity(97 * keys.len()));
    for key in &keys {
        out.extend_from_slice(&key.to_bytes()[..]);
    }
    for key in &keys {
        out.extend_from_slice(&key.public_key().to_sec1_bytes());
    }
    Ok(out)
}

/// The signatures of a key over digests, of 64 bytes each.
pub fn sm2_sign_batch(key: &Handle, digests: &[u8], threads: u32) -> Result<Vec<u8>> {
    let (key, digests) = (key.sm2_private()?, column::<32>(digests)?);
    sign(&key, digests, threads)
}

/// A byte for each signature of 64 bytes: 1 where it is that key's, of 65 bytes, over that digest.
pub fn sm2_verify_batch(
    keys: &[u8],
    digests: &[u8],
    signatures: &[u8],
    threads: u32,
) -> Result<Vec<u8>> {
    let (keys, digests) = (column::<65>(keys)?, column(digests)?);
    let signatures = column(signatures)?;
    as_many(keys, digests)?;
    as_many(digests, signatures)?;
    Ok(verify(&Signers::Each(keys), digests, signatures, threads))
}

/// The same with one key for all.
pub fn sm2_verify_batch_with(
    key: &Handle,
    digests: &[u8],
    signatures: &[u8],
    threads: u32,
) -> Result<Vec<u8>> {
    let (key, digests) = (key.sm2_public()?, column(digests)?);
    let signatures = column(signatures)?;
    as_many(digests, signatures)?;
    Ok(verify(&Signers::One(&key), digests, signatures, threads))
}

/// Whose signatures they are.
enum Signers<'a> {
    One(&'a VerifyingKey),
    Each(&'a [[u8; 65]]),
}

#[cfg(feature = "native")]
mod many {
    use kuaimi::sm2::DEFAULT_ID;
    use kuaimi::sm2::batch::{
        Content, SignItem, Signer, VerifyItem, generate_batch_with_rng, sign_batch_with_rng,
        verify_batch,
    };

    use super::*;
    use crate::native::threads::pool;

    pub(super) fn generate(count: usize, threads: u32) -> Result<Vec<PrivateKey>> {
        let keys = generate_batch_with_rng(&mut Random, count, pool(threads));
        Ok(keys.into_iter().collect::<core::result::Result<_, _>>()?)
    }

    pub(super) fn sign(key: &SigningKey, digests: &[[u8; 32]], threads: u32) -> Result<Vec<u8>> {
        let item = |digest| SignItem::new(key, Content::Digest(digest));
        let items: Vec<_> = digests.iter().map(item).collect();
        let mut out = Vec::with_capacity(64 * items.len());
        for signature in sign_batch_with_rng(&mut Random, &items, pool(threads)) {
            out.extend_from_slice(&signature?.to_bytes());
        }
        Ok(out)
    }

    pub(super) fn verify(
        signers: &Signers<'_>,
        digests: &[[u8; 32]],
        signatures: &[[u8; 64]],
        threads: u32,
    ) -> Vec<u8> {
        let signer = |i: usize| match signers {
            Signers::One(key) => Signer::from(*key),
            Signers::Each(points) => Signer::Sec1 {
                point: &points[i],
                id: DEFAULT_ID,
            },
        };
        let item = |(i, (digest, signature))| {
            let signature = Signature::from_bytes(signature);
            VerifyItem::new(signer(i), Content::Digest(digest), signature)
        };
        let items: Vec<_> = digests
            .iter()
            .zip(signatures)
            .enumerate()
            .map(item)
            .collect();
        let verdicts = verify_batch(&items, pool(threads));
        verdicts
            .iter()
            .map(|verdict| verdict.is_ok().into())
            .collect()
    }
}

#[cfg(not(feature = "native"))]
mod many {
    use kuaimi::sm2::PublicKey;

    use super::*;

    pub(super) fn generate(count: usize, _threads: u32) -> Result<Vec<PrivateKey>> {
        let generate = |_| Ok(PrivateKey::generate_with_rng(&mut Random)?);
        (0..count).map(generate).collect()
    }

    pub(super) fn sign(key: &SigningKey, digests: &[[u8; 32]], _threads: u32) -> Result<Vec<u8>> {
        let mut out = Vec::with_capacity(64 * digests.len());
        for digest in digests {
            let signature = key.sign_digest_with_rng(&mut Random, digest)?;
            out.extend_from_slice(&signature.to_bytes());
        }
        Ok(out)
    }

    pub(super) fn verify(
        signers: &Signers<'_>,
        digests: &[[u8; 32]],
        signatures: &[[u8; 64]],
        _threads: u32,
    ) -> Vec<u8> {
        let verify = |i: usize| {
            let signature = Signature::from_bytes(&signatures[i])?;
            match signers {
                Signers::One(key) => key.verify_digest(&digests[i], &signature),
                Signers::Each(points) => VerifyingKey::new(PublicKey::from_sec1_bytes(&points[i])?)
                    .verify_digest(&digests[i], &signature),
            }
        };
        (0..digests.len())
            .map(|i| verify(i).is_ok().into())
            .collect()
    }
}

use many::{generate, sign, verify};
