//! Many signatures (GB/T 38635.2-2020, clause 6.2).

use alloc::vec;
use alloc::vec::Vec;

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::{self, G1, Gt};
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::{Content, for_each_chunk};
use crate::batch::{Threads, draw};
use crate::nonce::{NonceSource, RANDOM_LEN};
use crate::sm9::scalar::ORDER;
use crate::sm9::sign::{self, SigningTables, sign_from};
use crate::sm9::{Error, G1Point, MessageHash, Signature, SigningKey};

/// One signature to be made.
///
/// ```
/// # use kuaimi::sm9::{MasterSigningKey, batch::SignItem};
/// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
/// let items = [SignItem::new(&alice, b"one"), SignItem::new(&alice, "two")];
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SignItem<'a> {
    key: &'a SigningKey,
    content: Content<'a>,
}

impl<'a> SignItem<'a> {
    /// A signature by a [`SigningKey`](crate::sm9::SigningKey) over a message or
    /// a [`MessageHash`](crate::sm9::MessageHash).
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, MessageHash, batch::SignItem};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let item = SignItem::new(&alice, &MessageHash::of(b"a message"));
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn new(key: &'a SigningKey, content: impl Into<Content<'a>>) -> Self {
        Self {
            key,
            content: content.into(),
        }
    }
}

/// The signatures of all items, by one key or by many, with the operating system's random generator
/// in the nonces.
///
/// Each nonce is hedged as a single signature's is: derived from the item's key, its master public
/// key, its message and its own part of the randomness, which is drawn for all items in one
/// request. Constant time in the keys, the nonces and the messages.
///
/// # Errors
/// For an item, [`Error::Random`] if the generator fails.
///
/// ```
/// # use kuaimi::Threads;
/// # use kuaimi::sm9::{MasterSigningKey, batch::{SignItem, sign_batch}};
/// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
/// let signatures = sign_batch(&[SignItem::new(&alice, b"one"), SignItem::new(&alice, b"two")], Threads::One);
/// alice.verifying_key().verify(b"two", signatures[1].as_ref().unwrap())?;
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[cfg(feature = "getrandom")]
pub fn sign_batch(items: &[SignItem<'_>], threads: Threads) -> Vec<Result<Signature, Error>> {
    sign_batch_with_rng(&mut getrandom::SysRng, items, threads)
}

/// As [`sign_batch`], with `rng` in the nonces: 22 bytes for each item.
///
/// # Errors
/// For an item, [`Error::Random`] if the generator fails.
///
/// ```
/// # use kuaimi::Threads;
/// # use kuaimi::sm9::{MasterSigningKey, batch::{SignItem, sign_batch_with_rng}};
/// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
/// let items = [SignItem::new(&alice, b"one"), SignItem::new(&alice, b"two")];
/// let signatures = sign_batch_with_rng(&mut getrandom::SysRng, &items, Threads::One);
/// alice.verifying_key().verify(b"two", signatures[1].as_ref().unwrap())?;
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub fn sign_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    items: &[SignItem<'_>],
    threads: Threads,
) -> Vec<Result<Signature, Error>> {
    let random = match draw::<RANDOM_LEN, R>(rng, items.len()) {
        Ok(random) => random,
        Err(_) => return items.iter().map(|_| Err(Error::Random)).collect(),
    };
    let jobs: Vec<(&SignItem<'_>, &[u8; RANDOM_LEN])> = items.iter().zip(random.iter()).collect();
    for_each_chunk(threads, &jobs, sign_chunk)
}

/// An item for which there are tables.
struct Job<'a, 'r> {
    key: &'a SigningKey,
    tables: SigningTables<'a>,
    message: MessageHash,
    random: &'a [u8; RANDOM_LEN],
    result: &'r mut Result<Signature, Error>,
}

/// Signs alone, with a nonce from random bytes that were drawn before.
fn sign_alone(
    key: &SigningKey,
    tables: SigningTables<'_>,
    random: &[u8; RANDOM_LEN],
    message: &MessageHash,
) -> Result<Signature, Error> {
    let digest = message.digest();
    let mut nonces = key.nonce_key().hedged_with(&digest, random);
    sign_from(key, tables, &mut nonces, message)
}

fn sign_chunk<'a>(
    items: &[(&SignItem<'a>, &'a [u8; RANDOM_LEN])],
    results: &mut [Result<Signature, Error>],
) {
    let mut jobs: Vec<Job<'a, '_>> = Vec::with_capacity(items.len());
    let mut r = Zeroizing::new(Vec::with_capacity(items.len()));
    let (mut g, mut ds) = (Vec::new(), Vec::new());
    for ((item, random), result) in items.iter().zip(results) {
        let (key, message) = (item.key, item.content.hash());
        // A key has tables from its second use on, so the next item may find them.
        let tables = key.used_tables();
        let (Some(g_table), Some(ds_table)) = tables else {
            *result = sign_alone(key, tables, random, &message);
            continue;
        };
        // A2: r ∈ [1, N − 1]
        let digest = message.digest();
        let mut nonces = key.nonce_key().hedged_with(&digest, random);
        match nonces.next_below(&ORDER) {
            Err(error) => *result = Err(error.into()),
            Ok(drawn) => {
                r.push(*drawn);
                g.push(g_table);
                ds.push(ds_table);
                jobs.push(Job {
                    key,
                    tables,
                    message,
                    random,
                    result,
                });
            }
        }
    }
    // A1, A3: w = g^r with g = e(P1, Ppub-s)
    let mut w = Zeroizing::new(vec![Gt::default(); jobs.len()]);
    group::gt_table_pow_many(&g, &r, &mut w);
    // A4: h = H2(M ‖ w)
    let messages: Vec<&MessageHash> = jobs.iter().map(|job| &job.message).collect();
    let h = MessageHash::h2_many(&messages, &w);
    // A5: l = (r − h) mod N; again when l = 0, below
    let mut l = Zeroizing::new(vec![U256::ZERO; jobs.len()]);
    let mut again = vec![true; jobs.len()];
    for (((l, again), r), h) in l.iter_mut().zip(&mut again).zip(r.iter()).zip(&h) {
        if let Some(found) = sign::l(r, h) {
            *l = *found;
            *again = false;
        }
    }
    // A6: S = [l]ds; A7
    let mut s = vec![G1::default(); jobs.len()];
    group::g1_table_mul_many(&ds, &l, &mut s);
    for (((job, s), h), again) in jobs.iter_mut().zip(s).zip(&h).zip(again) {
        *job.result = match again {
            true => sign_alone(job.key, job.tables, job.random, &job.message),
            false => Ok(Signature::new(h, G1Point(s))),
        };
    }
}
