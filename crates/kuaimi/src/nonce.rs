//! Nonces: secret numbers that are used once, for SM2 and SM9.
//!
//! Two signatures with the same nonce over different messages reveal the private key, and so do
//! many signatures whose nonces can be guessed in a few bits. So the nonce of a signature never
//! comes from the random generator alone. It is
//!
//! - *hedged*, by default: `SM3(nk ‖ 0³² ‖ e ‖ random ‖ counter)`, where
//!   `nk = SM3(label ‖ private key ‖ …)` and `e` is a digest of the message. This is a
//!   pseudo-random function of the digest and fresh randomness, under a key that only the signer
//!   has. With a good generator it is as good as a random nonce. With a broken generator, even a
//!   constant one, it is as good as a deterministic nonce. All that the signature's hash depends on
//!   must be in `nk` or in `e`. `nk` and the zeros fill one block of SM3, which is compressed once
//!   for each key; the rest, with 22 random bytes, fills one more block;
//! - *deterministic*, on request: RFC 6979 with HMAC-SM3;
//! - *given by the caller*, for the standards' vectors, under the feature `hazmat` only.
//!
//! The nonces of encryption and the ephemeral keys of key exchange are not hedged: [`uniform`]
//! draws them at random.
//!
//! Candidates have 256 bits. One that is zero or not below the order is dropped. This happens once
//! in 2³² for SM2's order, and twice in seven for SM9's.

use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;
use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::sm3::{Sm3, hmac_sm3};

/// Random bytes in a hedged nonce: with the digest, the counter and SM3's padding (9 bytes) they
/// fill one block.
pub(crate) const RANDOM_LEN: usize = 64 - 9 - 32 - 1;

/// How many candidates are drawn for one number. As many out of range in a row, once in 2²²⁹ for
/// SM9's order, come from a generator that is stuck.
const MAX_DRAWS: usize = 128;

/// Why there is no nonce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NonceError {
    /// The random generator failed, or is stuck at numbers out of range.
    Random,
    /// The caller's number is out of range or led to no result.
    #[cfg(feature = "hazmat")]
    Given,
}

/// Whether `0 < a < order`. The result may be known, as a candidate that is out of range is thrown
/// away.
pub(crate) fn in_range(a: &U256, order: &U256) -> bool {
    declassify(a.ct_lt(order) & !a.ct_eq(&U256::ZERO))
}

/// A secret number in `[1, order − 1]`, each with the same probability.
pub(crate) fn uniform<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    order: &U256,
) -> Result<Zeroizing<U256>, NonceError> {
    let mut bytes = Zeroizing::new([0u8; 32]);
    for _ in 0..MAX_DRAWS {
        rng.try_fill_bytes(bytes.as_mut())
            .map_err(|_| NonceError::Random)?;
        let k = Zeroizing::new(U256::from_be_bytes(&bytes));
        if in_range(&k, order) {
            return Ok(k);
        }
    }
    Err(NonceError::Random)
}

/// A sequence of candidates for the nonce of one signature, any 256-bit numbers: the next one is
/// needed only where the last is out of range or leads to no signature.
pub(crate) trait NonceSource {
    fn next(&mut self) -> Result<Zeroizing<U256>, NonceError>;

    /// The next candidate in `[1, order − 1]`.
    fn next_below(&mut self, order: &U256) -> Result<Zeroizing<U256>, NonceError> {
        for _ in 0..MAX_DRAWS {
            let k = self.next()?;
            if in_range(&k, order) {
                return Ok(k);
            }
        }
        Err(NonceError::Random)
    }
}

/// What a signing key's hedged nonces are derived from: SM3 after the block that holds `nk`.
#[derive(Clone)]
pub(crate) struct NonceKey(Sm3);

impl NonceKey {
    /// With `nk = SM3(label ‖ parts)`.
    pub(crate) fn new(label: &[u8], parts: &[&[u8]]) -> Self {
        let mut derive = Sm3::new();
        derive.update(label);
        for part in parts {
            derive.update(part);
        }
        let mut block = Zeroizing::new([0u8; 64]);
        block[..32].copy_from_slice(&derive.finalize());
        let mut state = Sm3::new();
        state.update(block.as_ref());
        Self(state)
    }

    /// SM3 after the block that holds `nk`.
    #[cfg(feature = "batch")]
    pub(crate) fn hash(&self) -> &Sm3 {
        &self.0
    }

