//! Verdicts on tables of SM2 signatures, and signatures for tables of messages: columns of keys,
//! identities, messages or digests, and signatures, in whatever form they are written.
//!
//! A table can come from a file, a data frame or a query engine. The caller reads it and passes
//! some of its rows at a time to this crate, as columns of bytes ([`Table`]). The result is a
//! [`Verdict`] for each row.
//!
//! | room | what it does |
//! | --- | --- |
//! | `table` | a part of a table: columns, and where in their bytes the values are |
//! | `options` | what holds for all rows |
//! | `text` | hexadecimal and Base64 |
//! | `decode`, `quick` | what values stand for: the whole rule; and the usual forms, without trials |
//! | `keys` | keys that come again |
//! | `verify` | a part of a table to verdicts |
//! | `sign` | a part of a table to signatures |
//! | `signed` | what a signature is over: a message or a digest |
//! | `verdict` | what is found of a row |
//!
//! How values are read is said in [`Options`] and, exactly, in `docs/verify-batch.md`.

#![forbid(unsafe_code)]

mod decode;
mod keys;
mod options;
mod quick;
mod sign;
mod signed;
mod table;
mod verdict;
mod verify;

pub mod text;

pub use options::{Encoding, Options, PlainEncoding};
pub use sign::Signer;
pub use table::{COLUMNS, Cell, Column, Item, LONGEST_ROW, Other, Table, Values, too_long};
pub use verdict::{Fault, INVALID, Setting, Verdict};
pub use verify::Verifier;
