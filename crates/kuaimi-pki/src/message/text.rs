//! Messages as text: PEM.

use alloc::borrow::Cow;

use crate::ber::SEQUENCE;
use crate::{Error, pem};

/// `message` in BER, which it is or has inside in PEM: what the streams read.
///
/// ```
/// let text = kuaimi_pki::message::to_pem(&[0x30, 0]);
/// assert_eq!(*kuaimi_pki::message::to_ber(text.as_bytes())?, [0x30, 0]);
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
///
/// # Errors
/// [`Error::Encoding`] for malformed text, and [`Error::Argument`] for text without a message or
/// with more than one.
pub fn to_ber(message: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    // BER: tags and lengths are hardly ever letters alone.
    if message.first() == Some(&SEQUENCE) && !message.is_ascii() {
        return Ok(Cow::Borrowed(message));
    }
    let blocks = match pem::blocks(message, &["CMS", "PKCS7", "PKCS #7 SIGNED DATA"]) {
        Ok(blocks) => blocks,
        // What is no text is left to the reader of BER, which says what is wrong.
        Err(Error::Argument(_)) if !message.starts_with(b"-----BEGIN ") => {
            return Ok(Cow::Borrowed(message));
        }
        Err(_) if !message.is_ascii() => return Ok(Cow::Borrowed(message)),
        Err(error) => return Err(error),
    };
    let mut blocks = blocks.into_iter();
    match (blocks.next(), blocks.next()) {
        (Some(block), None) => Ok(Cow::Owned(block)),
        _ => Err(Error::Argument("the text has more than one message")),
    }
}

/// A message in PEM, under the label `CMS` (RFC 7468, clause 9).
///
/// ```
/// let text = kuaimi_pki::message::to_pem(&[0x30, 0]);
/// assert!(text.starts_with("-----BEGIN CMS-----\n"));
/// ```
pub fn to_pem(message: &[u8]) -> alloc::string::String {
    pem::encode("CMS", message)
}
