//! What this CPU can do, and choices among ways of computing that are made once a process.

use core::marker::PhantomData;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Whether this CPU has all the instruction sets named and the operating system keeps their registers. Without `std` nobody
/// says so, and what the whole build was compiled for counts.
#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! cpu_has {
    ($($feature:tt),+) => {{
        #[cfg(feature = "std")]
        let has = true $(&& std::arch::is_x86_feature_detected!($feature))+;
        #[cfg(not(feature = "std"))]
        let has = true $(&& cfg!(target_feature = $feature))+;
        has
    }};
}
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) use cpu_has;

/// What the environment variable `KUAIMI_BACKEND` says, with `std`.
pub(crate) fn with_wanted<T>(f: impl FnOnce(Option<&str>) -> T) -> T {
    #[cfg(feature = "std")]
    {
        let wanted = std::env::var("KUAIMI_BACKEND").ok();
        f(wanted.as_deref().map(str::trim))
    }
    #[cfg(not(feature = "std"))]
    {
        f(None)
    }
}

/// One of a table's rows, chosen when it is first asked for.
pub(crate) struct Choice<T: 'static> {
    /// The row's number plus one; zero before the choice.
    kept: AtomicUsize,
    rows: PhantomData<&'static [T]>,
}

impl<T> Choice<T> {
    pub(crate) const fn new() -> Self {
        Self {
            kept: AtomicUsize::new(0),
            rows: PhantomData,
        }
    }

    /// The row of `table`, the same one every time; `choose` gives its number. Threads that come together at first may each
    /// choose, and choose alike.
    #[inline]
    pub(crate) fn among(&self, table: &'static [T], choose: fn() -> usize) -> &'static T {
        let kept = self.kept.load(Ordering::Relaxed);
        &table[if kept == 0 {
            self.choose_and_keep(choose)
        } else {
            kept
        } - 1]
    }

    #[cold]
    fn choose_and_keep(&self, choose: fn() -> usize) -> usize {
        let kept = choose() + 1;
        self.kept.store(kept, Ordering::Relaxed);
        kept
    }
}
