//! Signatures whose content is elsewhere.

use alloc::vec::Vec;

use super::{Verification, Verifier, VerifyOptions};
use crate::Error;

/// Verifies the signatures of a content of any size, which comes in pieces, from a message that
/// does not have the content inside. One pass is enough.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{DetachedVerifier, SignOptions, VerifyOptions, sign};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let message = sign(b"a content", &[(&certificate, &key)], &SignOptions::new().detached())?;
/// let mut verifier = DetachedVerifier::new(&message, VerifyOptions::new())?;
/// verifier.update(b"a con");
/// verifier.update(b"tent");
/// verifier.finish()?.check()?;
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
pub struct DetachedVerifier(Verifier);

impl DetachedVerifier {
    /// Reads the message, in BER or DER.
    ///
    /// # Errors
    /// As [`Verifier::push`]; [`Error::Argument`] if the content is inside.
    pub fn new(message: &[u8], options: VerifyOptions) -> Result<Self, Error> {
        let mut verifier = Verifier::new(options);
        verifier.push(message, &mut Vec::new())?;
        verifier.begin_detached()?;
        Ok(Self(verifier))
    }

    /// Takes the next bytes of the content.
    pub fn update(&mut self, content: &[u8]) {
        self.0.update_detached(content);
    }

    /// Ends the content, and gives the verdicts.
    ///
    /// # Errors
    /// As [`Verifier::finish`].
    pub fn finish(self) -> Result<Verification, Error> {
        self.0.finish_with(None)
    }
}
