//! What SM9 refuses: numbers out of range, points at infinity, off the curve, outside of the group,
//! identities and messages of nothing, and master keys that cannot serve an identity, which nobody
//! will ever meet by chance. They are made here.

use crate::common::numbers::Broken;
use kuaimi::Threads;
use kuaimi::encoding;
use kuaimi::encoding::sm9::{Key, UnboundDecryptionKey, UnboundSigningKey, read_key};
use kuaimi::encoding::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use kuaimi::precompute::Precompute;
use kuaimi::sm9::exchange::{Initiator, Party, Peer, Responder};
use kuaimi::sm9::{
    Ciphertext, DecryptOptions, DecryptionKey, EncryptOptions, EncryptionKey, Error, ExchangeKey,
    G1Point, HID_EXCHANGE, HID_SIGN, Identity, Mac, MasterEncryptionKey, MasterEncryptionPublicKey,
    MasterSigningKey, MasterSigningPublicKey, Mode, Signature, SigningKey, VerifyingKey,
};

const N: &str = "B640000002A3A6F1D603AB4FF58EC74449F2934B18EA8BEEE56EE19CD69ECF25";
const Q: &str = "B640000002A3A6F1D603AB4FF58EC74521F2934B1A7AEEDBE56F9B27E351457D";
/// `H1("Alice" ‖ 01)`, by the standard's example.
const H1_ALICE: &str = "2ACC468C3926B0BDB2767E99FF26E084DE9CED8DBC7D5FBF418027B667862FAB";
/// A point on the twist with `x = u + 1`, outside of the group of order `N`.
const OUTSIDE: &str = "0000000000000000000000000000000000000000000000000000000000000001\
0000000000000000000000000000000000000000000000000000000000000001\
231BF6749AC68A2223472AFBD4341831D08572CF445EA350ACF8D3B903D69B91\
1EBD2E84018FA77C3FC8399D45D9DC3C87862881CC21539326F6E078A8F3E5E7";

fn array<const M: usize>(digits: &str) -> [u8; M] {
    hex::decode(digits)
        .expect("hexadecimal")
        .try_into()
        .expect("of this length")
}

fn number(digits: &str) -> num_bigint::BigUint {
    num_bigint::BigUint::parse_bytes(digits.as_bytes(), 16).expect("hexadecimal")
}

fn signing() -> MasterSigningKey {
    MasterSigningKey::from_bytes(&[7; 32]).expect("a master key")
}

fn encryption() -> MasterEncryptionKey {
    MasterEncryptionKey::from_bytes(&[7; 32]).expect("a master key")
}

fn recipient(id: &str) -> EncryptionKey {
    EncryptionKey::new(encryption().public_key(), id).expect("an identity")
}

fn peer<'a>(identity: impl Into<Identity<'a>>) -> Peer {
    Peer::new(identity).expect("an identity")
}

#[test]
fn master_keys_out_of_range() {
    let limit = array::<32>(N);
    for bad in [[0; 32], limit, [0xFF; 32]] {
        assert_eq!(
            MasterSigningKey::from_bytes(&bad),
            Err(Error::MasterKeyRange)
        );
        assert_eq!(
            MasterEncryptionKey::from_bytes(&bad),
            Err(Error::MasterKeyRange)
        );
    }
    for length in [0, 31, 33] {
        let bad = vec![1; length];
        let expected = Error::MasterKeyLength(length);
        assert_eq!(MasterSigningKey::from_slice(&bad), Err(expected));
        assert_eq!(MasterEncryptionKey::from_slice(&bad), Err(expected));
    }
    // Generators that never give a number in range, and none at all.
    for broken in [
        Broken::Constant(0),
        Broken::Constant(0xFF),
        Broken::Fails,
        Broken::Gives(vec![[0xFF; 32]]),
    ] {
        let mut rng = broken;
        let made = MasterSigningKey::generate_with_rng(&mut rng);
        assert_eq!(made, Err(Error::Random));
    }
    let second = MasterEncryptionKey::generate_with_rng(&mut Broken::Gives(vec![limit, [9; 32]]));
    let nine = MasterEncryptionKey::from_bytes(&[9; 32]).expect("in range");
    assert_eq!(second, Ok(nine));
}

