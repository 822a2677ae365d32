//! Many messages at once in GCM: the results of [`Sm4Gcm`], for less time each.
//!
//! [`seal_batch`] and [`open_batch`] take messages with a key each.
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
//! one.
//!
//! [`seal_batch_with`] and [`open_batch_with`] take messages under one kept key. The blocks of many
//! messages of up to 768 bytes are encrypted in one pass; longer ones are computed one by one.
//!
//! ```
//! use kuaimi::Threads;
//! use kuaimi::sm4::batch::{OpenMessage, SealMessage, open_batch_with, seal_batch_with};
//! use kuaimi::sm4::{Error, Sm4Gcm};
//!
//! let (cipher, nonces) = (Sm4Gcm::new(&[7; 16]), [[0; 12], [1; 12]]);
//! let sealed = seal_batch_with(&cipher, &[
//!     SealMessage::new(&nonces[0], b"a header", b"a message"),
//!     SealMessage::new(&nonces[1], b"", b"another"),
//! ], Threads::One).into_iter().collect::<Result<Vec<_>, _>>()?;
//!
//! let opened = open_batch_with(&cipher, &[
//!     OpenMessage::new(&nonces[0], b"a header", &sealed[0]),
//!     OpenMessage::new(&nonces[0], b"", &sealed[1]),
//! ], Threads::One);
//! assert_eq!(opened, [Ok(b"a message".to_vec()), Err(Error::DecryptionFailed)]);
//! # Ok::<(), Error>(())
//! ```
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
use kuaimi_symmetric::sm4::{Job, Message, open_each, open_each_with, seal_each, seal_each_with};

/// Items that a thread computes at a time: enough to find messages of similar lengths among them.
const CHUNK: usize = 128;
/// Bytes that are worth waking a thread: as many as are encrypted in some dozens of microseconds.
const WORTH_A_THREAD: usize = 64 << 10;
/// What a key costs, as bytes of a message.
const KEY_COST: usize = 256;
/// What a message of no bytes costs under a key that is there already, as bytes of a message.
const MESSAGE_COST: usize = 64;

type Tag = [u8; Sm4Gcm::TAG_LEN];

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

/// A message to encrypt, for [`seal_batch_with`].
///
/// ```
/// use kuaimi::sm4::batch::SealMessage;
///
/// let message = SealMessage::new(&[0; 12], b"a header", b"a message");
/// ```
#[derive(Clone, Copy)]
pub struct SealMessage<'a>(Content<'a>);

/// A sealed message to decrypt, for [`open_batch_with`].
///
/// ```
/// use kuaimi::sm4::batch::OpenMessage;
///
/// let message = OpenMessage::new(&[0; 12], b"a header", &[0; 25]);
/// ```
#[derive(Clone, Copy)]
pub struct OpenMessage<'a>(Content<'a>);

#[derive(Clone, Copy)]
struct Item<'a> {
    key: &'a [u8; KEY_LEN],
    content: Content<'a>,
}

