//! What is found of rows, written as rows: verdicts, and signatures beside what they are of.

mod csv;
mod jsonl;
mod parquet;
mod signatures;
mod verdicts;

pub use signatures::{Block, SIGNATURE, SignatureStyle, Signatures, TextForm};
pub use verdicts::Verdicts;