/// `H1(ID ‖ hid) + k = N`: no key of this identity exists, and none of the public operations may go
/// on with infinity.
#[test]
fn a_master_key_that_cannot_serve_an_identity() {
    let k = (number(N) - number(H1_ALICE)).to_bytes_be();
    let k: [u8; 32] = k.try_into().expect("it has 32 bytes");
    let signing = MasterSigningKey::from_bytes(&k).expect("in range");
    assert_eq!(signing.extract("Alice"), Err(Error::UnusableMasterKey));
    let many = signing.extract_batch(
        &["Bob".into(), "Alice".into(), "Carol".into()],
        Threads::One,
    );
    assert_eq!(many[1], Err(Error::UnusableMasterKey));
    for (key, id) in [(&many[0], "Bob"), (&many[2], "Carol")] {
        assert_eq!(*key, signing.extract(id), "{id}");
    }
    let bob = signing.extract("Bob").expect("a user's key");
    let signature = bob.sign(b"a message").expect("a signature");
    let refused = Err(Error::InvalidSignature);
    let verifier = signing
        .public_key()
        .verifying_key("Alice")
        .expect("an identity");
    assert_eq!(verifier.verify(b"a message", &signature), refused);
    assert_eq!(
        verifier
            .with_precompute(Precompute::AtOnce)
            .verify(b"a message", &signature),
        refused
    );
    let read = SigningKey::from_bytes(&bob.to_bytes(), "Alice", signing.public_key());
    assert_eq!(read.err(), Some(Error::UserKeyMismatch));

    let alice = Identity::new(b"Alice").with_hid(HID_SIGN);
    let encryption = MasterEncryptionKey::from_bytes(&k).expect("in range");
    let unusable = Error::UnusableMasterKey;
    assert_eq!(encryption.extract(alice), Err(unusable));
    assert_eq!(
        encryption.extract_batch(&[alice], Threads::One)[0],
        Err(unusable)
    );
    assert_eq!(encryption.extract_exchange(alice), Err(unusable));
    let bob = encryption.extract("Bob").expect("a user's key");
    let read = DecryptionKey::from_bytes(&bob.to_bytes(), alice, encryption.public_key());
    assert_eq!(read.err(), Some(Error::UserKeyMismatch));
    let bob = encryption.extract_exchange("Bob").expect("a key");
    let r_a = G1Point::from_bytes(&encryption.public_key().to_bytes()).expect("a point");
    // Without tables of the master public key, and with them: a table alone does not show that the
    // point is infinity.
    for tables in [false, true] {
        let public = MasterEncryptionPublicKey::from_bytes(&encryption.public_key().to_bytes());
        let public = public.expect("a public key");
        if tables {
            public.prepare();
        }
        let recipient = public.encryption_key(alice).expect("an identity");
        assert_eq!(recipient.encapsulate(16).err(), Some(unusable));
        assert_eq!(recipient.encrypt(b"x").err(), Some(unusable));
        let prepared = recipient.with_precompute(Precompute::AtOnce);
        assert_eq!(prepared.encapsulate(16).err(), Some(unusable));
        assert_eq!(prepared.encrypt(b"x").err(), Some(unusable));
        let bob = ExchangeKey::from_bytes(&bob.to_bytes(), "Bob", &public).expect("his key");
        assert_eq!(
            Initiator::start(Party::new(&bob), peer(alice)).err(),
            Some(unusable)
        );
        let responder = Responder::new(Party::new(&bob), peer(alice));
        assert_eq!(responder.respond(&r_a, 16).err(), Some(unusable));
    }
    let bob = bob.with_precompute(Precompute::AtOnce);
    assert_eq!(
        Initiator::start(Party::new(&bob), peer(alice)).err(),
        Some(unusable)
    );
    let responder = Responder::new(Party::new(&bob), peer(alice));
    assert_eq!(responder.respond(&r_a, 16).err(), Some(unusable));
}

