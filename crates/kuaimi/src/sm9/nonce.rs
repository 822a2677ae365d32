//! Numbers that are used once.
//!
//! Whoever learns the `r` of one signature `(h, S = [r − h]ds)` has the signing key: `ds = [(r − h)⁻¹]S`. So the nonce of a signature
//! is never random alone: it is *hedged*, `r = SM3(nk ‖ 0³² ‖ e ‖ random ‖ counter)` with `nk = SM3("Kuaimi SM9 nonce key" ‖ ds ‖ Ppub-s)` and
//! `e` a digest of the message. With a good generator that is as good as random, and with a broken one, even a constant one, it is
//! what a deterministic scheme gives. `nk` and the zeros fill one block of SM3, compressed once a key.
//!
//! All that `h` depends on must go into `r`: the message, and `Ppub-s`, as `h = H2(M ‖ e(P1, Ppub-s)^r)`. Two signatures with one `r` and
//! different `h` are enough for the key: `S1 − S2 = [h2 − h1]ds`.
//!
//! Encapsulation has no key of its own to hedge with: its numbers are the generator's.
//!
//! Candidates have 256 bits, and those that are zero or not below `N` are dropped, which happens to two in seven.

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::{Error, UserSigningKey};
use crate::sm3::Sm3;
use kuaimi_math::arith::{Modulus, U256};
use kuaimi_math::sm9::curve::N;
use kuaimi_platform::declassify;

/// Fresh randomness in a hedged nonce: with the digest, the counter and SM3's padding (9 bytes) it fills one block.
const RANDOM_LEN: usize = 64 - 9 - 32 - 1;

/// How many candidates are drawn. As many out of range in a row, one time in 2²²⁹, come from a generator that is stuck, and asking it
/// for ever would not help.
const MAX_DRAWS: usize = 128;

/// Whether `0 < a < N`. May be known, as a candidate that is not in range is thrown away.
pub(super) fn is_nonzero_scalar(a: &U256) -> bool {
    declassify(a.ct_lt(&N::MODULUS) & !a.ct_is_zero())
}

/// A secret number in `[1, N − 1]`.
pub(super) fn random_scalar<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
) -> Result<Zeroizing<U256>, Error> {
    let mut bytes = Zeroizing::new([0u8; 32]);
    for _ in 0..MAX_DRAWS {
        rng.try_fill_bytes(bytes.as_mut())
            .map_err(|_| Error::Random)?;
        let r = Zeroizing::new(U256::from_be_bytes(&bytes));
        if is_nonzero_scalar(&r) {
            return Ok(r);
        }
    }
    Err(Error::Random)
}

/// A number from the caller.
#[cfg(feature = "hazmat")]
pub(super) fn given(r: &[u8; 32]) -> Result<Zeroizing<U256>, Error> {
    let r = Zeroizing::new(U256::from_be_bytes(r));
    if is_nonzero_scalar(&r) {
        Ok(r)
    } else {
        Err(Error::Nonce)
    }
}

/// What a signing key's hedged nonces are derived from: SM3 after the block that holds the nonce key.
#[derive(Clone)]
pub(super) struct NonceKey(Sm3);

impl NonceKey {
    /// Of a user's key with the master public key that it signs under.
    pub(super) fn of(key: &UserSigningKey) -> Self {
        let mut derive = Sm3::new();
        derive.update(b"Kuaimi SM9 nonce key");
        derive.update(key.to_bytes().as_ref());
        derive.update(&key.master_public_key().to_bytes());
        let mut block = Zeroizing::new([0u8; 64]);
        block[..32].copy_from_slice(&derive.finalize());
        let mut state = Sm3::new();
        state.update(block.as_ref());
        Self(state)
    }

    /// The nonces of one signature.
    pub(super) fn hedged<'a, R: TryCryptoRng + ?Sized>(
        &'a self,
        digest: [u8; 32],
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

/// Random and derived from key and message.
pub(super) struct Hedged<'a, R: ?Sized> {
    key: &'a NonceKey,
    digest: [u8; 32],
    rng: &'a mut R,
    counter: u8,
}

impl<R: TryCryptoRng + ?Sized> Hedged<'_, R> {
    /// The next number in `[1, N − 1]`.
    pub(super) fn next(&mut self) -> Result<Zeroizing<U256>, Error> {
        for _ in 0..MAX_DRAWS {
            let mut random = Zeroizing::new([0u8; RANDOM_LEN]);
            self.rng
                .try_fill_bytes(random.as_mut())
                .map_err(|_| Error::Random)?;
            let mut hash = self.key.0.clone();
            hash.update(&self.digest);
            hash.update(random.as_ref());
            // So that the next candidate is another one, also where the generator is stuck.
            hash.update(&[self.counter]);
            self.counter = self.counter.wrapping_add(1);
            let r = Zeroizing::new(U256::from_be_bytes(&Zeroizing::new(hash.finalize())));
            if is_nonzero_scalar(&r) {
                return Ok(r);
            }
        }
        Err(Error::Random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm9::{MasterSigningKey, MasterSigningPublicKey};
    use kuaimi_testing::{Repeatable, Stuck};

    /// With a stuck generator, each of user's key, master public key, digest and turn changes the nonce; and so does the generator.
    #[test]
    fn hedged_candidates_differ_by_keys_digest_and_turn() {
        let master = |seed| MasterSigningKey::from_bytes(&[seed; 32]).expect("a master key");
        let (m, other_m) = (master(1), master(2));
        let user = |bytes: &[u8; 64], master: &MasterSigningPublicKey| {
            NonceKey::of(&UserSigningKey::from_bytes(bytes, master).expect("a point"))
        };
        let bytes = |id: &str| m.user_key(id).expect("a key").to_bytes();
        let one = user(&bytes("Alice"), m.public_key());
        let two = user(&bytes("Bob"), m.public_key());
        let moved = user(&bytes("Alice"), other_m.public_key());
        let mut nonces = Vec::new();
        for (key, digest) in [
            (&one, [5; 32]),
            (&two, [5; 32]),
            (&moved, [5; 32]),
            (&one, [6; 32]),
        ] {
            let mut rng = Stuck(0);
            let mut hedged = key.hedged(digest, &mut rng);
            nonces.extend([hedged.next(), hedged.next()]);
        }
        nonces.push(one.hedged([5; 32], &mut Repeatable(7)).next());
        let mut nonces: Vec<_> = nonces.into_iter().map(|r| r.expect("in range").0).collect();
        let again = one.hedged([5; 32], &mut Stuck(0)).next().expect("in range");
        assert_eq!(again.0, nonces[0], "nothing else goes in");
        nonces.sort_unstable();
        nonces.dedup();
        assert_eq!(nonces.len(), 9);
    }
}
