//! Random bytes of the host that runs the WebAssembly.

use core::fmt;

use kuaimi::external::rand_core::{TryCryptoRng, TryRng};
use spin::Mutex;

use super::drbg::{HmacDrbg, SEED_LENGTH};
use crate::Result;

/// Fills bytes with the host's random generator: `false` where it has none, or it failed.
pub type Host = fn(&mut [u8]) -> bool;

static HOST: Mutex<Host> = Mutex::new(|_| false);
static SEEDED: Mutex<Option<HmacDrbg>> = Mutex::new(None);

/// Says what fills bytes.
pub fn set_host(host: Host) {
    *HOST.lock() = host;
}

/// Seeds the generator that is used in place of the host's function from then on.
///
/// # Errors
/// A seed of fewer than 48 bytes.
pub fn reseed(seed: &[u8]) -> Result<()> {
    if seed.len() < SEED_LENGTH {
        return Err(argument!("a seed has at least 48 random bytes"));
    }
    let mut seeded = SEEDED.lock();
    match &mut *seeded {
        Some(drbg) => drbg.reseed(seed),
        None => *seeded = Some(HmacDrbg::new(seed)),
    }
    Ok(())
}

/// The generator of all operations.
#[derive(Clone, Copy, Debug)]
pub struct Random;

/// The host has no random generator, or it failed.
#[derive(Clone, Copy, Debug)]
pub struct Unavailable;

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host has no random generator, or it failed")
    }
}

impl core::error::Error for Unavailable {}

impl TryRng for Random {
    type Error = Unavailable;

    fn try_next_u32(&mut self) -> core::result::Result<u32, Unavailable> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> core::result::Result<u64, Unavailable> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> core::result::Result<(), Unavailable> {
        let filled = match &mut *SEEDED.lock() {
            Some(drbg) => drbg.fill(out),
            None => {
                let host = *HOST.lock();
                host(out)
            }
        };
        filled.then_some(()).ok_or(Unavailable)
    }
}

impl TryCryptoRng for Random {}
