//! The digests of a batch.

use core::borrow::Borrow;

use super::Content;
use crate::sm3::{Sm3, hash_many};

/// The digests `e` of contents, each from SM3 that has absorbed its `Z`. `out` has as many places
/// as there are contents.
pub(super) fn digests<'a, S: Borrow<Sm3>>(
    contents: impl Iterator<Item = (S, Content<'a>)>,
    out: &mut [[u8; 32]],
) {
    // A digest that is there already is put into its place, and an empty message hashed for it.
    let mut given = alloc::vec![None; out.len()];
    let messages = contents
        .zip(given.iter_mut())
        .map(|((start, content), given)| match content {
            Content::Message(message) => (start, [message]),
            Content::Digest(digest) => {
                *given = Some(*digest);
                (start, [&[][..]])
            }
        });
    hash_many(messages, |i, digest| {
        if let Some(place) = out.get_mut(i) {
            *place = digest;
        }
    });
    for (place, given) in out.iter_mut().zip(given) {
        if let Some(digest) = given {
            *place = digest;
        }
    }
}
