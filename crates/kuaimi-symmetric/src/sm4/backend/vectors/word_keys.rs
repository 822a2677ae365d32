//! The key schedule on words, for vectors whose S-box is a look-up.

use core::marker::PhantomData;

use super::super::super::KEY_LEN;
use super::super::super::schedule::{self, Substitute};
use super::super::RoundKeys;
use super::inversion::{Substitution, transform_key};
use super::machine::V128;

/// The S-box on the four bytes of a word, by an inversion of vectors.
struct VectorSbox<W>(PhantomData<W>);

impl<W: Substitution<Vector = V128>> Substitute for VectorSbox<W> {
    #[inline(always)]
    fn substitute(word: u32) -> u32 {
        W::substitute(transform_key::<W>(word)).first_word()
    }
}

/// The transformed round keys: `E·k + T·c` for each byte `k`, in the order of memory.
#[inline(always)]
pub(super) fn round_keys<Short: Substitution<Vector = V128>>(key: &[u8; KEY_LEN]) -> RoundKeys {
    let mut keys = schedule::round_keys::<VectorSbox<Short>>(key);
    for (i, key) in keys.iter_mut().enumerate() {
        *key = transform_key::<Short>(key.swap_bytes()).first_word();
        if schedule::lacks_constant(i) {
            *key ^= Short::LACKING;
        }
    }
    keys
}
