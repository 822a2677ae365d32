//! Locks that no child of a fork waits for in vain.

use kuaimi_platform::fork::{State, StateGuard};

use crate::error::Failure;

/// A value that threads change in turn.
pub(crate) struct Lock<T>(State<T>);

const LOST: Failure = Failure::Finished(
    "another thread was at this object when the process forked, and left it unfinished: make a new one in the child",
);

impl<T> Lock<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(State::new(value))
    }

    /// Waits for the threads before this one. Fails in the child of a fork where a thread that was
    /// not copied was at the value.
    pub(crate) fn get(&self) -> Result<StateGuard<'_, T>, Failure> {
        self.0.lock().ok_or(LOST)
    }
}
