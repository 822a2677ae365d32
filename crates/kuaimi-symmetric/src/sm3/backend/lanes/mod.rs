//! The compression function for many messages at once: `N` independent states, one in each lane of
//! vectors.
//!
//! The words `A` of all states are one vector, the words `B` another, and so on. A round is the
//! standard's round with vectors in place of words, and no data moves between lanes. The trait
//! [`Words`] has the vector operations that a round needs; each file here is one kind of vector,
//! with the functions that are compiled for its instructions. Callers use [`Engine`]: states and
//! blocks in, states out.
//!
//! The words of a message are adjacent in memory, but belong in different vectors. So the blocks
//! are transposed when they are loaded, four lanes by four words at a time within the 128-bit parts
//! of a vector. Part `p` of a row is loaded from lane `4p + l`. Then the columns have the lanes in
//! order, and no step moves words between the parts.
//!
//! No branch and no index depends on data.

#![allow(unsafe_code, reason = "vector instructions")]

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx512;
#[cfg(test)]
mod model;
#[cfg(neon)]
mod neon;
#[cfg(simd128)]
mod simd128;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod sse2;

use zeroize::optimization_barrier;

use super::super::compress::T;
use super::super::{BLOCK_LEN, DIGEST_LEN, State};

#[cfg(test)]
pub(in super::super) use model::Model;
#[cfg(neon)]
pub(super) use neon::Neon;
#[cfg(simd128)]
pub(super) use simd128::Simd128;
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) use {avx2::Avx2, avx512::Avx512, sse2::Sse2};

/// `N` states: word `i` of lane `l` at `[i][l]`.
#[repr(align(64))]
pub(in super::super) struct States<const N: usize>([[u32; N]; 8]);

impl<const N: usize> States<N> {
    /// All states zero.
    pub(in super::super) const fn new() -> Self {
        Self([[0; N]; 8])
    }

    /// The state of lane `l`.
    #[inline(always)]
    pub(in super::super) fn get(&self, l: usize) -> State {
        core::array::from_fn(|i| self.0[i][l])
    }

    /// Sets the state of lane `l`.
    #[inline(always)]
    pub(in super::super) fn set(&mut self, l: usize, state: &State) {
        for (words, word) in self.0.iter_mut().zip(state) {
            words[l] = *word;
        }
    }

    /// Sets the states of all lanes to the same state.
    #[cfg(vectors)]
    #[inline(always)]
    pub(in super::super) fn set_all(&mut self, state: &State) {
        for (words, word) in self.0.iter_mut().zip(state) {
            *words = [*word; N];
        }
    }
}

impl<const N: usize> Drop for States<N> {
    fn drop(&mut self) {
        self.0 = [[0; N]; 8];
        optimization_barrier(self);
    }
}

/// Code that computes `N` compressions at once. A value proves that the CPU has its instructions.
pub(in super::super) trait Engine<const N: usize>: Copy {
    /// The fewest busy lanes with which this is faster than one message after another.
    const MIN_LANES: usize;

    /// Compresses the first blocks of each lane's run into its state, as many as the shortest run
    /// has, and returns their number.
    fn compress(self, states: &mut States<N>, runs: &[&[[u8; BLOCK_LEN]]; N]) -> usize;

    /// All states as digests.
    fn digests(self, states: &States<N>, digests: &mut [[u8; DIGEST_LEN]; N]);
}

/// Words `4c` to `4c + 3` of a block or a digest.
#[cfg(vectors)]
#[inline(always)]
const fn four_words(bytes: &[u8], c: usize) -> &[u8; 16] {
    &bytes.as_chunks().0[c]
}

/// As [`four_words`], for writing.
#[cfg(vectors)]
#[inline(always)]
const fn four_words_mut(bytes: &mut [u8], c: usize) -> &mut [u8; 16] {
    &mut bytes.as_chunks_mut().0[c]
}

/// A vector of `N` words, one a lane. A value proves that the CPU has the instructions.
trait Words<const N: usize>: Copy {
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn load(words: &[u32; N]) -> Self;

    /// # Safety
    /// The CPU has the instructions.
    unsafe fn splat(word: u32) -> Self;

    /// Row `l` for the transposition: the 128-bit part `p` is words `4c` to `4c + 3` of the block
    /// of lane `4p + l`.
    ///
    /// # Safety
    /// The CPU has the instructions.
    unsafe fn load_row(blocks: &[&[u8; BLOCK_LEN]; N], l: usize, c: usize) -> Self;

    /// The reverse of `load_row`, for the words `4c` to `4c + 3` of digests.
    fn store_row(self, digests: &mut [[u8; DIGEST_LEN]; N], l: usize, c: usize);

