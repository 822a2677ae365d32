//! Many encapsulations and decapsulations (GB/T 38635.2-2020, clause 8).

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::sessions::{open, pairings};
use super::{Recipient, for_each_chunk};
use crate::batch::Threads;
use crate::sm9::Encapsulated;
use crate::sm9::encapsulate::{Derivation, check_length, derive_many, encapsulate};
use crate::sm9::scalar::random_scalar;
use crate::sm9::{DecryptionKey, Error, G1Point};

/// One key to be encapsulated.
///
/// ```
/// # use kuaimi::sm9::{MasterEncryptionKey, batch::EncapsulateItem};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().encryption_key("bob")?;
/// let items = [EncapsulateItem::new(&bob, 16), EncapsulateItem::new(&bob, 32)];
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EncapsulateItem<'a> {
    recipient: Recipient<'a>,
    length: usize,
}

impl<'a> EncapsulateItem<'a> {
    /// A key of `length` bytes for an [`EncryptionKey`](crate::sm9::EncryptionKey) or another
    /// [`Recipient`].
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, batch::EncapsulateItem};
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().encryption_key("bob")?;
    /// let item = EncapsulateItem::new(&bob, 32);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn new(recipient: impl Into<Recipient<'a>>, length: usize) -> Self {
        Self {
            recipient: recipient.into(),
            length,
        }
    }
}

/// Encapsulates all items, for one recipient or for many, with nonces from the operating system's
/// random generator: the keys, and the points to send.
///
/// Constant time in the keys and the nonces.
///
/// # Errors
/// For an item, [`Error::KeyLength`], [`Error::EmptyIdentity`], [`Error::UnusableMasterKey`], and
/// [`Error::Random`] if the generator fails.
///
/// ```
/// # use kuaimi::Threads;
/// # use kuaimi::sm9::{Error, MasterEncryptionKey, batch::{EncapsulateItem, encapsulate_batch}};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
/// let recipient = bob.encryption_key();
/// let results = encapsulate_batch(&[
///     EncapsulateItem::new(recipient, 32),
///     EncapsulateItem::new(recipient, 0),
/// ], Threads::One);
/// let (key, c) = results[0].as_ref().unwrap();
/// assert_eq!(bob.decapsulate(c, 32)?, *key);
/// assert_eq!(results[1], Err(Error::KeyLength));
/// # Ok::<(), Error>(())
/// ```
#[cfg(feature = "getrandom")]
pub fn encapsulate_batch(
    items: &[EncapsulateItem<'_>],
    threads: Threads,
) -> Vec<Result<Encapsulated, Error>> {
    encapsulate_batch_with_rng(&mut getrandom::SysRng, items, threads)
}

/// As [`encapsulate_batch`], with nonces from `rng`.
///
/// # Errors
/// As [`encapsulate_batch`].
///
/// ```
/// # use kuaimi::Threads;
/// # use kuaimi::sm9::{Error, MasterEncryptionKey, batch::{EncapsulateItem, encapsulate_batch_with_rng}};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
/// let items = [EncapsulateItem::new(bob.encryption_key(), 32)];
/// let results = encapsulate_batch_with_rng(&mut getrandom::SysRng, &items, Threads::One);
/// let (key, c) = results[0].as_ref().unwrap();
/// assert_eq!(bob.decapsulate(c, 32)?, *key);
/// # Ok::<(), Error>(())
/// ```
pub fn encapsulate_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    items: &[EncapsulateItem<'_>],
    threads: Threads,
) -> Vec<Result<Encapsulated, Error>> {
    let jobs: Vec<_> = items
        .iter()
        .map(|item| (item, random_scalar(rng)))
        .collect();
    let made = for_each_chunk(threads, &jobs, |jobs, results| {
        let opened = open(jobs, results, |(item, r)| {
            check_length(item.length)?;
            Ok((item.recipient, r.as_deref().map_err(|error| *error)?))
        });
        let (mut places, mut derivations) = (Vec::new(), Vec::new());
        for (place, key, session) in opened.iter() {
            match session {
                Err(error) => results[place] = Err(*error),
                Ok((c, w)) => {
                    let (id, length) = (key.id(), jobs[place].0.length);
                    places.push(place);
                    derivations.push(Derivation { c, w, id, length });
                }
            }
        }
        // A6: K = KDF(C ‖ w ‖ ID, klen)
        let keys = derive_many(&derivations);
        for ((place, key), derivation) in places.into_iter().zip(keys).zip(&derivations) {
            results[place] = key.map(|key| Some((key?, G1Point(*derivation.c))));
        }
    });
    made.into_iter()
        .zip(items)
        .map(|(made, item)| match made {
            Ok(Some(made)) => Ok(made),
            // The key was all zero: for keys of a byte or two this is not rare.
            Ok(None) => encapsulate(&*item.recipient.key()?, rng, item.length),
            Err(error) => Err(error),
        })
        .collect()
}

/// One key to be decapsulated.
///
/// ```
/// # use kuaimi::sm9::{MasterEncryptionKey, batch::DecapsulateItem};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
/// let (key, c) = bob.encryption_key().encapsulate(32)?;
/// let item = DecapsulateItem::new(&bob, &c, 32);
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DecapsulateItem<'a> {
    key: &'a DecryptionKey,
    c: &'a G1Point,
    length: usize,
}

impl<'a> DecapsulateItem<'a> {
    /// The key of `length` bytes that was encapsulated as the point `c`, for a
    /// [`DecryptionKey`](crate::sm9::DecryptionKey).
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, batch::DecapsulateItem};
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
    /// let (key, c) = bob.encryption_key().encapsulate(32)?;
    /// let item = DecapsulateItem::new(&bob, &c, 32);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn new(key: &'a DecryptionKey, c: &'a G1Point, length: usize) -> Self {
        Self { key, c, length }
    }
}

/// Decapsulates all items, with one key or with many. Constant time in the keys.
///
/// # Errors
/// For an item, as [`DecryptionKey::decapsulate`](crate::sm9::DecryptionKey::decapsulate).
///
/// ```
/// # use kuaimi::Threads;
/// # use kuaimi::sm9::{MasterEncryptionKey, batch::{DecapsulateItem, decapsulate_batch}};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
/// let (key, c) = bob.encryption_key().encapsulate(32)?;
/// assert_eq!(decapsulate_batch(&[DecapsulateItem::new(&bob, &c, 32)], Threads::One), [Ok(key)]);
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub fn decapsulate_batch(
    items: &[DecapsulateItem<'_>],
    threads: Threads,
) -> Vec<Result<Zeroizing<Vec<u8>>, Error>> {
    for_each_chunk(threads, items, |items, results| {
        let keys: Vec<_> = items.iter().map(|item| item.key).collect();
        let c: Vec<_> = items.iter().map(|item| item.c).collect();
        let w = pairings(&keys, &c);
        let derivations: Vec<_> = items
            .iter()
            .zip(w.iter())
            .map(|(item, w)| Derivation {
                c: &item.c.0,
                w,
                id: item.key.0.id(),
                length: item.length,
            })
            .collect();
        // B3: K' = KDF(C ‖ w' ‖ ID, klen)
        for (key, result) in derive_many(&derivations).into_iter().zip(results) {
            *result = key.and_then(|key| key.ok_or(Error::DecryptionFailed));
        }
    })
}
