//! Many operations at once, over columns: one digest, signature or key after another.

use kuaimi::Threads;
use kuaimi::sm2::batch::{
    Content, SignItem, Signer, VerifyItem, generate_batch_with_rng, sign_batch_with_rng,
    verify_batch,
};
use kuaimi::sm2::{DEFAULT_ID, Signature};
use zeroize::Zeroizing;

use crate::object::Handle;
use crate::random::Random;
use crate::{Failure, Result};

/// The calling thread (0), or all cores.
fn threads(threads: u32) -> Threads {
    match threads {
        #[cfg(feature = "native")]
        1.. => Threads::Pool,
        _ => Threads::One,
    }
}

/// A column of items of `N` bytes.
fn column<'a, const N: usize>(what: &str, bytes: &'a [u8]) -> Result<&'a [[u8; N]]> {
    match bytes.as_chunks() {
        (items, []) => Ok(items),
        _ => Err(Failure::argument(format!(
            "{what} have {N} bytes each: {} bytes are no multiple of that",
            bytes.len()
        ))),
    }
}

fn as_many<A, B>(a: &[A], b: &[B]) -> Result<()> {
    if a.len() == b.len() {
        return Ok(());
    }
    Err(Failure::argument(format!(
        "the columns have {} and {} items: give as many of each",
        a.len(),
        b.len()
    )))
}

/// `count` private keys of 32 bytes, then as many public keys of 65 bytes.
pub fn sm2_generate_many(count: u32, threads: u32) -> Result<Zeroizing<Vec<u8>>> {
    if count > 1 << 20 {
        return Err(Failure::argument("at most 1048576 keys at a time"));
    }
    let keys = generate_batch_with_rng(&mut Random, count as usize, self::threads(threads));
    let keys = keys
        .into_iter()
        .collect::<core::result::Result<Vec<_>, _>>()?;
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
pub fn sm2_sign_many(key: &Handle, digests: &[u8], threads: u32) -> Result<Vec<u8>> {
    let (key, digests) = (key.sm2_private()?, column::<32>("digests", digests)?);
    let items: Vec<_> = digests
        .iter()
        .map(|digest| SignItem::new(&key, Content::Digest(digest)))
        .collect();
    let mut out = Vec::with_capacity(64 * items.len());
    for signature in sign_batch_with_rng(&mut Random, &items, self::threads(threads)) {
        out.extend_from_slice(&signature?.to_bytes());
    }
    Ok(out)
}

/// A byte for each signature of 64 bytes: 1 where it is that key's, of 65 bytes, over that digest.
pub fn sm2_verify_many(
    keys: &[u8],
    digests: &[u8],
    signatures: &[u8],
    threads: u32,
) -> Result<Vec<u8>> {
    let keys = column::<65>("keys", keys)?;
    let signers = keys.iter().map(|point| Signer::Sec1 {
        point,
        id: DEFAULT_ID,
    });
    let digests = column::<32>("digests", digests)?;
    as_many(keys, digests)?;
    verify(signers, digests, signatures, threads)
}

/// The same with one key for all.
pub fn sm2_verify_many_with(
    key: &Handle,
    digests: &[u8],
    signatures: &[u8],
    threads: u32,
) -> Result<Vec<u8>> {
    let (key, digests) = (key.sm2_public()?, column::<32>("digests", digests)?);
    let signers = core::iter::repeat(Signer::from(&key));
    verify(signers, digests, signatures, threads)
}

fn verify<'a>(
    signers: impl Iterator<Item = Signer<'a>>,
    digests: &'a [[u8; 32]],
    signatures: &[u8],
    threads: u32,
) -> Result<Vec<u8>> {
    let signatures = column::<64>("signatures", signatures)?;
    as_many(digests, signatures)?;
    let items: Vec<_> = signers
        .zip(digests.iter().zip(signatures))
        .map(|(signer, (digest, signature))| {
            VerifyItem::new(
                signer,
                Content::Digest(digest),
                Signature::from_bytes(signature),
            )
        })
        .collect();
    let verdicts = verify_batch(&items, self::threads(threads));
    Ok(verdicts
        .iter()
        .map(|verdict| u8::from(verdict.is_ok()))
        .collect())
}