    fn store(self, words: &mut [u32; N]);

    /// Within each 128-bit part, four rows of four words to four columns.
    fn transpose(rows: [Self; 4]) -> [Self; 4];

    fn add(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;

    /// Every lane `<<< L`; `R = 32 - L`.
    fn rotate_left<const L: i32, const R: i32>(self) -> Self;

    /// `FF_j` for `j ≥ 16`: the majority of three bits.
    fn majority(x: Self, y: Self, z: Self) -> Self;

    /// `GG_j` for `j ≥ 16`: `y` where `x` is set, else `z`.
    fn choose(x: Self, y: Self, z: Self) -> Self;

    /// `FF_j` and `GG_j` for `j < 16`.
    #[inline(always)]
    fn parity(x: Self, y: Self, z: Self) -> Self {
        x.xor(y).xor(z)
    }

    /// `P0` (4.4).
    #[inline(always)]
    fn p0(self) -> Self {
        Self::parity(
            self,
            self.rotate_left::<9, 23>(),
            self.rotate_left::<17, 15>(),
        )
    }

    /// `P1(y) ⊕ (z <<< 7) ⊕ v`, of the message expansion.
    #[inline(always)]
    fn expanded(y: Self, z: Self, v: Self) -> Self {
        let p1 = Self::parity(y, y.rotate_left::<15, 17>(), y.rotate_left::<23, 9>());
        Self::parity(p1, z.rotate_left::<7, 25>(), v)
    }
}

// Arrays are written out below. A closure that is not inlined would be compiled without the
// caller's instructions.

/// The words of one block a lane, transposed.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn message<const N: usize, V: Words<N>>(blocks: &[&[u8; BLOCK_LEN]; N]) -> [V; 16] {
    macro_rules! four_words {
        ($c:literal) => {
            // SAFETY: the caller's promise.
            V::transpose(unsafe {
                [
                    V::load_row(blocks, 0, $c),
                    V::load_row(blocks, 1, $c),
                    V::load_row(blocks, 2, $c),
                    V::load_row(blocks, 3, $c),
                ]
            })
        };
    }
    let [a0, a1, a2, a3] = four_words!(0);
    let [b0, b1, b2, b3] = four_words!(1);
    let [c0, c1, c2, c3] = four_words!(2);
    let [d0, d1, d2, d3] = four_words!(3);
    [
        a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3,
    ]
}

/// [`Engine::compress`], for any kind of vector.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn compress<const N: usize, V: Words<N>>(
    states: &mut States<N>,
    runs: &[&[[u8; BLOCK_LEN]]; N],
) -> usize {
    let count = runs
        .iter()
        .fold(usize::MAX, |least, run| least.min(run.len()));
    #[allow(clippy::needless_range_loop, reason = "the runs step together")]
    for i in 0..count {
        let blocks: [&[u8; BLOCK_LEN]; N] = core::array::from_fn(|l| &runs[l][i]);
        // W_{j-12} to W_{j+3} when round j begins, W_i at i mod 16.
        // SAFETY: the caller's promise.
        let mut w: [V; 16] = unsafe { message(&blocks) };
        // SAFETY: the caller's promise.
        let (mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h) = unsafe {
            (
                V::load(&states.0[0]),
                V::load(&states.0[1]),
                V::load(&states.0[2]),
                V::load(&states.0[3]),
                V::load(&states.0[4]),
                V::load(&states.0[5]),
                V::load(&states.0[6]),
                V::load(&states.0[7]),
            )
        };

        // Computes W_{j+4}, in the place of W_{j-12}, which no later round reads.
        macro_rules! expanded_word {
            ($j:expr) => {{
                let i = $j + 4;
                let y = V::parity(
                    w[i % 16],
                    w[(i + 7) % 16],
                    w[(i + 13) % 16].rotate_left::<15, 17>(),
                );
                w[i % 16] = V::expanded(y, w[(i + 3) % 16], w[(i + 10) % 16]);
                w[i % 16]
            }};
        }
        // W_{j+4} if it is a word of the message.
        macro_rules! message_word {
            ($j:expr) => {
                w[$j + 4]
            };
        }
        // One round; as in `compress.rs`, the names change places instead of the values.
        macro_rules! round {
            ($ff:ident, $gg:ident, $j:expr, $t:expr, $w4:ident,
             [$a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident]) => {
                let x = w[$j].xor($w4!($j));
                let a12 = $a.rotate_left::<12, 20>();
                // SAFETY: the caller's promise.
                let t = unsafe { V::splat($t[$j]) };
                let ss1 = a12.add(t).add($e).rotate_left::<7, 25>();
                $h = $h.add(w[$j]).add(V::$gg($e, $f, $g)).add(ss1).p0();
                $d = $d.add(x).add(V::$ff($a, $b, $c)).add(ss1.xor(a12));
                $b = $b.rotate_left::<9, 23>();
                $f = $f.rotate_left::<19, 13>();
            };
        }
        macro_rules! four_rounds {
            ($ff:ident, $gg:ident, $j:expr, $t:expr, $w4:ident) => {
                round!($ff, $gg, $j, $t, $w4, [a b c d e f g h]);
                round!($ff, $gg, $j + 1, $t, $w4, [d a b c h e f g]);
                round!($ff, $gg, $j + 2, $t, $w4, [c d a b g h e f]);
                round!($ff, $gg, $j + 3, $t, $w4, [b c d a f g h e]);
            };
        }
        four_rounds!(parity, parity, 0, T, message_word);
        four_rounds!(parity, parity, 4, T, message_word);
        four_rounds!(parity, parity, 8, T, message_word);
        four_rounds!(parity, parity, 12, T, expanded_word);
        for t in T[16..].as_chunks::<16>().0 {
            four_rounds!(majority, choose, 0, t, expanded_word);
            four_rounds!(majority, choose, 4, t, expanded_word);
            four_rounds!(majority, choose, 8, t, expanded_word);
            four_rounds!(majority, choose, 12, t, expanded_word);
        }
        for (words, v) in states.0.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            // SAFETY: the caller's promise.
            unsafe { V::load(words) }.xor(v).store(words);
        }
    }
    count
}

