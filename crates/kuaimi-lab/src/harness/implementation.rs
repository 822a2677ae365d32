//! Another entry of Kuaimi's table of implementations for a while.

use std::sync::{Mutex, PoisonError};

/// Held while the choice for the whole process is another one.
static CHOICE: Mutex<()> = Mutex::new(());

/// Does something with an implementation chosen by name, and restores the choice. Nobody else does
/// so meanwhile.
pub(crate) fn with_implementation<T>(name: &str, action: impl FnOnce() -> T) -> T {
    let _held = CHOICE.lock().unwrap_or_else(PoisonError::into_inner);
    let before = kuaimi::backend().name();
    // A name that is not there is not chosen; the names come from the table.
    let _ = kuaimi::set_backend(name);
    let result = action();
    let _ = kuaimi::set_backend(before);
    result
}
