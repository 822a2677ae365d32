//! Memory without secrets for the C library: it looks at what freed memory held, to find memory
//! that is freed twice.
//!
//! Valgrind has an allocator of its own; on the emulated CPU the C library's is a part of what is
//! checked.

#![allow(unsafe_code, reason = "an allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;

/// The system's allocator, which gets back only zeros.
pub(crate) struct Clearing;

// SAFETY: the system's allocator, with the same arguments. What is written before memory is freed
// is within its layout.
unsafe impl GlobalAlloc for Clearing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract: the memory is as long as the layout says, and nobody uses
        // it any more.
        unsafe {
            memory.write_bytes(0, layout.size());
            System.dealloc(black_box(memory), layout);
        }
    }
}
