//! Keys, numbers, and random generators that do not work, for the tests of SM2's behaviour.

#![allow(
    dead_code,
    reason = "each test program uses its own part of this module"
)]

use kuaimi::sm2::{PrivateKey, parameters};
use num_bigint::BigUint;
use rand_core::{TryCryptoRng, TryRng};

pub(crate) fn secret(seed: u8) -> PrivateKey {
    PrivateKey::from_bytes(&[seed; 32]).expect("in range")
}

/// A 256-bit number in 32 bytes.
pub(crate) fn bytes(n: &BigUint) -> [u8; 32] {
    let short = n.to_bytes_be();
    let mut out = [0; 32];
    out[32 - short.len()..].copy_from_slice(&short);
    out
}

pub(crate) fn number(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_be(bytes)
}

pub(crate) fn order() -> BigUint {
    number(&parameters::n())
}

pub(crate) fn prime() -> BigUint {
    number(&parameters::p())
}

/// Random generators that do not work as they should.
pub(crate) enum Broken {
    /// Gives one byte again and again.
    Constant(u8),
    /// Gives these, one a call, and then fails.
    Gives(Vec<[u8; 32]>),
    Fails,
}

#[derive(Debug)]
pub(crate) struct NoRandomness;

impl std::fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("no randomness")
    }
}

impl std::error::Error for NoRandomness {}

impl TryRng for Broken {
    type Error = NoRandomness;

    fn try_next_u32(&mut self) -> Result<u32, NoRandomness> {
        let mut word = [0; 4];
        self.try_fill_bytes(&mut word)
            .map(|()| u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, NoRandomness> {
        let mut word = [0; 8];
        self.try_fill_bytes(&mut word)
            .map(|()| u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), NoRandomness> {
        match self {
            Self::Constant(byte) => {
                out.fill(*byte);
                Ok(())
            }
            Self::Gives(numbers) if !numbers.is_empty() => {
                out.copy_from_slice(&numbers.remove(0));
                Ok(())
            }
            Self::Gives(_) | Self::Fails => Err(NoRandomness),
        }
    }
}

impl TryCryptoRng for Broken {}
