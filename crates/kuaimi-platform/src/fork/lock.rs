//! A lock that hangs no child of a fork.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::{mem, ptr};

use once_cell::race::OnceBox;

use super::ForkDetector;

/// A value that one thread uses at a time, in this process and in its children.
///
/// A child goes on with the value as its parent left it. But if another thread of the parent was
/// using the value at the fork, that thread does not exist in the child: it never ends what it has
/// half done, and never gives the lock back. Then the child leaves that value alone and begins with
/// a new one.
///
/// ```
/// let lock = kuaimi_platform::fork::Lock::new(vec![1]);
/// lock.lock(Vec::new).push(2);
/// assert_eq!(*lock.lock(Vec::new), [1, 2]);
/// ```
///
/// Like a mutex, it is not for a thread that has it already.
#[derive(Debug)]
pub struct Lock<T> {
    detector: ForkDetector,
    /// In the process that made the lock, a value. In a child, nothing while the child uses the
    /// value of an ancestor: then the threads of the child wait here for each other, and what holds
    /// the ancestor's lock for longer does not exist in this process.
    value: Mutex<Option<T>>,
    child: OnceBox<Self>,
}

/// The use of a value. Another thread can use it when this is dropped.
#[derive(Debug)]
pub struct Guard<'a, T> {
    value: MutexGuard<'a, Option<T>>,
    /// After the value, since fields are dropped in this order.
    _own: Option<MutexGuard<'a, Option<T>>>,
}

impl<T> Lock<T> {
    /// A lock around `value`.
    pub fn new(value: T) -> Self {
        Self::of(Some(value))
    }

    fn of(value: Option<T>) -> Self {
        Self {
            detector: ForkDetector::new(),
            value: Mutex::new(value),
            child: OnceBox::new(),
        }
    }

    /// Waits until no other thread of this process uses the value. A child whose parent was using
    /// it begins with `new`.
    ///
    /// A thread that panicked while it used the value leaves it as it was then.
    #[inline]
    pub fn lock(&self, new: impl FnOnce() -> T) -> Guard<'_, T> {
        if self.detector.is_copy() {
            return self.lock_in_child(new);
        }
        Guard {
            value: self.wait(),
            _own: None,
        }
    }

    #[cold]
    fn lock_in_child(&self, new: impl FnOnce() -> T) -> Guard<'_, T> {
        let own = {
            let mut lock = self;
            while lock.detector.is_copy() {
                lock = lock.child.get_or_init(|| Box::new(Self::of(None)));
            }
            lock
        };
        let mut value = own.wait();
        if value.is_none() {
            if let Some(inherited) = self.inherited(own) {
                return Guard {
                    value: inherited,
                    _own: Some(value),
                };
            }
            *value = Some(new());
        }
        Guard { value, _own: None }
    }

    /// The value of the nearest ancestor that has one, unless a thread was using it at the fork.
    /// Threads of this process do not meet here: they have waited for `own`.
    fn inherited(&self, own: &Self) -> Option<MutexGuard<'_, Option<T>>> {
        let (mut lock, mut found) = (self, None);
        while !ptr::eq(lock, own) {
            match lock.try_now() {
                Some(value) if value.is_none() => {}
                value => found = value,
            }
            lock = lock.child.get()?;
        }
        found
    }

    fn wait(&self) -> MutexGuard<'_, Option<T>> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` if a thread has the lock.
    fn try_now(&self) -> Option<MutexGuard<'_, Option<T>>> {
        match self.value.try_lock() {
            Ok(value) => Some(value),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl<T> Drop for Lock<T> {
    /// Leaves alone what a thread of a parent has half done: it stays in the child's memory.
    fn drop(&mut self) {
        if self.try_now().is_none() {
            let value = self.value.get_mut().unwrap_or_else(PoisonError::into_inner);
            mem::forget(value.take());
        }
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.as_ref().expect("a guard has a value")
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.value.as_mut().expect("a guard has a value")
    }
}
