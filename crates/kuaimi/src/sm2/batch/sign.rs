//! Many signatures (GB/T 32918.2-2016, clause 6).

use alloc::vec;
use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::hash::digests;
use super::{Content, SHORT, draw, none};
use crate::batch::{Threads, in_chunks};
use crate::nonce::RANDOM_LEN;
use crate::sm2::scalar::is_nonzero_scalar;
use crate::sm2::{Error, Signature, SigningKey};
use crate::sm3::hash_many;
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, Point};

/// A message or digest to sign, and its key, for [`sign_batch_with_rng`].
///
/// ```
/// use kuaimi::sm2::batch::{Content, SignItem};
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let key = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
/// let items = [
///     SignItem::new(&key, b"a message"),
///     SignItem::new(&key, Content::Digest(&[9; 32])),
/// ];
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SignItem<'a> {
    key: &'a SigningKey,
    content: Content<'a>,
}

impl<'a> SignItem<'a> {
    /// A signature by `key` over a message; for one over a digest, give [`Content::Digest`].
    pub fn new(key: &'a SigningKey, content: impl Into<Content<'a>>) -> Self {
        Self {
            key,
            content: content.into(),
        }
    }

    fn sign_alone<R: TryCryptoRng + ?Sized>(&self, rng: &mut R) -> Result<Signature, Error> {
        match self.content {
            Content::Message(message) => self.key.sign_with_rng(rng, message),
            // Read once: the nonce is made from it, too.
            Content::Digest(&e) => self.key.sign_digest_with_rng(rng, &e),
        }
    }
}

impl SigningKey {
    /// Signs many messages; see [`sign_batch`].
    ///
    /// ```
    /// # use kuaimi::Threads;
    /// # use kuaimi::sm2::{PrivateKey, SigningKey};
    /// let key = SigningKey::new(PrivateKey::generate()?);
    /// let signatures = key.sign_batch(&["one", "two", "three"], Threads::One);
    /// key.verifying_key().verify(b"two", signatures[1].as_ref().unwrap())?;
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// For an item, [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn sign_batch<M: AsRef<[u8]>>(
        &self,
        messages: &[M],
        threads: Threads,
    ) -> Vec<Result<Signature, Error>> {
        let items: Vec<SignItem<'_>> = messages
            .iter()
            .map(|message| SignItem::new(self, message.as_ref()))
            .collect();
        sign_batch(&items, threads)
    }
}

/// Signs all items, with one key or with many, with hedged nonces from the operating system's
/// random generator.
///
/// Each nonce is derived from the item's key, its digest and its own part of the randomness, as
/// that of a single signature. The randomness is drawn for all items in one request. Constant time
/// in the keys, the nonces and the messages.
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::{SignItem, sign_batch};
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let keys = [SigningKey::new(PrivateKey::generate()?), SigningKey::new(PrivateKey::generate()?)];
/// let signatures = sign_batch(&[
///     SignItem::new(&keys[0], b"a message"),
///     SignItem::new(&keys[1], b"another"),
/// ], Threads::One);
/// keys[1].verifying_key().verify(b"another", signatures[1].as_ref().unwrap())?;
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
///
/// # Errors
/// For an item, [`Error::Random`] if the generator fails.
#[cfg(feature = "getrandom")]
pub fn sign_batch(items: &[SignItem<'_>], threads: Threads) -> Vec<Result<Signature, Error>> {
    let mut results = vec![Err(Error::Random); items.len()];
    in_chunks(
        (threads, SHORT),
        items,
        &mut results,
        group::several_chunks(),
        |items, results| {
            sign_on(Threads::One, &mut getrandom::SysRng, items, results);
        },
    );
    results
}

/// As [`sign_batch`], with hedged nonces from `rng`.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::{SignItem, sign_batch_with_rng};
/// use kuaimi::sm2::{PrivateKey, SigningKey};
///
/// let key = SigningKey::new(PrivateKey::from_bytes(&[7; 32])?);
/// let items = [SignItem::new(&key, b"a message")];
/// let signatures = sign_batch_with_rng(&mut getrandom::SysRng, &items, Threads::One);
/// key.verifying_key().verify(b"a message", signatures[0].as_ref().unwrap())?;
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
///
/// # Errors
/// For an item, [`Error::Random`] if the generator fails.
pub fn sign_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    items: &[SignItem<'_>],
    threads: Threads,
) -> Vec<Result<Signature, Error>> {
    let mut results = vec![Err(Error::Random); items.len()];
    sign_on(threads, rng, items, &mut results);
    results
}

/// Signs on these threads, with all randomness drawn by this one.
fn sign_on<R: TryCryptoRng + ?Sized>(
    threads: Threads,
    rng: &mut R,
    items: &[SignItem<'_>],
    results: &mut [Result<Signature, Error>],
) {
    if let ([item], [result]) = (items, &mut *results) {
        *result = item.sign_alone(rng);
        return;
    }
    let random = match draw::<RANDOM_LEN, R>(rng, items.len()) {
        Ok(random) => random,
        Err(error) => return results.fill(Err(error)),
    };
    let jobs: Vec<(&SignItem<'_>, &[u8; RANDOM_LEN])> = items.iter().zip(random.iter()).collect();
    let mut signatures = none(items.len());
    in_chunks(
        (threads, SHORT),
        &jobs,
        &mut signatures,
        group::several_chunks(),
        sign_chunk,
    );
    for ((result, signature), item) in results.iter_mut().zip(signatures).zip(items) {
        *result = match signature {
            Some(signature) => Ok(signature),
            // The nonce did not serve, which happens once in 2³².
            None => item.sign_alone(rng),
        };
    }
}

fn sign_chunk(jobs: &[(&SignItem<'_>, &[u8; RANDOM_LEN])], out: &mut [Option<Signature>]) {
    let count = jobs.len();
    // A1, A2: e = SM3(Z ‖ M)
    let mut e = vec![[0; 32]; count];
    let contents = jobs
        .iter()
        .map(|(item, _)| (item.key.message_hash(), item.content));
    digests(contents, &mut e);
    // A3: k ∈ [1, n − 1]
    let mut k = Zeroizing::new(vec![U256::ZERO; count]);
    let nonces = jobs.iter().zip(&e).map(|((item, random), e)| {
        let hash = item.key.nonce_key().hash();
        (hash, [e.as_slice(), random.as_slice(), &[0]])
    });
    hash_many(nonces, |i, candidate| {
        let candidate = Zeroizing::new(candidate);
        if let Some(k) = k.get_mut(i) {
            *k = U256::from_be_bytes(&candidate);
        }
    });
    // A4: (x₁, y₁) = [k]G
    let mut points = Zeroizing::new(vec![Point::default(); count]);
    group::generator_mul_many(&k, &mut points);
    // A5 to A7
    for ((((out, (item, _)), e), k), point) in out
        .iter_mut()
        .zip(jobs)
        .zip(&e)
        .zip(k.iter())
        .zip(points.iter())
    {
        *out = is_nonzero_scalar(k)
            .then(|| item.key.sign_with_point(e, k, point))
            .flatten()
            .map(|(signature, _)| signature);
    }
}