/// A user's key that is read is checked against the identity, its `hid` and the master public key
/// that it is used with.
#[test]
fn users_keys_of_others() {
    let mismatch = Some(Error::UserKeyMismatch);
    let (signing, other) = (signing(), MasterSigningKey::from_bytes(&[8; 32]));
    let other = other.expect("a master key");
    let (alice, bob) = (signing.extract("Alice"), signing.extract("Bob"));
    let (alice, bob) = (alice.expect("a key"), bob.expect("a key"));
    let nine = Identity::new(b"Alice").with_hid(9);
    let read = |id: Identity<'_>, public| SigningKey::from_bytes(&alice.to_bytes(), id, public);
    assert_eq!(
        read("Alice".into(), signing.public_key()).as_ref(),
        Ok(&alice)
    );
    assert_eq!(read("Bob".into(), signing.public_key()).err(), mismatch);
    assert_eq!(read(nine, signing.public_key()).err(), mismatch);
    assert_eq!(read("Alice".into(), other.public_key()).err(), mismatch);
    assert_eq!(
        read("".into(), signing.public_key()).err(),
        Some(Error::EmptyIdentity)
    );
    let slice = SigningKey::from_slice(&bob.to_bytes()[..], "Alice", signing.public_key());
    assert_eq!(slice.err(), mismatch);
    let der = SigningKey::from_der(&bob.to_der(), "Alice", signing.public_key());
    assert_eq!(
        der.err(),
        Some(encoding::Error::Sm9(Error::UserKeyMismatch))
    );
    // The negative of the key is on the curve, too.
    let mut negative = alice.to_bytes();
    let y = number(Q) - num_bigint::BigUint::from_bytes_be(&negative[32..]);
    negative[32..].copy_from_slice(&y.to_bytes_be());
    let read = SigningKey::from_bytes(&negative, "Alice", signing.public_key());
    assert_eq!(read.err(), mismatch);
    // From a file.
    let file = alice.to_pkcs8_der().expect("PKCS#8");
    let unbound = UnboundSigningKey::from_pkcs8_der(file.as_bytes()).expect("a key");
    assert_eq!(unbound.signing_key("Alice").as_ref(), Ok(&alice));
    assert_eq!(unbound.signing_key("Bob").err(), mismatch);
    assert_eq!(unbound.signing_key("").err(), Some(Error::EmptyIdentity));

    let (encryption, other) = (encryption(), MasterEncryptionKey::from_bytes(&[8; 32]));
    let other = other.expect("a master key");
    let alice = encryption.extract("Alice").expect("a key");
    let exchange = encryption.extract_exchange("Alice").expect("a key");
    let bytes = alice.to_bytes();
    let read = |id: Identity<'_>, public| DecryptionKey::from_bytes(&bytes, id, public);
    assert_eq!(
        read("Alice".into(), encryption.public_key()).as_ref(),
        Ok(&alice)
    );
    assert_eq!(read("Bob".into(), encryption.public_key()).err(), mismatch);
    assert_eq!(read(nine, encryption.public_key()).err(), mismatch);
    assert_eq!(read("Alice".into(), other.public_key()).err(), mismatch);
    assert_eq!(
        read("".into(), encryption.public_key()).err(),
        Some(Error::EmptyIdentity)
    );
    let read = ExchangeKey::from_bytes(&bytes, "Alice", encryption.public_key());
    assert_eq!(read.err(), mismatch, "for another purpose");
    let bytes = exchange.to_bytes();
    let read = DecryptionKey::from_slice(&bytes[..], "Alice", encryption.public_key());
    assert_eq!(read.err(), mismatch, "for another purpose");
    let file = exchange.to_pkcs8_der().expect("PKCS#8");
    let unbound = UnboundDecryptionKey::from_pkcs8_der(file.as_bytes()).expect("a key");
    assert_eq!(unbound.exchange_key("Alice").as_ref(), Ok(&exchange));
    assert_eq!(unbound.decryption_key("Alice").err(), mismatch);
    let by_hid = Identity::new(b"Alice").with_hid(HID_EXCHANGE);
    let as_decryption = unbound.decryption_key(by_hid).expect("a key with this hid");
    assert_eq!(as_decryption.to_bytes(), exchange.to_bytes());
}

/// What a file holds is read as what it is, and as nothing else.
#[test]
fn files_of_other_kinds() {
    let (signing, encryption) = (signing(), encryption());
    let user = signing.extract("Alice").expect("a key");
    let files = [
        signing.to_pkcs8_der(),
        encryption.to_pkcs8_der(),
        user.to_pkcs8_der(),
        encryption.extract("Alice").expect("a key").to_pkcs8_der(),
    ]
    .map(|file| file.expect("PKCS#8"));
    for (i, file) in files.iter().enumerate() {
        let bytes = file.as_bytes();
        assert_eq!(MasterSigningKey::from_pkcs8_der(bytes).is_ok(), i == 0);
        assert_eq!(MasterEncryptionKey::from_pkcs8_der(bytes).is_ok(), i == 1);
        assert_eq!(UnboundSigningKey::from_pkcs8_der(bytes).is_ok(), i == 2);
        assert_eq!(UnboundDecryptionKey::from_pkcs8_der(bytes).is_ok(), i == 3);
        let (key, _) = read_key(bytes, None).expect("a key");
        let kind = key.kind();
        let wrong = MasterSigningPublicKey::try_from(key);
        assert_eq!(wrong.err(), Some(encoding::Error::OtherSm9Key(kind)));
    }
    let public = signing.public_key().to_public_key_der().expect("SPKI");
    let again = MasterSigningPublicKey::from_public_key_der(public.as_bytes());
    assert_eq!(again.as_ref().ok(), Some(signing.public_key()));
    assert!(MasterEncryptionPublicKey::from_public_key_der(public.as_bytes()).is_err());
    let public = encryption
        .public_key()
        .to_public_key_pem(Default::default());
    let public = public.expect("SPKI");
    let again = MasterEncryptionPublicKey::from_public_key_pem(&public);
    assert_eq!(again.as_ref().ok(), Some(encryption.public_key()));
    assert!(MasterSigningPublicKey::from_public_key_pem(&public).is_err());
    let (key, _) = read_key(public.as_bytes(), None).expect("a key");
    assert!(matches!(key, Key::MasterEncryptionPublic(_)));
}

