//! Encrypted messages: envelopedData, signedAndEnvelopedData and encryptedData (GM/T 0010-2012,
//! clauses 8 to 10; RFC 5652, clauses 6 and 8) and authEnvelopedData (RFC 5083) with SM4.
//!
//! | to do | use |
//! | --- | --- |
//! | encrypt or decrypt a message in memory | [`encrypt`], [`decrypt`] |
//! | the same under a key that both sides have | [`encrypt_under`], [`decrypt_under`] |
//! | sign and encrypt in one | [`sign_and_encrypt`] |
//! | messages of any size, in pieces | [`EnvelopeWriter`], [`Decryptor`] |
//!
//! # Without integrity
//!
//! Only authEnvelopedData ([`ContentCipher::Sm4Gcm`]) shows that a content was altered. The others
//! do not: who can change an encrypted message and learn whether it still decrypts, reads it in the
//! end, byte by byte (a padding oracle). So every failure after the recipient was found is the same
//! [`Error::Decryption`](crate::Error::Decryption), and a service must not tell senders of messages
//! more than that. GCM has no such weakness.

mod cipher;
mod decryptor;
mod options;
mod recipient;
mod whole;
mod writer;

pub use decryptor::{Decryptor, Opened};
pub use options::{ContentCipher, EncryptOptions};
pub use recipient::{KeyHolder, recipients};
pub use whole::{
    decrypt, decrypt_under, decrypt_without_certificate, encrypt, encrypt_under, open,
    sign_and_encrypt,
};
pub use writer::EnvelopeWriter;
