//! The nonces of signatures.
//!
//! A nonce that repeats over two messages, or of which a few bits can be guessed over many, gives the private key away.
//! So a nonce is never random alone:
//!
//! - *Hedged*, the default: `k = SM3(nk ‖ 0³² ‖ e ‖ random ‖ counter)`, where `nk = SM3("Kuaimi SM2 nonce key" ‖ d)`. It is
//!   a pseudo-random function of the digest and fresh randomness under a key that only the signer has: with a good
//!   generator it is as good as random, and with a broken one — even a constant one — it is what a deterministic scheme
//!   gives. `nk` and the zeros fill one block of SM3, compressed once a key; the rest, with 22 random bytes, fills one more.
//! - *Deterministic*, on request: RFC 6979 with HMAC-SM3.
//! - *Given by the caller*, for the standard's vectors, under the feature `hazmat` only.
//!
//! Each source gives candidates of 256 bits; signing drops one that is zero or not below `n`, which happens once in 2³², and
//! asks for another.

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::{Error, SecretKey};
use crate::sm3::{self, Sm3};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::scalar_reduce;

/// Fresh randomness in a hedged nonce: with the digest, the counter and SM3's padding (9 bytes) it fills one block.
pub(super) const RANDOM_LEN: usize = 64 - 9 - 32 - 1;

/// A sequence of candidates for the nonce of one signature, any 256-bit numbers: the next is asked for only in the rare case
/// that one is out of range or leads to no signature.
pub(super) trait NonceSource {
    fn next(&mut self) -> Result<U256, Error>;
}

/// What hedged nonces are derived from: SM3 after the block that holds the nonce key.
#[derive(Clone)]
pub(super) struct NonceKey(Sm3);

impl NonceKey {
    pub(super) fn new(secret: &SecretKey) -> Self {
        let mut derive = Sm3::new();
        derive.update(b"Kuaimi SM2 nonce key");
        derive.update(secret.to_bytes().as_ref());
        let mut block = Zeroizing::new([0u8; 64]);
        block[..32].copy_from_slice(&derive.finalize());
        let mut state = Sm3::new();
        state.update(block.as_ref());
        Self(state)
    }

    /// SM3 after the block that holds the nonce key.
    pub(super) fn hash(&self) -> &Sm3 {
        &self.0
    }
}

/// Random and derived from key and digest.
pub(super) struct Hedged<'a, R: ?Sized> {
    pub(super) key: &'a NonceKey,
    pub(super) digest: &'a [u8; 32],
    pub(super) rng: &'a mut R,
    pub(super) counter: u8,
}

impl<R: TryCryptoRng + ?Sized> NonceSource for Hedged<'_, R> {
    fn next(&mut self) -> Result<U256, Error> {
        let mut random = Zeroizing::new([0u8; RANDOM_LEN]);
        self.rng
            .try_fill_bytes(random.as_mut())
            .map_err(|_| Error::Random)?;
        let mut hash = self.key.hash().clone();
        hash.update(self.digest);
        hash.update(random.as_ref());
        // So that the next candidate is another one, also where the generator is stuck.
        hash.update(&[self.counter]);
        self.counter = self.counter.wrapping_add(1);
        let candidate = Zeroizing::new(hash.finalize());
        Ok(U256::from_be_bytes(&candidate))
    }
}

/// RFC 6979, clause 3.2, with HMAC-SM3; the private key and the digest alone decide.
pub(super) struct Deterministic {
    k: Zeroizing<[u8; 32]>,
    v: Zeroizing<[u8; 32]>,
    started: bool,
}

