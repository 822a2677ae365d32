//! The operations on vectors of 64-bit words that the kernels of the engines need.
//!
//! The kernels are written once, for the traits [`Simd`] and [`Fused`]. `PlainWords` implements
//! them with plain integers, for tests on every machine. The instruction sets implement most
//! operations with one instruction.
//!
//! | module | what it does |
//! | --- | --- |
//! | `x86` | the operations with AVX2, AVX-IFMA, AVX-512, and AVX-512 IFMA |
//! | `entries` | entries of tables, looked up and transposed with AVX-512 |
//! | `interval` | intervals instead of words, in tests |

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod entries;
#[cfg(test)]
pub mod interval;
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub mod x86;

use core::fmt::Debug;

use zeroize::Zeroize;

use super::super::backend::look_up;
#[cfg(test)]
use super::super::radix52::{BITS, MASK};
#[cfg(test)]
use super::super::u256;
use super::super::u256::Limbs;
use super::{MAX_LANES, Pair, inlined_array};

/// A vector of 64-bit words, one a lane. All operations are on each lane separately, modulo `2⁶⁴`.
///
/// A method of an instruction set becomes an instruction if it is inlined into a function with the
/// right target features. The methods must be called only on CPUs with these features; the engines
/// make sure of that.
pub trait Simd: Copy + Debug + Send + Sync + 'static {
    /// The name of the engine with these vectors.
    const NAME: &'static str;
    /// The number of words.
    const LANES: usize;
    /// One condition a lane.
    type Mask: Copy + Debug + Send + Sync + 'static;

    /// Whether [`shr_signed`](Self::shr_signed) is one instruction.
    const SHIFTS_SIGNED: bool;

    /// Calls `f` in a function that is compiled with the instructions: see
    /// [`Lanes`](super::Lanes).
    fn with_target_features<T>(f: impl FnOnce() -> T) -> T;
    /// As [`with_target_features`](Self::with_target_features), in a function that is never
    /// inlined: for kernels that are long.
    fn call<T>(f: impl FnOnce() -> T) -> T;

    /// `value` in every lane.
    fn splat(value: u64) -> Self;
    /// The first `LANES` words of a slice, which must have as many.
    fn load(words: &[u64]) -> Self;
    /// Writes the lanes to the first `LANES` words of a slice, which must have as many.
    fn store(self, words: &mut [u64]);
    /// `self + b`.
    fn add(self, b: Self) -> Self;
    /// `self − b`.
    fn sub(self, b: Self) -> Self;
    /// `self & b`.
    fn and(self, b: Self) -> Self;
    /// `self | b`.
    fn or(self, b: Self) -> Self;
    /// `self ^ b`.
    fn xor(self, b: Self) -> Self;
    /// `self · 2^N`.
    fn shl<const N: u32>(self) -> Self;
    /// `⌊self / 2^N⌋` of unsigned words.
    fn shr<const N: u32>(self) -> Self;
    /// `⌊self / 2^N⌋` of signed words, for `N` below 64.
    fn shr_signed<const N: u32>(self) -> Self;
    /// The product of the low 32 bits of `self` and `b`.
    fn mul32(self, b: Self) -> Self;
    /// Where `self = b`.
    fn eq(self, b: Self) -> Self::Mask;
    /// `a` where the mask is set, `b` elsewhere.
    fn blend(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// `table[index]` for the index in each lane, of which only the low four bits are used. The
    /// whole table is read.
    fn permute16(table: &[u64; 16], index: Self) -> Self;
    /// As [`permute16`](Self::permute16), for words of 32 bits and indices below 16. The upper
    /// halves of the lanes have no meaning.
    #[inline(always)]
    fn permute16_of_32(table: &[u32; 16], index: Self) -> Self {
        Self::permute16(&table.map(u64::from), index)
    }
    /// Lane `from[i]` in lane `i`, for positions below `LANES`; those past the last lane are
    /// ignored.
    fn permute(self, from: &[u64; MAX_LANES]) -> Self;
    /// Where one or the other is set.
    fn mask_or(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// The mask with these bits: bit `i` for lane `i`.
    fn mask(bits: u64) -> Self::Mask;
    /// The bits of a mask: bit `i` for lane `i`.
    fn bits(mask: Self::Mask) -> u64;

    /// The words of a number for each lane: word `i` of all numbers in vector `i`. The numbers past
    /// the last lane are ignored.
    #[inline(always)]
    fn load_numbers(numbers: &[&Limbs; MAX_LANES]) -> [Self; 4] {
        let mut words = [[0; MAX_LANES]; 4];
        for (lane, number) in numbers.iter().enumerate() {
            for (row, word) in words.iter_mut().zip(*number) {
                row[lane] = *word;
            }
        }
        inlined_array!(4, |i| Self::load(&words[i]))
    }

    /// The number in each lane, for word `i` of all numbers in vector `i`. Those past the last lane
    /// are zero.
    #[inline(always)]
    fn store_numbers(words: [Self; 4]) -> [Limbs; MAX_LANES] {
        let mut rows = [[0; MAX_LANES]; 4];
        for (row, word) in rows.iter_mut().zip(words) {
            word.store(row);
        }
        let mut numbers = [[0; 4]; MAX_LANES];
        for (lane, number) in numbers.iter_mut().enumerate() {
            *number = inlined_array!(4, |i| rows[i][lane]);
        }
        numbers
    }

    /// The eight words of an entry for each lane: word `i` of all entries in vector `i`. Zero in
    /// the lanes past the last entry.
    #[inline(always)]
    fn load_entries(entries: &[&Pair]) -> [Self; 8] {
        let zero = [0; 4];
        let (mut x, mut y) = ([&zero; MAX_LANES], [&zero; MAX_LANES]);
        for ((x, y), entry) in x.iter_mut().zip(&mut y).zip(entries) {
            [*x, *y] = [&entry[0], &entry[1]];
        }
        let [x0, x1, x2, x3] = Self::load_numbers(&x);
        let [y0, y1, y2, y3] = Self::load_numbers(&y);
        [x0, x1, x2, x3, y0, y1, y2, y3]
    }

    /// [`load_entries`](Self::load_entries) for the entry of each table at a secret index below its
    /// length. All of every table is read, and no address depends on the indices.
    #[inline(always)]
    fn look_up_entries(tables: &[&[Pair]], indices: &[u32]) -> [Self; 8] {
        let mut found = [[[0; 4]; 2]; MAX_LANES];
        for ((found, table), index) in found.iter_mut().zip(tables).zip(indices) {
            *found = look_up(table, *index);
        }
        let [a, b, c, d, e, f, g, h] = &found;
        let all = [a, b, c, d, e, f, g, h];
        let entries = Self::load_entries(&all[..tables.len()]);
        found.zeroize();
        entries
    }

    /// 0 in every lane.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0)
    }
}

