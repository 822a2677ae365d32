//! Hashing to an integer in `[1, N − 1]` (GB/T 38635.2-2020, clauses 5.3.2.2 and 5.3.2.3).
//!
//! `Hi(Z) = (Ha mod (N − 1)) + 1`, where `Ha` is the first 40 bytes of
//! `SM3(i ‖ Z ‖ 1) ‖ SM3(i ‖ Z ‖ 2)`, the counters being 32 bits and `i` one byte.

use kuaimi_math::arith::U256;
use kuaimi_math::sm9::group::scalar_from_hash;
use zeroize::Zeroizing;

use crate::sm3::Sm3;

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

/// `Hi(Z)`, with SM3 that has absorbed `i ‖ Z`.
fn finish(hash: &Sm3) -> U256 {
    let mut ha = Zeroizing::new([0u8; 64]);
    for (digest, counter) in ha.chunks_exact_mut(32).zip(1u32..) {
        let mut hash = hash.clone();
        hash.update(&counter.to_be_bytes());
        digest.copy_from_slice(&hash.finalize());
    }
    let (first, _) = ha.split_first_chunk::<40>().unwrap_or((&[0; 40], &[]));
    scalar_from_hash(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard's example, annex A.
    #[test]
    fn h1_of_the_standard() {
        let expected = "2ACC468C3926B0BDB2767E99FF26E084DE9CED8DBC7D5FBF418027B667862FAB";
        assert!(h1(b"Alice", 1) == U256::from_hex(expected));
        assert!(h1(b"Alice", 2) != U256::from_hex(expected));
    }
}
