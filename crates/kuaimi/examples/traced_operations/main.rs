//! Runs whole operations on secrets, each with several secrets, for `make trace-aarch64`: an
//! emulator follows every instruction between the entry of a function `traced_…` and the return to
//! the function that called it, `drive_…`. The argument chooses the operations: `ciphers` (SM3 and
//! SM4), `sm2` or `sm9`.

mod ciphers;
mod sm2;
mod sm9;

use std::convert::Infallible;
use std::hint::black_box;

use rand_core::{TryCryptoRng, TryRng};

/// Each operation is run with so many secrets.
const SECRETS: u8 = 5;

/// One of the secrets that each operation is run with.
#[derive(Clone, Copy)]
struct Secret(u8);

impl Secret {
    /// All bits zero, all bits one, or bytes that look random; other ones for another `seed`.
    fn bytes<const N: usize>(self, seed: u8) -> [u8; N] {
        let mut bytes = [0; N];
        match self.0 {
            0 => {}
            1 => bytes.fill(0xff),
            _ => self.random(seed).fill(&mut bytes),
        }
        bytes
    }

    /// A number that is a private key of SM2 and of SM9: one, near the order, with halves of zeros,
    /// or one that looks random.
    fn number(self, seed: u8) -> [u8; 32] {
        let mut bytes = self.bytes(seed);
        match self.0 {
            0 => bytes[31] = 1,
            1 => bytes[0] = 0xb5,
            2 => bytes[..16].fill(0),
            3 => bytes[16..].fill(0),
            _ => {}
        }
        bytes[0] = bytes[0].min(0xb5);
        bytes
    }

    /// A random generator whose output is secret.
    fn random(self, seed: u8) -> Random {
        Random(u64::from(self.0) << 8 | u64::from(seed))
    }
}

/// A random generator that repeats: SplitMix64. The first and the last byte of each word are below
/// 128, so that no number is drawn again because it is not below an order: that would be a
/// difference, though not one that tells of the number that is used.
struct Random(u64);

impl Random {
    fn fill(&mut self, out: &mut [u8]) {
        for chunk in out.chunks_mut(8) {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            let word = (z ^ (z >> 31)) & 0x7FFF_FFFF_FFFF_FF7F;
            chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
        }
    }
}

impl TryRng for Random {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut word = [0; 4];
        self.fill(&mut word);
        Ok(u32::from_le_bytes(word))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut word = [0; 8];
        self.fill(&mut word);
        Ok(u64::from_le_bytes(word))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.fill(out);
        Ok(())
    }
}

impl TryCryptoRng for Random {}

/// Calls an operation with each secret, made ready by `prepare`. The first call chooses the
/// implementations.
#[inline(never)]
fn drive_each<I, O>(prepare: impl Fn(Secret) -> I, traced: fn(I) -> O) {
    for secret in [0].into_iter().chain(0..SECRETS).map(Secret) {
        let input = black_box(prepare(secret));
        black_box(&traced(input));
    }
}

/// What the check must find: a branch that depends on a secret.
#[inline(never)]
fn traced_leaking_branch(secret: [u8; 1]) -> u8 {
    if black_box(secret)[0] & 1 == 1 {
        black_box(3)
    } else {
        black_box(secret)[0]
    }
}

fn main() {
    // Another row than the one that is asked for would be traced.
    kuaimi::check_backend_variable().expect("a row of this machine");
    match std::env::args().nth(1).as_deref() {
        Some("ciphers") => ciphers::operations(),
        Some("sm2") => sm2::operations(),
        Some("sm9") => sm9::operations(),
        _ => panic!("usage: traced_operations ciphers|sm2|sm9"),
    }
    drive_each(|secret| secret.bytes(0), traced_leaking_branch);
    println!("{}", kuaimi::backend());
}
