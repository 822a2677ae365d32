//! Constant-time look-up: the whole table is read, and all entries but one are masked.

#![allow(unsafe_code, reason = "vector instructions")]

/// The entry of `table` at a secret `index`; zeros if the index is not below the length.
///
/// An entry is two elements of an even number of words each, at most eight.
#[inline]
pub fn look_up<W: AsRef<[u64]> + AsMut<[u64]> + Default>(table: &[[W; 2]], index: u32) -> [W; 2] {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
    // SAFETY: SSE2 is enabled for the whole build, by the `cfg` above.
    return unsafe { sse2::look_up(table, index) };
    #[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
    // SAFETY: NEON is enabled for the whole build, by the `cfg` above.
    return unsafe { neon::look_up(table, index) };
    #[cfg(not(any(
        all(target_arch = "x86_64", target_feature = "sse2", not(miri)),
        all(target_arch = "aarch64", target_feature = "neon", not(miri)),
    )))]
    return portable(table, index);
}

/// The entry, of any number of words, of `table` at a secret `index`; zeros if the index is not
/// below the length. It is inlined, so that it is compiled with the caller's vector instructions.
#[inline(always)]
pub fn look_up_words<const WORDS: usize>(table: &[[u64; WORDS]], index: u32) -> [u64; WORDS] {
    let mut found = [0; WORDS];
    for (i, entry) in table.iter().enumerate() {
        let mask = mask_where_equal(i, index);
        for (out, word) in found.iter_mut().zip(entry) {
            *out |= word & mask;
        }
    }
    found
}

/// All ones if the numbers are equal, else zero: the difference minus one has the sign bit only if
/// the difference is zero.
#[inline(always)]
fn mask_where_equal(i: usize, index: u32) -> u64 {
    let difference = (i as u64) ^ u64::from(index);
    super::value_barrier((difference.wrapping_sub(1) as i64 >> 63) as u64)
}

/// The look-up without vector instructions, word by word.
#[cfg(any(
    test,
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2", not(miri)),
        all(target_arch = "aarch64", target_feature = "neon", not(miri)),
    ))
))]
#[inline]
fn portable<W: AsRef<[u64]> + AsMut<[u64]> + Default>(table: &[[W; 2]], index: u32) -> [W; 2] {
    let mut found: [W; 2] = Default::default();
    for (i, entry) in table.iter().enumerate() {
        let mask = mask_where_equal(i, index);
        for (out, words) in found.iter_mut().zip(entry) {
            for (o, w) in out.as_mut().iter_mut().zip(words.as_ref()) {
                *o |= w & mask;
            }
        }
    }
    found
}

/// The look-up with SSE2, which every x86-64 CPU has: two words at a time. The index is also
/// compared in vectors, so that a mask costs one instruction instead of six.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod sse2 {
    use core::arch::x86_64::{
        __m128i, _mm_add_epi32, _mm_and_si128, _mm_cmpeq_epi32, _mm_cvtsi128_si64, _mm_or_si128,
        _mm_set_epi64x, _mm_set1_epi32, _mm_setzero_si128, _mm_unpackhi_epi64,
    };

    /// The maximum number of vectors in an element.
    const MAX_VECTORS: usize = 4;

    /// Hides the value of `x` from the optimiser, as
    /// [`value_barrier`](super::super::value_barrier).
    #[inline(always)]
    fn barrier(mut x: __m128i) -> __m128i {
        // SAFETY: the assembly text is a comment; the operand is unchanged.
        unsafe {
            core::arch::asm!("/* {0} */", inout(xmm_reg) x, options(pure, nomem, nostack, preserves_flags));
        }
        x
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    pub(super) fn look_up<W: AsRef<[u64]> + AsMut<[u64]> + Default>(
        table: &[[W; 2]],
        index: u32,
    ) -> [W; 2] {
        let wanted = _mm_set1_epi32(index as i32);
        let one = _mm_set1_epi32(1);
        let mut here = _mm_setzero_si128();
        let mut sums = [[_mm_setzero_si128(); MAX_VECTORS]; 2];
        for entry in table {
            let mask = barrier(_mm_cmpeq_epi32(here, wanted));
            here = _mm_add_epi32(here, one);
            for (sum, words) in sums.iter_mut().zip(entry) {
                for (s, pair) in sum.iter_mut().zip(words.as_ref().chunks_exact(2)) {
                    let vector = _mm_set_epi64x(pair[1] as i64, pair[0] as i64);
                    *s = _mm_or_si128(*s, _mm_and_si128(vector, mask));
                }
            }
        }
        let mut found: [W; 2] = Default::default();
        for (out, sum) in found.iter_mut().zip(sums) {
            for (pair, s) in out.as_mut().chunks_exact_mut(2).zip(sum) {
                pair[0] = _mm_cvtsi128_si64(s) as u64;
                pair[1] = _mm_cvtsi128_si64(_mm_unpackhi_epi64(s, s)) as u64;
            }
        }
        found
    }
}

