//! Handles: what a C program holds of a Rust value.
//!
//! A handle points to a *slot*: the tag of the value's type, and a pointer to the value. Every call
//! compares the tag, so a handle of another type is detected. A slot is never given back to the
//! allocator: when its value is freed the tag is cleared, and the slot waits in a queue until a new
//! value needs one. So a handle that was freed is detected, too, as long as its slot waits: until
//! [`WAIT`] new handles have been made, as the queue never has fewer slots before it.
//!
//! What cannot be detected: a pointer that was never a handle, a freed handle whose slot has a new
//! value of the same type, and a handle that one thread frees while another uses it.

use kuaimi_platform::fork::{Guard, Lock};
use once_cell::race::OnceBox;
use std::collections::LinkedList;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use zeroize::Zeroize as _;

use crate::error::Error;

/// What a handle points to.
struct Slot {
    /// The tag of the value's type, or [`CLOSED`].
    tag: AtomicUsize,
    /// A `Box` of the value, as a pointer.
    value: AtomicPtr<()>,
}

const CLOSED: usize = 0;

/// So many slots wait at least before one is used.
const WAIT: usize = 256;

/// Slots without a value, the one that has waited longest first. A slot that was taken out, alone
/// in its allocation, is known to the caller alone: so tools that look for leaks find a handle that
/// was never freed. (A ring would keep the old pointer in its memory.)
///
/// A child of a fork begins with an empty queue where another thread of its parent was using this
/// one: the slots in it are lost.
static WAITING: OnceBox<Lock<Queue>> = OnceBox::new();

type Queue = LinkedList<&'static Slot>;

/// A type of the header that is used by pointer only.
pub(crate) trait Object: Sized {
    /// What is behind the handle. Several threads may use it at a time.
    type Value: Send + Sync + 'static;
    /// Tells the types apart.
    const TAG: usize;
}

/// Declares what is behind handles.
macro_rules! objects {
    ($($name:ident: $value:ty),* $(,)?) => {$(
        impl $crate::handle::Object for $name {
            type Value = $value;
            const TAG: usize = $crate::handle::tag(stringify!($name));
        }
    )*};
}
pub(crate) use objects;

/// A tag from a type's name: FNV-1a, which makes it a number that other memory does not hold by
/// chance.
pub(crate) const fn tag(name: &str) -> usize {
    let (mut hash, mut i) = (0xcbf2_9ce4_8422_2325_u64, 0);
    let name = name.as_bytes();
    while i < name.len() {
        hash = (hash ^ name[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    hash as usize
}

/// The value behind a handle.
///
/// # Safety
/// The handle is null, or came from this library, and no other thread frees it during the call.
#[inline]
pub(crate) unsafe fn handle<'a, T: Object>(handle: *const T) -> Result<&'a T::Value, Error> {
    let slot =
        NonNull::new(handle.cast_mut().cast::<Slot>()).ok_or(Error::KUAIMI_ERROR_NULL_POINTER)?;
    if !slot.is_aligned() {
        return Err(Error::KUAIMI_ERROR_INVALID_HANDLE);
    }
    // SAFETY: a handle from this library points to a slot, and slots live as long as the process.
    let slot = unsafe { slot.as_ref() };
    if slot.tag.load(Ordering::Acquire) != T::TAG {
        return Err(Error::KUAIMI_ERROR_INVALID_HANDLE);
    }
    // SAFETY: under this tag, the slot has a `T::Value`, which lives until the handle is freed.
    Ok(unsafe { &*slot.value.load(Ordering::Relaxed).cast::<T::Value>() })
}

/// The value behind a handle; nothing for a null pointer.
///
/// # Safety
/// As [`handle`].
pub(crate) unsafe fn optional_handle<'a, T: Object>(
    pointer: *const T,
) -> Result<Option<&'a T::Value>, Error> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: as for this function.
    unsafe { handle(pointer) }.map(Some)
}

/// The values behind an array of handles, none of which may be null. Without elements, the pointer
/// to them may be null.
///
/// # Safety
/// The pointer is null, or the array may be read, and is not written to during the call; and each
/// of it is as for [`handle`].
pub(crate) unsafe fn handles<'a, T: Object>(
    list: *const *mut T,
    count: usize,
) -> Result<Vec<&'a T::Value>, Error> {
    // SAFETY: as for this function.
    let list = unsafe { crate::buffer::items(list, count) }?;
    // SAFETY: as for this function.
    let values = list.iter().map(|&pointer| unsafe { handle(pointer) });
    values.collect()
}

