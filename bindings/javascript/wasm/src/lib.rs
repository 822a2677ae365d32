//! Kuaimi as WebAssembly, without a generator of bindings: functions of 32-bit numbers, which every
//! host of WebAssembly calls, and which `src/engine/wasm.js` wraps.
//!
//! JavaScript writes the arguments that are bytes, one after another, each behind its length, to
//! `short_input`, or, if they are not short, to where `input` says. It does `call` with the place
//! of an operation, its part and its line in the list, and with its arguments: an object is its
//! number, and bytes are the offset of their length plus one; zero stands for `undefined`. The
//! operation gives −1 where it fails, and else a number. If that is the length of bytes, these are
//! at `short_result`, or at `result`. JavaScript wipes what is short, and `release` the rest.
//!
//! `operations` lists the operations with the kinds of their arguments, so that JavaScript needs no
//! list of its own.

// The addon of Node is compiled in the same workspace, with the operating system's generator.
#![cfg(target_arch = "wasm32")]
// With `std`, a tenth of the module would be code that writes panics' messages.
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;

mod call;
mod export;
mod host;

/// As in `std`.
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// A bug of the library: the host throws a `WebAssembly.RuntimeError`.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}

pub use call::{input, release, result};
pub use export::operations;
