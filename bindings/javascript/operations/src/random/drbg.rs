//! HMAC_DRBG with SM3 (NIST SP 800-90A, 10.1.2), for hosts whose random generator only answers
//! later. After each request the state goes on in one direction, so that who sees it later does not
//! learn earlier bytes.

use kuaimi::sm3::hmac_sm3;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// The least that a seed has: 256 bits of strength and 128 bits in place of the nonce.
pub const SEED_LENGTH: usize = 48;

/// Requests between two seeds. The standard allows 2⁴⁸.
const REQUESTS: u64 = 1 << 32;

/// The generator's state.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct HmacDrbg {
    key: [u8; 32],
    v: [u8; 32],
    requests: u64,
}

impl HmacDrbg {
    /// The generator for a seed (10.1.2.3).
    pub fn new(seed: &[u8]) -> Self {
        let mut drbg = Self {
            key: [0; 32],
            v: [1; 32],
            requests: 0,
        };
        drbg.update(seed);
        drbg
    }

    /// Takes in more entropy (10.1.2.4).
    pub fn reseed(&mut self, seed: &[u8]) {
        self.update(seed);
        self.requests = 0;
    }

    /// Fills `out`; `false` where a new seed is due (10.1.2.5).
    pub fn fill(&mut self, out: &mut [u8]) -> bool {
        if self.requests >= REQUESTS {
            return false;
        }
        self.requests += 1;
        for chunk in out.chunks_mut(32) {
            self.v = hmac_sm3(&self.key, &self.v);
            chunk.copy_from_slice(&self.v[..chunk.len()]);
        }
        self.update(&[]);
        true
    }

    /// HMAC_DRBG_Update (10.1.2.2).
    fn update(&mut self, provided: &[u8]) {
        for separator in [0u8, 1] {
            let input = Zeroizing::new([&self.v[..], &[separator], provided].concat());
            self.key = hmac_sm3(&self.key, &input);
            self.v = hmac_sm3(&self.key, &self.v);
            if provided.is_empty() {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    /// A second description of the standard's steps, without the state's type.
    fn expected(seed: &[u8], lengths: &[usize]) -> Vec<Vec<u8>> {
        let (mut key, mut v) = ([0u8; 32], [1u8; 32]);
        key = hmac_sm3(&key, &[&v[..], &[0], seed].concat());
        v = hmac_sm3(&key, &v);
        key = hmac_sm3(&key, &[&v[..], &[1], seed].concat());
        v = hmac_sm3(&key, &v);
        let one = |&length: &usize| {
            let mut out = Vec::new();
            while out.len() < length {
                v = hmac_sm3(&key, &v);
                out.extend_from_slice(&v);
            }
            out.truncate(length);
            key = hmac_sm3(&key, &[&v[..], &[0]].concat());
            v = hmac_sm3(&key, &v);
            out
        };
        lengths.iter().map(one).collect()
    }

    #[test]
    fn follows_the_standard() {
        let seed: Vec<u8> = (0..48).collect();
        let mut drbg = HmacDrbg::new(&seed);
        for out in expected(&seed, &[32, 1, 100, 0, 64]) {
            let mut ours = vec![0; out.len()];
            assert!(drbg.fill(&mut ours));
            assert_eq!(ours, out);
        }
    }

    #[test]
    fn a_seed_changes_what_follows() {
        let (mut a, mut b) = (HmacDrbg::new(&[7; 48]), HmacDrbg::new(&[7; 48]));
        b.reseed(&[8; 48]);
        let (mut x, mut y) = ([0; 32], [0; 32]);
        assert!(a.fill(&mut x) && b.fill(&mut y));
        assert_ne!(x, y);
    }

    #[test]
    fn asks_for_a_seed_in_time() {
        let mut drbg = HmacDrbg::new(&[7; 48]);
        drbg.requests = REQUESTS;
        assert!(!drbg.fill(&mut [0; 32]));
        drbg.reseed(&[9; 48]);
        assert!(drbg.fill(&mut [0; 32]));
    }
}
