//! What SM2 promises beyond the standard's examples: round trips, recovery, nonces, and the refusal of everything bad.

use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{
    Ciphertext, Error, MAX_ID_LEN, PublicKey, RecoveryId, SecretKey, Signature, SigningKey,
    VerifyingKey, identity_digest, parameters,
};
use num_bigint::BigUint;
use rand_core::{TryCryptoRng, TryRng};

fn secret(seed: u8) -> SecretKey {
    SecretKey::from_bytes(&[seed; 32]).expect("in range")
}

/// A 256-bit number in 32 bytes.
fn bytes(n: &BigUint) -> [u8; 32] {
    let short = n.to_bytes_be();
    let mut out = [0; 32];
    out[32 - short.len()..].copy_from_slice(&short);
    out
}

fn number(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_be(bytes)
}

fn order() -> BigUint {
    number(&parameters::n())
}

fn prime() -> BigUint {
    number(&parameters::p())
}

/// Random generators that do not work as they should.
enum Broken {
    Constant(u8),
    Fails,
}

#[derive(Debug)]
struct NoRandomness;

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
            Self::Fails => Err(NoRandomness),
        }
    }
}

impl TryCryptoRng for Broken {}

#[test]
fn signatures_verify_and_no_other_does() {
    for seed in 1..20 {
        let key = SigningKey::with_id(secret(seed), &vec![seed; usize::from(seed)]).expect("short");
        let message = vec![seed; usize::from(seed) * 13];
        for signature in [
            key.sign(&message).expect("random"),
            key.sign_deterministic(&message),
        ] {
            assert_eq!(key.verifying_key().verify(&message, &signature), Ok(()));
            let other_id =
                VerifyingKey::with_id(*key.public_key(), b"someone else").expect("short");
            assert_eq!(
                other_id.verify(&message, &signature),
                Err(Error::InvalidSignature)
            );
            let other_key =
                VerifyingKey::with_id(*secret(99).public_key(), &vec![seed; usize::from(seed)]);
            let other_key = other_key.expect("short");
            assert_eq!(
                other_key.verify(&message, &signature),
                Err(Error::InvalidSignature)
            );
            assert_eq!(
                key.verifying_key().verify(&message[1..], &signature),
                Err(Error::InvalidSignature)
            );
        }
    }
}

#[test]
fn every_flipped_bit_of_a_signature_is_noticed() {
    let key = SigningKey::new(secret(5));
    let signature = key.sign_deterministic(b"message").to_bytes();
    for bit in 0..512 {
        let mut altered = signature;
        altered[bit / 8] ^= 1 << (bit % 8);
        let refused = match Signature::from_bytes(&altered) {
            Ok(altered) => key.verifying_key().verify(b"message", &altered).is_err(),
            Err(_) => true,
        };
        assert!(refused, "bit {bit}");
    }
}

#[test]
fn signatures_out_of_range_are_refused() {
    let n = order();
    let one = bytes(&BigUint::from(1u32));
    let zero = [0; 32];
    let top = bytes(&(&n - 1u32));
    for bad in [zero, parameters::n(), bytes(&(&n + 1u32)), [0xFF; 32]] {
        assert_eq!(Signature::from_scalars(&bad, &one), Err(Error::SignatureR));
        assert_eq!(Signature::from_scalars(&one, &bad), Err(Error::SignatureS));
    }
    assert_eq!(Signature::from_scalars(&one, &top), Err(Error::SignatureT));
    assert_eq!(Signature::from_scalars(&top, &one), Err(Error::SignatureT));
    assert!(Signature::from_scalars(&top, &top).is_ok());
    for length in [0, 1, 63, 65, 128] {
        assert_eq!(
            Signature::from_slice(&vec![1; length]),
            Err(Error::SignatureLength(length))
        );
    }
    // Well-formed but meaningless values fail quietly, also where the point at infinity comes out: for
    // s + t·d = 0, that is s = −r·d/(1 + d).
    let key = SigningKey::new(secret(3));
    let d = number(secret(3).to_bytes().as_ref());
    let r = BigUint::from(77u32);
    let inverse = (&d + 1u32).modinv(&n).expect("n is prime");
    let s = (&n - &r * &d % &n) * inverse % &n;
    let infinity = Signature::from_scalars(&bytes(&r), &bytes(&s)).expect("in range");
    for e in [[0; 32], [1; 32], bytes(&r)] {
        assert_eq!(
            key.verifying_key().verify_digest(&e, &infinity),
            Err(Error::InvalidSignature)
        );
    }
}

