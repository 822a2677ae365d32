//! Messages in memory.

use alloc::vec::Vec;

use super::plan::Plan;
use super::{Verification, Verifier, VerifyOptions};
use crate::Error;

/// A content and its signatures: right ones, unless [`examine`] gave it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verified {
    /// The content.
    pub content: Vec<u8>,
    /// Who signed it.
    pub verification: Verification,
}

/// Verifies a message with its content inside, in BER, DER or PEM, and gives the content if it has
/// signers and every signature is right.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{SignOptions, VerifyOptions, sign, verify};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let message = sign(b"a content", &[(&certificate, &key)], &SignOptions::new())?;
/// let verified = verify(&message, &VerifyOptions::new())?;
/// assert_eq!(verified.content, b"a content");
/// assert_eq!(verified.verification.signers[0].certificate, Some(certificate));
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
///
/// # Errors
/// [`Error::Signer`] for the first signature that is not accepted, and [`Error::Structure`] if
/// there is none; and as [`Verifier::push`].
pub fn verify(message: &[u8], options: &VerifyOptions) -> Result<Verified, Error> {
    let verified = examine(message, None, options)?;
    verified.verification.check()?;
    Ok(verified)
}

/// Verifies a message without its content, in BER, DER or PEM, and `content`.
///
/// # Errors
/// As [`verify`]; [`Error::Argument`] if the content is inside the message.
pub fn verify_detached(
    message: &[u8],
    content: &[u8],
    options: &VerifyOptions,
) -> Result<Verification, Error> {
    let verified = examine(message, Some(content), options)?;
    verified.verification.check()?;
    Ok(verified.verification)
}

/// Looks at a message, with its content inside or beside it, and gives the verdict on each
/// signature: to show who signed, or where some of several signatures are enough.
///
/// **Success says nothing**: look at each verdict before the content is used.
///
/// # Errors
/// As [`verify`] and [`verify_detached`], but not for what is wrong with a signature.
pub fn examine(
    message: &[u8],
    detached: Option<&[u8]>,
    options: &VerifyOptions,
) -> Result<Verified, Error> {
    let (plans, mut examined) = plan(message, detached, options)?;
    examined.verification.signers = plans.into_iter().map(Plan::settle).collect();
    Ok(examined)
}

/// Reads the message; its signers are still to be settled.
pub(super) fn plan(
    message: &[u8],
    detached: Option<&[u8]>,
    options: &VerifyOptions,
) -> Result<(Vec<Plan>, Verified), Error> {
    let message = super::super::text::to_ber(message)?;
    // The certificates that were given need no hash of their own: the content is in memory.
    let mut verifier = Verifier::without_known(options.clone());
    let mut content = Vec::new();
    verifier.push(&message, &mut content)?;
    if let Some(detached) = detached {
        verifier.begin_detached()?;
        // The caller's memory may change: what is hashed twice is a copy.
        content = detached.to_vec();
        verifier.update_detached(&content);
    } else if !verifier.has_content() {
        return Err(Error::Argument(
            "the content is not in the message, and has to be given",
        ));
    }
    let (plans, verification) = verifier.plan(Some(&content))?;
    Ok((
        plans,
        Verified {
            content,
            verification,
        },
    ))
}