    /// `SM3(nk ‖ 0³² ‖ e ‖ random ‖ counter)`.
    fn candidate(
        &self,
        digest: &[u8; 32],
        random: &[u8; RANDOM_LEN],
        counter: &mut u8,
    ) -> Zeroizing<U256> {
        let mut hash = self.0.clone();
        hash.update(digest);
        hash.update(random);
        // So that the next candidate is another one, even where the random bytes are the same.
        hash.update(&[*counter]);
        *counter = counter.wrapping_add(1);
        let candidate = Zeroizing::new(hash.finalize());
        Zeroizing::new(U256::from_be_bytes(&candidate))
    }

    /// The nonces of one signature over a message with this digest, with random bytes that were
    /// drawn before.
    #[cfg(all(feature = "sm9", feature = "batch"))]
    pub(crate) fn hedged_with<'a>(
        &'a self,
        digest: &'a [u8; 32],
        random: &'a [u8; RANDOM_LEN],
    ) -> HedgedWith<'a> {
        HedgedWith {
            key: self,
            digest,
            random,
            counter: 0,
        }
    }

    /// The nonces of one signature over a message with this digest, with fresh random bytes for
    /// each.
    pub(crate) fn hedged<'a, R: ?Sized>(
        &'a self,
        digest: &'a [u8; 32],
        rng: &'a mut R,
    ) -> Hedged<'a, R> {
        Hedged {
            key: self,
            digest,
            rng,
            counter: 0,
        }
    }
}

/// Candidates that are random and derived from key and digest.
pub(crate) struct Hedged<'a, R: ?Sized> {
    key: &'a NonceKey,
    digest: &'a [u8; 32],
    rng: &'a mut R,
    counter: u8,
}

impl<R: TryCryptoRng + ?Sized> NonceSource for Hedged<'_, R> {
    fn next(&mut self) -> Result<Zeroizing<U256>, NonceError> {
        let mut random = Zeroizing::new([0u8; RANDOM_LEN]);
        self.rng
            .try_fill_bytes(random.as_mut())
            .map_err(|_| NonceError::Random)?;
        Ok(self.key.candidate(self.digest, &random, &mut self.counter))
    }
}

/// Candidates derived from key, digest and random bytes that were drawn before.
#[cfg(all(feature = "sm9", feature = "batch"))]
pub(crate) struct HedgedWith<'a> {
    key: &'a NonceKey,
    digest: &'a [u8; 32],
    random: &'a [u8; RANDOM_LEN],
    counter: u8,
}

#[cfg(all(feature = "sm9", feature = "batch"))]
impl NonceSource for HedgedWith<'_> {
    fn next(&mut self) -> Result<Zeroizing<U256>, NonceError> {
        Ok(self
            .key
            .candidate(self.digest, self.random, &mut self.counter))
    }
}

/// RFC 6979, clause 3.2, with HMAC-SM3: the private key and the digest alone decide.
pub(crate) struct Deterministic {
    k: Zeroizing<[u8; 32]>,
    v: Zeroizing<[u8; 32]>,
    started: bool,
}

impl Deterministic {
    /// Of the private key `x`, `int2octets(x)`, and the digest modulo the order, `bits2octets(h1)`.
    pub(crate) fn new(x: &[u8; 32], digest: &[u8; 32]) -> Self {
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
            input[33..65].copy_from_slice(x);
            input[65..].copy_from_slice(digest);
            *this.k = hmac_sm3(this.k.as_ref(), input.as_ref());
            this.step();
        }
        this
    }

    /// `V = HMAC(K, V)`.
    fn step(&mut self) {
        *self.v = hmac_sm3(self.k.as_ref(), self.v.as_ref());
    }
}

impl NonceSource for Deterministic {
    fn next(&mut self) -> Result<Zeroizing<U256>, NonceError> {
        if self.started {
            // The last candidate did not serve: K = HMAC(K, V ‖ 00); V = HMAC(K, V)
            let mut input = Zeroizing::new([0u8; 33]);
            input[..32].copy_from_slice(self.v.as_ref());
            *self.k = hmac_sm3(self.k.as_ref(), input.as_ref());
            self.step();
        }
        self.started = true;
        self.step();
        Ok(Zeroizing::new(U256::from_be_bytes(&self.v)))
    }
}

/// One nonce, from the caller.
#[cfg(feature = "hazmat")]
pub(crate) struct Given(Option<Zeroizing<U256>>);

