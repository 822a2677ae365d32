//! SM3 with the instructions of x86-64 (Intel since Lunar Lake and Arrow Lake), for one message or
//! for two at the same time.
//!
//! Two registers hold the state. One has `A`, `B`, `E`, `F` and the other `C`, `D`, `G`, `H`, the
//! first of each in the highest lane. `VSM3RNDS2` computes two rounds. It takes the words of the
//! second register as `A`, `B`, `E`, `F` of two rounds before: it rotates `C` and `D` by 9 bits,
//! `G` and `H` by 19, and replaces all four by the new `A`, `B`, `E`, `F`. So the registers change
//! their parts, and nothing moves. Between blocks the words of the second register stay rotated
//! back, which the sum of both states allows.
//!
//! `VSM3MSG1` and `VSM3MSG2` compute four words of the message expansion.
//!
//! A block is a chain of 32 instructions, each of which waits for the one before it. Two messages
//! fill the time between them.
//!
//! | module | what it is |
//! | --- | --- |
//! | `x86_64` | the vectors and the instructions |
//! | `model` | both in plain Rust, for the tests |
//!
//! No branch and no address depends on data.
//!
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, `VSM3MSG1`,
//! `VSM3MSG2` and `VSM3RNDS2`.

#[cfg(test)]
mod model;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86_64;

#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(super) use x86_64::{Pairs, compress_blocks};

/// Four words and the instructions on them. A value proves that the CPU has these. Lane 0 comes
/// first.
trait Words: Copy {
    fn xor(self, other: Self) -> Self;
    /// Each word rotated to the right by a number from 1 to 31.
    fn rotate_right(self, by: [u32; 4]) -> Self;
    /// `x₃ x₂ x₁ x₀`.
    fn reverse(self) -> Self;
    /// `x₀ x₁ y₀ y₁`.
    fn low_halves(self, other: Self) -> Self;
    /// `x₂ x₃ y₂ y₃`.
    fn high_halves(self, other: Self) -> Self;
    /// The four words from word `N` on of these four and four more.
    fn skip<const N: i32>(self, more: Self) -> Self;
    /// `VSM3MSG1`: the part of `W₁₆` to `W₁₉` that is known before `W₁₆`, from `W₇` to `W₁₀`, `W₁₃`
    /// to `W₁₅` (and any word) and `W₀` to `W₃`.
    fn expand_first(self, w13: Self, w0: Self) -> Self;
    /// `VSM3MSG2`: `W₁₆` to `W₁₉`, from the result of `expand_first`, `W₃` to `W₆` and `W₁₀` to
    /// `W₁₃`.
    fn expand_last(self, w3: Self, w10: Self) -> Self;
    /// `VSM3RNDS2`: the rounds `J` and `J + 1` on `H G D C` and `F E B A`, with `W_J`, `W_{J+1}`,
    /// `W_{J+4}` and `W_{J+5}`. The result is the next `F E B A`.
    fn two_rounds<const J: i32>(self, feba: Self, w: Self) -> Self;
}

/// `F E B A`, and `H G D C` rotated back.
type Halves<W> = [W; 2];

/// How far the second half is rotated.
const ROTATIONS: [u32; 4] = [19, 19, 9, 9];

/// `A` to `D` and `E` to `H` in the form of the instructions.
#[inline(always)]
fn halves<W: Words>(abcd: W, efgh: W) -> Halves<W> {
    let (dcba, hgfe) = (abcd.reverse(), efgh.reverse());
    let hgdc = hgfe.low_halves(dcba);
    [hgfe.high_halves(dcba), hgdc.rotate_right(ROTATIONS)]
}

/// The reverse of [`halves`].
#[inline(always)]
fn words<W: Words>([feba, hgdc]: Halves<W>) -> [W; 2] {
    let hgdc = hgdc.rotate_right(ROTATIONS.map(|by| 32 - by));
    // A B E F and C D G H.
    let (abef, cdgh) = (feba.reverse(), hgdc.reverse());
    [abef.low_halves(cdgh), abef.high_halves(cdgh)]
}

/// Compresses one block into each of `N` states.
#[inline(always)]
fn compress<W: Words, const N: usize>(states: &mut [Halves<W>; N], blocks: [[W; 4]; N]) {
    let start = *states;
    // W_j to W_{j+15} when round j begins, in the registers (j / 4 + i) mod 4.
    let mut w = blocks;
    macro_rules! four_rounds {
        ($q:literal) => {
            let mut next = [w[0][0]; N];
            for l in 0..N {
                let [w0, w4, w8, w12] = [
                    w[l][$q % 4],
                    w[l][($q + 1) % 4],
                    w[l][($q + 2) % 4],
                    w[l][($q + 3) % 4],
                ];
                let [feba, hgdc] = states[l];
                let first = hgdc.two_rounds::<{ 4 * $q }>(feba, w0.low_halves(w4));
                let second = feba.two_rounds::<{ 4 * $q + 2 }>(first, w0.high_halves(w4));
                states[l] = [second, first];
                // The last rounds need no word after W_67.
                if $q < 13 {
                    let known = w4.skip::<3>(w8).expand_first(w12.skip::<1>(w12), w0);
                    next[l] = known.expand_last(w0.skip::<3>(w4), w8.skip::<2>(w12));
                }
            }
            for l in 0..N {
                w[l][$q % 4] = next[l];
            }
        };
    }
    four_rounds!(0);
    four_rounds!(1);
    four_rounds!(2);
    four_rounds!(3);
    four_rounds!(4);
    four_rounds!(5);
    four_rounds!(6);
    four_rounds!(7);
    four_rounds!(8);
    four_rounds!(9);
    four_rounds!(10);
    four_rounds!(11);
    four_rounds!(12);
    four_rounds!(13);
    four_rounds!(14);
    four_rounds!(15);
    for (state, start) in states.iter_mut().zip(start) {
        *state = [state[0].xor(start[0]), state[1].xor(start[1])];
    }
}
