//! Many messages at once in GCM, each under a key of its own: the results of [`Sm4Gcm`], for less
//! time each.
//!
//! ```
//! use kuaimi::Threads;
//! use kuaimi::sm4::batch::{OpenItem, SealItem, open_batch, seal_batch};
//! use kuaimi::sm4::Error;
//!
//! let (keys, nonce) = ([[7; 16], [8; 16]], [0; 12]);
//! let sealed = seal_batch(&[
//!     SealItem::new(&keys[0], &nonce, b"a header", b"a message"),
//!     SealItem::new(&keys[1], &nonce, b"", b"another"),
//! ], Threads::One).into_iter().collect::<Result<Vec<_>, _>>()?;
//!
//! let opened = open_batch(&[
//!     OpenItem::new(&keys[0], &nonce, b"a header", &sealed[0]),
//!     OpenItem::new(&keys[0], &nonce, b"", &sealed[1]),
//! ], Threads::One);
//! assert_eq!(opened, [Ok(b"a message".to_vec()), Err(Error::DecryptionFailed)]);
//! # Ok::<(), Error>(())
//! ```
//!
//! The keys' schedules and the messages are computed side by side in the CPU's vectors. This is
//! worth it for messages of up to 2 KiB: longer ones fill the CPU alone, and are computed one by
//! one. So are messages under one key: make an [`Sm4Gcm`] for them.
//!
//! *Results* come in the order of the items. Each is the result of the single operation: a bad item
//! among good ones has its own error, and does not change the other results. Lengths may differ.
//!
//! *Constant time* in keys, nonces and data. Not secret are the number of items, all lengths, and
//! which items fail.

use alloc::vec::Vec;

use zeroize::Zeroize;

use super::{Error, KEY_LEN, Sm4Gcm};
use crate::batch::{Threads, failed, in_chunks};
use kuaimi_symmetric::sm4::{Job, open_each, seal_each};

/// Items that a thread computes at a time: enough to find messages of similar lengths among them.
const CHUNK: usize = 128;
/// Bytes that are worth waking a thread: as many as are encrypted in some dozens of microseconds.
const WORTH_A_THREAD: usize = 64 << 10;
/// What a key costs, as bytes of a message.
const KEY_COST: usize = 256;

/// A message to encrypt, for [`seal_batch`].
///
/// ```
/// use kuaimi::sm4::batch::SealItem;
///
/// let (key, nonce) = ([7; 16], [0; 12]);
/// let item = SealItem::new(&key, &nonce, b"a header", b"a message");
/// ```
#[derive(Clone, Copy)]
pub struct SealItem<'a>(Item<'a>);

/// A sealed message to decrypt, for [`open_batch`].
///
/// ```
/// use kuaimi::sm4::batch::OpenItem;
///
/// let (key, nonce) = ([7; 16], [0; 12]);
/// let item = OpenItem::new(&key, &nonce, b"a header", &[0; 25]);
/// ```
#[derive(Clone, Copy)]
pub struct OpenItem<'a>(Item<'a>);

#[derive(Clone, Copy)]
struct Item<'a> {
    key: &'a [u8; KEY_LEN],
    nonce: &'a [u8],
    associated_data: &'a [u8],
    data: &'a [u8],
}

macro_rules! item {
    ($name:ident, $data:ident, $(#[$doc:meta])*) => {
        impl<'a> $name<'a> {
            $(#[$doc])*
            pub fn new(
                key: &'a [u8; KEY_LEN],
                nonce: &'a [u8],
                associated_data: &'a [u8],
                $data: &'a [u8],
            ) -> Self {
                Self(Item { key, nonce, associated_data, data: $data })
            }
        }

        impl core::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!(stringify!($name), " { ... }"))
            }
        }
    };
}
item!(
    SealItem, message,
    /// A message. **Never use a nonce twice with a key.**
);
item!(
    OpenItem, sealed,
    /// A result of [`seal_batch`] or of [`Sm4Gcm::seal`].
);

