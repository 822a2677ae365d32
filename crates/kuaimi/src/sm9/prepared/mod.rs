//! Prepared keys: they keep what is the same in every operation with a key.
//!
//! | from | comes | which has | so that |
//! | --- | --- | --- | --- |
//! | [`SigningKey`] | [`PreparedSigningKey`] | tables of `ds` and of `g = e(P1, Ppub-s)` | a signature takes no square and no doubling |
//! | [`VerifyingKey`] | [`PreparedVerifyingKey`] | the lines of Miller's loop through `P = [H1]P2 + Ppub-s`, a table of `g` | a verification takes one Miller loop, not two |
//! | [`EncryptionKey`] | [`PreparedEncryptionKey`] | tables of `Q = [H1]P1 + Ppub-e` and of `g = e(Ppub-e, P2)` | an encapsulation takes no square and no doubling |
//! | [`DecryptionKey`] | [`PreparedDecryptionKey`] | the lines of Miller's loop through `de` | a third of a pairing is computed |
//! | [`ExchangeKey`] | [`PreparedExchangeKey`] | the same lines, tables of `g` and `Ppub-e` | an exchange takes neither squares nor doublings but for `g3` |
//!
//! The tables that depend only on the master key are in the master public key. All keys under it share them.
//!
//! The tables of a secret key can be stored: `to_bytes` writes them, and `from_bytes` reads them for that key. It refuses a table that
//! belongs to another key, or that was altered by someone without the key ([`Error::TableAltered`](super::Error::TableAltered)). The tables
//! of a public key cannot be stored, as computing them takes a millisecond at most.
//!
//! Results are the same as without preparation. Clones share the tables. Those of a secret key are wiped when the last clone is dropped,
//! and read in constant time.
//!
//! [`SigningKey`]: super::SigningKey
//! [`VerifyingKey`]: super::VerifyingKey
//! [`EncryptionKey`]: super::EncryptionKey
//! [`DecryptionKey`]: super::DecryptionKey
//! [`ExchangeKey`]: super::ExchangeKey

mod decryption_key;
mod encryption_key;
mod signing_key;
mod verifying_key;

pub use decryption_key::{PreparedDecryptionKey, PreparedExchangeKey};
pub use encryption_key::PreparedEncryptionKey;
pub use signing_key::PreparedSigningKey;
pub use verifying_key::PreparedVerifyingKey;

use zeroize::Zeroizing;

use crate::sm3::Sm3;

/// The key of the tag of stored tables, which follows from the user's key and the master public key. A forged tag needs the user's key,
/// and its holder has nothing to gain from one.
fn tag_key(user_key: &[u8], master: &[u8]) -> Zeroizing<[u8; 32]> {
    let mut hash = Sm3::new();
    hash.update(b"Kuaimi SM9 tables");
    hash.update(user_key);
    hash.update(master);
    Zeroizing::new(hash.finalize())
}
