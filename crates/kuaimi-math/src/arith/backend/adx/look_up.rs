//! Constant-time look-up with AVX2, four words at a time. See
//! [`Backend::look_up`](super::Backend::look_up).

use core::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi32,
    _mm256_loadu_si256, _mm256_or_si256, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256,
};

/// The maximum number of vectors in an element.
const MAX_VECTORS: usize = 2;

/// Hides the value of `x` from the optimiser, as [`value_barrier`](super::super::value_barrier).
#[inline]
#[target_feature(enable = "avx2")]
fn barrier(mut x: __m256i) -> __m256i {
    // SAFETY: the assembly text is a comment; the operand is unchanged.
    unsafe {
        core::arch::asm!("/* {0} */", inout(ymm_reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}

/// `b` where `mask` is all ones, `a` where it is zero.
#[inline]
#[target_feature(enable = "avx2")]
fn select(a: __m256i, b: __m256i, mask: __m256i) -> __m256i {
    _mm256_blendv_epi8(a, b, mask)
}

/// Entries of a group: three bits of the index select one of them.
const GROUP: usize = 8;

/// See [`Backend::look_up`](super::Backend::look_up).
///
/// The lower bits of the index select an entry of each group by blending, which takes half the
/// instructions of masking every entry. A mask computed from the upper bits selects the group.
/// Entries after the last whole group are masked one by one.
#[target_feature(enable = "avx2")]
pub(super) fn look_up<W: AsRef<[u64]> + AsMut<[u64]> + Default>(
    table: &[[W; 2]],
    index: u32,
) -> [W; 2] {
    let one = _mm256_set1_epi32(1);
    let mut here = _mm256_setzero_si256();
    let mut sums = [[_mm256_setzero_si256(); MAX_VECTORS]; 2];
    let (groups, rest) = table.as_chunks::<GROUP>();

    let bits: [__m256i; 3] =
        core::array::from_fn(|bit| barrier(_mm256_set1_epi32(-((index >> bit & 1) as i32))));
    let wanted = _mm256_set1_epi32((index / GROUP as u32) as i32);
    for group in groups {
        let mask = barrier(_mm256_cmpeq_epi32(here, wanted));
        here = _mm256_add_epi32(here, one);
        for (c, sum) in sums.iter_mut().enumerate() {
            for (v, s) in sum.iter_mut().enumerate() {
                if 4 * v >= group[0][c].as_ref().len() {
                    continue;
                }
                let load = |i: usize| {
                    let four = &group[i][c].as_ref()[4 * v..][..4];
                    // SAFETY: `four` has four words, as many as a vector.
                    unsafe { _mm256_loadu_si256(four.as_ptr().cast()) }
                };
                let pair = |i: usize| select(load(i), load(i + 1), bits[0]);
                let four = |i: usize| select(pair(i), pair(i + 2), bits[1]);
                let chosen = select(four(0), four(4), bits[2]);
                *s = _mm256_or_si256(*s, _mm256_and_si256(chosen, mask));
            }
        }
    }

    let wanted = _mm256_set1_epi32(index as i32);
    let mut here = _mm256_set1_epi32((groups.len() * GROUP) as i32);
    for entry in rest {
        let mask = barrier(_mm256_cmpeq_epi32(here, wanted));
        here = _mm256_add_epi32(here, one);
        for (sum, words) in sums.iter_mut().zip(entry) {
            for (s, four) in sum.iter_mut().zip(words.as_ref().chunks_exact(4)) {
                // SAFETY: as above.
                let vector = unsafe { _mm256_loadu_si256(four.as_ptr().cast()) };
                *s = _mm256_or_si256(*s, _mm256_and_si256(vector, mask));
            }
        }
    }

    let mut found: [W; 2] = Default::default();
    for (out, sum) in found.iter_mut().zip(sums) {
        for (four, s) in out.as_mut().chunks_exact_mut(4).zip(sum) {
            // SAFETY: as above.
            unsafe { _mm256_storeu_si256(four.as_mut_ptr().cast(), s) };
        }
    }
    found
}