/// Encrypts all messages, as [`Sm4Gcm::seal`] does: each result is the ciphertext followed by the
/// tag.
///
/// # Errors
/// For an item, [`Error::EmptyNonce`] or [`Error::TooLong`].
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm4::Sm4Gcm;
/// use kuaimi::sm4::batch::{SealItem, seal_batch};
///
/// let (key, nonce) = ([7; 16], [0; 12]);
/// let sealed = seal_batch(&[SealItem::new(&key, &nonce, b"", b"a message")], Threads::One);
/// assert_eq!(sealed, [Sm4Gcm::new(&key).seal(&nonce, b"", b"a message")]);
/// ```
pub fn seal_batch(items: &[SealItem<'_>], threads: Threads) -> Vec<Result<Vec<u8>, Error>> {
    let mut results = failed(&Error::EmptyNonce, items.len());
    let least = worth_a_thread(items.iter().map(|item| &item.0));
    in_chunks((threads, least), items, &mut results, CHUNK, seal_chunk);
    results
}

fn seal_chunk(items: &[SealItem<'_>], results: &mut [Result<Vec<u8>, Error>]) {
    let mut sealed: Vec<Vec<u8>> = Vec::with_capacity(items.len());
    sealed.extend(items.iter().map(|SealItem(item)| {
        let mut data = Vec::with_capacity(item.data.len() + Sm4Gcm::TAG_LEN);
        data.extend_from_slice(item.data);
        data
    }));
    let mut jobs: Vec<Job<'_>> = items
        .iter()
        .zip(&mut sealed)
        .map(|(SealItem(item), data)| job(item, data, [0; Sm4Gcm::TAG_LEN]))
        .collect();
    seal_each(&mut jobs);
    let tags: Vec<Result<[u8; Sm4Gcm::TAG_LEN], Error>> = jobs
        .iter()
        .map(|job| job.result.map(|()| job.tag))
        .collect();
    for ((result, mut data), tag) in results.iter_mut().zip(sealed).zip(tags) {
        *result = match tag {
            Ok(tag) => {
                data.extend_from_slice(&tag);
                Ok(data)
            }
            Err(error) => {
                // It is still the message.
                data.zeroize();
                Err(error)
            }
        };
    }
}

/// Decrypts all sealed messages, as [`Sm4Gcm::open`] does. An item whose tag is wrong is not
/// decrypted.
///
/// # Errors
/// For an item, [`Error::DecryptionFailed`] if anything was altered, or if there are fewer than the
/// 16 bytes of a tag; [`Error::EmptyNonce`].
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm4::batch::{OpenItem, open_batch};
/// use kuaimi::sm4::{Error, Sm4Gcm};
///
/// let (key, nonce) = ([7; 16], [0; 12]);
/// let sealed = Sm4Gcm::new(&key).seal(&nonce, b"", b"a message")?;
/// let items = [OpenItem::new(&key, &nonce, b"", &sealed), OpenItem::new(&key, &nonce, b"", b"short")];
/// let opened = open_batch(&items, Threads::One);
/// assert_eq!(opened, [Ok(b"a message".to_vec()), Err(Error::DecryptionFailed)]);
/// # Ok::<(), Error>(())
/// ```
pub fn open_batch(items: &[OpenItem<'_>], threads: Threads) -> Vec<Result<Vec<u8>, Error>> {
    let mut results = failed(&Error::DecryptionFailed, items.len());
    let least = worth_a_thread(items.iter().map(|item| &item.0));
    in_chunks((threads, least), items, &mut results, CHUNK, open_chunk);
    results
}

fn open_chunk(items: &[OpenItem<'_>], results: &mut [Result<Vec<u8>, Error>]) {
    // Read once: what is authenticated is what is decrypted.
    let mut copies: Vec<Option<(Vec<u8>, [u8; Sm4Gcm::TAG_LEN])>> = items
        .iter()
        .map(|OpenItem(item)| {
            let (ciphertext, tag) = item.data.split_last_chunk()?;
            Some((ciphertext.to_vec(), *tag))
        })
        .collect();
    let mut jobs: Vec<Job<'_>> = items
        .iter()
        .zip(&mut copies)
        .filter_map(|(OpenItem(item), copy)| {
            let (data, tag) = copy.as_mut()?;
            Some(job(item, data, *tag))
        })
        .collect();
    open_each(&mut jobs);
    let opened: Vec<Result<(), Error>> = jobs.iter().map(|job| job.result).collect();
    let copies = results
        .iter_mut()
        .zip(copies)
        .filter_map(|(result, copy)| Some((result, copy?)));
    for ((result, (data, _)), opened) in copies.zip(opened) {
        *result = opened.map(|()| data);
    }
}

fn job<'a>(item: &Item<'a>, data: &'a mut [u8], tag: [u8; Sm4Gcm::TAG_LEN]) -> Job<'a> {
    Job {
        key: item.key,
        nonce: item.nonce,
        associated_data: item.associated_data,
        data,
        tag,
        result: Err(Error::DecryptionFailed),
    }
}

/// How many items are worth waking a thread.
fn worth_a_thread<'a>(items: impl ExactSizeIterator<Item = &'a Item<'a>>) -> usize {
    let count = items.len().max(1);
    let bytes: usize = items
        .map(|item| item.data.len() + item.associated_data.len())
        .sum();
    (WORTH_A_THREAD / (bytes / count + KEY_COST)).max(1)
}