#[test]
fn private_keys_out_of_range_are_refused() {
    let n = order();
    for bad in [BigUint::from(0u32), &n - 1u32, n.clone(), &n + 1u32] {
        assert_eq!(
            SecretKey::from_bytes(&bytes(&bad)).err(),
            Some(Error::SecretKeyRange)
        );
    }
    assert_eq!(
        SecretKey::from_bytes(&[0xFF; 32]).err(),
        Some(Error::SecretKeyRange)
    );
    for good in [BigUint::from(1u32), &n - 2u32] {
        let key = SecretKey::from_bytes(&bytes(&good)).expect("in range");
        let signer = SigningKey::new(key.clone());
        let signature = signer.sign_deterministic(b"edge");
        assert_eq!(signer.verifying_key().verify(b"edge", &signature), Ok(()));
        let ciphertext = key.public_key().encrypt(b"edge").expect("random");
        assert_eq!(*key.decrypt(&ciphertext).expect("it decrypts"), b"edge");
    }
    for length in [0, 31, 33] {
        assert_eq!(
            SecretKey::from_slice(&vec![1; length]).err(),
            Some(Error::SecretKeyLength(length))
        );
    }
}

#[test]
fn points_are_checked() {
    let good = secret(9).public_key().to_sec1_bytes();
    let compressed = secret(9).public_key().to_compressed_bytes();
    let read = PublicKey::from_sec1_bytes;
    assert_eq!(read(&good), Ok(*secret(9).public_key()));
    assert_eq!(read(&compressed), Ok(*secret(9).public_key()));
    let odd = good[64] & 1;
    let with_tag = |tag: u8| [&[tag][..], &good[1..]].concat();
    assert_eq!(read(&with_tag(6 | odd)), Ok(*secret(9).public_key()));
    assert_eq!(read(&with_tag(7 ^ odd)), Err(Error::NotOnCurve));

    assert_eq!(read(&[]), Err(Error::PointLength(0)));
    assert_eq!(read(&[0]), Err(Error::PointAtInfinity));
    assert_eq!(read(&[0; 65]), Err(Error::PointFormat(0)));
    assert_eq!(read(&with_tag(5)), Err(Error::PointFormat(5)));
    assert_eq!(read(&good[..64]), Err(Error::PointLength(64)));
    assert_eq!(read(&compressed[..32]), Err(Error::PointLength(32)));
    assert_eq!(
        read(&[&good[..], &[0]].concat()),
        Err(Error::PointLength(66))
    );

    // Coordinates at and above the prime, though congruent to those of a point.
    for high in [prime(), prime() + 1u32, number(&[0xFF; 32])] {
        let high = bytes(&high);
        assert_eq!(
            read(&[&[4][..], &high, &good[33..]].concat()),
            Err(Error::CoordinateRange)
        );
        assert_eq!(
            read(&[&good[..33], &high].concat()),
            Err(Error::CoordinateRange)
        );
        assert_eq!(
            read(&[&[2][..], &high].concat()),
            Err(Error::CoordinateRange)
        );
    }
    // Off the curve.
    assert_eq!(read(&[&[4][..], &[0; 64]].concat()), Err(Error::NotOnCurve));
    let mut off = good;
    off[64] ^= 1;
    assert_eq!(read(&off), Err(Error::NotOnCurve));
    // Half of all x belong to no point.
    let hits = (0..100u8).filter(|x| {
        let mut candidate = [2; 33];
        candidate[1..].fill(*x);
        match read(&candidate) {
            Ok(point) => {
                assert_eq!(point.to_compressed_bytes(), candidate);
                assert_eq!(read(&point.to_sec1_bytes()), Ok(point));
                true
            }
            Err(error) => {
                assert_eq!(error, Error::NotOnCurve);
                false
            }
        }
    });
    assert!((25..75).contains(&hits.count()));
}