/// Frees the value behind a handle. A handle that is null, closed or of another type is left alone.
///
/// # Safety
/// As [`handle`]; and no reference to the value is in use.
pub(crate) unsafe fn free<T: Object>(handle: *mut T) {
    let Some(slot) = NonNull::new(handle.cast::<Slot>()).filter(|slot| slot.is_aligned()) else {
        return;
    };
    // SAFETY: a handle from this library points to a slot, and slots live as long as the process.
    let slot: &'static Slot = unsafe { slot.as_ref() };
    // Of two threads that free the same handle, one succeeds.
    let cleared = slot
        .tag
        .compare_exchange(T::TAG, CLOSED, Ordering::AcqRel, Ordering::Relaxed);
    if cleared.is_err() {
        return;
    }
    let value = slot.value.swap(ptr::null_mut(), Ordering::Relaxed);
    let value = value.cast::<MaybeUninit<T::Value>>();
    // SAFETY: under this tag, the pointer came from `Box::into_raw` of a `T::Value`, and only this
    // call took it out.
    let mut memory = unsafe { Box::from_raw(value) };
    // SAFETY: it has a value, which is not used again.
    unsafe { memory.assume_init_drop() };
    // What lay beside a small variant of a value when it was moved here, or was moved out of it, is
    // in no field that its drop would wipe.
    memory.zeroize();
    waiting().push_back(slot);
}

fn waiting() -> Guard<'static, Queue> {
    WAITING
        .get_or_init(|| Box::new(Lock::new(Queue::new())))
        .lock(Queue::new)
}

/// A new handle of `value`.
fn new<T: Object>(value: T::Value) -> *mut T {
    let value = Box::into_raw(Box::new(value));
    let mut waiting = waiting();
    if waiting.len() < WAIT {
        waiting.extend((0..WAIT).map(|_| {
            let slot: &'static Slot = Box::leak(Box::new(Slot {
                tag: AtomicUsize::new(CLOSED),
                value: AtomicPtr::new(ptr::null_mut()),
            }));
            slot
        }));
    }
    let slot = waiting.pop_front().expect("slots were added above");
    drop(waiting);
    slot.value.store(value.cast(), Ordering::Relaxed);
    slot.tag.store(T::TAG, Ordering::Release);
    ptr::from_ref(slot).cast_mut().cast()
}

/// Where a function puts a new handle.
pub(crate) struct NewHandle<T> {
    place: NonNull<*mut T>,
    object: PhantomData<T>,
}

impl<T: Object> NewHandle<T> {
    /// Puts a handle of `value` there.
    pub(crate) fn put(self, value: T::Value) {
        // SAFETY: `new_handle`'s caller says that the place may be written to.
        unsafe { self.place.write(new(value)) };
    }
}

/// The place for a new handle. It is set to null first, so that a call that fails leaves no stale
/// pointer behind.
///
/// # Safety
/// The pointer is null, or a pointer may be written there as long as the result is used.
pub(crate) unsafe fn new_handle<T: Object>(place: *mut *mut T) -> Result<NewHandle<T>, Error> {
    let place = NonNull::new(place).ok_or(Error::KUAIMI_ERROR_NULL_POINTER)?;
    // SAFETY: as for this function.
    unsafe { place.write(ptr::null_mut()) };
    Ok(NewHandle {
        place,
        object: PhantomData,
    })
}

/// Places for many new handles.
pub(crate) struct NewHandles<'a, T>(&'a mut [*mut T]);

impl<T: Object> NewHandles<'_, T> {
    /// Puts a handle of `value` at place number `place`.
    pub(crate) fn put(&mut self, place: usize, value: T::Value) {
        self.0[place] = new(value);
    }
}