impl Deterministic {
    pub(super) fn new(secret: &SecretKey, digest: &[u8; 32]) -> Self {
        // bits2octets(h1): the digest modulo n.
        let reduced = scalar_reduce(&U256::from_be_bytes(digest)).to_be_bytes();
        let mut this = Self {
            k: Zeroizing::new([0; 32]),
            v: Zeroizing::new([1; 32]),
            started: false,
        };
        for separator in [0u8, 1] {
            // K = HMAC(K, V ‖ separator ‖ int2octets(x) ‖ bits2octets(h1)); V = HMAC(K, V)
            let mut input = Zeroizing::new([0u8; 97]);
            input[..32].copy_from_slice(this.v.as_ref());
            input[32] = separator;
            input[33..65].copy_from_slice(secret.to_bytes().as_ref());
            input[65..].copy_from_slice(&reduced);
            *this.k = sm3::hmac_sm3(this.k.as_ref(), input.as_ref());
            this.step();
        }
        this
    }

    /// `V = HMAC(K, V)`.
    fn step(&mut self) {
        *self.v = sm3::hmac_sm3(self.k.as_ref(), self.v.as_ref());
    }
}

impl NonceSource for Deterministic {
    fn next(&mut self) -> Result<U256, Error> {
        if self.started {
            // The last candidate did not serve: K = HMAC(K, V ‖ 00); V = HMAC(K, V)
            let mut input = Zeroizing::new([0u8; 33]);
            input[..32].copy_from_slice(self.v.as_ref());
            *self.k = sm3::hmac_sm3(self.k.as_ref(), input.as_ref());
            self.step();
        }
        self.started = true;
        self.step();
        Ok(U256::from_be_bytes(&self.v))
    }
}

/// One nonce, from the caller.
#[cfg(feature = "hazmat")]
pub(super) struct Given(pub(super) Option<U256>);

#[cfg(feature = "hazmat")]
impl NonceSource for Given {
    fn next(&mut self) -> Result<U256, Error> {
        self.0.take().ok_or(Error::Nonce)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm3::hmac_sm3;
    use kuaimi_testing::Stuck;

    fn secret(seed: u8) -> SecretKey {
        SecretKey::from_bytes(&[seed; 32]).expect("in range")
    }

    #[test]
    fn hedged_candidates_differ_by_key_digest_and_turn() {
        let first_two = |seed, digest: [u8; 32]| {
            let mut nonces = Hedged {
                key: &NonceKey::new(&secret(seed)),
                digest: &digest,
                rng: &mut Stuck(0),
                counter: 0,
            };
            [
                nonces.next().expect("it does not fail"),
                nonces.next().expect("it does not fail"),
            ]
        };
        let all = [
            first_two(1, [5; 32]),
            first_two(2, [5; 32]),
            first_two(1, [6; 32]),
        ];
        for (i, a) in all.as_flattened().iter().enumerate() {
            assert!(!all.as_flattened()[..i].contains(a), "candidate {i}");
        }
    }

    /// RFC 6979, clause 3.2, steps b to h, written out; the third candidate, too.
    #[test]
    fn deterministic_candidates_are_those_of_rfc_6979() {
        // A digest above n, of which bits2octets takes n away.
        let digest = [0xff; 32];
        let reduced = scalar_reduce(&U256::from_be_bytes(&digest)).to_be_bytes();
        assert_ne!(reduced, digest);
        let x = [3u8; 32];
        let (mut k, mut v) = ([0u8; 32], [1u8; 32]);
        k = hmac_sm3(&k, &[&v[..], &[0], &x, &reduced].concat());
        v = hmac_sm3(&k, &v);
        k = hmac_sm3(&k, &[&v[..], &[1], &x, &reduced].concat());
        v = hmac_sm3(&k, &v);
        let mut nonces = Deterministic::new(&secret(3), &digest);
        for turn in 0..3 {
            v = hmac_sm3(&k, &v);
            let candidate = nonces.next().expect("it does not fail");
            assert_eq!(candidate.to_be_bytes(), v, "turn {turn}");
            k = hmac_sm3(&k, &[&v[..], &[0]].concat());
            v = hmac_sm3(&k, &v);
        }
    }
}