#[test]
fn points_of_g1() {
    let q = array::<32>(Q);
    let p1 = encryption().public_key().clone();
    let good = p1.to_bytes();
    let (mut x, mut y, mut off) = (good, good, good);
    x[..32].copy_from_slice(&q);
    y[32..].copy_from_slice(&[0xFF; 32]);
    off[63] ^= 1;
    for (bad, reason) in [
        ([0; 64], Error::PointAtInfinity),
        (x, Error::CoordinateRange),
        (y, Error::CoordinateRange),
        (off, Error::NotOnCurve),
    ] {
        assert_eq!(G1Point::from_bytes(&bad), Err(reason));
        let mut long = vec![4];
        long.extend_from_slice(&bad);
        assert_eq!(G1Point::from_sec1_bytes(&long), Err(reason));
        assert_eq!(G1Point::from_slice(&long), Err(reason));
        let public = MasterEncryptionPublicKey::from_bytes(&bad);
        assert_eq!(public, Err(reason));
        let key = SigningKey::from_bytes(&bad, "Alice", signing().public_key());
        assert_eq!(key.err(), Some(reason));
        // As the part of a signature, a ciphertext.
        let mut signature = [1; 96];
        signature[32..].copy_from_slice(&bad);
        assert_eq!(Signature::from_bytes(&signature), Err(reason));
        let mut ciphertext = [1; 97];
        ciphertext[..64].copy_from_slice(&bad);
        assert_eq!(
            Ciphertext::from_bytes(Mode::Stream, &ciphertext),
            Err(reason)
        );
    }
    // A number that is the same modulo q, and not below it, is refused and not reduced.
    let wrapped = number(&hex::encode(&good[..32])) + number(Q);
    if wrapped.bits() <= 256 {
        let mut bad = good;
        bad[..32].copy_from_slice(&wrapped.to_bytes_be());
        assert_eq!(G1Point::from_bytes(&bad), Err(Error::CoordinateRange));
    }
    let point = G1Point::from_bytes(&good).expect("a point");
    let compressed = point.to_compressed_bytes();
    assert_eq!(G1Point::from_slice(&compressed), Ok(point));
    let mut other = compressed;
    other[0] ^= 1;
    let negative = G1Point::from_slice(&other).expect("the other root");
    assert_eq!(negative.to_bytes()[..32], good[..32]);
    assert_ne!(negative, point);
    for (bad, reason) in [
        (vec![], Error::PointLength(0)),
        (vec![0], Error::PointAtInfinity),
        (vec![0; 2], Error::PointFormat(0)),
        (vec![5; 65], Error::PointFormat(5)),
        (vec![4; 66], Error::PointLength(66)),
        (vec![2; 32], Error::PointLength(32)),
        ([&[2][..], &q].concat(), Error::CoordinateRange),
    ] {
        assert_eq!(G1Point::from_slice(&bad), Err(reason), "{bad:02x?}");
    }
}

#[test]
fn points_of_g2() {
    let good = signing().public_key().to_bytes();
    let q = array::<32>(Q);
    let mut off = good;
    off[127] ^= 1;
    let mut bad = vec![
        ([0; 128], Error::PointAtInfinity),
        (off, Error::NotOnCurve),
        (array(OUTSIDE), Error::NotInSubgroup),
    ];
    // Each of the four numbers out of range.
    for i in 0..4 {
        let mut wide = good;
        wide[32 * i..32 * i + 32].copy_from_slice(&q);
        bad.push((wide, Error::CoordinateRange));
    }
    for (bad, reason) in bad {
        assert_eq!(MasterSigningPublicKey::from_bytes(&bad), Err(reason));
        let mut long = vec![4];
        long.extend_from_slice(&bad);
        assert_eq!(MasterSigningPublicKey::from_slice(&long), Err(reason));
        let key = DecryptionKey::from_bytes(&bad, "Bob", encryption().public_key());
        assert_eq!(key.err(), Some(reason));
    }
    for (bad, reason) in [
        (vec![], Error::PointLength(0)),
        (vec![0], Error::PointAtInfinity),
        (vec![4; 65], Error::PointLength(65)),
        (vec![7; 129], Error::PointFormat(7)),
    ] {
        assert_eq!(MasterSigningPublicKey::from_slice(&bad), Err(reason));
    }
    // Compressed, the point outside is on the twist, too.
    for format in [2, 3] {
        let compressed = [&[format][..], &array::<128>(OUTSIDE)[..64]].concat();
        assert_eq!(
            MasterSigningPublicKey::from_slice(&compressed),
            Err(Error::NotInSubgroup)
        );
    }
    let roots: Vec<_> = [2, 3]
        .into_iter()
        .map(|format| {
            let compressed = [&[format][..], &good[..64]].concat();
            MasterSigningPublicKey::from_slice(&compressed).expect("a point")
        })
        .collect();
    assert!(roots.contains(signing().public_key()));
    assert_ne!(roots[0], roots[1]);
}

