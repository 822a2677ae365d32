//! A reader of a foreign format may panic over a damaged file. That must neither look like the
//! file's end, after which the rows that were not read would be missing from the verdict, nor end
//! the program: it is an error like any other.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

use crate::{Error, Result};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in [`guarded`]. A program's panic hook can leave such a panic to the
/// error that reports it.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// What `read` gives; [`Error::Panicked`] if it panics.
///
/// # Errors
/// That, and those of `read`.
pub fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let before = GUARDED.replace(true);
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(before);
    read.unwrap_or_else(|panic| {
        let what = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .and_then(|what| what.lines().next())
            .unwrap_or("the reader panicked");
        Err(Error::Panicked(what.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(guarded(|| Ok(1)).unwrap(), 1);
        let error = guarded::<()>(|| {
            assert!(is_guarded());
            panic!("no page {}", 7)
        });
        let error = error.unwrap_err().to_string();
        assert!(
            error.starts_with("cannot be read") && error.contains("no page 7"),
            "{error}"
        );
        assert!(!is_guarded());
        let error = guarded::<()>(|| Err(Error::Utf16)).unwrap_err();
        assert!(matches!(error, Error::Utf16));
    }
}