#[test]
fn identities_have_a_limit() {
    let key = *secret(1).public_key();
    let long = vec![b'a'; MAX_ID_LEN + 1];
    assert_eq!(identity_digest(&long, &key), Err(Error::IdTooLong(8192)));
    assert_eq!(
        VerifyingKey::with_id(key, &long).err(),
        Some(Error::IdTooLong(8192))
    );
    assert_eq!(
        SigningKey::with_id(secret(1), &long).err(),
        Some(Error::IdTooLong(8192))
    );
    assert!(identity_digest(&long[1..], &key).is_ok());
    assert_ne!(
        identity_digest(b"", &key),
        identity_digest(b"1234567812345678", &key)
    );
}

#[test]
fn broken_generators_are_survived() {
    let key = SigningKey::new(secret(7));
    // Fails: an error, nothing else.
    assert_eq!(
        key.sign_with_rng(&mut Broken::Fails, b"m").err(),
        Some(Error::Random)
    );
    assert_eq!(
        SecretKey::generate_with_rng(&mut Broken::Fails).err(),
        Some(Error::Random)
    );
    assert_eq!(
        key.public_key()
            .encrypt_with_rng(&mut Broken::Fails, b"m")
            .err(),
        Some(Error::Random)
    );

    // Constant: two messages still have two nonces. With one nonce, s₁ − s₂ would be (r₂ − r₁)·d/(1 + d) + ….
    let first = key
        .sign_with_rng(&mut Broken::Constant(0), b"one")
        .expect("a nonce");
    let second = key
        .sign_with_rng(&mut Broken::Constant(0), b"two")
        .expect("a nonce");
    let x1 = |signature: &Signature, message: &[u8]| {
        let mut hash = key.message_hash();
        hash.update(message);
        (number(&signature.r()) + order() * 2u32 - number(&hash.finalize())) % order()
    };
    assert_ne!(
        x1(&first, b"one"),
        x1(&second, b"two"),
        "the same nonce for two messages"
    );
    // Another key, the same message and randomness: another nonce, too.
    let other = SigningKey::new(secret(8))
        .sign_with_rng(&mut Broken::Constant(0), b"one")
        .expect("a nonce");
    assert_ne!(first.r(), other.r());
    // And randomness counts.
    let fresh = key
        .sign_with_rng(&mut Broken::Constant(1), b"one")
        .expect("a nonce");
    assert_ne!(first, fresh);
    assert_ne!(key.sign(b"one"), key.sign(b"one"));
    assert_eq!(
        key.sign_deterministic(b"one"),
        key.sign_deterministic(b"one")
    );
}

#[test]
fn public_keys_are_recovered() {
    for seed in 1..30 {
        let key = SigningKey::new(secret(seed));
        let e = [seed.wrapping_mul(37); 32];
        let (signature, id) = key.sign_digest_recoverable(&e).expect("random");
        assert_eq!(
            PublicKey::recover(&e, &signature, id),
            Ok(*key.public_key())
        );
        assert_eq!(RecoveryId::try_from(id.to_byte()), Ok(id));
        // Of the four candidates one is the key, and each that exists verifies the signature.
        let candidates: Vec<_> = RecoveryId::ALL
            .iter()
            .filter_map(|id| PublicKey::recover(&e, &signature, *id).ok())
            .collect();
        assert!(candidates.contains(key.public_key()) && candidates.len() >= 2);
        for candidate in candidates {
            assert_eq!(
                VerifyingKey::new(candidate).verify_digest(&e, &signature),
                Ok(())
            );
        }
    }
    assert_eq!(RecoveryId::try_from(4), Err(Error::RecoveryId(4)));
}

