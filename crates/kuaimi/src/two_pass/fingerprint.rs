//! Fingerprints of the pieces of an input that is read twice.
//!
//! POLYVAL (RFC 8452) is a universal hash. Its key is random and never leaves the process. Without
//! the key, two pieces of a megabyte that have the same fingerprint are found with a probability of
//! 2⁻¹¹² a try.

use polyval::Polyval;
use polyval::universal_hash::UniversalHash;
use rand_core::TryRng;
use zeroize::Zeroizing;

use super::Error;

/// The fingerprints of pieces, in order.
pub(crate) struct Fingerprints {
    key: Zeroizing<[u8; 16]>,
    pieces: Vec<[u8; 16]>,
}

impl Fingerprints {
    /// No piece yet, under a new random key.
    pub(crate) fn new() -> Result<Self, Error> {
        let mut key = Zeroizing::new([0; 16]);
        getrandom::SysRng
            .try_fill_bytes(key.as_mut())
            .map_err(|_| Error::Random)?;
        Ok(Self {
            key,
            pieces: Vec::new(),
        })
    }

    /// The fingerprint of one piece. Zeros fill its last block, so only pieces of the same length
    /// may be compared: those of one place are.
    fn of(&self, piece: &[u8]) -> [u8; 16] {
        let mut hash = Polyval::new((&*self.key).into());
        hash.update_padded(piece);
        hash.finalize().into()
    }

    /// Remembers the next piece.
    pub(crate) fn push(&mut self, piece: &[u8]) {
        let fingerprint = self.of(piece);
        self.pieces.push(fingerprint);
    }

    /// Whether the piece at `index` is the one remembered.
    pub(crate) fn matches(&self, index: usize, piece: &[u8]) -> bool {
        self.pieces.get(index) == Some(&self.of(piece))
    }
}
