//! Files of rows: what `verify-batch` and `sign-batch` share over the crate `kuaimi-table`.
//!
//! | room | what it does |
//! | --- | --- |
//! | `arguments` | the options that say what a file has |
//! | `encodings` | the options that say how values are written |
//! | `failure` | errors of files, with the options that help |
//! | `progress` | how far it is |

pub mod arguments;
pub mod encodings;
pub mod failure;
pub mod progress;

use std::panic;
use std::path::Path;
use std::sync::Once;

use kuaimi_table::{Hints, Reader, Source, Wanted, guarded, is_guarded};

use crate::failure::Result;
use crate::input;

/// Opens a file of rows.
pub fn open(path: &Path, hints: &Hints, wanted: Wanted) -> Result<Reader> {
    // A panic over a damaged file is reported by the error, and not with a stack's addresses.
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !is_guarded() {
                usual(panic);
            }
        }));
    });
    let source = match input::Source::open(path)? {
        input::Source::File(file) => Source::File(file),
        stream => Source::Stream(Box::new(stream)),
    };
    guarded(|| Reader::open(source, hints, wanted)).map_err(|error| failure::of_file(path, error))
}
