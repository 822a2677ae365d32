//! A reader of a foreign format may die of a damaged file. That is neither the file's end, after which the rows that were
//! not read would be missing from the verdict, nor the program's: it is an error like any other.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use crate::failure::{Failure, Result};

thread_local! {
    /// Whether this thread is in [`guarded`], where a panic is said by the error, and not with a stack's addresses.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// What `read` gives; an error about the file `name` if it panics.
pub fn guarded<T>(name: &str, read: impl FnOnce() -> Result<T>) -> Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !GUARDED.get() {
                usual(panic);
            }
        }));
    });
    let before = GUARDED.replace(true);
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(before);
    read.unwrap_or_else(|panic| {
        let what = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .and_then(|what| what.lines().next())
            .unwrap_or("the reader died of it");
        Err(Failure::file(
            name,
            format_args!(
                "cannot be read, so there is no verdict: {what}; the file is damaged, so fetch it again"
            ),
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error() {
        assert_eq!(guarded("f", || Ok(1)).unwrap(), 1);
        let error = guarded::<()>("f", || panic!("no page {}", 7)).unwrap_err();
        assert!(
            error.to_string().starts_with("f: cannot be read")
                && error.to_string().contains("no page 7"),
            "{error}"
        );
        assert!(!GUARDED.get());
        let error = guarded::<()>("f", || Err(Failure::usage("its own"))).unwrap_err();
        assert_eq!(error.to_string(), "its own");
    }
}
