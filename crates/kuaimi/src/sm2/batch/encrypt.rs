//! Many encryptions (GB/T 32918.4-2016, clause 6).

use alloc::vec;
use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::{LONG, draw, none};
use crate::batch::{Threads, failed, in_chunks};
use crate::precompute::worth_in_batch;
use crate::sm2::encrypt::{Session, check_length, encrypt_in};
use crate::sm2::scalar::is_nonzero_scalar;
use crate::sm2::{Ciphertext, EncryptionKey, Error, PublicKey};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, KeyTable, Point};

/// The recipient of a message in a batch.
///
/// ```
/// use kuaimi::sm2::{EncryptionKey, PrivateKey};
/// use kuaimi::sm2::batch::{EncryptItem, Recipient};
///
/// let key = *PrivateKey::from_bytes(&[7; 32])?.public_key();
/// let lasting = EncryptionKey::new(key);
/// // References convert to recipients by themselves.
/// let items = [EncryptItem::new(&key, b"one"), EncryptItem::new(&lasting, b"two")];
/// assert!(matches!(Recipient::from(&lasting), Recipient::Key(_)));
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Recipient<'a> {
    /// A public key.
    Public(&'a PublicKey),
    /// A key that keeps its table, with which encryption is faster.
    Key(&'a EncryptionKey),
}

impl<'a> From<&'a PublicKey> for Recipient<'a> {
    fn from(key: &'a PublicKey) -> Self {
        Self::Public(key)
    }
}

impl<'a> From<&'a EncryptionKey> for Recipient<'a> {
    fn from(key: &'a EncryptionKey) -> Self {
        Self::Key(key)
    }
}

impl<'a> Recipient<'a> {
    fn public_key(&self) -> &'a PublicKey {
        match *self {
            Self::Public(key) => key,
            Self::Key(key) => key.public_key(),
        }
    }

    /// The table, if the recipient's key keeps one. Items of one key that stand together count as
    /// one use of it, unless they are enough to be worth a table.
    fn table(&self, together: usize) -> Option<&'a KeyTable> {
        let uses = if together >= worth_in_batch() { 2 } else { 1 };
        match *self {
            Self::Public(_) => None,
            Self::Key(key) => key.used_table_times(uses),
        }
    }
}

/// A message to encrypt, and its recipient, for [`encrypt_batch_with_rng`].
///
/// ```
/// use kuaimi::sm2::PrivateKey;
/// use kuaimi::sm2::batch::EncryptItem;
///
/// let key = *PrivateKey::from_bytes(&[7; 32])?.public_key();
/// let items = [EncryptItem::new(&key, b"a secret"), EncryptItem::new(&key, b"another")];
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct EncryptItem<'a> {
    recipient: Recipient<'a>,
    message: &'a [u8],
}

impl<'a> EncryptItem<'a> {
    /// A message for a recipient, a [`PublicKey`] or an [`EncryptionKey`].
    pub fn new(recipient: impl Into<Recipient<'a>>, message: &'a [u8]) -> Self {
        Self {
            recipient: recipient.into(),
            message,
        }
    }
}

impl core::fmt::Debug for EncryptItem<'_> {
    /// Without the message.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EncryptItem")
            .field("recipient", &self.recipient)
            .finish_non_exhaustive()
    }
}

