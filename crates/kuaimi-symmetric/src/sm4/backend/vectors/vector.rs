//! What the cipher needs of vectors. The folders of the machines have them: 128, 256 and 512 bits
//! on x86-64, 128 bits on AArch64.

use super::constants::Nibbles;

/// A vector of words, in lanes of four. Values of these types occur only in functions with the
/// vector's target features, into which all methods are inlined. (Closures may not be inlined: code
/// on vectors must not use `map` and `from_fn`.)
pub(super) trait Vector: Copy {
    /// The number of words in a vector.
    const WORDS: usize;

    fn splat(word: u32) -> Self;
    /// The same 16 bytes in every lane.
    fn constant(bytes: &'static [u8; 16]) -> Self;
    fn xor(self, other: Self) -> Self;
    fn add(self, other: Self) -> Self;
    /// The low and the high four bits of every byte.
    fn nibbles(self) -> [Self; 2];
    /// Byte `i` of a lane of the result is byte `places[i]` of the same lane.
    fn shuffle(self, places: Self) -> Self;
    /// The elements 0 and 1 of each lane of both vectors: `x₀ y₀ x₁ y₁`.
    fn interleave_low(self, other: Self) -> Self;
    /// The elements 2 and 3 of each lane of both vectors: `x₂ y₂ x₃ y₃`.
    fn interleave_high(self, other: Self) -> Self;
    /// The lower half of each lane of both vectors: `x₀ x₁ y₀ y₁`.
    fn low_halves(self, other: Self) -> Self;
    /// The upper half of each lane of both vectors: `x₂ x₃ y₂ y₃`.
    fn high_halves(self, other: Self) -> Self;
    /// # Safety
    /// As many bytes as the vector has must be readable at `at`.
    unsafe fn load(at: *const u8) -> Self;
    /// # Safety
    /// As many bytes as the vector has must be writable at `at`.
    unsafe fn store(self, at: *mut u8);

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        self.xor(y).xor(z)
    }

    /// A map of bytes, from the low and the high four bits of every byte.
    #[inline(always)]
    fn look_up([low, high]: [Self; 2], tables: &'static Nibbles) -> Self {
        let [low_table, high_table] = tables;
        let low = Self::constant(low_table).shuffle(low);
        low.xor(Self::constant(high_table).shuffle(high))
    }
}