/// The x-coordinate of `[k]G` may lie between `n` and `p`; such a signature compares `r − e + n`. Too rare to meet, so
/// it is made: an `R` with a large `x` gives, for any `s` and `e`, the key it verifies under.
#[test]
fn x_coordinates_above_the_order() {
    let n = order();
    let mut found = 0;
    for offset in 0u32..40 {
        let x = &n + offset;
        let compressed = [&[2][..], &bytes(&x)].concat();
        if PublicKey::from_sec1_bytes(&compressed).is_err() {
            continue;
        }
        // e + x mod n = r with e = 5: r = 5 + offset.
        let e = bytes(&BigUint::from(5u32));
        let signature = Signature::from_scalars(&bytes(&BigUint::from(5 + offset)), &[0x11; 32])
            .expect("in range");
        let high = RecoveryId::try_from(2).expect("at most 3");
        let key = PublicKey::recover(&e, &signature, high).expect("the point is on the curve");
        assert_eq!(VerifyingKey::new(key).verify_digest(&e, &signature), Ok(()));
        found += 1;
    }
    assert!(found > 5, "about half of the offsets belong to points");
    // r − e + n at or above p has no point.
    let e = [0; 32];
    let signature = Signature::from_scalars(&bytes(&(&n - 1u32)), &[0x11; 32]).expect("in range");
    for id in [2, 3] {
        let id = RecoveryId::try_from(id).expect("at most 3");
        assert_eq!(
            PublicKey::recover(&e, &signature, id),
            Err(Error::NotRecoverable)
        );
    }
}

#[test]
fn encryption_round_trips_at_every_short_length() {
    let key = secret(11);
    // One byte: the key stream is zero once in 256 times, and encryption must then start over.
    for round in 0..600u32 {
        let message = [round as u8];
        let ciphertext = key.public_key().encrypt(&message).expect("random");
        assert_ne!(ciphertext.masked(), message, "a zero mask hides nothing");
        assert_eq!(*key.decrypt(&ciphertext).expect("it decrypts"), message);
    }
    for length in 1..=200 {
        let message = vec![length as u8; length];
        let ciphertext = key.public_key().encrypt(&message).expect("random");
        assert_eq!(ciphertext.masked().len(), length);
        assert_eq!(*key.decrypt(&ciphertext).expect("it decrypts"), message);
    }
    assert_eq!(
        key.public_key().encrypt(b"").err(),
        Some(Error::EmptyMessage)
    );
}

