//! What a signature is over.

use crate::sm9::MessageHash;

/// What is signed: a message, or a message that was hashed.
///
/// Made from bytes or text, of any length, as a message; and from a [`MessageHash`].
///
/// ```
/// use kuaimi::sm9::batch::Content;
///
/// assert!(matches!(Content::from(b"a message"), Content::Message(b"a message")));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Content<'a> {
    /// The message, of any length.
    Message(&'a [u8]),
    /// The hash of a message.
    Hash(&'a MessageHash),
}

impl Content<'_> {
    /// The hash of the message.
    pub(super) fn hash(&self) -> MessageHash {
        match self {
            Self::Message(message) => MessageHash::of(message),
            Self::Hash(hash) => (*hash).clone(),
        }
    }
}

impl<'a> From<&'a [u8]> for Content<'a> {
    fn from(message: &'a [u8]) -> Self {
        Self::Message(message)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Content<'a> {
    fn from(message: &'a [u8; N]) -> Self {
        Self::Message(message)
    }
}

impl<'a> From<&'a alloc::vec::Vec<u8>> for Content<'a> {
    fn from(message: &'a alloc::vec::Vec<u8>) -> Self {
        Self::Message(message)
    }
}

impl<'a> From<&'a str> for Content<'a> {
    fn from(message: &'a str) -> Self {
        Self::Message(message.as_bytes())
    }
}

impl<'a> From<&'a MessageHash> for Content<'a> {
    fn from(hash: &'a MessageHash) -> Self {
        Self::Hash(hash)
    }
}