/// The look-up with NEON, which every AArch64 system has for its own programs: two words at a time.
/// BIT inserts the bits that a mask selects, so an entry costs a comparison and an instruction for
/// each vector.
#[cfg(all(target_arch = "aarch64", target_feature = "neon", not(miri)))]
mod neon {
    use core::arch::aarch64::{
        uint32x4_t, vaddq_u32, vbslq_u64, vceqq_u32, vdupq_n_u32, vdupq_n_u64, vld1q_u64,
        vreinterpretq_u64_u32, vst1q_u64,
    };

    /// The maximum number of vectors in an element.
    const MAX_VECTORS: usize = 4;

    /// Hides the value of `x` from the optimiser, as
    /// [`value_barrier`](super::super::value_barrier).
    #[inline(always)]
    fn barrier(mut x: uint32x4_t) -> uint32x4_t {
        // SAFETY: the assembly text is a comment; the operand is unchanged.
        unsafe {
            core::arch::asm!("/* {0:q} */", inout(vreg) x, options(pure, nomem, nostack, preserves_flags));
        }
        x
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn look_up<W: AsRef<[u64]> + AsMut<[u64]> + Default>(
        table: &[[W; 2]],
        index: u32,
    ) -> [W; 2] {
        let wanted = vdupq_n_u32(index);
        let one = vdupq_n_u32(1);
        let mut here = vdupq_n_u32(0);
        let mut sums = [[vdupq_n_u64(0); MAX_VECTORS]; 2];
        for entry in table {
            let mask = vreinterpretq_u64_u32(barrier(vceqq_u32(here, wanted)));
            here = vaddq_u32(here, one);
            for (sum, words) in sums.iter_mut().zip(entry) {
                for (s, pair) in sum.iter_mut().zip(words.as_ref().chunks_exact(2)) {
                    // SAFETY: `pair` has two words, as many as a vector.
                    let vector = unsafe { vld1q_u64(pair.as_ptr()) };
                    *s = vbslq_u64(mask, vector, *s);
                }
            }
        }
        let mut found: [W; 2] = Default::default();
        for (out, sum) in found.iter_mut().zip(sums) {
            for (pair, s) in out.as_mut().chunks_exact_mut(2).zip(sum) {
                // SAFETY: as above.
                unsafe { vst1q_u64(pair.as_mut_ptr(), s) };
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{look_up, portable};
    use crate::arith::Backend;
    use crate::testing::on_every_backend;

    fn check<const N: usize, B: Backend>()
    where
        [u64; N]: Default,
    {
        for length in [0, 1, 2, 8, 16, 19, 64] {
            let table: Vec<[[u64; N]; 2]> = (0..length)
                .map(|i| [0, 1].map(|c| core::array::from_fn(|w| !(i * 100 + c * 10 + w as u64))))
                .collect();
            for index in 0..length + 2 {
                let expected = table.get(index as usize).copied().unwrap_or_default();
                assert_eq!(look_up(&table, index as u32), expected);
                assert_eq!(portable(&table, index as u32), expected);
                assert_eq!(B::look_up(&table, index as u32), expected);
            }
        }
    }

    #[test]
    fn every_entry_is_found() {
        // Four words an element, as in a prime field, and eight, as in its quadratic extension.
        on_every_backend!(B => {
            check::<4, B>();
            check::<8, B>();
        });
    }
}
