//! Many encryptions and decryptions (GB/T 38635.2-2020, clause 9).

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::sessions::{pairings, with_sessions};
use super::{Recipient, for_each_chunk};
use crate::batch::Threads;
use crate::sm9::decrypt::decrypt_in;
use crate::sm9::encrypt::{check_message, encrypt, encrypt_in, initial_value};
use crate::sm9::scalar::random_scalar;
use crate::sm9::{Ciphertext, DecryptOptions, DecryptionKey, EncryptOptions, Error};

/// One message to be encrypted.
///
/// ```
/// # use kuaimi::sm9::{MasterEncryptionKey, batch::EncryptItem};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().encryption_key("bob")?;
/// let items = [EncryptItem::new(&bob, b"one"), EncryptItem::new(&bob, b"two")];
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct EncryptItem<'a> {
    recipient: Recipient<'a>,
    message: &'a [u8],
    options: EncryptOptions,
}

impl<'a> EncryptItem<'a> {
    /// A message for an [`EncryptionKey`](crate::sm9::EncryptionKey) or another [`Recipient`], with
    /// the options [`EncryptOptions::default`].
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, batch::EncryptItem};
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().encryption_key("bob")?;
    /// let item = EncryptItem::new(&bob, b"a secret");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn new(recipient: impl Into<Recipient<'a>>, message: &'a [u8]) -> Self {
        Self {
            recipient: recipient.into(),
            message,
            options: EncryptOptions::new(),
        }
    }

    /// With these options.
    ///
    /// ```
    /// # use kuaimi::sm9::{EncryptOptions, MasterEncryptionKey, batch::EncryptItem};
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().encryption_key("bob")?;
    /// let item = EncryptItem::new(&bob, b"a secret").with_options(EncryptOptions::GMSSL);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[must_use]
    pub fn with_options(mut self, options: EncryptOptions) -> Self {
        self.options = options;
        self
    }
}

impl core::fmt::Debug for EncryptItem<'_> {
    /// Without the message.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EncryptItem")
            .field("recipient", &self.recipient)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// Encrypts all items, for one recipient or for many, with nonces and initial values from the
/// operating system's random generator.
///
/// Constant time in the messages and the nonces.
///
/// # Errors
/// For an item, [`Error::EmptyMessage`], [`Error::MessageTooLong`], [`Error::EmptyIdentity`],
/// [`Error::UnusableMasterKey`], and [`Error::Random`] if the generator fails.
///
/// ```
/// # use kuaimi::Threads;
/// # use kuaimi::sm9::{Error, MasterEncryptionKey, batch::{EncryptItem, encrypt_batch}};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
/// let results = encrypt_batch(&[
///     EncryptItem::new(bob.encryption_key(), b"a secret"),
///     EncryptItem::new(bob.encryption_key(), b""),
/// ], Threads::One);
/// assert_eq!(*bob.decrypt(results[0].as_ref().unwrap())?, b"a secret");
/// assert_eq!(results[1], Err(Error::EmptyMessage));
/// # Ok::<(), Error>(())
/// ```
#[cfg(feature = "getrandom")]
pub fn encrypt_batch(
    items: &[EncryptItem<'_>],
    threads: Threads,
) -> Vec<Result<Ciphertext, Error>> {
    encrypt_batch_with_rng(&mut getrandom::SysRng, items, threads)
}

/// As [`encrypt_batch`], with nonces and initial values from `rng`.
///
/// # Errors
/// As [`encrypt_batch`].
///
/// ```
/// # use kuaimi::Threads;
/// # use kuaimi::sm9::{Error, MasterEncryptionKey, batch::{EncryptItem, encrypt_batch_with_rng}};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
/// let items = [EncryptItem::new(bob.encryption_key(), b"a secret")];
/// let results = encrypt_batch_with_rng(&mut getrandom::SysRng, &items, Threads::One);
/// assert_eq!(*bob.decrypt(results[0].as_ref().unwrap())?, b"a secret");
/// # Ok::<(), Error>(())
/// ```
pub fn encrypt_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    items: &[EncryptItem<'_>],
    threads: Threads,
) -> Vec<Result<Ciphertext, Error>> {
    let jobs: Vec<_> = items
        .iter()
        .map(|item| {
            let iv = initial_value(item.options.mode(), rng);
            (item, iv.and_then(|iv| Ok((iv, random_scalar(rng)?))))
        })
        .collect();
    let made = for_each_chunk(threads, &jobs, |jobs, results| {
        with_sessions(
            jobs,
            results,
            |(item, random)| {
                check_message(item.message)?;
                let (_, r) = random.as_ref().map_err(|error| *error)?;
                Ok((item.recipient, r))
            },
            |(item, random), session, id| {
                let (iv, _) = random.as_ref().map_err(|error| *error)?;
                encrypt_in(session, id, iv, item.message, item.options)
            },
        );
    });
    made.into_iter()
        .zip(items)
        .map(|(made, item)| match made {
            Ok(Some(ciphertext)) => Ok(ciphertext),
            // The key was all zero: for messages of a byte or two this is not rare.
            Ok(None) => encrypt(&*item.recipient.key()?, rng, item.message, item.options),
            Err(error) => Err(error),
        })
        .collect()
}

/// One ciphertext to be decrypted.
///
/// ```
/// # use kuaimi::sm9::{MasterEncryptionKey, batch::DecryptItem};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
/// let ciphertext = bob.encryption_key().encrypt(b"a secret")?;
/// let item = DecryptItem::new(&bob, &ciphertext);
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DecryptItem<'a> {
    key: &'a DecryptionKey,
    ciphertext: &'a Ciphertext,
    options: DecryptOptions,
}

