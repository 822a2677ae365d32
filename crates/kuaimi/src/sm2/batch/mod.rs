//! Many operations at once: the results of the single operations, for less time each.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::Threads;
//! use kuaimi::sm2::batch::{VerifyItem, generate_batch, sign_batch, SignItem, verify_batch};
//! use kuaimi::sm2::{Error, SigningKey};
//!
//! let secrets = generate_batch(3, Threads::One);
//! let keys = secrets.into_iter().map(|secret| Ok(SigningKey::new(secret?)));
//! let keys = keys.collect::<Result<Vec<_>, Error>>()?;
//! let to_sign: Vec<SignItem> = keys.iter().map(|key| SignItem::new(key, b"a message")).collect();
//! let signatures = sign_batch(&to_sign, Threads::One).into_iter().collect::<Result<Vec<_>, _>>()?;
//!
//! let to_verify = [
//!     VerifyItem::new(keys[0].verifying_key(), b"a message", &signatures[0]),
//!     VerifyItem::new(keys[1].verifying_key(), b"a massage", &signatures[1]),
//!     VerifyItem::new(keys[2].verifying_key(), b"a message", &signatures[2]),
//! ];
//! assert_eq!(verify_batch(&to_verify, Threads::One), [Ok(()), Err(Error::InvalidSignature), Ok(())]);
//! # }
//! # Ok::<(), kuaimi::sm2::Error>(())
//! ```
//!
//! | to do | use | a batch saves |
//! | --- | --- | --- |
//! | make keys | [`generate_batch`] | about half the time |
//! | sign, with one key or many | [`sign_batch`], [`SigningKey::sign_batch`](super::SigningKey::sign_batch) | about half |
//! | verify | [`verify_batch`] | little, or two thirds where keys repeat or are prepared |
//! | recover public keys | [`recover_batch`] | little |
//! | encrypt, for one recipient or many | [`encrypt_batch`] | little, or two thirds for prepared recipients |
//! | decrypt | [`decrypt_batch`] | little |
//! | agree on secrets by plain Diffie–Hellman | [`diffie_hellman_batch`] | little |
//! | exchange keys | [`start_batch`], [`respond_batch`], [`finish_batch`] | little |
//!
//! The right-hand column is for scalar arithmetic, where a batch shares inversions. In vector lanes
//! ([`backend`](crate::backend)) every operation gains.
//!
//! *Results* come in the order of the items. Each is the result of the single operation: a bad item
//! among good ones has its own error, and does not change the other results. Signatures are not
//! checked together by a probabilistic test.
//!
//! *Constant time.* As the single operations: the time of a batch does not depend on keys, nonces
//! or plaintexts, nor on their places in the batch. Verification and recovery run in variable time,
//! as they see public data only. Not secret are the number of items, the lengths of messages, which
//! keys are equal, and which items fail.
//!
//! *Randomness* is drawn for all items in one request.
//!
//! *Memory.* A batch allocates its results, at most 512 bytes more for each item, and about 400 KiB
//! for each thread, whatever the size of the batch. Cut a long stream of items into batches of some
//! thousands.
//!
//! *Threads.* A batch is computed by the threads that the call names: see
//! [`Threads`](crate::Threads).

mod content;
mod decrypt;
mod diffie_hellman;
mod encrypt;
mod hash;
mod keygen;
mod recover;
mod sign;
mod verify;

pub use super::exchange::batch::{
    FinishItem, Finished, RespondItem, finish_batch, respond_batch_with_rng, start_batch_with_rng,
};
#[cfg(feature = "getrandom")]
pub use super::exchange::batch::{respond_batch, start_batch};
pub use content::Content;
pub use decrypt::{DecryptItem, decrypt_batch};
pub use diffie_hellman::diffie_hellman_batch;
#[cfg(feature = "getrandom")]
pub use encrypt::encrypt_batch;
pub use encrypt::{EncryptItem, Recipient, encrypt_batch_with_rng};
#[cfg(feature = "getrandom")]
pub use keygen::generate_batch;
pub use keygen::generate_batch_with_rng;
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
pub(super) fn draw<const N: usize, R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    count: usize,
) -> Result<Zeroizing<Vec<[u8; N]>>, Error> {
    Ok(crate::batch::draw(rng, count)?)
}

/// How many items are worth waking a thread: many, as signing and making keys take about a
/// microsecond.
pub(super) const SHORT: usize = 64;
/// The other operations take several times as long.
pub(super) const LONG: usize = 32;

/// Results that are not computed yet.
pub(super) fn none<T>(count: usize) -> Vec<Option<T>> {
    core::iter::repeat_with(|| None).take(count).collect()
}
