//! Checks of arbitrary bytes: each module has a function `check` of arbitrary bytes, which panics
//! where something is wrong.
//!
//! | module | bytes are | and checked is |
//! | --- | --- | --- |
//! | `keys` | a file with a key of SM2 or SM9, in any form | what is read is written and read as the same |
//! | `trees` | a tree of DER made of the parts that keys, signatures and ciphertexts have | the same, for all decoders of DER |
//! | `passwords` | a private key under a password, with small costs, and edits | wrong passwords and parameters are errors |
//! | `values` | signatures, ciphertexts and points | strict forms have one encoding |
//! | `states` | states of key exchanges and kept tables, with a tag that is right | memory; what is read is written as the same |
//! | `messages` | a message, right or edited, and a tree of DER | in pieces of any size the same as a whole |
//! | `stores` | a PKCS #12 file or its content, or what CFCA writes or an authority answers | memory; what is read is written and read as the same |
//! | `streams` | ciphertexts for the functions on files | the same as from memory, in pieces of any size |
//! | `signatures` | a signature, right or edited | each backend, batches, tables and OpenSSL agree |
//! | `certificates` | a certificate, a list of revoked ones, an OCSP request or response | nothing that was altered is accepted |
//! | `chains` | extensions of the certificates of a chain | alone and in a batch, the verdict is the same |
//! | `ciphertexts` | a ciphertext, right or edited | each backend, batches and OpenSSL agree |
//! | `symmetric` | messages for SM3 and SM4's modes | each backend, pieces and the whole agree |
//! | `identities` | signatures and ciphertexts of SM9 | backends, batches and tables agree |
//! | `capi` | calls of the C library in any order | memory; no panic inside; lengths |
//! | `provider` | a file with a key, or parameters, for the OpenSSL provider | memory; digests are the library's |
//! | `rows` | a file of rows: JSON Lines, CSV or Parquet | memory; it is read or an error |
//! | `parquet` | the parts of a Parquet file, right or with other numbers | what is right is read as it is |
//! | `tables` | a table | JSON Lines, CSV and columns of memory give the same verdicts |
//! | `tlcp` | changes of what two sides of TLCP send | no panic; both are open only if they agree |
//! | `fields` | numbers | all backends of the arithmetic agree |
//!
//! `make fuzz` runs `tests/corpus.rs`, which gives them the inputs that are kept, `seeds/` and
//! `found/` (those that once failed), and changes of them.

pub mod backends;
#[allow(
    clippy::undocumented_unsafe_blocks,
    reason = "each file says it once for all of its calls"
)]
pub mod capi;
pub mod certificates;
pub mod chains;
pub mod ciphertexts;
mod der;
pub mod fields;
pub mod identities;
pub mod keys;
pub mod messages;
pub mod parquet;
pub mod passwords;
pub mod provider;
pub mod rows;
pub mod signatures;
pub mod states;
pub mod stores;
pub mod streams;
pub mod symmetric;
pub mod tables;
pub mod tlcp;
pub mod trees;
pub mod values;

/// A function `check`.
pub type Check = fn(&[u8]);

/// All of them.
pub const CHECKS: [(&str, Check); 21] = [
    ("capi", capi::check),
    ("certificates", certificates::check),
    ("chains", chains::check),
    ("ciphertexts", ciphertexts::check),
    ("fields", fields::check),
    ("identities", identities::check),
    ("keys", keys::check),
    ("messages", messages::check),
    ("parquet", parquet::check),
    ("passwords", passwords::check),
    ("provider", provider::check),
    ("rows", rows::check),
    ("signatures", signatures::check),
    ("states", states::check),
    ("stores", stores::check),
    ("streams", streams::check),
    ("symmetric", symmetric::check),
    ("tables", tables::check),
    ("tlcp", tlcp::check),
    ("trees", trees::check),
    ("values", values::check),
];
