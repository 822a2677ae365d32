//! Precomputations that a caller keeps: what is the same in every operation under one key, computed once.
//!
//! | from | comes | which keeps | so that |
//! | --- | --- | --- | --- |
//! | [`UserSigningKey`] | [`PreparedSigningKey`] | tables of `ds` and of `g = e(P1, Ppub-s)` | a signature takes no square and no doubling |
//! | [`MasterSigningPublicKey`] | [`PreparedVerifier`] | a table of `g` | those below it, and prepared signing keys, have it in common |
//! | an identity | [`PreparedIdentity`] | the Miller loop's lines through `[H1]P2 + Ppub-s` | a verification takes one Miller loop, not two |
//! | [`MasterEncryptionPublicKey`] | [`PreparedSender`] | tables of `g = e(Ppub-e, P2)` and of `Ppub-e` | an encapsulation takes no square and no doubling |
//! | an identity | [`PreparedRecipient`] | a table of `Q = [H1]P1 + Ppub-e` | … and one product in `G1` |
//! | [`UserEncryptionKey`] | [`PreparedDecryptionKey`] | the Miller loop's lines through `de` | a pairing's half is computed |
//!
//! The two that are made of a user's key are written by their `to_bytes` and read again for that key: a table that was altered by anyone who
//! does not have the key, or that was made of another key, is refused ([`Error::TableAltered`](super::Error::TableAltered)). Those of public
//! keys have no such form: they are computed anew, in a millisecond at most.
//!
//! All give the results that the keys give without. Cloning shares what is kept; what is made of a secret is wiped when the last
//! clone is dropped, and read in constant time.
//!
//! [`UserSigningKey`]: super::UserSigningKey
//! [`MasterSigningPublicKey`]: super::MasterSigningPublicKey
//! [`MasterEncryptionPublicKey`]: super::MasterEncryptionPublicKey
//! [`UserEncryptionKey`]: super::UserEncryptionKey

mod decryption_key;
mod sender;
mod signing_key;
mod stored;
mod verifier;

pub use decryption_key::PreparedDecryptionKey;
pub use sender::{PreparedRecipient, PreparedSender};
pub use signing_key::PreparedSigningKey;
pub use verifier::{PreparedIdentity, PreparedVerifier};