#[test]
fn signatures_out_of_range_and_altered() {
    let master = signing();
    let key = master.extract("Alice").expect("a user's key");
    let signature = key.sign(b"a message").expect("a signature");
    for h in [[0; 32], array(N), [0xFF; 32]] {
        assert_eq!(
            Signature::from_parts(&h, *signature.s()),
            Err(Error::SignatureH)
        );
        let mut bytes = signature.to_bytes();
        bytes[..32].copy_from_slice(&h);
        assert_eq!(Signature::from_bytes(&bytes), Err(Error::SignatureH));
    }
    for length in [0, 64, 95, 97] {
        assert_eq!(
            Signature::from_slice(&vec![1; length]),
            Err(Error::SignatureLength(length))
        );
    }
    let verifier = key.verifying_key();
    let known = verifier.with_precompute(Precompute::AtOnce);
    let check = |signature: &Signature, message: &[u8]| {
        let one = verifier.verify(message, signature);
        assert_eq!(known.verify(message, signature), one);
        one
    };
    assert_eq!(check(&signature, b"a message"), Ok(()));
    assert_eq!(
        check(&signature, b"a massage"),
        Err(Error::InvalidSignature)
    );
    // Another h, and another S.
    let mut h = signature.h();
    h[31] ^= 1;
    let other = Signature::from_parts(&h, *signature.s()).expect("in range");
    assert_eq!(check(&other, b"a message"), Err(Error::InvalidSignature));
    let another = key.sign(b"a message").expect("a signature");
    assert_ne!(another, signature, "nonces differ");
    let mixed = Signature::from_parts(&signature.h(), *another.s()).expect("in range");
    assert_eq!(check(&mixed, b"a message"), Err(Error::InvalidSignature));
    // S = −[h]P1, so that the second point of the equation is infinity: the hash is not that of
    // what is left.
    let h = signature.h();
    let minus_h: [u8; 32] = (number(N) - num_bigint::BigUint::from_bytes_be(&h))
        .to_bytes_be()
        .try_into()
        .expect("it has 32 bytes");
    let minus_h = MasterEncryptionKey::from_bytes(&minus_h).expect("in range");
    let s = G1Point::from_bytes(&minus_h.public_key().to_bytes()).expect("a point");
    let opposite = Signature::from_parts(&h, s).expect("in range");
    assert_eq!(check(&opposite, b"a message"), Err(Error::InvalidSignature));
    // Another hid, and another master key.
    let stranger = MasterSigningKey::from_bytes(&[8; 32]).expect("a master key");
    let alice = Identity::new(b"Alice").with_hid(HID_EXCHANGE);
    for wrong in [
        VerifyingKey::new(master.public_key(), alice),
        VerifyingKey::new(stranger.public_key(), "Alice"),
    ] {
        let wrong = wrong.expect("an identity");
        let refused = Err(Error::InvalidSignature);
        assert_eq!(wrong.verify(b"a message", &signature), refused);
        assert_eq!(
            wrong
                .with_precompute(Precompute::AtOnce)
                .verify(b"a message", &signature),
            refused
        );
    }
}

#[test]
fn identities_and_messages_of_nothing_and_of_megabytes() {
    let (signing, encryption) = (signing(), encryption());
    let key = encryption.extract("Bob").expect("a user's key");
    let recipient = key.encryption_key();
    let empty = Some(Error::EmptyIdentity);
    assert_eq!(signing.extract("").err(), empty);
    assert_eq!(
        signing.extract_batch(&["".into()], Threads::One)[0]
            .as_ref()
            .err(),
        empty.as_ref()
    );
    assert_eq!(VerifyingKey::new(signing.public_key(), "").err(), empty);
    assert_eq!(encryption.extract("").err(), empty);
    assert_eq!(encryption.extract_exchange("").err(), empty);
    assert_eq!(EncryptionKey::new(encryption.public_key(), "").err(), empty);
    assert_eq!(Peer::new("").err(), empty);

    let ciphertext = recipient.encrypt(b"x").expect("a ciphertext");
    let nothing = Some(Error::EmptyMessage);
    for &mode in Mode::ALL {
        let options = EncryptOptions::new().with_mode(mode);
        assert_eq!(recipient.encrypt_with(b"", options).err(), nothing);
        assert_eq!(
            recipient
                .with_precompute(Precompute::AtOnce)
                .encrypt_with(b"", options)
                .err(),
            nothing
        );
    }
    for length in [0, usize::MAX] {
        let refused = Some(Error::KeyLength);
        assert_eq!(recipient.encapsulate(length).err(), refused);
        assert_eq!(key.decapsulate(ciphertext.c1(), length).err(), refused);
    }

    // An empty message can be signed, and an identity be of any length.
    let long = vec![0xA5; 3 << 20];
    let signer = signing.extract(&long[..]).expect("a user's key");
    let read = |id: &[u8]| SigningKey::from_bytes(&signer.to_bytes(), id, signing.public_key());
    assert_eq!(read(&long).as_ref(), Ok(&signer));
    assert_eq!(read(&long[1..]).err(), Some(Error::UserKeyMismatch));
    let signature = signer.sign(b"").expect("a signature");
    let verify = |message: &[u8]| signer.verifying_key().verify(message, &signature);
    assert_eq!(verify(b""), Ok(()));
    assert_eq!(verify(b"\0"), Err(Error::InvalidSignature));
    let reader = encryption.extract(&long[..]).expect("a user's key");
    let ciphertext = reader.encryption_key().encrypt(b"x").expect("a ciphertext");
    let plain = reader.decrypt(&ciphertext);
    assert_eq!(plain.as_deref(), Ok(&b"x".to_vec()));
}

