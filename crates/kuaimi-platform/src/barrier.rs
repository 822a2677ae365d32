//! Values that the optimiser knows nothing about.
//!
//! Constant-time code selects with masks instead of branches. A compiler that knows that a mask is
//! all ones or zero may turn the selection back into a branch. It knows nothing about a value that
//! has passed [`value_barrier`].

#![allow(unsafe_code, reason = "empty inline assembly")]

/// Returns `x`, and hides its value from the optimiser. Costs nothing at run time.
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
        // SAFETY: an empty instruction sequence; it only claims to change the register that holds
        // `x`.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) x, options(pure, nomem, nostack, preserves_flags));
        }
        x
    }
    // There is no inline assembly for WebAssembly, and `black_box` would send the value through
    // memory, which costs more than the operation around it. A memory has at most 2¹⁶ pages, which
    // the optimiser does not know.
    #[cfg(target_arch = "wasm32")]
    {
        x ^ (core::arch::wasm32::memory_size::<0>() >> 31) as u64
    }
    #[cfg(not(any(
        target_arch = "wasm32",
        all(
            not(miri),
            any(
                target_arch = "x86_64",
                target_arch = "aarch64",
                target_arch = "riscv64"
            )
        )
    )))]
    {
        core::hint::black_box(x)
    }
}

/// Returns `x`. For the compiler the result depends on `before`, so that it computes `before`
/// first. Costs nothing at run time.
///
/// Without this, the compiler starts all independent work at once, and then has too few registers
/// for the results.
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
        // SAFETY: an empty instruction sequence; it only claims to read one register and to change
        // another.
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
