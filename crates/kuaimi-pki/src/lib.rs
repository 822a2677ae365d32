//! Certificates and messages with the ShangMi algorithms: what a bank accepts, and what opens
//! there.
//!
//! | module | what | standards |
//! | --- | --- | --- |
//! | [`certificate`] | certificates, read and made | GM/T 0015, RFC 5280 |
//! | [`cfca`] | key files, requests and returned keys of CFCA | |
//! | [`chain`] | chains verified, one or thousands | RFC 5280, RFC 9525, RFC 9618 |
//! | [`crl`] | lists of revoked certificates | RFC 5280 |
//! | [`key_response`] | an authority's answer with a key to encrypt with | GM/T 0092 |
//! | [`message`] | messages: signed, encrypted, both; in memory, in pieces, many at once | GM/T 0010, RFC 5652, RFC 5083 |
//! | [`ocsp`] | requests and responses about revocation | RFC 6960 |
//! | [`pkcs12`] | private keys and certificates under a password | RFC 7292, RFC 9579, GM/T 0091 |
//! | [`request`] | requests for certificates | PKCS #10, RFC 2986 |
//!
//! Nothing here does input or output, and nothing looks at a clock: the caller gives bytes and the
//! time.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod ber;
pub mod certificate;
pub mod cfca;
pub mod chain;
pub mod crl;
mod error;
pub mod extensions;
pub mod key_response;
pub mod message;
pub mod name;
pub mod ocsp;
pub mod oid;
mod pem;
pub mod pkcs12;
pub mod public_key;
pub mod request;
pub mod signer;
pub mod unsigned;

/// The crates whose types are part of this library's interface, in the versions that it uses.
pub mod external {
    pub use {der, kuaimi, rand_core, spki, x509_cert, zeroize};
}

pub use certificate::Certificate;
pub use error::Error;
pub use kuaimi::ErrorKind;
pub use public_key::PublicKey;
pub use request::Request;
pub use signer::Signer;
