//! What can be used once.

use crate::error::Failure;
use crate::lock::Lock;

/// A step that is taken once, by one thread.
pub(crate) struct Once<T>(Lock<Option<T>>);

const TAKEN: Failure =
    Failure::Finished("this step of the key exchange was taken already: start a new exchange");

impl<T> Once<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(Lock::new(Some(value)))
    }

    pub(crate) fn empty() -> Self {
        Self(Lock::new(None))
    }

    pub(crate) fn put(&self, value: T) -> Result<(), Failure> {
        *self.0.get()? = Some(value);
        Ok(())
    }

    pub(crate) fn take(&self) -> Result<T, Failure> {
        self.0.get()?.take().ok_or(TAKEN)
    }

    pub(crate) fn with<R>(&self, read: impl FnOnce(&T) -> R) -> Result<R, Failure> {
        self.0.get()?.as_ref().map(read).ok_or(TAKEN)
    }
}
