//! What can be used once.

use std::sync::Mutex;

use crate::error::Failure;
use crate::sm3::locked;

/// A step that is taken once, by one thread.
pub(crate) struct Once<T>(Mutex<Option<T>>);

const TAKEN: Failure =
    Failure::Finished("this step of the key exchange was taken already: start a new exchange");

impl<T> Once<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Mutex::new(Some(value)))
    }

    pub(crate) fn empty() -> Self {
        Self(Mutex::new(None))
    }

    pub(crate) fn put(&self, value: T) {
        *locked(&self.0) = Some(value);
    }

    pub(crate) fn take(&self) -> Result<T, Failure> {
        locked(&self.0).take().ok_or(TAKEN)
    }

    pub(crate) fn with<R>(&self, read: impl FnOnce(&T) -> R) -> Result<R, Failure> {
        locked(&self.0).as_ref().map(read).ok_or(TAKEN)
    }
}