/// Vectors with the fused multiplication of 52-bit numbers.
pub trait Fused: Simd {
    /// `self + (a·b mod 2⁵²)` of the low 52 bits of `a` and `b`.
    fn madd_lo(self, a: Self, b: Self) -> Self;
    /// `self + ⌊a·b / 2⁵²⌋` of the low 52 bits of `a` and `b`.
    fn madd_hi(self, a: Self, b: Self) -> Self;
}

/// A vector of four words, with operations that move words between lanes.
pub trait FourWords: Simd {
    /// The word of one lane, in every lane.
    fn spread(words: &Self, lane: usize) -> Self;
    /// The lanes moved up by `R`, 1 to 3, with the topmost lanes of `wrapped` as the lowest.
    fn rotate_lanes<const R: usize>(self, wrapped: Self) -> Self;
}

/// [`Simd`] with `N` plain integers. The operations are not inlined, as the doubling of a point
/// would be thirty thousand instructions.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainWords<const N: usize>([u64; N]);

#[cfg(test)]
impl<const N: usize> PlainWords<N> {
    #[inline]
    fn zip(self, b: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(core::array::from_fn(|i| f(self.0[i], b.0[i])))
    }

    #[inline]
    fn product(self, b: Self, part: impl Fn(u128) -> u64) -> Self {
        self.zip(b, |a, b| {
            part(u128::from(a & MASK) * u128::from(b & MASK)) & MASK
        })
    }
}

#[cfg(test)]
impl<const N: usize> Simd for PlainWords<N> {
    const NAME: &'static str = "plain words";
    const LANES: usize = N;
    const SHIFTS_SIGNED: bool = true;
    type Mask = u64;

