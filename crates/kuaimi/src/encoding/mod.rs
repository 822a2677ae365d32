//! How keys, signatures and ciphertexts are written as bytes and text: DER, PEM, PKCS#8, SEC 1, SubjectPublicKeyInfo.
//!
//! This is the edge of the library: nothing inside [`sm2`](crate::sm2) knows ASN.1, and what comes in here is checked
//! before it becomes a key, a signature or a ciphertext. Everything is strict (DER as X.690 has it: minimal, nothing
//! after it); what some vendors emit beside the rules is read by the functions named `…_lenient` only.

mod ciphertext;
mod error;
mod signature;
pub(crate) mod tlv;

pub use error::Error;
pub use signature::DerSignature;
