//! What SM2 refuses: numbers out of range, points off the curve, and the cases that the standard
//! has one start over from, most of which nobody will ever meet by chance. They are made here.

use crate::common::numbers::{Broken, bytes, number, order, prime, secret};
use kuaimi::sm2::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm2::{
    Ciphertext, Error, PrivateKey, PublicKey, RecoveryId, Signature, SigningKey, VerifyingKey,
    parameters,
};
use num_bigint::BigUint;

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
    // Well-formed but meaningless values fail quietly, also where the point at infinity comes out:
    // for s + t·d = 0, that is s = −r·d/(1 + d).
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
            PrivateKey::from_bytes(&bytes(&bad)).err(),
            Some(Error::PrivateKeyRange)
        );
    }
    assert_eq!(
        PrivateKey::from_bytes(&[0xFF; 32]).err(),
        Some(Error::PrivateKeyRange)
    );
    for good in [BigUint::from(1u32), &n - 2u32] {
        let key = PrivateKey::from_bytes(&bytes(&good)).expect("in range");
        let signer = SigningKey::new(key.clone());
        let signature = signer.sign_deterministic(b"edge");
        assert_eq!(signer.verifying_key().verify(b"edge", &signature), Ok(()));
        let ciphertext = key.public_key().encrypt(b"edge").expect("random");
        assert_eq!(*key.decrypt(&ciphertext).expect("it decrypts"), b"edge");
    }
    for length in [0, 31, 33] {
        assert_eq!(
            PrivateKey::from_slice(&vec![1; length]).err(),
            Some(Error::PrivateKeyLength(length))
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

/// The x-coordinate of `[k]G` may lie between `n` and `p`; such a signature compares `r − e + n`.
/// Too rare to meet, so it is made: an `R` with a large `x` gives, for any `s` and `e`, the key it
/// verifies under.
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

/// The x-coordinate of `[k]G`.
fn x_of(k: &BigUint) -> BigUint {
    let point = PrivateKey::from_bytes(&bytes(k)).expect("in range");
    number(&point.public_key().to_xy_bytes()[..32])
}

/// Clause 6.1 of part 2, A3, A5 and A6: with such a nonce there is no signature.
#[test]
fn nonces_that_lead_to_no_signature_are_refused() {
    let n = order();
    let key = SigningKey::new(secret(41));
    let d = number(secret(41).to_bytes().as_ref());
    let sign = |e: &BigUint, k: &BigUint| key.sign_digest_with_nonce(&bytes(e), &bytes(k));

    for k in [BigUint::from(0u32), n.clone(), &n + 1u32] {
        assert_eq!(sign(&BigUint::from(9u32), &k), Err(Error::Nonce));
    }
    let k = BigUint::from(0x1234_5678u32);
    let x = x_of(&k) % &n;
    assert!(sign(&BigUint::from(9u32), &k).is_ok());
    // r = e + x = 0
    assert_eq!(sign(&((&n - &x) % &n), &k), Err(Error::Nonce));
    // r + k = e + x + k = n
    assert_eq!(sign(&((&n + &n - &x - &k) % &n), &k), Err(Error::Nonce));
    // s = 0, where k = r·d
    let r = &k * d.modinv(&n).expect("n is prime") % &n;
    assert_eq!(sign(&((&r + &n - &x) % &n), &k), Err(Error::Nonce));
}

/// A digest is any 256-bit number, also one above `n`: what counts is the number modulo `n`.
#[test]
fn digests_above_the_order() {
    let n = order();
    let key = SigningKey::new(secret(42));
    let d = number(secret(42).to_bytes().as_ref());
    let k = BigUint::from(77u32);
    for e in [
        n.clone(),
        &n + 1u32,
        number(&[0xff; 32]),
        number(&[0xff; 32]) - 5u32,
    ] {
        let digest = bytes(&e);
        let signature = key
            .sign_digest_with_nonce(&digest, &bytes(&k))
            .expect("it serves");
        let r = (&e + x_of(&k)) % &n;
        let inverse = (&d + 1u32).modinv(&n).expect("n is prime");
        let s = (&k + &n * &n - &r * &d) * inverse % &n;
        assert_eq!((number(&signature.r()), number(&signature.s())), (r, s));
        assert_eq!(
            key.verifying_key().verify_digest(&digest, &signature),
            Ok(())
        );
        let reduced = bytes(&(&e % &n));
        assert_eq!(
            key.verifying_key().verify_digest(&reduced, &signature),
            Ok(())
        );
        let found = RecoveryId::ALL
            .iter()
            .any(|&id| PublicKey::recover(&digest, &signature, id) == Ok(*key.public_key()));
        assert!(found, "the key is recovered");
    }

    // An r below what e has above n, so that r − e is below −n.
    let e = [0xff; 32];
    let reduced = bytes(&(number(&e) - &n));
    let mut found = 0;
    for r in 1u32..20 {
        let signature =
            Signature::from_scalars(&bytes(&BigUint::from(r)), &[0x11; 32]).expect("in range");
        let key = PublicKey::recover(&e, &signature, RecoveryId::ALL[0]);
        assert_eq!(
            key,
            PublicKey::recover(&reduced, &signature, RecoveryId::ALL[0])
        );
        let Ok(key) = key else { continue };
        let key = VerifyingKey::new(key);
        assert_eq!(key.verify_digest(&e, &signature), Ok(()));
        assert_eq!(key.verify_digest(&reduced, &signature), Ok(()));
        found += 1;
    }
    assert!(found > 3, "about half of the points exist");
}

/// Keys, nonces and ephemeral keys are drawn again while they are out of range, but not for ever.
#[test]
fn numbers_out_of_range_are_drawn_again() {
    let n = bytes(&order());
    let good = secret(43).to_bytes();
    let draws = || Broken::Gives(vec![[0; 32], n, [0xff; 32], *good]);

    let key = PrivateKey::generate_with_rng(&mut draws()).expect("the fourth number serves");
    assert_eq!(key.public_key(), secret(43).public_key());
    let recipient = secret(44);
    assert_eq!(
        recipient
            .public_key()
            .encrypt_with_rng(&mut draws(), b"message"),
        recipient.public_key().encrypt_with_nonce(b"message", &good)
    );
    let party = || Party::new(&recipient, b"a").expect("short");
    let peer = || Peer::new(key.public_key(), b"b").expect("short");
    let (_, point) =
        Initiator::start_with_rng(&mut draws(), party(), peer()).expect("the fourth number serves");
    assert_eq!(point, *key.public_key());

    for stuck in [0, 0xff] {
        let rng = || Broken::Constant(stuck);
        assert_eq!(
            PrivateKey::generate_with_rng(&mut rng()).err(),
            Some(Error::Random)
        );
        assert_eq!(
            recipient
                .public_key()
                .encrypt_with_rng(&mut rng(), b"m")
                .err(),
            Some(Error::Random)
        );
        assert_eq!(
            Initiator::start_with_rng(&mut rng(), party(), peer()).err(),
            Some(Error::Random)
        );
    }
}

/// Part 4, A5 and B4: a mask of zeros would send the message in the clear.
#[test]
fn zero_masks_are_refused() {
    let recipient = secret(45);
    let d = number(recipient.to_bytes().as_ref());
    // (x₂, y₂) = [k·d]G, and a byte's mask is the first byte of SM3(x₂ ‖ y₂ ‖ 1).
    let shared = |k: u32| {
        let secret = PrivateKey::from_bytes(&bytes(&(&d * k % order()))).expect("in range");
        secret.public_key().to_xy_bytes()
    };
    let mask = |k: u32| kuaimi::sm3::digest(&[&shared(k)[..], &[0, 0, 0, 1]].concat())[0];
    let k = (1..)
        .find(|&k| mask(k) == 0)
        .expect("one in 256 has a mask of zero");
    let nonce = bytes(&BigUint::from(k));
    assert_eq!(
        recipient.public_key().encrypt_with_nonce(b"m", &nonce),
        Err(Error::Nonce)
    );
    assert!(
        recipient
            .public_key()
            .encrypt_with_nonce(b"message", &nonce)
            .is_ok()
    );
    // A generator that knows no other nonce.
    let mut stuck = Broken::Gives(vec![nonce; 64]);
    assert_eq!(
        recipient
            .public_key()
            .encrypt_with_rng(&mut stuck, b"m")
            .err(),
        Some(Error::Random)
    );

    // As somebody may send it who does not start over.
    let xy = shared(k);
    let digest = kuaimi::sm3::digest(&[&xy[..32], b"m", &xy[32..]].concat());
    let point = *PrivateKey::from_bytes(&nonce)
        .expect("in range")
        .public_key();
    let ciphertext = Ciphertext::from_parts(point, digest, b"m".to_vec()).expect("not empty");
    assert_eq!(
        recipient.decrypt(&ciphertext).err(),
        Some(Error::DecryptionFailed)
    );
    let bytes = ciphertext.to_bytes(kuaimi::sm2::CiphertextForm::C1C3C2);
    let mut out = Vec::new();
    assert!(
        kuaimi::sm2::stream::decrypt(&recipient, None, std::io::Cursor::new(bytes), &mut out)
            .is_err()
    );
    assert!(out.is_empty());
}

/// Part 3, A8 and B7: `U` must not be infinity. It is when one's own `t` is zero, and when the
/// peer's points cancel.
#[test]
fn exchanges_at_infinity_are_refused() {
    let n = order();
    // x̄ of [r]G, and the private key −x̄·r, for which d + x̄·r = 0.
    let r = BigUint::from(0xABCDu32);
    let low = BigUint::from(1u32) << 127;
    let x_bar = &low + x_of(&r) % &low;
    let bad = PrivateKey::from_bytes(&bytes(&(&n - x_bar * &r % &n))).expect("in range");
    let good = secret(46);
    let r = bytes(&r);
    let point = *PrivateKey::from_bytes(&r).expect("in range").public_key();
    let party = |key: &PrivateKey| Party::new(key, b"one").expect("short");
    let peer = |key: &PrivateKey| Peer::new(key.public_key(), b"two").expect("short");

    // t = 0
    let (initiator, r_a) =
        Initiator::start_with_nonce(party(&bad), peer(&good), &r).expect("in range");
    assert_eq!(r_a, point);
    assert_eq!(
        initiator
            .finish_unconfirmed(secret(47).public_key(), 16)
            .err(),
        Some(Error::ConfirmationFailed)
    );
    let responder = Responder::new(party(&bad), peer(&good));
    assert_eq!(
        responder
            .respond_with_nonce(secret(47).public_key(), 16, &r)
            .err(),
        Some(Error::ConfirmationFailed)
    );
    // P' + [x̄']R' is infinity
    let responder = Responder::new(party(&good), peer(&bad));
    assert_eq!(
        responder.respond(&point, 16).err(),
        Some(Error::ConfirmationFailed)
    );
    for k in [[0; 32], bytes(&n)] {
        assert_eq!(
            Initiator::start_with_nonce(party(&good), peer(&bad), &k).err(),
            Some(Error::Nonce)
        );
    }
}

/// A length for which there is no memory is an error, not the end of the process.
#[test]
fn shared_keys_beyond_memory_are_refused() {
    let (a, b) = (secret(48), secret(49));
    let responder = Responder::new(
        Party::new(&a, b"a").expect("short"),
        Peer::new(b.public_key(), b"b").expect("short"),
    );
    // Over the limit on 64-bit machines; on 32-bit machines below it, and more than an allocation
    // may have.
    assert_eq!(
        responder.respond(b.public_key(), usize::MAX).err(),
        Some(Error::SharedKeyLength)
    );
}

#[test]
fn private_keys_are_compared_as_numbers() {
    assert_eq!(secret(50), secret(50));
    assert_ne!(secret(50), secret(51));
}
