//! The content that a signature is over.

/// What is signed: a message, which is hashed after the signer's `Z`, or the digest of both.
///
/// A slice or an array of bytes, of any length, converts to a message. A digest must be named as
/// one.
///
/// ```
/// use kuaimi::sm2::batch::Content;
///
/// let bytes = &[7; 32];
/// assert_eq!(Content::from(bytes), Content::Message(&[7; 32]));
/// assert_ne!(Content::from(bytes), Content::Digest(bytes));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content<'a> {
    /// The message `M`, of any length.
    Message(&'a [u8]),
    /// The digest `e = SM3(Z ‖ M)`.
    Digest(&'a [u8; 32]),
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
