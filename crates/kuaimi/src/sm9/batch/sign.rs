//! Many signatures (GB/T 38635.2-2020, clause 6.2).

use alloc::vec::Vec;

use rand_core::TryCryptoRng;

use super::{Content, SigningKeyRef, for_each};
use crate::batch::draw;
use crate::nonce::RANDOM_LEN;
use crate::sm9::sign::sign_with_random;
use crate::sm9::{Error, Signature};

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
    key: SigningKeyRef<'a>,
    content: Content<'a>,
}

impl<'a> SignItem<'a> {
    /// A signature by a [`SigningKey`](crate::sm9::SigningKey) or [`PreparedSigningKey`](crate::sm9::PreparedSigningKey) over a message or
    /// a [`MessageHash`](crate::sm9::MessageHash).
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, MessageHash, batch::SignItem};
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// let item = SignItem::new(&alice, &MessageHash::of(b"a message"));
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn new(key: impl Into<SigningKeyRef<'a>>, content: impl Into<Content<'a>>) -> Self {
        Self {
            key: key.into(),
            content: content.into(),
        }
    }
}

/// The signatures of all items, by one key or by many, with the operating system's random generator in the nonces.
///
/// Each nonce is hedged as a single signature's is: derived from the item's key, its master public key, its message and its own part of
/// the randomness, which is drawn for all items in one request. Constant time in the keys, the nonces and the messages.
///
/// # Errors
/// For an item, [`Error::Random`] if the generator fails.
///
/// ```
/// # use kuaimi::sm9::{MasterSigningKey, batch::{SignItem, sign_batch}};
/// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
/// let signatures = sign_batch(&[SignItem::new(&alice, b"one"), SignItem::new(&alice, b"two")]);
/// alice.verifying_key().verify(b"two", signatures[1].as_ref().unwrap())?;
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[cfg(feature = "getrandom")]
pub fn sign_batch(items: &[SignItem<'_>]) -> Vec<Result<Signature, Error>> {
    sign_batch_with_rng(&mut getrandom::SysRng, items)
}

/// As [`sign_batch`], with `rng` in the nonces: 22 bytes for each item.
///
/// # Errors
/// For an item, [`Error::Random`] if the generator fails.
///
/// ```
/// # use kuaimi::sm9::{MasterSigningKey, batch::{SignItem, sign_batch_with_rng}};
/// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
/// let items = [SignItem::new(&alice, b"one"), SignItem::new(&alice, b"two")];
/// let signatures = sign_batch_with_rng(&mut getrandom::SysRng, &items);
/// alice.verifying_key().verify(b"two", signatures[1].as_ref().unwrap())?;
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub fn sign_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    items: &[SignItem<'_>],
) -> Vec<Result<Signature, Error>> {
    let random = match draw::<RANDOM_LEN, R>(rng, items.len()) {
        Ok(random) => random,
        Err(_) => return items.iter().map(|_| Err(Error::Random)).collect(),
    };
    let jobs: Vec<(&SignItem<'_>, &[u8; RANDOM_LEN])> = items.iter().zip(random.iter()).collect();
    for_each(&jobs, |(item, random)| {
        item.content
            .hashed(|message| sign_with_random(item.key.ops(), random, message))
    })
}