#[test]
fn every_altered_ciphertext_fails_alike() {
    let key = secret(12);
    let good = key.public_key().encrypt(b"attack at dawn").expect("random");
    assert_eq!(
        secret(13).decrypt(&good).err(),
        Some(Error::DecryptionFailed)
    );
    let rebuild = |point: PublicKey, digest: [u8; 32], masked: Vec<u8>| {
        key.decrypt(&Ciphertext::from_parts(point, digest, masked).expect("not empty"))
            .err()
    };
    for bit in 0..256 {
        let mut digest = *good.digest();
        digest[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(
            rebuild(*good.point(), digest, good.masked().to_vec()),
            Some(Error::DecryptionFailed)
        );
    }
    for bit in 0..8 * good.masked().len() {
        let mut masked = good.masked().to_vec();
        masked[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(
            rebuild(*good.point(), *good.digest(), masked),
            Some(Error::DecryptionFailed)
        );
    }
    let shorter = good.masked()[1..].to_vec();
    assert_eq!(
        rebuild(*good.point(), *good.digest(), shorter),
        Some(Error::DecryptionFailed)
    );
    let elsewhere = *secret(14).public_key();
    assert_eq!(
        rebuild(elsewhere, *good.digest(), good.masked().to_vec()),
        Some(Error::DecryptionFailed)
    );
    assert_eq!(
        Ciphertext::from_parts(elsewhere, [0; 32], vec![]).err(),
        Some(Error::EmptyMessage)
    );
}

#[test]
fn exchanges_agree_or_fail() {
    let (a, b) = (secret(21), secret(22));
    let run = |b_thinks_a_is: &[u8], length: usize, spoil: usize| {
        let (initiator, r_a) = Initiator::start(
            Party::new(&a, b"alice").expect("short"),
            Peer::new(b.public_key(), b"bob").expect("short"),
        )?;
        let response = Responder::new(
            Party::new(&b, b"bob").expect("short"),
            Peer::new(a.public_key(), b_thinks_a_is).expect("short"),
        )
        .respond(&r_a, length)?;
        let r_b = *response.point();
        let mut s_b = response.confirmation();
        if spoil == 1 {
            s_b[31] ^= 1;
        }
        let (key_a, mut s_a) = initiator.finish(&r_b, &s_b, length)?;
        if spoil == 2 {
            s_a[0] ^= 0x80;
        }
        Ok((key_a, response.confirm(&s_a)?))
    };
    for length in [1, 16, 32, 33, 100] {
        let (key_a, key_b) = run(b"alice", length, 0).expect("honest parties agree");
        assert_eq!((key_a.len(), &key_a), (length, &key_b));
    }
    assert_eq!(
        run(b"mallory", 16, 0).err(),
        Some(Error::ConfirmationFailed)
    );
    assert_eq!(run(b"alice", 16, 1).err(), Some(Error::ConfirmationFailed));
    assert_eq!(run(b"alice", 16, 2).err(), Some(Error::ConfirmationFailed));
    assert_eq!(run(b"alice", 0, 0).err(), Some(Error::SharedKeyLength));
    // A point that cancels the peer's key: P + [x̄]R = 0 for R = [−1/x̄]P cannot be had, as x̄ depends on R; but equal
    // points and points of the own key must do no harm.
    for point in [*a.public_key(), *b.public_key()] {
        let responder = Responder::new(
            Party::new(&b, b"bob").expect("short"),
            Peer::new(a.public_key(), b"alice").expect("short"),
        );
        assert!(responder.respond(&point, 16).is_ok());
    }
}

#[test]
fn debug_shows_no_secret() {
    let key = SigningKey::new(secret(0x5A));
    let shown = format!(
        "{:?} {:?} {:?}",
        secret(0x5A),
        key,
        key.sign_deterministic(b"m").r().len()
    );
    assert!(!shown.contains("5a5a") && !shown.contains("5A5A") && !shown.contains("90, 90"));
    assert!(shown.contains("PublicKey("));
    let party = Party::new(&secret(0x5A), b"id").expect("short");
    assert!(!format!("{party:?}").contains("5a5a"));
}

#[test]
fn the_traits_do_what_the_methods_do() {
    use signature::hazmat::{PrehashSigner, PrehashVerifier};
    use signature::{Keypair, RandomizedSigner, SignatureEncoding, Signer, Verifier};

    fn wiped<T: zeroize::ZeroizeOnDrop>(_: &T) {}
    let key = SigningKey::new(secret(31));
    wiped(&key);
    wiped(key.secret_key());
    let verifier = Keypair::verifying_key(&key);
    let signature: Signature = Signer::try_sign(&key, b"m").expect("random");
    assert!(Verifier::verify(&verifier, b"m", &signature).is_ok());
    assert!(Verifier::verify(&verifier, b"n", &signature).is_err());
    let signature =
        RandomizedSigner::try_sign_with_rng(&key, &mut Broken::Constant(3), b"m").expect("a nonce");
    assert_eq!(
        signature,
        key.sign_with_rng(&mut Broken::Constant(3), b"m")
            .expect("a nonce")
    );
    let e = [9; 32];
    let signature: Signature = key.sign_prehash(&e).expect("32 bytes");
    assert_eq!(signature, key.sign_digest_deterministic(&e));
    assert!(verifier.verify_prehash(&e, &signature).is_ok());
    assert!(verifier.verify_prehash(&e[1..], &signature).is_err());
    let short: Result<Signature, _> = key.sign_prehash(&e[1..]);
    assert!(short.is_err());
    let repr = SignatureEncoding::to_bytes(&signature);
    assert_eq!(Signature::try_from(repr.as_ref()), Ok(signature));
    assert!(Signature::try_from(&repr[1..]).is_err());
}
