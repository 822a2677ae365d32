//! Many operations at once: the results of the single operations, for less time each.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::sm2::batch::{VerifyItem, keygen_batch, sign_batch, SignItem, verify_batch};
//! use kuaimi::sm2::{Error, SigningKey};
//!
//! let keys: Vec<SigningKey> = keygen_batch(3)
//!     .into_iter()
//!     .map(|key| key.map(SigningKey::new))
//!     .collect::<Result<_, _>>()?;
//! let to_sign: Vec<SignItem> = keys.iter().map(|key| SignItem::new(key, b"a message")).collect();
//! let signatures = sign_batch(&to_sign).into_iter().collect::<Result<Vec<_>, _>>()?;
//!
//! let to_verify = [
//!     VerifyItem::new(keys[0].verifying_key(), b"a message", &signatures[0]),
//!     VerifyItem::new(keys[1].verifying_key(), b"a massage", &signatures[1]),
//!     VerifyItem::new(keys[2].verifying_key(), b"a message", &signatures[2]),
//! ];
//! assert_eq!(verify_batch(&to_verify), [Ok(()), Err(Error::InvalidSignature), Ok(())]);
//! # }
//! # Ok::<(), kuaimi::sm2::Error>(())
//! ```
//!
//! | to do | use | a batch saves |
//! | --- | --- | --- |
//! | make keys | [`keygen_batch`] | about half the time |
//! | sign, with one key or many | [`sign_batch`], [`SigningKey::sign_batch`](super::SigningKey::sign_batch) | about half |
//! | verify | [`verify_batch`] | little, or two thirds where keys repeat or are prepared |
//! | recover public keys | [`recover_batch`] | little |
//! | encrypt, for one recipient or many | [`encrypt_batch`] | little, or two thirds for prepared recipients |
//! | decrypt | [`decrypt_batch`] | little |
//!
//! The right-hand column is for scalar arithmetic, where a batch shares inversions; in vector lanes
//! ([`backend`](crate::backend)) all of them gain.
//!
//! *Results* come in the order of the items, each what the single operation would have given: a bad item among good ones has
//! its own error, and no other's result depends on it. There is no probabilistic check of many signatures together.
//!
//! *Constant time.* As the single operations: what is signed with, encrypted and decrypted is not seen in the time a batch
//! takes, nor where in a batch it stands. Verification and recovery run in variable time, as they see public data only. How many
//! items there are, how long their messages are, which keys are the same and which items fail is no secret.
//!
//! *Randomness* is drawn for all items in one request.
//!
//! *Memory.* A batch allocates its results, at most 512 bytes an item besides, and scratch memory for each thread that does
//! not grow with the batch (about 400 KiB). Streams of any length are best cut into batches of some thousands.
//!
//! *Threads.* With the feature `rayon` a batch of more than a few items spreads over the current rayon pool; install one of
//! your own to bound how many threads it takes. Without the feature everything happens on the calling thread.

mod content;
mod decrypt;
mod encrypt;
mod hash;
mod keygen;
mod recover;
mod sign;
mod verify;

pub use content::Content;
pub use decrypt::{DecryptItem, decrypt_batch};
#[cfg(feature = "getrandom")]
pub use encrypt::encrypt_batch;
pub use encrypt::{EncryptItem, Recipient, encrypt_batch_with_rng};
#[cfg(feature = "getrandom")]
pub use keygen::keygen_batch;
pub use keygen::keygen_batch_with_rng;
pub use recover::{RecoverItem, recover_batch};
#[cfg(feature = "getrandom")]
pub use sign::sign_batch;
pub use sign::{SignItem, sign_batch_with_rng};
#[cfg(feature = "std")]
pub(super) use verify::verify_with;
pub use verify::{SignatureInput, Signer, VerifyItem, verify_batch};

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::Error;

/// `count` arrays of random bytes, by one request to the generator.
fn draw<const N: usize, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    count: usize,
) -> Result<Zeroizing<Vec<[u8; N]>>, Error> {
    Ok(crate::batch::draw(rng, count)?)
}

/// Results that are not computed yet.
fn none<T>(count: usize) -> Vec<Option<T>> {
    core::iter::repeat_with(|| None).take(count).collect()
}