/// What an item has besides its key.
#[derive(Clone, Copy)]
struct Content<'a> {
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
                let content = Content { nonce, associated_data, data: $data };
                Self(Item { key, content })
            }
        }
        hidden!($name);
    };
}
macro_rules! message {
    ($name:ident, $data:ident, $(#[$doc:meta])*) => {
        impl<'a> $name<'a> {
            $(#[$doc])*
            pub fn new(nonce: &'a [u8], associated_data: &'a [u8], $data: &'a [u8]) -> Self {
                Self(Content { nonce, associated_data, data: $data })
            }
        }
        hidden!($name);
    };
}
/// `Debug` that shows nothing.
macro_rules! hidden {
    ($name:ident) => {
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
message!(
    SealMessage, message,
    /// A message. **Never use a nonce twice with a key.**
);
message!(
    OpenMessage, sealed,
    /// A result of [`seal_batch_with`] or of [`Sm4Gcm::seal`].
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
    let least = worth_a_thread(items.iter().map(|item| &item.0.content), KEY_COST);
    in_chunks((threads, least), items, &mut results, CHUNK, seal_chunk);
    results
}

/// Encrypts all messages under one key, as [`Sm4Gcm::seal`] does: each result is the ciphertext
/// followed by the tag.
///
/// # Errors
/// For a message, [`Error::EmptyNonce`] or [`Error::TooLong`].
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm4::Sm4Gcm;
/// use kuaimi::sm4::batch::{SealMessage, seal_batch_with};
///
/// let cipher = Sm4Gcm::new(&[7; 16]);
/// let sealed = seal_batch_with(&cipher, &[SealMessage::new(&[0; 12], b"", b"one")], Threads::One);
/// assert_eq!(sealed, [cipher.seal(&[0; 12], b"", b"one")]);
/// ```
pub fn seal_batch_with(
    cipher: &Sm4Gcm,
    messages: &[SealMessage<'_>],
    threads: Threads,
) -> Vec<Result<Vec<u8>, Error>> {
    let mut results = failed(&Error::EmptyNonce, messages.len());
    let least = worth_a_thread(messages.iter().map(|message| &message.0), MESSAGE_COST);
    let work = |messages: &[SealMessage<'_>], results: &mut [Result<Vec<u8>, Error>]| {
        let contents = || messages.iter().map(|message| message.0);
        seal_copies(contents(), results, |copies| {
            let copies = contents().zip(copies);
            let mut kept: Vec<Message<'_>> = copies
                .map(|(content, data)| content.message(data, Tag::default()))
                .collect();
            seal_each_with(cipher, &mut kept);
            let tag = |message: &Message<'_>| message.result.map(|()| message.tag);
            kept.iter().map(tag).collect()
        });
    };
    in_chunks((threads, least), messages, &mut results, CHUNK, work);
    results
}

fn seal_chunk(items: &[SealItem<'_>], results: &mut [Result<Vec<u8>, Error>]) {
    let contents = items.iter().map(|item| item.0.content);
    seal_copies(contents, results, |copies| {
        let mut jobs: Vec<Job<'_>> = items
            .iter()
            .zip(copies)
            .map(|(SealItem(item), data)| item.job(data, Tag::default()))
            .collect();
        seal_each(&mut jobs);
        let tag = |job: &Job<'_>| job.result.map(|()| job.tag);
        jobs.iter().map(tag).collect()
    });
}

/// Encrypts copies of the messages in place, and puts their tags behind them.
fn seal_copies<'a>(
    contents: impl ExactSizeIterator<Item = Content<'a>>,
    results: &mut [Result<Vec<u8>, Error>],
    seal: impl FnOnce(&mut [Vec<u8>]) -> Vec<Result<Tag, Error>>,
) {
    let mut copies: Vec<Vec<u8>> = Vec::with_capacity(contents.len());
    copies.extend(contents.map(|content| {
        let mut data = Vec::with_capacity(content.data.len() + Sm4Gcm::TAG_LEN);
        data.extend_from_slice(content.data);
        data
    }));
    let tags = seal(&mut copies);
    for ((result, mut data), tag) in results.iter_mut().zip(copies).zip(tags) {
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
    let least = worth_a_thread(items.iter().map(|item| &item.0.content), KEY_COST);
    in_chunks((threads, least), items, &mut results, CHUNK, open_chunk);
    results
}

/// Decrypts all sealed messages under one key, as [`Sm4Gcm::open`] does. A message whose tag is
/// wrong is not decrypted.
///
/// # Errors
/// For a message, [`Error::DecryptionFailed`] if anything was altered, or if there are fewer than
/// the 16 bytes of a tag; [`Error::EmptyNonce`].
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm4::batch::{OpenMessage, open_batch_with};
/// use kuaimi::sm4::{Error, Sm4Gcm};
///
/// let (cipher, nonce) = (Sm4Gcm::new(&[7; 16]), [0; 12]);
/// let sealed = cipher.seal(&nonce, b"", b"a message")?;
/// let messages = [OpenMessage::new(&nonce, b"", &sealed), OpenMessage::new(&nonce, b"", b"short")];
/// let opened = open_batch_with(&cipher, &messages, Threads::One);
/// assert_eq!(opened, [Ok(b"a message".to_vec()), Err(Error::DecryptionFailed)]);
/// # Ok::<(), Error>(())
/// ```
pub fn open_batch_with(
    cipher: &Sm4Gcm,
    messages: &[OpenMessage<'_>],
    threads: Threads,
) -> Vec<Result<Vec<u8>, Error>> {
    let mut results = failed(&Error::DecryptionFailed, messages.len());
    let least = worth_a_thread(messages.iter().map(|message| &message.0), MESSAGE_COST);
    let work = |messages: &[OpenMessage<'_>], results: &mut [Result<Vec<u8>, Error>]| {
        let contents = || messages.iter().map(|message| message.0);
        open_copies(contents(), results, |copies| {
            let mut kept: Vec<Message<'_>> = contents()
                .zip(copies)
                .filter_map(|(content, copy)| {
                    let (data, tag) = copy.as_mut()?;
                    Some(content.message(data, *tag))
                })
                .collect();
            open_each_with(cipher, &mut kept);
            kept.iter().map(|message| message.result).collect()
        });
    };
    in_chunks((threads, least), messages, &mut results, CHUNK, work);
    results
}

fn open_chunk(items: &[OpenItem<'_>], results: &mut [Result<Vec<u8>, Error>]) {
    let contents = items.iter().map(|item| item.0.content);
    open_copies(contents, results, |copies| {
        let mut jobs: Vec<Job<'_>> = items
            .iter()
            .zip(copies)
            .filter_map(|(OpenItem(item), copy)| {
                let (data, tag) = copy.as_mut()?;
                Some(item.job(data, *tag))
            })
            .collect();
        open_each(&mut jobs);
        jobs.iter().map(|job| job.result).collect()
    });
}

/// Decrypts copies of the ciphertexts in place: `open` has a result for each that has a tag.
fn open_copies<'a>(
    contents: impl Iterator<Item = Content<'a>>,
    results: &mut [Result<Vec<u8>, Error>],
    open: impl FnOnce(&mut [Option<(Vec<u8>, Tag)>]) -> Vec<Result<(), Error>>,
) {
    // Read once: what is authenticated is what is decrypted.
    let mut copies: Vec<Option<(Vec<u8>, Tag)>> = contents
        .map(|content| {
            let (ciphertext, tag) = content.data.split_last_chunk()?;
            Some((ciphertext.to_vec(), *tag))
        })
        .collect();
    let opened = open(&mut copies);
    let copies = results
        .iter_mut()
        .zip(copies)
        .filter_map(|(result, copy)| Some((result, copy?)));
    for ((result, (data, _)), opened) in copies.zip(opened) {
        *result = opened.map(|()| data);
    }
}

impl<'a> Item<'a> {
    fn job<'b>(&self, data: &'b mut [u8], tag: Tag) -> Job<'b>
    where
        'a: 'b,
    {
        Job {
            key: self.key,
            nonce: self.content.nonce,
            associated_data: self.content.associated_data,
            data,
            tag,
            result: Err(Error::DecryptionFailed),
        }
    }
}

impl<'a> Content<'a> {
    fn message<'b>(&self, data: &'b mut [u8], tag: Tag) -> Message<'b>
    where
        'a: 'b,
    {
        Message {
            nonce: self.nonce,
            associated_data: self.associated_data,
            data,
            tag,
            result: Err(Error::DecryptionFailed),
        }
    }
}

/// How many items, each of which costs so much besides its bytes, are worth waking a thread.
fn worth_a_thread<'a>(items: impl ExactSizeIterator<Item = &'a Content<'a>>, cost: usize) -> usize {
    let count = items.len().max(1);
    let bytes: usize = items
        .map(|item| item.data.len() + item.associated_data.len())
        .sum();
    (WORTH_A_THREAD / (bytes / count + cost)).max(1)
}