impl<'a> DecryptItem<'a> {
    /// A ciphertext for a [`DecryptionKey`](crate::sm9::DecryptionKey), with the options
    /// [`DecryptOptions::default`].
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, batch::DecryptItem};
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
    /// let ciphertext = bob.encryption_key().encrypt(b"a secret")?;
    /// let item = DecryptItem::new(&bob, &ciphertext);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn new(key: &'a DecryptionKey, ciphertext: &'a Ciphertext) -> Self {
        Self {
            key,
            ciphertext,
            options: DecryptOptions::new(),
        }
    }

    /// With these options.
    ///
    /// ```
    /// # use kuaimi::sm9::{DecryptOptions, EncryptOptions, MasterEncryptionKey, batch::DecryptItem};
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
    /// let ciphertext = bob.encryption_key().encrypt_with(b"a secret", EncryptOptions::GMSSL)?;
    /// let item = DecryptItem::new(&bob, &ciphertext).with_options(DecryptOptions::GMSSL);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[must_use]
    pub fn with_options(mut self, options: DecryptOptions) -> Self {
        self.options = options;
        self
    }
}

/// Decrypts all items, with one key or with many. Constant time in the keys and the plaintexts.
///
/// # Errors
/// For an item, [`Error::DecryptionFailed`], whatever the reason.
///
/// ```
/// # use kuaimi::Threads;
/// # use kuaimi::sm9::{MasterEncryptionKey, batch::{DecryptItem, decrypt_batch}};
/// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
/// let ciphertext = bob.encryption_key().encrypt(b"a secret")?;
/// let results = decrypt_batch(&[DecryptItem::new(&bob, &ciphertext)], Threads::One);
/// assert_eq!(**results[0].as_ref().unwrap(), b"a secret");
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub fn decrypt_batch(
    items: &[DecryptItem<'_>],
    threads: Threads,
) -> Vec<Result<Zeroizing<Vec<u8>>, Error>> {
    for_each_chunk(threads, items, |items, results| {
        let keys: Vec<_> = items.iter().map(|item| item.key).collect();
        let c: Vec<_> = items.iter().map(|item| item.ciphertext.c1()).collect();
        let w = pairings(&keys, &c);
        for ((item, w), result) in items.iter().zip(w.iter()).zip(results) {
            *result = decrypt_in(w, item.key.0.id(), item.ciphertext, item.options);
        }
    })
}
