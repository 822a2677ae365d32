//! What threads change in turn, and what a child of a fork may find half changed.

use std::ops::{Deref, DerefMut};

use super::lock::{Guard, Lock};

/// A value that calls change: a hash, a key stream, a step of a key exchange. The threads of a
/// process wait for each other.
///
/// A child of a fork cannot use a value that another thread of its parent was changing: nobody
/// knows how far that thread had come, and it does not exist in the child. Then there is none.
///
/// ```
/// let state = kuaimi_platform::fork::State::new(1);
/// *state.lock().expect("no fork") += 1;
/// assert_eq!(*state.lock().expect("no fork"), 2);
/// ```
#[derive(Debug)]
pub struct State<T>(Lock<Option<T>>);

/// The use of a [`State`]. Another thread can use it when this is dropped.
#[derive(Debug)]
pub struct StateGuard<'a, T>(Guard<'a, Option<T>>);

impl<T> State<T> {
    /// A state that is `value`.
    pub fn new(value: T) -> Self {
        Self(Lock::new(Some(value)))
    }

    /// Waits until no other thread of this process uses the value. `None` in a child whose parent
    /// was using it at the fork.
    ///
    /// A thread that panicked while it used the value leaves it as it was then.
    #[inline]
    pub fn lock(&self) -> Option<StateGuard<'_, T>> {
        let guard = self.0.lock(|| None);
        guard.is_some().then_some(StateGuard(guard))
    }
}

impl<T> Deref for StateGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_ref().expect("a guard has a value")
    }
}

impl<T> DerefMut for StateGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("a guard has a value")
    }
}