#[test]
fn ciphertexts_that_were_altered() {
    let key = encryption().extract("Bob").expect("a user's key");
    let stranger = encryption().extract("Bab").expect("a user's key");
    let prepared = key.with_precompute(Precompute::AtOnce);
    for &mode in Mode::ALL {
        for &mac in Mac::ALL {
            let options = EncryptOptions::new().with_mode(mode).with_mac(mac);
            let with_mac = DecryptOptions::new().with_mac(mac);
            let ciphertext = key
                .encryption_key()
                .encrypt_with(b"a message of two blocks", options)
                .expect("a ciphertext");
            let open = |ciphertext: &Ciphertext| {
                let one = key.decrypt_with(ciphertext, with_mac);
                assert_eq!(prepared.decrypt_with(ciphertext, with_mac), one);
                one.map(|message| message.to_vec())
            };
            let failed = Err(Error::DecryptionFailed);
            assert_eq!(
                open(&ciphertext).as_deref(),
                Ok(&b"a message of two blocks"[..])
            );
            let theirs = stranger.decrypt_with(&ciphertext, with_mac);
            assert_eq!(theirs.err(), Some(Error::DecryptionFailed));
            // Each part altered: C1 replaced by another point, a bit of C3 and of C2.
            let other = key.encryption_key().encrypt(b"x").expect("another");
            let c2 = ciphertext.c2().to_vec();
            let parts = |c1: &G1Point, c3: [u8; 32], c2: Vec<u8>| {
                Ciphertext::from_parts(mode, *c1, c3, c2).expect("a ciphertext")
            };
            assert_eq!(
                open(&parts(other.c1(), *ciphertext.c3(), c2.clone())),
                failed
            );
            let mut c3 = *ciphertext.c3();
            c3[0] ^= 0x80;
            assert_eq!(open(&parts(ciphertext.c1(), c3, c2.clone())), failed);
            let mut altered = c2.clone();
            *altered.last_mut().expect("it has bytes") ^= 1;
            let c3 = *ciphertext.c3();
            assert_eq!(open(&parts(ciphertext.c1(), c3, altered)), failed);
            let cut = c2[..c2.len() - 1].to_vec();
            assert_eq!(open(&parts(ciphertext.c1(), c3, cut)), failed);
            // Another mode, and another MAC.
            let place = Mode::ALL.iter().position(|m| *m == mode).expect("one");
            let as_other = Mode::ALL[(place + 1) % Mode::ALL.len()];
            let moded = Ciphertext::from_parts(as_other, *ciphertext.c1(), c3, c2.clone());
            // All modes of SM4 have the same keys, so that only what comes out tells: here, not the
            // message.
            assert_ne!(
                open(&moded.expect("a ciphertext")).as_deref(),
                Ok(&b"a message of two blocks"[..])
            );
            for &other in Mac::ALL.iter().filter(|&&other| other != mac) {
                let other = DecryptOptions::new().with_mac(other);
                let opened = key.decrypt_with(&ciphertext, other);
                assert_eq!(opened.err(), Some(Error::DecryptionFailed));
            }
        }
    }
    for length in 0..=96 {
        assert_eq!(
            Ciphertext::from_bytes(Mode::Stream, &vec![1; length]),
            Err(Error::CiphertextLength(length))
        );
    }
}

/// A single byte is zero with one nonce in 256: no sender makes such a key, and no recipient takes
/// it.
#[test]
fn keys_of_zeros() {
    let key = encryption().extract("Bob").expect("a key");
    let public = key.encryption_key();
    let nonces = (1u16..3000).map(|r| {
        let mut nonce = [0; 32];
        nonce[30..].copy_from_slice(&r.to_be_bytes());
        nonce
    });
    let mut nonces = nonces.skip_while(|nonce| {
        let made = public.encapsulate_with_nonce(1, nonce);
        made.is_ok_and(|(key, _)| key[0] != 0)
    });
    let nonce = nonces.next().expect("one in 256");
    let made = public.encapsulate_with_nonce(1, &nonce);
    assert_eq!(made.err(), Some(Error::Nonce));
    let (longer, c) = public
        .encapsulate_with_nonce(16, &nonce)
        .expect("not all of it is zero");
    assert_eq!(longer[0], 0);
    let opened = key.decapsulate(&c, 1);
    assert_eq!(opened.err(), Some(Error::DecryptionFailed));
    assert_eq!(key.decapsulate(&c, 16), Ok(longer));
}

