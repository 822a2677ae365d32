//! States that calls change: a hash, a key stream, a key exchange. The threads of a process wait
//! for each other.

use kuaimi_platform::fork;

use crate::error::Error;

/// A state behind a lock that hangs no child of a fork.
pub(crate) struct State<T>(fork::State<T>);

impl<T> State<T> {
    pub(crate) fn new(state: T) -> Self {
        Self(fork::State::new(state))
    }

    /// Uses the state. A panic inside would be a bug, and leaves a state that can still be used.
    pub(crate) fn with<R>(&self, use_it: impl FnOnce(&mut T) -> R) -> Result<R, Error> {
        match self.0.lock() {
            Some(mut state) => Ok(use_it(&mut state)),
            None => Err(Error::KUAIMI_ERROR_INVALID_HANDLE),
        }
    }
}

/// A state whose next step can be taken once.
pub(crate) type Once<T> = State<Option<T>>;

impl<T> State<Option<T>> {
    /// Takes it.
    pub(crate) fn take(&self) -> Result<T, Error> {
        self.with(Option::take)?
            .ok_or(Error::KUAIMI_ERROR_ALREADY_USED)
    }

    /// Uses it without taking it.
    pub(crate) fn look<R>(
        &self,
        look: impl FnOnce(&mut T) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.with(|state| look(state.as_mut().ok_or(Error::KUAIMI_ERROR_ALREADY_USED)?))?
    }
}
