//! Hashing to an integer in `[1, N − 1]` (GB/T 38635.2-2020, clauses 5.3.2.2 and 5.3.2.3).
//!
//! `Hi(Z) = (Ha mod (N − 1)) + 1`, where `Ha` is the first 40 bytes of
//! `SM3(i ‖ Z ‖ 1) ‖ SM3(i ‖ Z ‖ 2)`, the counters being 32 bits and `i` one byte.

#[cfg(feature = "batch")]
use alloc::{vec, vec::Vec};

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::scalar_from_hash;
use zeroize::Zeroizing;

use crate::sm3::Sm3;
#[cfg(feature = "batch")]
use crate::sm3::hash_many;

/// `H1(ID ‖ hid)`.
pub(super) fn h1(id: &[u8], hid: u8) -> U256 {
    let mut hash = Sm3::new();
    hash.update(&[1]);
    hash.update(id);
    hash.update(&[hid]);
    finish(&hash)
}

/// SM3 on the way to `H2(M ‖ w)`: it has absorbed the 2, and waits for the message.
pub(super) fn h2_message() -> Sm3 {
    let mut hash = Sm3::new();
    hash.update(&[2]);
    hash
}

/// `H2(M ‖ w)`, with SM3 that has absorbed the message.
pub(super) fn h2(message: &Sm3, w: &[u8]) -> U256 {
    let mut hash = message.clone();
    hash.update(w);
    finish(&hash)
}

/// `H2(M ‖ w)` of each item, with SM3 that has absorbed the message, in the lanes of SM3.
#[cfg(feature = "batch")]
pub(super) fn h2_many(messages: &[&Sm3], w: &[[u8; 384]]) -> Vec<U256> {
    // Both digests of an item are computed from the message on: in lanes this takes less time than
    // one of them does alone.
    let mut digests = Zeroizing::new(vec![[[0u8; 32]; DIGESTS]; messages.len()]);
    let inputs = messages.iter().zip(w).flat_map(|(message, w)| {
        let parts = |counter: &'static [u8; 4]| [w.as_slice(), counter.as_slice()];
        COUNTERS
            .each_ref()
            .map(|counter| (*message, parts(counter)))
    });
    hash_many(inputs, |i, digest| {
        digests.as_flattened_mut()[i] = digest;
    });
    digests.iter().map(from_digests).collect()
}

/// `Hi(Z)`, with SM3 that has absorbed `i ‖ Z`.
fn finish(hash: &Sm3) -> U256 {
    let mut digests = Zeroizing::new([[0u8; 32]; DIGESTS]);
    for (digest, counter) in digests.iter_mut().zip(&COUNTERS) {
        let mut hash = hash.clone();
        hash.update(counter);
        *digest = hash.finalize();
    }
    from_digests(&digests)
}

/// The digests of `Ha`.
const DIGESTS: usize = 2;
/// Their counters.
static COUNTERS: [[u8; 4]; DIGESTS] = [1u32.to_be_bytes(), 2u32.to_be_bytes()];

fn from_digests(ha: &[[u8; 32]; DIGESTS]) -> U256 {
    let ha = ha.as_flattened();
    let (first, _) = ha.split_first_chunk::<40>().unwrap_or((&[0; 40], &[]));
    scalar_from_hash(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages of all positions in a block, in any number.
    #[cfg(feature = "batch")]
    #[test]
    fn many_are_the_single_ones() {
        let w: Vec<[u8; 384]> = (0..67).map(|i| [i; 384]).collect();
        let messages: Vec<Sm3> = (0..67)
            .map(|i| {
                let mut message = h2_message();
                message.update(&vec![i as u8; i]);
                message
            })
            .collect();
        for count in [0, 1, 3, 17, 67] {
            let messages: Vec<&Sm3> = messages[..count].iter().collect();
            let hashes = h2_many(&messages, &w[..count]);
            assert_eq!(hashes.len(), count);
            for ((hash, message), w) in hashes.iter().zip(messages).zip(&w) {
                assert!(*hash == h2(message, w));
            }
        }
    }

    /// The standard's example, annex A.
    #[test]
    fn h1_of_the_standard() {
        let expected = "2ACC468C3926B0BDB2767E99FF26E084DE9CED8DBC7D5FBF418027B667862FAB";
        assert!(h1(b"Alice", 1) == U256::from_hex(expected));
        assert!(h1(b"Alice", 2) != U256::from_hex(expected));
    }
}