/// `C3` as GmSSL makes it: HMAC of `C2` under `K2`.
#[test]
fn the_mac_of_gmssl() {
    let (public, nonce) = (recipient("Bob"), [7; 32]);
    let (keys, _) = public
        .encapsulate_with_nonce(8 + 32, &nonce)
        .expect("the keys");
    let ciphertext = public
        .encrypt_with_nonce(b"a secret", EncryptOptions::GMSSL, &nonce, &[0; 16])
        .expect("a ciphertext");
    let expected = kuaimi::sm3::hmac_sm3(&keys[8..], ciphertext.c2());
    assert_eq!(*ciphertext.c3(), expected);
}

#[test]
fn exchanges_that_do_not_fit() {
    let master = encryption();
    let alice = master.extract_exchange("Alice").expect("a user's key");
    let bob = master.extract_exchange("Bob").expect("a user's key");
    let start = || Initiator::start(Party::new(&alice), peer("Bob")).expect("a start");
    let respond = |r_a: &G1Point, name: &str| {
        let responder = Responder::new(Party::new(&bob), peer(name));
        responder.respond(r_a, 16).expect("a response")
    };
    let failed = Some(Error::ConfirmationFailed);

    // Another peer than B thinks, and S_B altered.
    let (initiator, r_a) = start();
    let response = respond(&r_a, "Carol");
    let finished = initiator.finish(response.point(), &response.confirmation(), 16);
    assert_eq!(finished.err(), failed);
    let (initiator, r_a) = start();
    let response = respond(&r_a, "Alice");
    let mut s_b = response.confirmation();
    s_b[0] ^= 1;
    let finished = initiator.finish(response.point(), &s_b, 16);
    assert_eq!(finished.err(), failed);
    // S_A altered; and S_B in its place, which has another tag.
    for wrong in [[0; 32], response.confirmation()] {
        let response = kuaimi::sm9::exchange::Response::from_bytes(&response.to_bytes());
        let confirmed = response.expect("a state").confirm(&wrong);
        assert_eq!(confirmed.err(), failed);
    }
    // Without confirmation, the keys differ.
    let (initiator, r_a) = start();
    let response = respond(&r_a, "Carol");
    let key = initiator.finish_unconfirmed(response.point(), 16);
    assert_ne!(key.expect("a key"), response.key_unconfirmed());
    let (initiator, r_a) = start();
    let response = respond(&r_a, "Alice");
    let key = initiator.finish_unconfirmed(response.point(), 16);
    assert_eq!(key.expect("a key"), response.key_unconfirmed());

    for length in [0, usize::MAX] {
        let (initiator, r_a) = start();
        let responder = Responder::new(Party::new(&bob), peer("Alice"));
        assert_eq!(
            responder.respond(&r_a, length).err(),
            Some(Error::KeyLength)
        );
        let finished = initiator.finish_unconfirmed(&r_a, length);
        assert_eq!(finished.err(), Some(Error::KeyLength));
    }

    // Kept states: every byte counts, and the key must be the one it was started with.
    let (initiator, _) = start();
    let state = initiator.to_bytes();
    assert_eq!(Initiator::identity_in(&state), Ok(alice.identity()));
    let carol = master.extract_exchange("Carol").expect("a user's key");
    assert_eq!(
        Initiator::from_bytes(&state, &carol).err(),
        Some(Error::ExchangeKey)
    );
    for i in 0..state.len() {
        let mut altered = state.to_vec();
        altered[i] ^= 4;
        assert_eq!(
            Initiator::from_bytes(&altered, &alice).err(),
            Some(Error::ExchangeState),
            "byte {i}"
        );
        let whose = Initiator::identity_in(&altered);
        assert_eq!(whose, Err(Error::ExchangeState), "byte {i}");
        let cut = Initiator::from_bytes(&state[..i], &alice);
        assert_eq!(cut.err(), Some(Error::ExchangeState), "{i} bytes");
    }
    let responder = kuaimi::sm9::exchange::Response::from_bytes(&state);
    assert_eq!(responder.err(), Some(Error::ExchangeState));
    // A peer whose hid is not the usual one is the same peer when the state is read.
    let robert = Identity::new(b"Bob").with_hid(9);
    let (initiator, r_a) = Initiator::start(Party::new(&alice), peer(robert)).expect("a start");
    let initiator = Initiator::from_bytes(&initiator.to_bytes(), &alice).expect("a state");
    let robert = master.extract_exchange(robert).expect("a user's key");
    let responder = Responder::new(Party::new(&robert), peer("Alice"));
    let response = responder.respond(&r_a, 16).expect("a response");
    let finished = initiator.finish(response.point(), &response.confirmation(), 16);
    let (key, s_a) = finished.expect("the key");
    assert_eq!(response.confirm(&s_a).expect("the key"), key);
}

