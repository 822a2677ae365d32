//! Files of rows: what `verify-batch` and `sign-batch` share.
//!
//! | room | what it does |
//! | --- | --- |
//! | `read/` | formats: bytes of a file to rows, a chunk at a time |
//! | `rows`, `columns` | a chunk of rows; which column is what |
//! | `encodings` | how values are written |
//! | `pipeline` | chunks of rows to results, on several threads |
//! | `guard` | a reader that dies is an error |
//! | `progress` | how far it is |

pub mod columns;
pub mod encodings;
mod guard;
pub mod pipeline;
pub mod progress;
pub mod read;
pub mod rows;

pub use guard::guarded;

/// Reads `--delimiter`.
pub fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        _ if matches!(text, "tab" | "\\t") => Ok(b'\t'),
        [letter] if letter.is_ascii() && !b"\"\r\n\0".contains(letter) => Ok(*letter),
        _ => Err("one ASCII character, or `tab`".to_owned()),
    }
}
