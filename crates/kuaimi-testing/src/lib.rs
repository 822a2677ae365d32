//! What the tests of the library's crates share: numbers that are the same on every run, children
//! of a process, the search for secrets in its memory, and the table of errors.

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub mod child_memory;
pub mod error_table;
#[cfg(target_os = "linux")]
pub mod forks;

use rand_core::{TryCryptoRng, TryRng};

/// `count`, or the fraction of it that `KUAIMI_TEST_DIVISOR` asks for, as emulated machines are
/// slow, or the multiple that `KUAIMI_TEST_FACTOR` asks for, for the random tests by the million
/// (`make test-millions`).
pub fn rounds(count: usize) -> usize {
    let number = |name| {
        let value = std::env::var(name).ok();
        value.and_then(|v| v.parse().ok()).unwrap_or(1).max(1)
    };
    (count * number("KUAIMI_TEST_FACTOR")).div_ceil(number("KUAIMI_TEST_DIVISOR"))
}

/// SplitMix64 (Steele, Lea and Flood, 2014). Not random at all, which is the point.
pub struct Repeatable(pub u64);

impl Repeatable {
    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number of 256 bits, its lowest limb first: evenly spread, or made of the limbs that
    /// carries and borrows run through.
    pub fn number(&mut self) -> [u64; 4] {
        let shape = self.word();
        core::array::from_fn(|i| match (shape >> (4 * i)) & 15 {
            0 => 0,
            1 => u64::MAX,
            2 => 1,
            3 => u64::MAX << 32,
            4 => 0xFFFF_FFFF,
            5 => 1 << 63,
            _ => self.word(),
        })
    }
}

impl TryRng for Repeatable {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(self.word() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.word().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Repeatable {}

/// A generator that gives one byte again and again.
pub struct Stuck(pub u8);

impl TryRng for Stuck {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(u32::from_le_bytes([self.0; 4]))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(u64::from_le_bytes([self.0; 8]))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.fill(self.0);
        Ok(())
    }
}

impl TryCryptoRng for Stuck {}