/// The places for `count` new handles, set to null first.
///
/// # Safety
/// The pointer is null, or `count` pointers may be read and written there, and are not used
/// otherwise, as long as the result is used.
pub(crate) unsafe fn new_handles<'a, T: Object>(
    places: *mut *mut T,
    count: usize,
) -> Result<NewHandles<'a, T>, Error> {
    // SAFETY: as for this function.
    unsafe { crate::buffer::filled(places, count, ptr::null_mut()) }.map(NewHandles)
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;

    struct number {
        _opaque: [u8; 0],
    }
    struct letter {
        _opaque: [u8; 0],
    }
    objects!(number: u32, letter: char);

    /// The tests look at the queue of slots, which all handles share.
    static ONE_BY_ONE: Mutex<()> = Mutex::new(());

    fn alone() -> std::sync::MutexGuard<'static, ()> {
        ONE_BY_ONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get<T: Object<Value: Copy>>(pointer: *const T) -> Result<T::Value, Error> {
        // SAFETY: the tests pass handles, and free none during this call.
        unsafe { handle(pointer) }.copied()
    }

    #[test]
    fn wrong_and_closed_handles_are_detected() {
        let _alone = alone();
        let (seven, x) = (new::<number>(7), new::<letter>('x'));
        assert_eq!(get(seven), Ok(7));
        assert_eq!(get(x), Ok('x'));
        assert_eq!(
            get(x.cast::<number>()),
            Err(Error::KUAIMI_ERROR_INVALID_HANDLE)
        );
        assert_eq!(
            get(seven.wrapping_byte_add(1)),
            Err(Error::KUAIMI_ERROR_INVALID_HANDLE)
        );
        assert_eq!(
            get(ptr::null::<number>()),
            Err(Error::KUAIMI_ERROR_NULL_POINTER)
        );
        // SAFETY: the handles are this test's own.
        unsafe { free(x.cast::<number>()) };
        assert_eq!(get(x), Ok('x'), "freed as another type");
        // SAFETY: as before.
        unsafe { free(x) };
        assert_eq!(get(x), Err(Error::KUAIMI_ERROR_INVALID_HANDLE));
        // SAFETY: as before; a second time changes nothing.
        unsafe { free(x) };
        let after: Vec<*mut letter> = (1..WAIT).map(|_| new::<letter>('y')).collect();
        assert!(
            !after.contains(&x),
            "a slot that was freed is used too early"
        );
        assert_eq!(get(x), Err(Error::KUAIMI_ERROR_INVALID_HANDLE));
        for handle in after {
            // SAFETY: as before.
            unsafe { free(handle) };
        }
        // SAFETY: as before.
        unsafe { free(seven) };
    }

    #[test]
    fn slots_are_used_again() {
        let _alone = alone();
        let mut places = std::collections::HashSet::new();
        // Miri looks at every access, and takes its time.
        let count = if cfg!(miri) { WAIT + 8 } else { 20 * WAIT };
        for i in 0..count as u32 {
            let handle = new::<number>(i);
            assert_eq!(get(handle), Ok(i));
            places.insert(handle as usize);
            // SAFETY: the handle is this test's own.
            unsafe { free(handle) };
        }
        // Those that waited already, and as many more.
        assert!(places.len() <= 3 * WAIT, "{} slots", places.len());
    }

    #[test]
    fn a_handle_is_freed_once_by_many_threads() {
        let _alone = alone();
        struct counted {
            _opaque: [u8; 0],
        }
        struct Counted;
        static DROPS: AtomicUsize = AtomicUsize::new(0);
        impl Drop for Counted {
            fn drop(&mut self) {
                DROPS.fetch_add(1, Ordering::Relaxed);
            }
        }
        objects!(counted: Counted);
        /// A handle that several threads have.
        struct Shared(*mut counted);
        // SAFETY: the threads only free it, which one of them does.
        unsafe impl Send for Shared {}
        // Miri looks at every access, and takes its time.
        let rounds = if cfg!(miri) { 5 } else { 100 };
        for _ in 0..rounds {
            let handle = new::<counted>(Counted);
            std::thread::scope(|scope| {
                for shared in [handle; 4].map(Shared) {
                    scope.spawn(move || {
                        let Shared(handle) = { shared };
                        // SAFETY: no thread uses the value.
                        unsafe { free(handle) };
                    });
                }
            });
        }
        assert_eq!(DROPS.load(Ordering::Relaxed), rounds);
    }
}
