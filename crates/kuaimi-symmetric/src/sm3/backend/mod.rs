//! The compression function, one implementation a file.

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod bmi2;
pub(super) mod lanes;
mod portable;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod sse2;

use kuaimi_platform::backend::{Runs, Sm3};

use super::{BLOCK_LEN, State};

/// Compresses whole blocks into the state, in order.
#[allow(unsafe_code, reason = "implementations that need CPU features")]
#[inline]
pub(super) fn compress_blocks(code: Runs<Sm3>, state: &mut State, blocks: &[[u8; BLOCK_LEN]]) {
    match code.get() {
        Sm3::Portable => portable::compress_blocks(state, blocks),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Sm3::Sse2 => sse2::compress_blocks(state, blocks),
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        // SAFETY: the CPU has AVX and BMI2, of which `code` is the proof.
        Sm3::Bmi2 => unsafe { bmi2::compress_blocks(state, blocks) },
    }
}