/// Encrypts all items, for one recipient or for many, with nonces from the operating system's
/// random generator.
///
/// Constant time in the messages and the nonces.
///
/// # Errors
/// For an item, [`Error::EmptyMessage`], [`Error::MessageTooLong`], and [`Error::Random`] if the
/// generator fails.
///
/// ```
/// # use kuaimi::Threads;
/// # use kuaimi::sm2::batch::{EncryptItem, encrypt_batch};
/// # use kuaimi::sm2::{EncryptionKey, Error, PrivateKey};
/// let key = PrivateKey::generate()?;
/// let recipient = EncryptionKey::new(*key.public_key());
/// let results = encrypt_batch(&[
///     EncryptItem::new(&recipient, b"a secret"),
///     EncryptItem::new(&recipient, b""),
/// ], Threads::One);
/// assert_eq!(*key.decrypt(results[0].as_ref().unwrap())?, b"a secret");
/// assert_eq!(results[1], Err(Error::EmptyMessage));
/// # Ok::<(), Error>(())
/// ```
#[cfg(feature = "getrandom")]
pub fn encrypt_batch(
    items: &[EncryptItem<'_>],
    threads: Threads,
) -> Vec<Result<Ciphertext, Error>> {
    let mut results = failed(&Error::Random, items.len());
    in_chunks(
        (threads, LONG),
        items,
        &mut results,
        group::chunk(),
        |items, results| {
            encrypt_on(Threads::One, &mut getrandom::SysRng, items, results);
        },
    );
    results
}

/// As [`encrypt_batch`], with nonces from `rng`: 32 bytes for each item in one request, and more if
/// a nonce cannot be used.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use kuaimi::Threads;
/// use kuaimi::sm2::PrivateKey;
/// use kuaimi::sm2::batch::{EncryptItem, encrypt_batch_with_rng};
///
/// let key = PrivateKey::from_bytes(&[7; 32])?;
/// let items = [EncryptItem::new(key.public_key(), b"a secret")];
/// let results = encrypt_batch_with_rng(&mut getrandom::SysRng, &items, Threads::One);
/// assert_eq!(*key.decrypt(results[0].as_ref().unwrap())?, b"a secret");
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
///
/// # Errors
/// As [`encrypt_batch`].
pub fn encrypt_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    items: &[EncryptItem<'_>],
    threads: Threads,
) -> Vec<Result<Ciphertext, Error>> {
    let mut results = failed(&Error::Random, items.len());
    encrypt_on(threads, rng, items, &mut results);
    results
}

/// Encrypts on these threads, with all randomness drawn by this one.
fn encrypt_on<R: TryCryptoRng + ?Sized>(
    threads: Threads,
    rng: &mut R,
    items: &[EncryptItem<'_>],
    results: &mut [Result<Ciphertext, Error>],
) {
    let mut encrypted = none(items.len());
    let drawn = draw::<32, R>(rng, items.len());
    if let Ok(random) = &drawn {
        let jobs: Vec<(&EncryptItem<'_>, &[u8; 32])> = items.iter().zip(random.iter()).collect();
        in_chunks(
            (threads, LONG),
            &jobs,
            &mut encrypted,
            group::chunk(),
            encrypt_chunk,
        );
    }
    for ((result, encrypted), item) in results.iter_mut().zip(encrypted).zip(items) {
        *result = match (encrypted, &drawn) {
            (Some(encrypted), _) => encrypted,
            // The nonce did not serve: for messages of a byte or two that is not rare.
            (None, Ok(_)) => match item.recipient {
                Recipient::Public(key) => key.encrypt_with_rng(rng, item.message),
                Recipient::Key(key) => key.encrypt_with_rng(rng, item.message),
            },
            (None, Err(error)) => Err(check_length(item.message).err().unwrap_or(*error)),
        };
    }
}

fn encrypt_chunk(
    jobs: &[(&EncryptItem<'_>, &[u8; 32])],
    out: &mut [Option<Result<Ciphertext, Error>>],
) {
    let count = jobs.len();
    // A1: k ∈ [1, n − 1]
    let k: Zeroizing<Vec<U256>> = Zeroizing::new(
        jobs.iter()
            .map(|(_, random)| U256::from_be_bytes(random))
            .collect(),
    );
    // A2 to A4: C₁ = [k]G and (x₂, y₂) = [k]P
    let recipients: Vec<Recipient<'_>> = jobs.iter().map(|(item, _)| item.recipient).collect();
    let tables = tables(&recipients);
    let mut ephemeral = Zeroizing::new(vec![Point::default(); count]);
    let mut shared = Zeroizing::new(vec![Point::default(); count]);
    if group::one_by_one(count) {
        for ((((recipient, table), k), ephemeral), shared) in recipients
            .iter()
            .zip(&tables)
            .zip(k.iter())
            .zip(ephemeral.iter_mut())
            .zip(shared.iter_mut())
        {
            (*ephemeral, *shared) = match table {
                Some(table) => group::generator_and_prepared_mul(k, table),
                None => group::generator_and_point_mul(k, &recipient.public_key().to_point()),
            };
        }
    } else {
        group::generator_mul_many(&k, &mut ephemeral);
        products(
            k.iter().zip(tables.iter().copied()),
            group::prepared_mul_many,
            &mut shared,
        );
        let points = recipients.iter().zip(&tables).map(|(recipient, table)| {
            let without = table.is_none();
            without.then(|| recipient.public_key().to_point())
        });
        products(k.iter().zip(points), group::point_mul_many, &mut shared);
    }
    // A5 to A8
    for ((((out, (item, _)), k), ephemeral), shared) in out
        .iter_mut()
        .zip(jobs)
        .zip(k.iter())
        .zip(ephemeral.iter())
        .zip(shared.iter())
    {
        *out = match check_length(item.message) {
            Err(error) => Some(Err(error)),
            Ok(()) if !is_nonzero_scalar(k) => None,
            Ok(()) => {
                let session = Session::from_point(shared);
                encrypt_in((PublicKey::from_point(ephemeral), session), item.message).transpose()
            }
        };
    }
}

/// The tables that the recipients' keys keep.
fn tables<'a>(recipients: &[Recipient<'a>]) -> Vec<Option<&'a KeyTable>> {
    let mut tables = Vec::with_capacity(recipients.len());
    for run in recipients.chunk_by(|a, b| core::ptr::eq(a.public_key(), b.public_key())) {
        let table = run.first().and_then(|first| first.table(run.len()));
        tables.extend(core::iter::repeat_n(table, run.len()));
    }
    tables
}

/// The products of those items that have a point of the kind that `multiply` takes, put into their
/// places.
fn products<'a, T>(
    items: impl Iterator<Item = (&'a U256, Option<T>)>,
    multiply: impl Fn(&[U256], &[T], &mut [Point]),
    out: &mut [Point],
) {
    let mut k = Zeroizing::new(Vec::with_capacity(out.len()));
    let mut bases = Vec::with_capacity(out.len());
    let mut places = Vec::with_capacity(out.len());
    for ((k_i, base), place) in items.zip(out) {
        if let Some(base) = base {
            k.push(*k_i);
            bases.push(base);
            places.push(place);
        }
    }
    let mut products = Zeroizing::new(vec![Point::default(); k.len()]);
    multiply(&k, &bases, &mut products);
    for (place, product) in places.into_iter().zip(products.iter()) {
        *place = *product;
    }
}
