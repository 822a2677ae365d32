//! Many messages at once: a message in each lane of the CPU's vectors.
//!
//! Hashing one message is a chain in which each operation waits for the one before it. Several
//! messages are independent of each other: `backend::lanes` compresses a block of each of 4, 8 or
//! 16 messages in little more time than one block.
//!
//! A message is a hash that may have absorbed a prefix already, and the parts that follow.

#![forbid(unsafe_code)]

#[cfg(vectors)]
mod equal;
#[cfg(any(test, vectors))]
pub(super) mod lanes;

use alloc::vec::Vec;
use core::borrow::Borrow;

use super::backend::select::{Implementation, selected, with_engine};
use super::{DIGEST_LEN, Sm3};

/// The SM3 digests of many messages, 32 bytes each, in the order of the messages. Faster than one
/// by one on CPUs with vector instructions.
///
/// The messages may have different lengths. Constant time in their content. It allocates only the
/// digests. [`hash_many`] is the general form, for messages that come in parts or share a prefix,
/// without an allocation.
///
/// ```
/// use kuaimi_symmetric::sm3::{digest, digest_many};
///
/// let messages: [&[u8]; 3] = [b"abc", b"", b"a longer one"];
/// assert_eq!(digest_many(&messages), messages.map(digest));
/// ```
///
/// Source: GB/T 32905-2016, clause 5.
pub fn digest_many<M: AsRef<[u8]>>(messages: &[M]) -> Vec<[u8; DIGEST_LEN]> {
    let mut digests = alloc::vec![[0; DIGEST_LEN]; messages.len()];
    let same_length = messages.first().map(|first| first.as_ref().len());
    let same_length = same_length.filter(|len| {
        messages
            .iter()
            .all(|message| message.as_ref().len() == *len)
    });
    digest_each(
        selected(),
        same_length,
        &|i| messages[i].as_ref(),
        &mut digests,
    );
    digests
}

/// The digests of messages, which are given by their numbers. It has no type parameter, so that it
/// is compiled here, with the functions that it calls, and not once more in each crate that calls
/// it.
pub(super) fn digest_each<'a>(
    implementation: Implementation,
    same_length: Option<usize>,
    message: &dyn Fn(usize) -> &'a [u8],
    digests: &mut [[u8; DIGEST_LEN]],
) {
    static EMPTY: Sm3 = Sm3::new();
    let done = same_length.map_or(0, |len| {
        equal_lengths(implementation, len, message, digests)
    });
    let rest = (done..digests.len()).map(|i| (&EMPTY, [message(i)]));
    hash_many_with(implementation, rest, |i, digest| {
        if let Some(place) = digests.get_mut(done + i) {
            *place = digest;
        }
    });
}

/// Hashes messages of the same length, as many as fill the lanes, and returns how many these were.
#[cfg_attr(not(vectors), allow(unused_variables, reason = "there are no lanes"))]
fn equal_lengths<'a>(
    implementation: Implementation,
    len: usize,
    message: &dyn Fn(usize) -> &'a [u8],
    digests: &mut [[u8; DIGEST_LEN]],
) -> usize {
    with_engine!(implementation,
        engine => equal::equal_lengths(engine, len, message, digests),
        one_by_one => 0
    )
}

/// Finishes many hashes at once. A message is a hash, with all that it has absorbed, and the parts
/// that follow. `each` is called with the number of the message, from 0 on, and its digest.
///
/// The digests do not come in the order of the messages. A message is taken from the iterator when
/// a lane is free, so there may be more messages than fit in memory. No allocation. Constant time
/// in the content. What it copies is wiped.
///
/// ```
/// use kuaimi::sm3::{Sm3, digest, hash_many};
///
/// let mut prefix = Sm3::new();
/// prefix.update(b"shared ");
/// let names = ["alice", "bob"];
/// let messages = names.iter().map(|name| (&prefix, [b"by ".as_slice(), name.as_bytes()]));
///
/// let mut digests = [[0; 32]; 2];
/// hash_many(messages, |i, digest| digests[i] = digest);
/// assert_eq!(digests, [digest(b"shared by alice"), digest(b"shared by bob")]);
/// ```
///
/// Source: GB/T 32905-2016, clause 5.
pub fn hash_many<'a, S, P>(
    messages: impl IntoIterator<Item = (S, P)>,
    each: impl FnMut(usize, [u8; DIGEST_LEN]),
) where
    S: Borrow<Sm3>,
    P: IntoIterator<Item = &'a [u8]>,
{
    hash_many_with(selected(), messages, each);
}

/// As [`hash_many`], with a given implementation.
pub(super) fn hash_many_with<'a, S, P>(
    implementation: Implementation,
    messages: impl IntoIterator<Item = (S, P)>,
    each: impl FnMut(usize, [u8; DIGEST_LEN]),
) where
    S: Borrow<Sm3>,
    P: IntoIterator<Item = &'a [u8]>,
{
    let messages = messages
        .into_iter()
        .map(|(start, parts)| (start, parts.into_iter()))
        .enumerate();
    with_engine!(implementation,
        engine => lanes::in_lanes(engine, messages, each),
        one_by_one => one_by_one(messages, each)
    );
}

fn one_by_one<'a, S, P>(
    messages: impl Iterator<Item = (usize, (S, P))>,
    mut each: impl FnMut(usize, [u8; DIGEST_LEN]),
) where
    S: Borrow<Sm3>,
    P: Iterator<Item = &'a [u8]>,
{
    for (number, (start, parts)) in messages {
        let mut hash = start.borrow().clone();
        parts.for_each(|part| hash.update(part));
        each(number, hash.finalize());
    }
}
