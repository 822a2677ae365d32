//! Messages: signed, encrypted, or both (GM/T 0010-2012, which is GB/T 35275; RFC 5652; RFC 5083).
//!
//! | module | what |
//! | --- | --- |
//! | [`mod@sign`] | signedData: a content with signatures, or signatures of a content elsewhere |
//! | [`mod@verify`] | the verdict for each signer |
//! | [`envelope`] | envelopedData, signedAndEnvelopedData, encryptedData, authEnvelopedData |
//!
//! Messages are written with the object identifiers of GM/T 0010 or of CMS ([`Dialect`]), and both
//! are read, in BER or DER.
//!
//! ```
//! # #[cfg(feature = "std")] {
//! use kuaimi_pki::message::{EncryptOptions, SignOptions, VerifyOptions};
//! use kuaimi_pki::message::{decrypt, encrypt, sign, verify};
//! # let (certificate, key) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/message/identity.rs"));
//!
//! // Signed, and then encrypted for a recipient.
//! let signed = sign(b"a payment", &[(&certificate, &key)], &SignOptions::new())?;
//! let message = encrypt(&signed, &[&certificate], &EncryptOptions::new(), &mut getrandom::SysRng)?;
//!
//! let signed = decrypt(&message, &certificate, key.private_key())?;
//! let verified = verify(&signed, &VerifyOptions::new())?;
//! assert_eq!(verified.content, b"a payment");
//! // Now ask whether to trust `verified.verification.signers[0].certificate`.
//! # }
//! # Ok::<(), kuaimi_pki::Error>(())
//! ```
//!
//! # Streams
//!
//! [`SignedWriter`], [`Verifier`], [`EnvelopeWriter`] and [`Decryptor`] take bytes in pieces and
//! append bytes to a vector of the caller, which empties it as it likes. Their memory does not grow
//! with the content. What a reader gives out before its `finish` is not verified yet.
//!
//! # Not here
//!
//! Recipients by key agreement, passwords or key-encryption keys (RFC 5652, 6.2.2 to 6.2.4) are
//! passed over; `keyAgreementInfo` (GM/T 0010, clause 11), digestedData, authenticatedData,
//! SM4-CCM, and the messages of SM9 (GM/T 0081) are refused.

mod attributes;
mod container;
mod digests;
pub mod envelope;
mod octets;
pub mod sign;
mod signer_info;
mod text;
mod types;
pub mod verify;

pub use attributes::Attribute;
pub use container::MAX_FIELDS_LEN;
pub use envelope::{
    ContentCipher, Decryptor, EncryptOptions, EnvelopeWriter, KeyHolder, Opened, decrypt,
    decrypt_under, decrypt_without_certificate, encrypt, encrypt_under, open, recipients,
    sign_and_encrypt,
};
pub use sign::{Prepared, SignOptions, Signed, SignedWriter, Signing, sign};
pub use signer_info::CertificateId;
pub use text::{to_ber, to_pem};
pub use types::{Dialect, Kind};
pub use verify::{
    BatchItem, DetachedVerifier, MAX_SIGNERS, Refusal, SignerResult, Verification, Verified,
    Verifier, VerifyOptions, examine, verify, verify_batch, verify_detached,
};

use crate::Error;

/// What an error calls the bytes that are no message.
const WHAT: &str = "message";

/// The kind of the message that begins so (in BER, DER or PEM).
///
/// ```
/// use kuaimi_pki::message::{Kind, kind};
///
/// let beginning = [0x30, 0x80, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0xd, 1, 7, 2, 0xa0, 0x80];
/// assert_eq!(kind(&beginning)?, Kind::Signed);
/// # Ok::<(), kuaimi_pki::Error>(())
/// ```
///
/// # Errors
/// [`Error::Structure`] and [`Error::Der`] for what is no message, or too short;
/// [`Error::Algorithm`] for another kind.
pub fn kind(beginning: &[u8]) -> Result<Kind, Error> {
    let beginning = text::to_ber(beginning)?;
    let mut container = container::Container::new();
    let mut rest = &*beginning;
    loop {
        let (count, part) = container.next(rest)?;
        rest = rest.get(count..).unwrap_or_default();
        match part {
            Some(container::Part::Kind(kind, _)) => return Ok(kind),
            Some(_) => {}
            None => return Err(Error::Structure(WHAT, "ends too early")),
        }
    }
}
