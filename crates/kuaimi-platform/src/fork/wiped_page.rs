//! A page of memory that the kernel fills with zeros in every child (`madvise` with
//! `MADV_WIPEONFORK`, Linux 4.14).

#![allow(unsafe_code, reason = "memory from the system")]

pub(super) use page::WipedPage;

#[cfg(all(any(target_os = "linux", target_os = "android"), not(miri)))]
mod page {
    use core::ptr::{self, NonNull};
    use core::sync::atomic::{AtomicU8, Ordering};

    /// A page that starts with a one in this process, and with a zero in every process that has a
    /// copy of its memory.
    #[derive(Debug)]
    pub(in super::super) struct WipedPage(NonNull<AtomicU8>);

    // SAFETY: it owns the page, of which it reads and writes one atomic.
    unsafe impl Send for WipedPage {}
    // SAFETY: as above.
    unsafe impl Sync for WipedPage {}

    /// The kernel rounds this up to a whole page.
    const LEN: usize = size_of::<AtomicU8>();

    impl WipedPage {
        /// `None` where the kernel has no such pages.
        pub(in super::super) fn new() -> Option<Self> {
            // SAFETY: a new mapping, at an address that the kernel chooses.
            let address = unsafe {
                libc::mmap(
                    ptr::null_mut(),
                    LEN,
                    libc::PROT_READ | libc::PROT_WRITE,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                    -1,
                    0,
                )
            };
            if address == libc::MAP_FAILED {
                return None;
            }
            // From here on, dropping it unmaps it.
            let page = Self(NonNull::new(address.cast())?);
            // SAFETY: this function alone uses the page.
            let advise = |advice| unsafe { libc::madvise(address, LEN, advice) } == 0;
            // Some emulators accept any advice, also one that does not exist, and follow none.
            if advise(-1) || !advise(libc::MADV_WIPEONFORK) {
                return None;
            }
            page.mark().store(1, Ordering::Relaxed);
            Some(page)
        }

        fn mark(&self) -> &AtomicU8 {
            // SAFETY: it points to mapped memory, filled with zeros at first, until it is dropped.
            unsafe { self.0.as_ref() }
        }

        pub(in super::super) fn is_wiped(&self) -> bool {
            self.mark().load(Ordering::Relaxed) == 0
        }
    }

    impl Drop for WipedPage {
        fn drop(&mut self) {
            // SAFETY: `new` mapped this page, and nothing refers to it any more. In a child it is
            // the child's copy.
            unsafe { libc::munmap(self.0.as_ptr().cast(), LEN) };
        }
    }
}

#[cfg(not(all(any(target_os = "linux", target_os = "android"), not(miri))))]
mod page {
    /// Not on this system, nor under Miri.
    #[derive(Debug)]
    pub(in super::super) enum WipedPage {}

    impl WipedPage {
        pub(in super::super) fn new() -> Option<Self> {
            None
        }

        pub(in super::super) fn is_wiped(&self) -> bool {
            match *self {}
        }
    }
}
