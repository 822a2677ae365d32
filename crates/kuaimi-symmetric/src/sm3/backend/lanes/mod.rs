//! The compression function for many messages at once: `N` independent states in the lanes of vectors.
//!
//! Word `A` of all states is one vector, word `B` another, and so on; a round is then the standard's round with vectors
//! for words, and nothing goes from one lane to another. [`Words`] is what a round asks of a vector; each file here is one
//! kind of vector, with the entry points that are compiled for its instructions. [`Engine`] is what the callers see:
//! states and blocks in, states out.
//!
//! A message's words lie beside each other in memory and must lie in different vectors: the blocks are transposed on their
//! way in, four lanes by four words at a time within the 128-bit parts of a vector. Part `p` of a row is loaded from lane
//! `4p + l`, so that the columns come out with the lanes in order, and no step moves words between the parts.
//!
//! No branch and no index depends on data.

#![allow(unsafe_code, reason = "vector instructions")]
#![cfg_attr(
    any(not(target_arch = "x86_64"), miri),
    allow(dead_code, reason = "without vectors, messages go one by one")
)]

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx512;
#[cfg(test)]
mod model;
mod select;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod sse2;

use zeroize::optimization_barrier;

use super::super::compress::T;
use super::super::{BLOCK_LEN, DIGEST_LEN, State};

#[cfg(test)]
pub(in super::super) use model::Model;
pub(in super::super) use select::{Kind, selected, with_engine};

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

    /// Gives lane `l` a state.
    #[inline(always)]
    pub(in super::super) fn set(&mut self, l: usize, state: &State) {
        for (words, word) in self.0.iter_mut().zip(state) {
            words[l] = *word;
        }
    }

    /// Gives all lanes the same state.
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

/// Code that runs `N` compressions at once. A value is proof that this machine has its instructions.
pub(in super::super) trait Engine<const N: usize>: Copy {
    /// From how many busy lanes on this is faster than one stream after the other.
    const FEWEST: usize;

    /// Compresses the first blocks of each lane's run into its state, as many as the shortest run has, and returns how
    /// many these were.
    fn compress(self, states: &mut States<N>, runs: &[&[[u8; BLOCK_LEN]]; N]) -> usize;

    /// All states as digests.
    fn digests(self, states: &States<N>, digests: &mut [[u8; DIGEST_LEN]; N]);
}

/// Words `4c` to `4c + 3` of a block or a digest.
#[inline(always)]
const fn four_words(bytes: &[u8], c: usize) -> &[u8; 16] {
    &bytes.as_chunks().0[c]
}

/// As [`four_words`], to write there.
#[inline(always)]
const fn four_words_mut(bytes: &mut [u8], c: usize) -> &mut [u8; 16] {
    &mut bytes.as_chunks_mut().0[c]
}

/// A vector of `N` words, one a lane. A value is proof that this machine has the instructions.
trait Words<const N: usize>: Copy {
    /// # Safety
    /// The machine has the instructions.
    unsafe fn load(words: &[u32; N]) -> Self;

    /// # Safety
    /// The machine has the instructions.
    unsafe fn splat(word: u32) -> Self;

    /// Row `l` for the transposition: the 128-bit part `p` is words `4c` to `4c + 3` of the block of lane `4p + l`.
    ///
    /// # Safety
    /// The machine has the instructions.
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

// Arrays here are written out, without closures: what is not inlined is not compiled with the caller's instructions.

/// The words of one block a lane, transposed.
///
/// # Safety
/// The machine has the instructions.
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
/// The machine has the instructions.
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

        // W_{j+4}, over W_{j-12}, which no round reads any more.
        macro_rules! ahead {
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
        // W_{j+4} where it is a word of the message.
        macro_rules! there {
            ($j:expr) => {
                w[$j + 4]
            };
        }
        // One round; as in `compress.rs`, names move in place of values.
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
        four_rounds!(parity, parity, 0, T, there);
        four_rounds!(parity, parity, 4, T, there);
        four_rounds!(parity, parity, 8, T, there);
        four_rounds!(parity, parity, 12, T, ahead);
        for t in T[16..].as_chunks::<16>().0 {
            four_rounds!(majority, choose, 0, t, ahead);
            four_rounds!(majority, choose, 4, t, ahead);
            four_rounds!(majority, choose, 8, t, ahead);
            four_rounds!(majority, choose, 12, t, ahead);
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
/// The machine has the instructions.
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

/// An engine's entry points, compiled with the named instructions.
#[cfg(all(target_arch = "x86_64", not(miri)))]
macro_rules! engine {
    ($engine:ident, $lanes:literal, $words:ident, $fewest:literal, $instructions:literal) => {
        impl $crate::sm3::backend::lanes::Engine<$lanes> for $engine {
            const FEWEST: usize = $fewest;

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
                // SAFETY: the machine has them, of which this value is proof.
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
                // SAFETY: the machine has them, of which this value is proof.
                unsafe { compiled(states, digests) }
            }
        }
    };
}
#[cfg(all(target_arch = "x86_64", not(miri)))]
use engine;
