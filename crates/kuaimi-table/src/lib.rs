//! Files of rows: JSON Lines, CSV and Parquet, read into the columns that [`kuaimi_bulk`] verifies
//! and signs, and what it finds, written in the same formats.
//!
//! A file is read a [`Chunk`] of rows at a time, within [`Limits`]: memory stays bounded, whatever
//! a file says of itself. A row that cannot be read is a fault of that row. What is wrong with the
//! file as a whole is an [`Error`], which does not name the file, as only the caller knows its
//! name.
//!
//! | room | what it does |
//! | --- | --- |
//! | `format` | which format a file has |
//! | `columns` | which column of a file is what |
//! | `rows` | a chunk of rows |
//! | `read/` | formats: bytes of a file to chunks |
//! | `pipeline` | chunks to results, on several threads, in order |
//! | `guard` | a panic of a reader is an error |
//! | `write/` | verdicts, and rows with signatures, to a file |
//! | `error` | what can be wrong with a file |
//!
//! ```
//! use kuaimi_bulk::{Options, Verdict, Verifier};
//! use kuaimi_table::{Chunk, Format, Hints, Limits, Names, Reader, Source, Wanted};
//!
//! let file = "key,message,signature\n04ab,hello,3045\n";
//! let wanted = Wanted::to_verify(&Names::default(), false, false)?;
//! let source = Source::Stream(Box::new(file.as_bytes()));
//! let mut reader = Reader::open(source, &Hints::default(), wanted)?;
//! assert_eq!(reader.format(), Format::Csv);
//!
//! let mut chunk = Chunk::default();
//! reader.fill(&mut chunk, Limits { rows: 100, bytes: 1 << 20 })?;
//! chunk.complete();
//! let verdicts = Verifier::new(Options::new()).verify(&chunk.table());
//! assert!(matches!(verdicts[..], [Verdict::Malformed(_)]));
//! # Ok::<(), kuaimi_table::Error>(())
//! ```

#![forbid(unsafe_code)]

mod columns;
mod error;
mod format;
mod guard;
mod pipeline;
mod read;
mod rows;
mod write;

pub use columns::{Names, Wanted};
pub use error::{Error, Missing, Result};
pub use format::Format;
pub use guard::{guarded, is_guarded};
pub use pipeline::{Results, map};
pub use read::{Hints, Reader, Source};
pub use rows::{Chunk, Limits};
pub use write::{Block, SIGNATURE, SignatureStyle, Signatures, TextForm, Verdicts};
