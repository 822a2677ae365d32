//! The constants of a modulus that assembly reads from memory.

use crate::arith::modulus::Modulus;

/// `4m`, `2m`, `m` with five limbs each, and `−1/m mod 2⁶⁴`.
pub(super) struct Constants<M>(core::marker::PhantomData<M>);

impl<M: Modulus> Constants<M> {
    const WORDS: [u64; 16] = {
        let [m0, m1, m2, m3] = M::MODULUS.0;
        let mut words = [0; 16];
        let mut place = 0;
        while place < 2 {
            let shift = 2 - place;
            words[5 * place] = m0 << shift;
            words[5 * place + 1] = (m1 << shift) | (m0 >> (64 - shift));
            words[5 * place + 2] = (m2 << shift) | (m1 >> (64 - shift));
            words[5 * place + 3] = (m3 << shift) | (m2 >> (64 - shift));
            words[5 * place + 4] = m3 >> (64 - shift);
            place += 1;
        }
        words[10] = m0;
        words[11] = m1;
        words[12] = m2;
        words[13] = m3;
        words[15] = M::M0_NEG_INV;
        words
    };
    const TABLE: &'static [u64; 16] = &Self::WORDS;

    /// The address of the five limbs of the multiple at this place: `4m`, `2m`, `m`.
    #[inline(always)]
    pub(super) const fn multiple<const PLACE: usize>() -> *const u64 {
        Self::TABLE.split_at(5 * PLACE).1.as_ptr()
    }

    /// The address of the modulus. A zero and `−1/m mod 2⁶⁴` follow it.
    #[inline(always)]
    pub(super) const fn modulus() -> *const u64 {
        Self::multiple::<2>()
    }
}