    #[inline(always)]
    fn with_target_features<T>(f: impl FnOnce() -> T) -> T {
        // A function of its own, as with the instruction sets.
        #[inline(never)]
        fn compiled<T>(f: impl FnOnce() -> T) -> T {
            f()
        }
        compiled(f)
    }
    fn call<T>(f: impl FnOnce() -> T) -> T {
        Self::with_target_features(f)
    }

    #[inline(never)]
    fn splat(value: u64) -> Self {
        Self([value; N])
    }
    #[inline(never)]
    fn load(words: &[u64]) -> Self {
        Self(core::array::from_fn(|i| words[i]))
    }
    #[inline(never)]
    fn store(self, words: &mut [u64]) {
        words[..N].copy_from_slice(&self.0);
    }
    #[inline(never)]
    fn add(self, b: Self) -> Self {
        self.zip(b, u64::wrapping_add)
    }
    #[inline(never)]
    fn sub(self, b: Self) -> Self {
        self.zip(b, u64::wrapping_sub)
    }
    #[inline(never)]
    fn and(self, b: Self) -> Self {
        self.zip(b, |a, b| a & b)
    }
    #[inline(never)]
    fn or(self, b: Self) -> Self {
        self.zip(b, |a, b| a | b)
    }
    #[inline(never)]
    fn xor(self, b: Self) -> Self {
        self.zip(b, |a, b| a ^ b)
    }
    #[inline(never)]
    fn shl<const K: u32>(self) -> Self {
        Self(self.0.map(|a| a << K))
    }
    #[inline(never)]
    fn shr<const K: u32>(self) -> Self {
        Self(self.0.map(|a| a >> K))
    }
    #[inline(never)]
    fn shr_signed<const K: u32>(self) -> Self {
        Self(self.0.map(|a| (a as i64 >> K) as u64))
    }
    #[inline(never)]
    fn mul32(self, b: Self) -> Self {
        self.zip(b, |a, b| (a & 0xFFFF_FFFF) * (b & 0xFFFF_FFFF))
    }
    #[inline(never)]
    fn eq(self, b: Self) -> u64 {
        (0..N).fold(0, |bits, i| bits | (u64::from(self.0[i] == b.0[i]) << i))
    }
    #[inline(never)]
    fn blend(mask: u64, a: Self, b: Self) -> Self {
        Self(core::array::from_fn(|i| {
            let set = u256::mask((mask >> i) & 1 == 1);
            b.0[i] ^ (set & (a.0[i] ^ b.0[i]))
        }))
    }
    #[inline(never)]
    fn permute16(table: &[u64; 16], index: Self) -> Self {
        Self(index.0.map(|i| {
            (0..16).fold(0, |word, j| {
                word | (table[j] & u256::mask(i & 15 == j as u64))
            })
        }))
    }
    #[inline(never)]
    fn permute(self, from: &[u64; MAX_LANES]) -> Self {
        Self(core::array::from_fn(|i| self.0[from[i] as usize]))
    }
    #[inline(never)]
    fn mask_or(a: u64, b: u64) -> u64 {
        a | b
    }
    #[inline(never)]
    fn mask(bits: u64) -> u64 {
        bits & (u64::MAX >> (64 - N))
    }
    #[inline(never)]
    fn bits(mask: u64) -> u64 {
        mask
    }
}

#[cfg(test)]
impl<const N: usize> Fused for PlainWords<N> {
    #[inline(never)]
    fn madd_lo(self, a: Self, b: Self) -> Self {
        self.add(a.product(b, |p| p as u64))
    }
    #[inline(never)]
    fn madd_hi(self, a: Self, b: Self) -> Self {
        self.add(a.product(b, |p| (p >> BITS) as u64))
    }
}

#[cfg(test)]
impl FourWords for PlainWords<4> {
    fn spread(words: &Self, lane: usize) -> Self {
        Self([words.0[lane]; 4])
    }
    fn rotate_lanes<const R: usize>(self, wrapped: Self) -> Self {
        Self(core::array::from_fn(|i| {
            if i < R {
                wrapped.0[i + 4 - R]
            } else {
                self.0[i - R]
            }
        }))
    }
}
