//! Making signedData (GM/T 0010-2012, clause 7; RFC 5652, clause 5).
//!
//! | to sign | use |
//! | --- | --- |
//! | a content in memory | [`sign`] |
//! | a content of any size in pieces | [`SignedWriter`] |
//! | with a key that is elsewhere, in two steps | [`Signing`], [`Prepared`] |

mod options;
mod signing;
mod writer;

pub use options::SignOptions;
pub(crate) use signing::algorithm;
pub use signing::{Prepared, Signed, Signing};
pub use writer::SignedWriter;

use alloc::vec::Vec;

use crate::{Certificate, Error, Signer};

/// Signs `content` with one key or several, and gives the message in DER.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi_pki::message::{SignOptions, VerifyOptions, sign, verify};
/// # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
///
/// let message = sign(b"a content", &[(&certificate, &key)], &SignOptions::new())?;
/// assert_eq!(verify(&message, &VerifyOptions::new())?.content, b"a content");
/// # }
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
///
/// # Errors
/// [`Error::Argument`] if there is no signer, or a signer has another key than the certificate;
/// [`Error::Algorithm`] for a certificate of another algorithm than SM2; what the signer reports.
pub fn sign(
    content: &[u8],
    signers: &[(&Certificate, &dyn Signer)],
    options: &SignOptions,
) -> Result<Vec<u8>, Error> {
    // The caller's memory may change: what is hashed is what is written.
    let content = content.to_vec();
    let certificates: Vec<Certificate> = signers.iter().map(|(it, _)| (*it).clone()).collect();
    let mut signing = Signing::new(&certificates, options.clone())?;
    signing.update(&content);
    let keys: Vec<&dyn Signer> = signers.iter().map(|(_, signer)| *signer).collect();
    let signed = signing.prepare()?.sign(&keys)?;
    match options.detached {
        true => Ok(signed.detached()),
        false => signed.attached(&content),
    }
}
