//! What SM2 promises beyond the standard's examples: round trips, recovery, nonces, and the refusal
//! of what was altered.

use crate::common::numbers::{Broken, number, order, secret};
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{
    Ciphertext, Error, MAX_ID_LEN, PrivateKey, PublicKey, RecoveryId, Signature, SigningKey,
    VerifyingKey, identity_digest,
};

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
        PrivateKey::generate_with_rng(&mut Broken::Fails).err(),
        Some(Error::Random)
    );
    assert_eq!(
        key.public_key()
            .encrypt_with_rng(&mut Broken::Fails, b"m")
            .err(),
        Some(Error::Random)
    );

    // Constant: two messages still have two nonces. With one nonce, s₁ − s₂ would be (r₂ − r₁)·d/(1
    // + d) + ….
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
    // Another key, the same digest and randomness: another nonce, too, and so another r.
    let with_key = |seed| {
        SigningKey::new(secret(seed))
            .sign_digest_with_rng(&mut Broken::Constant(0), &[1; 32])
            .expect("a nonce")
    };
    assert_ne!(with_key(7).r(), with_key(8).r());
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
    // The peer's or one's own public key as the ephemeral point must do no harm.
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
    wiped(key.private_key());
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
    // Hedged, as `sign` is.
    let signature: Signature = PrehashSigner::sign_prehash(&key, &e).expect("32 bytes");
    assert_ne!(signature, key.sign_digest(&e).expect("32 bytes"));
    assert!(PrehashVerifier::verify_prehash(&verifier, &e, &signature).is_ok());
    assert!(PrehashVerifier::verify_prehash(&verifier, &e[1..], &signature).is_err());
    let short: Result<Signature, _> = PrehashSigner::sign_prehash(&key, &e[1..]);
    assert!(short.is_err());
    let repr = SignatureEncoding::to_bytes(&signature);
    assert_eq!(Signature::try_from(repr.as_ref()), Ok(signature));
    assert!(Signature::try_from(&repr[1..]).is_err());
}