/// [`Engine::digests`], for any kind of vector.
///
/// # Safety
/// The CPU has the instructions.
#[inline(always)]
unsafe fn digests<const N: usize, V: Words<N>>(
    states: &States<N>,
    digests: &mut [[u8; DIGEST_LEN]; N],
) {
    for c in 0..2 {
        // SAFETY: the caller's promise.
        let columns = unsafe {
            [
                V::load(&states.0[4 * c]),
                V::load(&states.0[4 * c + 1]),
                V::load(&states.0[4 * c + 2]),
                V::load(&states.0[4 * c + 3]),
            ]
        };
        let [r0, r1, r2, r3] = V::transpose(columns);
        r0.store_row(digests, 0, c);
        r1.store_row(digests, 1, c);
        r2.store_row(digests, 2, c);
        r3.store_row(digests, 3, c);
    }
}

/// Implements [`Engine`] with the named instructions.
#[cfg(vectors)]
macro_rules! engine {
    ($engine:ident, $lanes:literal, $words:ident, min_lanes $min_lanes:literal, $instructions:literal) => {
        // WebAssembly has no CPU without the instructions that its module has.
        #[allow(unused_unsafe, reason = "needed on the other machines")]
        impl $crate::sm3::backend::lanes::Engine<$lanes> for $engine {
            const MIN_LANES: usize = $min_lanes;

            #[inline]
            fn compress(
                self,
                states: &mut $crate::sm3::backend::lanes::States<$lanes>,
                runs: &[&[[u8; $crate::sm3::BLOCK_LEN]]; $lanes],
            ) -> usize {
                #[target_feature(enable = $instructions)]
                fn compiled(
                    states: &mut $crate::sm3::backend::lanes::States<$lanes>,
                    runs: &[&[[u8; $crate::sm3::BLOCK_LEN]]; $lanes],
                ) -> usize {
                    // SAFETY: these instructions are enabled here.
                    unsafe { $crate::sm3::backend::lanes::compress::<$lanes, $words>(states, runs) }
                }
                // SAFETY: the CPU has them, as this value proves.
                unsafe { compiled(states, runs) }
            }

            #[inline]
            fn digests(
                self,
                states: &$crate::sm3::backend::lanes::States<$lanes>,
                digests: &mut [[u8; $crate::sm3::DIGEST_LEN]; $lanes],
            ) {
                #[target_feature(enable = $instructions)]
                fn compiled(
                    states: &$crate::sm3::backend::lanes::States<$lanes>,
                    digests: &mut [[u8; $crate::sm3::DIGEST_LEN]; $lanes],
                ) {
                    // SAFETY: these instructions are enabled here.
                    unsafe {
                        $crate::sm3::backend::lanes::digests::<$lanes, $words>(states, digests)
                    }
                }
                // SAFETY: the CPU has them, as this value proves.
                unsafe { compiled(states, digests) }
            }
        }
    };
}
#[cfg(vectors)]
use engine;
