//! The tweaks of XTS in vectors: see [`tweaks`](crate::sm4::tweaks).

use super::super::super::tweaks::Eight;
use super::super::super::{BLOCK_LEN, XtsStandard};
use super::vector::Vector;

const NONE: u8 = 0xff;

/// The operands of `PSHUFB` that move the bytes of a lane up by one, and its last byte to the
/// first place, to the second, and from the second to the first and back. A place from 128 on
/// gives zero.
static UP: [u8; 16] = [NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
static LAST_TO_FIRST: [u8; 16] = places(15, NONE);
static LAST_TO_SECOND: [u8; 16] = places(NONE, 15);
static SWAP_FIRST: [u8; 16] = places(1, 0);

const fn places(first: u8, second: u8) -> [u8; 16] {
    let mut places = [NONE; 16];
    (places[0], places[1]) = (first, second);
    places
}

/// Shifts of words.
pub(super) trait Shift: Vector {
    /// To higher bits, by 1, 2 and 7 places.
    fn up(self) -> [Self; 3];
    /// To lower bits, by 1, 2 and 7 places.
    fn down(self) -> [Self; 3];
}

/// Tweaks times X⁸.
#[inline(always)]
fn eight_steps<V: Shift>(standard: XtsStandard, tweaks: V) -> V {
    let moved = tweaks.shuffle(V::constant(&UP));
    match standard {
        XtsStandard::Ieee => {
            let out = tweaks.shuffle(V::constant(&LAST_TO_FIRST));
            let [one, two, seven] = out.up();
            moved.xor3(out, one).xor3(two, seven)
        }
        // The bits are in reverse order within bytes, so the first byte is the upper one.
        XtsStandard::Gb => {
            let out = tweaks.shuffle(V::constant(&LAST_TO_SECOND));
            let [one, two, seven] = out.down();
            let product = out.xor(one).xor3(two, seven);
            moved.xor(product.shuffle(V::constant(&SWAP_FIRST)))
        }
    }
}

/// All eights after the first, each from the one before.
#[inline(always)]
pub(super) fn fill<V: Shift>(standard: XtsStandard, tweaks: &mut [Eight]) {
    let bytes = 4 * V::WORDS;
    let (first, rest) = match tweaks {
        [first, rest @ ..] => (first, rest),
        [] => return,
    };
    // Eight tweaks are eight vectors at most.
    let count = size_of::<Eight>() / bytes;
    let mut vectors = [V::splat(0); 8 * BLOCK_LEN / 16];
    for (i, vector) in vectors.iter_mut().take(count).enumerate() {
        // SAFETY: `count` vectors are as long as eight tweaks.
        *vector = unsafe { V::load(first.as_ptr().cast::<u8>().add(bytes * i)) };
    }
    for eight in rest {
        for (i, vector) in vectors.iter_mut().take(count).enumerate() {
            *vector = eight_steps(standard, *vector);
            // SAFETY: as above.
            unsafe { vector.store(eight.as_mut_ptr().cast::<u8>().add(bytes * i)) }
        }
    }
}