/// A generator that gives the same bytes twice gives a nonce that the message changes, and a
/// generator that fails is an error.
#[test]
fn nonces_are_hedged() {
    let key = signing().extract("Alice").expect("a user's key");
    let prepared = key.with_precompute(Precompute::AtOnce);
    let with = |message: &[u8]| {
        let signature = key.sign_with_rng(&mut Broken::Constant(5), message);
        let signature = signature.expect("a signature");
        let again = prepared.sign_with_rng(&mut Broken::Constant(5), message);
        assert_eq!(again, Ok(signature), "with tables and without");
        signature
    };
    let (one, two) = (with(b"one"), with(b"two"));
    assert_ne!(one.s(), two.s());
    // With one message and one random number, keys of two users have nonces of their own: h is a
    // hash of g^r, and would be the same.
    let other = signing().extract("Bob").expect("a user's key");
    let other = other.sign_with_rng(&mut Broken::Constant(5), b"one");
    assert_ne!(other.expect("a signature").h(), one.h());
    // Were r the same, l1 − l2 = h2 − h1 would relate S1 and S2, and give ds away; that they are
    // not, the hash of the message sees to.
    assert_eq!(with(b"one"), one);
    assert_eq!(
        key.sign_with_rng(&mut Broken::Fails, b"x"),
        Err(Error::Random)
    );
    for stuck in [0, 0xFF] {
        let public = recipient("Bob");
        let made = public.encapsulate_with_rng(&mut Broken::Constant(stuck), 16);
        assert_eq!(made.err(), Some(Error::Random));
    }
    assert_eq!(key.sign_with_nonce(b"x", &[0; 32]), Err(Error::Nonce));
    assert_eq!(key.sign_with_nonce(b"x", &array(N)), Err(Error::Nonce));
}

#[test]
fn der_that_is_not_strict() {
    let key = signing().extract("Alice").expect("a user's key");
    let signature = key.sign(b"a message").expect("a signature");
    let ciphertext = recipient("Bob").encrypt(b"x").expect("one");
    let bytes = signature.to_der();
    let all_cuts = |der: &[u8], read: &dyn Fn(&[u8]) -> Option<encoding::Error>| {
        assert_eq!(read(der), None);
        for length in 0..der.len() {
            assert!(read(&der[..length]).is_some(), "{length} bytes");
        }
        let more = [der, &[0]].concat();
        assert_eq!(read(&more), Some(encoding::Error::TrailingBytes));
    };
    all_cuts(&bytes, &|der| Signature::from_der(der).err());
    all_cuts(&ciphertext.to_der(), &|der| Ciphertext::from_der(der).err());
    all_cuts(&signature.s().to_der(), &|der| G1Point::from_der(der).err());
    all_cuts(&signing().to_der(), &|der| {
        MasterSigningKey::from_der(der).err()
    });
    all_cuts(&key.to_der(), &|der| {
        SigningKey::from_der(der, "Alice", signing().public_key()).err()
    });
    // SEQUENCE { OCTET STRING (32), BIT STRING (0 ‖ 65) }
    assert_eq!(bytes.len(), 104);
    assert_eq!(bytes[..4], [0x30, 102, 4, 32]);
    assert_eq!(bytes[36..40], [3, 66, 0, 4]);
    // An unused bit; S at infinity; S of another form.
    for (at, value) in [(38, 1), (39, 5)] {
        let mut altered = bytes.clone();
        altered[at] = value;
        assert!(Signature::from_der(&altered).is_err());
    }
    let infinity = [&[0x30, 38][..], &bytes[2..36], &[3, 2, 0, 0]].concat();
    assert_eq!(
        Signature::from_der(&infinity),
        Err(encoding::Error::Sm9(Error::PointAtInfinity))
    );
    let mut h = bytes.clone();
    h[4..36].fill(0);
    assert_eq!(
        Signature::from_der(&h),
        Err(encoding::Error::Sm9(Error::SignatureH))
    );
    let zeros = [&bytes[..40], &[0; 64]].concat();
    assert_eq!(
        Signature::from_der(&zeros),
        Err(encoding::Error::Sm9(Error::PointAtInfinity))
    );
    // EnType that no mode has.
    let mut der = ciphertext.to_der();
    let at = der.windows(3).position(|w| w == [2, 1, 0]).expect("EnType");
    for number in [3, 5, 7, 9, 0x7F] {
        der[at + 2] = number;
        assert_eq!(
            Ciphertext::from_der(&der),
            Err(encoding::Error::UnknownEnType)
        );
    }
    // Compressed points are read.
    let compressed = signature.s().to_compressed_bytes();
    let body = [&bytes[2..36], &[3, 34, 0], &compressed[..]].concat();
    let short = [&[0x30, body.len() as u8][..], &body].concat();
    assert_eq!(Signature::from_der(&short), Ok(signature));
}
