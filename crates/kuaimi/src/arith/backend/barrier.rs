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
