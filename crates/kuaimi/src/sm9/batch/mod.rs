//! Many operations at once: the results of the single operations, in less time where the operations
//! share work.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi::Threads;
//! use kuaimi::sm9::batch::{SignItem, VerifyItem, sign_batch, verify_batch};
//! use kuaimi::sm9::{Error, MasterSigningKey, Signature};
//!
//! let master = MasterSigningKey::generate()?;
//! let (alice, bob) = (master.extract("alice")?, master.extract("bob")?);
//! let to_sign = [SignItem::new(&alice, b"one"), SignItem::new(&bob, b"two")];
//! let signatures = sign_batch(&to_sign, Threads::One).into_iter().collect::<Result<Vec<Signature>, Error>>()?;
//!
//! let results = verify_batch(&[
//!     VerifyItem::new(alice.verifying_key(), b"one", &signatures[0]),
//!     VerifyItem::new(bob.verifying_key(), b"another", &signatures[1]),
//! ], Threads::One);
//! assert_eq!(results, [Ok(()), Err(Error::InvalidSignature)]);
//! # }
//! # Ok::<(), kuaimi::sm9::Error>(())
//! ```
//!
//! | to do | use | a batch shares | with AVX-512 IFMA, eight at a time |
//! | --- | --- | --- | --- |
//! | make users' keys | [`MasterSigningKey::extract_batch`], [`MasterEncryptionKey::extract_batch`] | inversions | products of points |
//! | sign | [`sign_batch`], [`SigningKey::sign_batch`] | inversions | powers of `g`, products of points |
//! | verify | [`verify_batch`] | the lines of identities that occur more than once | pairings, powers of `g` |
//! | encapsulate keys, encrypt | [`encapsulate_batch`], [`encrypt_batch`] | inversions | powers of `g`, products of points |
//! | decapsulate keys, decrypt | [`decapsulate_batch`], [`decrypt_batch`] | the lines through a key | pairings |
//!
//! Keys, identities and master public keys may be mixed in any way. The tables are those that keys
//! make at their second use or by `prepare()` (see [`precompute`](crate::precompute)); an item
//! whose key has none yet is computed alone.
//!
//! *Results* come in the order of the items. Each is the result of the single operation: a bad item
//! among good ones has its own error, and does not change the other results. Signatures are not
//! checked together by a probabilistic test: SM9 does not allow it, as `h` is a hash of the values
//! that would be added.
//!
//! *Constant time.* As the single operations. Public are the number of items, the lengths of
//! messages, which keys are equal, and which items fail.
//!
//! *Threads.* A batch is computed by the threads that the call names: see [`Threads`].
//!
//! [`MasterSigningKey::extract_batch`]: super::MasterSigningKey::extract_batch
//! [`MasterEncryptionKey::extract_batch`]: super::MasterEncryptionKey::extract_batch
//! [`SigningKey`]: super::SigningKey
//! [`SigningKey::sign_batch`]: super::SigningKey::sign_batch

mod content;
mod encapsulate;
mod encrypt;
mod keys;
mod sessions;
mod sign;
mod verify;

pub use content::Content;
#[cfg(feature = "getrandom")]
pub use encapsulate::encapsulate_batch;
pub use encapsulate::{
    DecapsulateItem, EncapsulateItem, decapsulate_batch, encapsulate_batch_with_rng,
};
#[cfg(feature = "getrandom")]
pub use encrypt::encrypt_batch;
pub use encrypt::{DecryptItem, EncryptItem, decrypt_batch, encrypt_batch_with_rng};
pub use keys::{Recipient, Signer};
#[cfg(feature = "getrandom")]
pub use sign::sign_batch;
pub use sign::{SignItem, sign_batch_with_rng};
#[cfg(feature = "std")]
pub(super) use verify::verify_with;
pub use verify::{SignatureInput, VerifyItem, verify_batch};

use alloc::vec::Vec;

use super::Error;
use crate::batch::{Threads, failed, in_chunks};

/// How many items a thread takes at a time.
const CHUNK: usize = 64;
/// An operation takes as long as waking a thread, or longer.
const LEAST: usize = 8;

/// The result of `work` for each item, in order, spread over threads.
fn for_each_chunk<I: Sync, O: Send>(
    threads: Threads,
    items: &[I],
    work: impl Fn(&[I], &mut [Result<O, Error>]) + Sync,
) -> Vec<Result<O, Error>> {
    // Each place is filled.
    let mut results = failed(&Error::Random, items.len());
    in_chunks((threads, LEAST), items, &mut results, CHUNK, work);
    results
}
