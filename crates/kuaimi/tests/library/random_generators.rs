//! Random generators that fail, are stuck or repeat themselves: nothing weak is given out, and no
//! call hangs.

use kuaimi::Threads;
use kuaimi::sm2::batch::{EncryptItem, SignItem, encrypt_batch_with_rng, sign_batch_with_rng};
use kuaimi::sm2::exchange::{Initiator, Party, Peer};
use kuaimi::sm2::{Error, PrivateKey, SigningKey};
use kuaimi::sm9::{self, MasterEncryptionKey, MasterSigningKey};
use kuaimi_testing::{Repeatable, Stuck};
use rand_core::{TryCryptoRng, TryRng};

/// Gives numbers for some calls, then fails.
struct FailsAfter(u32, Repeatable);

impl FailsAfter {
    fn calls(count: u32) -> Self {
        Self(count, Repeatable(9))
    }

    fn next(&mut self) -> Result<(), Failed> {
        self.0 = self.0.checked_sub(1).ok_or(Failed)?;
        Ok(())
    }
}

#[derive(Debug)]
struct Failed;

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the generator failed")
    }
}

impl std::error::Error for Failed {}

impl TryRng for FailsAfter {
    type Error = Failed;

    fn try_next_u32(&mut self) -> Result<u32, Failed> {
        self.next()?;
        Ok(self.1.word() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Failed> {
        self.next()?;
        Ok(self.1.word())
    }

    /// A failed call leaves bytes that are half written.
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Failed> {
        let failed = self.next();
        let written = if failed.is_err() {
            out.len() / 2
        } else {
            out.len()
        };
        out[..written].fill_with(|| self.1.word() as u8);
        failed
    }
}

impl TryCryptoRng for FailsAfter {}

fn key() -> SigningKey {
    SigningKey::new(PrivateKey::from_bytes(&[7; 32]).unwrap())
}

/// A call either ends before the generator fails, or says that it failed.
#[test]
fn a_generator_that_fails_is_an_error_everywhere() {
    let (key, secret) = (key(), PrivateKey::from_bytes(&[8; 32]).unwrap());
    let (signing, encryption) = (
        MasterSigningKey::from_bytes(&[7; 32])
            .unwrap()
            .extract("alice")
            .unwrap(),
        MasterEncryptionKey::from_bytes(&[8; 32]).unwrap(),
    );
    let bob = encryption.extract("bob").unwrap();
    let alice = encryption.extract_exchange("alice").unwrap();
    let mut succeeded = 0;
    for calls in 0..4 {
        let rng = || FailsAfter::calls(calls);
        let sm2 = [
            PrivateKey::generate_with_rng(&mut rng()).map(drop),
            key.sign_with_rng(&mut rng(), b"a message").map(drop),
            secret
                .public_key()
                .encrypt_with_rng(&mut rng(), b"a secret")
                .map(drop),
            Initiator::start_with_rng(
                &mut rng(),
                Party::new(&secret, b"a").unwrap(),
                Peer::new(key.public_key(), b"b").unwrap(),
            )
            .map(drop),
        ];
        let sm9 = [
            MasterSigningKey::generate_with_rng(&mut rng()).map(drop),
            MasterEncryptionKey::generate_with_rng(&mut rng()).map(drop),
            signing.sign_with_rng(&mut rng(), b"a message").map(drop),
            bob.encryption_key()
                .encrypt_with_rng(&mut rng(), b"a secret", Default::default())
                .map(drop),
            sm9::exchange::Initiator::start_with_rng(
                &mut rng(),
                sm9::exchange::Party::new(&alice),
                sm9::exchange::Peer::new("bob").expect("a name"),
            )
            .map(drop),
        ];
        for result in sm2 {
            assert!(matches!(result, Ok(()) | Err(Error::Random)), "{result:?}");
            assert!(calls > 0 || result.is_err());
            succeeded += usize::from(result.is_ok());
        }
        for result in sm9 {
            assert!(
                matches!(result, Ok(()) | Err(sm9::Error::Random)),
                "{result:?}"
            );
            assert!(calls > 0 || result.is_err());
            succeeded += usize::from(result.is_ok());
        }
        let items = [SignItem::new(&key, b"one"), SignItem::new(&key, b"two")];
        for result in sign_batch_with_rng(&mut rng(), &items, Threads::One) {
            assert!(matches!(result, Ok(_) | Err(Error::Random)));
        }
        let items = [EncryptItem::new(secret.public_key(), b"one"); 2];
        for result in encrypt_batch_with_rng(&mut rng(), &items, Threads::One) {
            assert!(matches!(result, Ok(_) | Err(Error::Random)));
        }
    }
    assert!(succeeded >= 9, "some calls are enough for everything");
}

/// Zeros and ones are no keys and no nonces, and are not waited for without end.
#[test]
fn a_generator_that_is_stuck_out_of_range_is_an_error() {
    let secret = PrivateKey::from_bytes(&[8; 32]).unwrap();
    for byte in [0, 0xff] {
        let error = PrivateKey::generate_with_rng(&mut Stuck(byte)).unwrap_err();
        assert_eq!(error, Error::Random);
        let error = secret
            .public_key()
            .encrypt_with_rng(&mut Stuck(byte), b"a secret");
        assert_eq!(error.unwrap_err(), Error::Random);
        assert_eq!(
            MasterSigningKey::generate_with_rng(&mut Stuck(byte)).unwrap_err(),
            sm9::Error::Random
        );
    }
}

/// With the same random bytes, two messages have two nonces: the private key cannot be computed
/// from the signatures.
#[test]
fn a_generator_that_repeats_itself_gives_no_nonce_twice() {
    let key = key();
    let order = num_bigint::BigUint::from_bytes_be(&kuaimi::sm2::parameters::n());
    let number = |bytes: &[u8]| num_bigint::BigUint::from_bytes_be(bytes);
    let d = number(&key.private_key().to_bytes()[..]);
    // k = s·(1 + d) + r·d
    let nonce = |signature: &kuaimi::sm2::Signature| {
        let bytes = signature.to_bytes();
        let (r, s) = (number(&bytes[..32]), number(&bytes[32..]));
        (s * (&d + 1u32) + r * &d) % &order
    };
    for byte in [0, 7, 0xff] {
        let alone: Vec<_> = [b"one", b"two"]
            .map(|message| key.sign_with_rng(&mut Stuck(byte), message).unwrap())
            .to_vec();
        let items = [SignItem::new(&key, b"three"), SignItem::new(&key, b"four!")];
        let together = sign_batch_with_rng(&mut Stuck(byte), &items, Threads::One);
        let mut nonces: Vec<_> = alone
            .iter()
            .chain(together.iter().map(|result| result.as_ref().unwrap()))
            .map(nonce)
            .collect();
        nonces.sort();
        nonces.dedup();
        assert_eq!(nonces.len(), 4, "{byte}");
        // The same message has the same nonce, and the same signature: nothing is learnt from the
        // second.
        assert_eq!(
            alone[0],
            key.sign_with_rng(&mut Stuck(byte), b"one").unwrap()
        );
    }
}
