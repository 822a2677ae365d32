//! Implementations of the compression function.
//!
//! | module | what it does |
//! | --- | --- |
//! | `portable` | one message, in plain Rust |
//! | `sse2` | one message, with the message expansion in vectors |
//! | `bmi2` | the same in assembly |
//! | `vsm3` | one message or two, with the instructions for SM3 of x86-64 |
//! | `armv8` | one message or two, with the instructions for SM3 of ARMv8.2 |
//! | `lanes` | many messages, one in each lane of a vector |
//! | `select` | which implementation of many messages is used |

#[cfg(neon)]
mod armv8;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod bmi2;
#[cfg(any(test, vectors))]
pub(super) mod lanes;
mod portable;
pub(super) mod select;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod sse2;
#[cfg(any(test, all(target_arch = "x86_64", not(miri))))]
mod vsm3;

use kuaimi_platform::backend::{Sm3, Supported};

use super::{BLOCK_LEN, State};

/// Compresses whole blocks into the state, in order.
#[allow(unsafe_code, reason = "implementations that need CPU features")]
#[inline]
pub(super) fn compress_blocks(
    implementation: Supported<Sm3>,
    state: &mut State,
    blocks: &[[u8; BLOCK_LEN]],
) {
    match implementation.get() {
        Sm3::Portable => portable::compress_blocks(state, blocks),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Sm3::Sse2 => sse2::compress_blocks(state, blocks),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: the CPU has AVX and BMI2, as `implementation` proves.
        Sm3::Bmi2 => unsafe { bmi2::compress_blocks(state, blocks) },
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: the CPU has AVX2 and the instructions for SM3, as `implementation` proves.
        Sm3::Vsm3 => unsafe { vsm3::compress_blocks(state, blocks) },
        #[cfg(neon)]
        // SAFETY: the CPU has the instructions for SM3, as `implementation` proves.
        Sm3::Armv8 => unsafe { armv8::compress_blocks(state, blocks) },
    }
}
