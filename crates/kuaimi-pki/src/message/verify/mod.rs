//! Verifying signedData (GM/T 0010-2012, clause 7; RFC 5652, clause 5).
//!
//! | to verify | use |
//! | --- | --- |
//! | a message in memory, with its content or without | [`verify`], [`verify_detached`] |
//! | the same, for the verdict on each signature | [`examine`] |
//! | a message of any size that comes in pieces | [`Verifier`] |
//! | a content of any size, whose signatures are elsewhere | [`DetachedVerifier`] |
//! | many messages | [`verify_batch`] |
//!
//! # What is signed
//!
//! With signed attributes, these are signed: they must have the digest of the content and its type,
//! each once. Without, the content itself is signed, under the signer's `Z`; then its type must be
//! `data`, as nothing binds another type.
//!
//! The signature of attributes is at the same time a signature, without attributes, of their DER as
//! content. So content that looks like signed attributes is refused in a message without any
//! ([`Refusal::Ambiguous`]).
//!
//! # What is not checked
//!
//! Whether the certificate is to be trusted, was valid, and may sign: that is a chain's matter.

mod batch;
mod detached;
mod plan;
mod result;
mod signed_fields;
mod stream;
mod whole;

pub use batch::{BatchItem, verify_batch};
pub use detached::DetachedVerifier;
pub use result::{Refusal, SignerResult, Verification};
pub use stream::Verifier;
pub use whole::{Verified, examine, verify, verify_detached};

pub(crate) use signed_fields::SignedFields;

use alloc::vec::Vec;

use crate::Certificate;
use crate::public_key::Identities;

/// The most signers that a message may have.
pub const MAX_SIGNERS: usize = 64;

/// What a verification takes besides the message.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// Certificates that signers may have, besides those in the message. For messages in pieces
    /// without signed attributes, those of the signers must be here: see [`Verifier`].
    pub certificates: Vec<Certificate>,
    /// The identities under which signatures may have been made.
    pub identities: Identities,
}

impl VerifyOptions {
    /// No other certificates, and the default identity.
    pub fn new() -> Self {
        Self::default()
    }

    /// With these certificates, besides those in messages.
    #[must_use]
    pub fn with_certificates(mut self, certificates: &[Certificate]) -> Self {
        self.certificates.extend_from_slice(certificates);
        self
    }

    /// With signatures accepted under these identities. OpenSSL 3.0 uses the empty one.
    #[must_use]
    pub fn with_identities(mut self, identities: Identities) -> Self {
        self.identities = identities;
        self
    }
}