#[cfg(feature = "hazmat")]
impl Given {
    /// 32 bytes, most significant first.
    pub(crate) fn new(k: &[u8; 32]) -> Self {
        Self(Some(Zeroizing::new(U256::from_be_bytes(k))))
    }
}

#[cfg(feature = "hazmat")]
impl NonceSource for Given {
    fn next(&mut self) -> Result<Zeroizing<U256>, NonceError> {
        self.0.take().ok_or(NonceError::Given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kuaimi_testing::{Repeatable, Stuck};

    /// With a stuck generator, each of label, key, digest and turn changes the candidate; and so
    /// does the generator.
    #[test]
    fn hedged_candidates_differ_by_label_key_digest_and_turn() {
        let keys = [
            NonceKey::new(b"one", &[b"key", b"more"]),
            NonceKey::new(b"two", &[b"key", b"more"]),
            NonceKey::new(b"one", &[b"key", b"less"]),
            NonceKey::new(b"one", &[b"yek", b"more"]),
        ];
        let mut all = Vec::new();
        for (key, digest) in keys
            .iter()
            .map(|key| (key, [5; 32]))
            .chain([(&keys[0], [6; 32])])
        {
            let mut rng = Stuck(0);
            let mut hedged = key.hedged(&digest, &mut rng);
            all.extend([hedged.next(), hedged.next()]);
        }
        all.push(keys[0].hedged(&[5; 32], &mut Repeatable(7)).next());
        let mut all: Vec<_> = all.into_iter().map(|k| k.expect("one").0).collect();
        let again = keys[0].hedged(&[5; 32], &mut Stuck(0)).next();
        assert_eq!(again.expect("one").0, all[0], "nothing else goes in");
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 11);
    }

    /// The formula, written out: signatures with a given generator stay the same from version to
    /// version.
    #[test]
    fn hedged_candidates_are_those_of_the_formula() {
        let key = NonceKey::new(b"label", &[&[3; 32]]);
        let nk = crate::sm3::digest(&[&b"label"[..], &[3; 32]].concat());
        let (digest, mut rng) = ([9; 32], Stuck(7));
        let mut hedged = key.hedged(&digest, &mut rng);
        #[cfg(all(feature = "sm9", feature = "batch"))]
        let mut drawn = key.hedged_with(&digest, &[7; 22]);
        for counter in 0..2 {
            let input = [&nk[..], &[0; 32], &digest, &[7; 22], &[counter]].concat();
            assert_eq!(input.len() + 9, 128, "two blocks with the padding");
            let expected = crate::sm3::digest(&input);
            assert_eq!(hedged.next().expect("one").to_be_bytes(), expected);
            #[cfg(all(feature = "sm9", feature = "batch"))]
            assert_eq!(drawn.next().expect("one").to_be_bytes(), expected);
        }
    }

    #[test]
    fn numbers_are_in_range_and_stuck_generators_found() {
        let order = U256([10, 0, 0, 1 << 63]);
        assert!(!in_range(&U256::ZERO, &order) && !in_range(&order, &order));
        assert!(in_range(&U256::ONE, &order) && in_range(&U256([9, 0, 0, 1 << 63]), &order));
        assert_eq!(uniform(&mut Stuck(0), &order), Err(NonceError::Random));
        assert_eq!(uniform(&mut Stuck(0xff), &order), Err(NonceError::Random));
        let drawn = uniform(&mut Stuck(0x7f), &order).expect("in range");
        assert_eq!(drawn.to_be_bytes(), [0x7f; 32]);
    }

    /// RFC 6979, clause 3.2, steps b to h, written out; the third candidate, too.
    #[test]
    fn deterministic_candidates_are_those_of_rfc_6979() {
        let (x, digest) = ([3u8; 32], [0x1f; 32]);
        let (mut k, mut v) = ([0u8; 32], [1u8; 32]);
        k = hmac_sm3(&k, &[&v[..], &[0], &x, &digest].concat());
        v = hmac_sm3(&k, &v);
        k = hmac_sm3(&k, &[&v[..], &[1], &x, &digest].concat());
        v = hmac_sm3(&k, &v);
        let mut nonces = Deterministic::new(&x, &digest);
        for turn in 0..3 {
            v = hmac_sm3(&k, &v);
            let candidate = nonces.next().expect("it does not fail");
            assert_eq!(candidate.to_be_bytes(), v, "turn {turn}");
            k = hmac_sm3(&k, &[&v[..], &[0]].concat());
            v = hmac_sm3(&k, &v);
        }
    }
}
