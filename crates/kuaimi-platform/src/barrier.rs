//! A wall for the optimiser.
//!
//! Masks are how this crate decides without branching. A compiler that sees that a mask is all ones or zero may turn
//! the masking back into a branch; a value that has passed [`value_barrier`] is unknown to it.

#![allow(unsafe_code)]

/// Returns `x`, of which the optimiser knows nothing any more.
#[inline(always)]
pub fn value_barrier(x: u64) -> u64 {
    #[cfg(all(
        not(miri),
        any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_arch = "riscv64"
        )
    ))]
    {
        let mut x = x;
        // SAFETY: an empty instruction sequence; it only claims to change the register that holds `x`.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
        }
        x
    }
    #[cfg(not(all(
        not(miri),
        any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_arch = "riscv64"
        )
    )))]
    {
        core::hint::black_box(x)
    }
}

/// Returns `x`, to be had by the compiler's reckoning only once `before` is known. Costs nothing at run time.
///
/// A compiler that sees independent work starts all of it first, and then has nowhere to keep the results.
#[inline(always)]
pub fn value_after(x: u64, before: u64) -> u64 {
    #[cfg(all(
        not(miri),
        any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_arch = "riscv64"
        )
    ))]
    {
        let mut x = x;
        // SAFETY: an empty instruction sequence; it only claims to read one register and to change another.
        unsafe {
            core::arch::asm!("/* {0} {1} */", inout(reg) x, in(reg) before, options(pure, nomem, nostack, preserves_flags));
        }
        x
    }
    #[cfg(not(all(
        not(miri),
        any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            target_arch = "riscv64"
        )
    )))]
    {
        let _ = before;
        x
    }
}
