//! What SM9 refuses: numbers out of range, points at infinity, off the curve, outside of the group, identities and messages of nothing,
//! and master keys that cannot serve an identity, which nobody will ever meet by chance. They are made here.

mod common {
    pub(crate) mod numbers;
}

use common::numbers::Broken;
use kuaimi::encoding;
use kuaimi::sm9::exchange::{Initiator, Party, Responder};
use kuaimi::sm9::{
    CheckValue, Ciphertext, EncryptOptions, Error, G1Point, HID_EXCHANGE, HID_SIGN, Identity,
    MasterEncryptionKey, MasterEncryptionPublicKey, MasterSigningKey, MasterSigningPublicKey, Mode,
    Signature, UserEncryptionKey, UserSigningKey,
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

/// `H1(ID ‖ hid) + k = N`: no key of this identity exists, and none of the public operations may go on with infinity.
#[test]
fn a_master_key_that_cannot_serve_an_identity() {
    let k = (number(N) - number(H1_ALICE)).to_bytes_be();
    let k: [u8; 32] = k.try_into().expect("it has 32 bytes");
    let signing = MasterSigningKey::from_bytes(&k).expect("in range");
    assert_eq!(signing.user_key("Alice"), Err(Error::UnusableMasterKey));
    let many = signing.user_keys(&["Bob".into(), "Alice".into(), "Carol".into()]);
    assert_eq!(many[1], Err(Error::UnusableMasterKey));
    for (key, id) in [(&many[0], "Bob"), (&many[2], "Carol")] {
        assert_eq!(*key, signing.user_key(id), "{id}");
        assert_eq!(key.as_ref().map(|key| key.check(id)), Ok(Ok(())), "{id}");
    }
    let bob = signing.user_key("Bob").expect("a user's key");
    let signature = bob.sign(b"a message").expect("a signature");
    let verifier = signing.public_key().prepare();
    let refused = Err(Error::InvalidSignature);
    assert_eq!(
        signing
            .public_key()
            .verify("Alice", b"a message", &signature),
        refused
    );
    assert_eq!(verifier.verify("Alice", b"a message", &signature), refused);
    assert!(verifier.identity("Alice").is_err());
    assert_eq!(bob.check("Alice"), Err(Error::UserKeyMismatch));

    let alice = Identity::new(b"Alice").with_hid(HID_SIGN);
    let encryption = MasterEncryptionKey::from_bytes(&k).expect("in range");
    let public = encryption.public_key();
    let unusable = Error::UnusableMasterKey;
    assert_eq!(encryption.user_key(alice), Err(unusable));
    assert_eq!(encryption.user_keys(&[alice])[0], Err(unusable));
    assert_eq!(public.encapsulate(alice, 16).err(), Some(unusable));
    assert_eq!(public.encrypt(alice, b"x").err(), Some(unusable));
    let sender = public.prepare();
    assert_eq!(sender.encapsulate(alice, 16).err(), Some(unusable));
    assert_eq!(sender.recipient(alice).err(), Some(unusable));
    let party = Party::new(&encryption.user_exchange_key("Bob").expect("a key"), "Bob");
    let party = party.expect("a party");
    let started = Initiator::start(party.clone(), alice);
    assert_eq!(started.err(), Some(unusable));
    assert_eq!(Responder::new(party, alice).err(), Some(unusable));
    // A prepared party sees that its own point is infinity.
    let bob = encryption.user_exchange_key("Bob").expect("a key");
    let party = Party::with_prepared(&bob.prepare(), &sender, "Bob").expect("a party");
    assert_eq!(Initiator::start(party.clone(), alice).err(), Some(unusable));
    let responder = Responder::new(party, alice).expect("a responder");
    let r_a = G1Point::from_bytes(&public.to_bytes()).expect("a point");
    assert_eq!(responder.respond(&r_a, 16).err(), Some(unusable));
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
        let key = UserSigningKey::from_bytes(&bad, signing().public_key());
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
        let key = UserEncryptionKey::from_bytes(&bad, encryption().public_key());
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
    let key = master.user_key("Alice").expect("a user's key");
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
    let verifier = master.public_key().prepare();
    let known = verifier.identity("Alice").expect("an identity");
    let check = |signature: &Signature, message: &[u8]| {
        let one = master.public_key().verify("Alice", message, signature);
        assert_eq!(verifier.verify("Alice", message, signature), one);
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
    // S = −[h]P1, so that the second point of the equation is infinity: the hash is not that of what is left.
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
    let alice = Identity::new(b"Alice").with_hid(HID_EXCHANGE);
    assert_eq!(
        master.public_key().verify(alice, b"a message", &signature),
        Err(Error::InvalidSignature)
    );
    let stranger = MasterSigningKey::from_bytes(&[8; 32]).expect("a master key");
    assert_eq!(
        stranger
            .public_key()
            .verify("Alice", b"a message", &signature),
        Err(Error::InvalidSignature)
    );
    assert_eq!(
        key.prepare_with(&stranger.public_key().prepare()).err(),
        Some(Error::UserKeyMismatch)
    );
}

#[test]
fn identities_and_messages_of_nothing_and_of_megabytes() {
    let (signing, encryption) = (signing(), encryption());
    let public = encryption.public_key();
    let key = encryption.user_key("Bob").expect("a user's key");
    let empty = Some(Error::EmptyIdentity);
    assert_eq!(signing.user_key("").err(), empty);
    assert_eq!(
        signing.user_keys(&["".into()])[0],
        Err(Error::EmptyIdentity)
    );
    assert_eq!(encryption.user_key("").err(), empty);
    assert_eq!(encryption.user_exchange_key("").err(), empty);
    assert_eq!(public.encrypt("", b"x").err(), empty);
    assert_eq!(public.encapsulate("", 16).err(), empty);
    assert_eq!(public.prepare().recipient("").err(), empty);
    assert_eq!(Party::new(&key, "").err(), empty);
    let party = Party::new(&key, "Bob").expect("a party");
    assert_eq!(Initiator::start(party, "").err(), empty);
    let ciphertext = public.encrypt("Bob", b"x").expect("a ciphertext");
    assert_eq!(key.decrypt("", &ciphertext).err(), empty);
    assert_eq!(key.decapsulate("", ciphertext.c1(), 16).err(), empty);
    assert_eq!(key.check("").err(), empty);
    assert_eq!(key.check("Bab").err(), Some(Error::UserKeyMismatch));

    let nothing = Some(Error::EmptyMessage);
    for mode in Mode::ALL {
        let options = EncryptOptions {
            mode,
            ..EncryptOptions::default()
        };
        assert_eq!(public.encrypt_with("Bob", b"", options).err(), nothing);
        let sender = public.prepare();
        assert_eq!(sender.encrypt("Bob", b"", options).err(), nothing);
    }
    for length in [0, usize::MAX] {
        let refused = Some(Error::KeyLength);
        assert_eq!(public.encapsulate("Bob", length).err(), refused);
        assert_eq!(
            key.decapsulate("Bob", ciphertext.c1(), length).err(),
            refused
        );
    }

    // An empty message can be signed, and an identity be of any length.
    let long = vec![0xA5; 3 << 20];
    let signer = signing.user_key(&long[..]).expect("a user's key");
    signer.check(&long[..]).expect("its own key");
    assert_eq!(signer.check(&long[1..]).err(), Some(Error::UserKeyMismatch));
    let signature = signer.sign(b"").expect("a signature");
    let verify = |message: &[u8]| signing.public_key().verify(&long[..], message, &signature);
    assert_eq!(verify(b""), Ok(()));
    assert_eq!(verify(b"\0"), Err(Error::InvalidSignature));
    let reader = encryption.user_key(&long[..]).expect("a user's key");
    let ciphertext = public.encrypt(&long[..], b"x").expect("a ciphertext");
    let plain = reader.decrypt(&long[..], &ciphertext);
    assert_eq!(plain.as_deref(), Ok(&b"x".to_vec()));
}

#[test]
fn ciphertexts_that_were_altered() {
    let master = encryption();
    let key = master.user_key("Bob").expect("a user's key");
    let prepared = key.prepare();
    for mode in Mode::ALL {
        for check_value in [CheckValue::Sm3, CheckValue::HmacSm3] {
            let options = EncryptOptions { mode, check_value };
            let ciphertext = master
                .public_key()
                .encrypt_with("Bob", b"a message of two blocks", options)
                .expect("a ciphertext");
            let open = |ciphertext: &Ciphertext, id: &str| {
                let one = key.decrypt_with(id, ciphertext, check_value);
                assert_eq!(prepared.decrypt_with(id, ciphertext, check_value), one);
                one.map(|message| message.to_vec())
            };
            let failed = Err(Error::DecryptionFailed);
            assert_eq!(
                open(&ciphertext, "Bob").as_deref(),
                Ok(&b"a message of two blocks"[..])
            );
            assert_eq!(open(&ciphertext, "Bab"), failed);
            // Each part altered: C1 replaced by another point, a bit of C3 and of C2.
            let other = master.public_key().encrypt("Bob", b"x").expect("another");
            let c2 = ciphertext.c2().to_vec();
            let parts = |c1: &G1Point, c3: [u8; 32], c2: Vec<u8>| {
                Ciphertext::from_parts(mode, *c1, c3, c2).expect("a ciphertext")
            };
            assert_eq!(
                open(&parts(other.c1(), *ciphertext.c3(), c2.clone()), "Bob"),
                failed
            );
            let mut c3 = *ciphertext.c3();
            c3[0] ^= 0x80;
            assert_eq!(open(&parts(ciphertext.c1(), c3, c2.clone()), "Bob"), failed);
            let mut altered = c2.clone();
            *altered.last_mut().expect("it has bytes") ^= 1;
            let c3 = *ciphertext.c3();
            assert_eq!(open(&parts(ciphertext.c1(), c3, altered), "Bob"), failed);
            assert_eq!(
                open(
                    &parts(ciphertext.c1(), c3, c2[..c2.len() - 1].to_vec()),
                    "Bob"
                ),
                failed
            );
            // Another mode, and another check value.
            let as_other = Mode::ALL
                [(Mode::ALL.iter().position(|m| *m == mode).expect("one") + 1) % Mode::ALL.len()];
            let moded = Ciphertext::from_parts(as_other, *ciphertext.c1(), c3, c2.clone());
            // All modes of SM4 have the same keys, so that only what comes out tells: here, not the message.
            assert_ne!(
                open(&moded.expect("a ciphertext"), "Bob").as_deref(),
                Ok(&b"a message of two blocks"[..])
            );
            let swapped = match check_value {
                CheckValue::Sm3 => CheckValue::HmacSm3,
                CheckValue::HmacSm3 => CheckValue::Sm3,
            };
            assert_eq!(
                key.decrypt_with("Bob", &ciphertext, swapped).err(),
                Some(Error::DecryptionFailed)
            );
        }
    }
    for length in 0..=96 {
        assert_eq!(
            Ciphertext::from_bytes(Mode::Stream, &vec![1; length]),
            Err(Error::CiphertextLength(length))
        );
    }
}

/// A single byte is zero with one nonce in 256: no sender makes such a key, and no recipient takes it.
#[test]
fn keys_of_zeros() {
    let master = encryption();
    let (public, key) = (master.public_key(), master.user_key("Bob").expect("a key"));
    let nonces = (1u16..3000).map(|r| {
        let mut nonce = [0; 32];
        nonce[30..].copy_from_slice(&r.to_be_bytes());
        nonce
    });
    let mut nonces = nonces.skip_while(|nonce| {
        let made = public.encapsulate_with_nonce("Bob", 1, nonce);
        made.is_ok_and(|(key, _)| key[0] != 0)
    });
    let nonce = nonces.next().expect("one in 256");
    let made = public.encapsulate_with_nonce("Bob", 1, &nonce);
    assert_eq!(made.err(), Some(Error::Nonce));
    let (longer, c) = public
        .encapsulate_with_nonce("Bob", 16, &nonce)
        .expect("not all of it is zero");
    assert_eq!(longer[0], 0);
    let opened = key.decapsulate("Bob", &c, 1);
    assert_eq!(opened.err(), Some(Error::DecryptionFailed));
    assert_eq!(key.decapsulate("Bob", &c, 16), Ok(longer));
}

/// `C3` as GmSSL makes it: HMAC of `C2` under `K2`.
#[test]
fn the_check_value_of_gmssl() {
    let master = encryption();
    let (public, nonce) = (master.public_key(), [7; 32]);
    let (keys, _) = public
        .encapsulate_with_nonce("Bob", 8 + 32, &nonce)
        .expect("the keys");
    let ciphertext = public
        .encrypt_with_nonce("Bob", b"a secret", EncryptOptions::GMSSL, &nonce, &[0; 16])
        .expect("a ciphertext");
    let expected = kuaimi::sm3::hmac_sm3(&keys[8..], ciphertext.c2());
    assert_eq!(*ciphertext.c3(), expected);
}

#[test]
fn exchanges_that_do_not_fit() {
    let master = encryption();
    let alice = master.user_exchange_key("Alice").expect("a user's key");
    let bob = master.user_exchange_key("Bob").expect("a user's key");
    let party = |key, id| Party::new(key, id).expect("a party");
    let start = || Initiator::start(party(&alice, "Alice"), "Bob").expect("a start");
    let respond = |r_a: &G1Point, peer: &str| {
        let responder = Responder::new(party(&bob, "Bob"), peer).expect("a responder");
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
        let responder = Responder::new(party(&bob, "Bob"), "Alice").expect("a responder");
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
    let carol = master.user_exchange_key("Carol").expect("a user's key");
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
        let cut = Initiator::from_bytes(&state[..i], &alice);
        assert_eq!(cut.err(), Some(Error::ExchangeState), "{i} bytes");
    }
    let responder = kuaimi::sm9::exchange::Response::from_bytes(&state);
    assert_eq!(responder.err(), Some(Error::ExchangeState));
    // A peer whose hid is not the usual one is the same peer when the state is read.
    let robert = Identity::new(b"Bob").with_hid(9);
    let (initiator, r_a) = Initiator::start(party(&alice, "Alice"), robert).expect("a start");
    let initiator = Initiator::from_bytes(&initiator.to_bytes(), &alice).expect("a state");
    let robert = master.user_exchange_key(robert).expect("a user's key");
    let responder = Responder::new(party(&robert, "Bob"), "Alice").expect("a responder");
    let response = responder.respond(&r_a, 16).expect("a response");
    let finished = initiator.finish(response.point(), &response.confirmation(), 16);
    let (key, s_a) = finished.expect("the key");
    assert_eq!(response.confirm(&s_a).expect("the key"), key);

    // What a prepared party keeps is under one master key.
    let other = MasterEncryptionKey::from_bytes(&[8; 32]).expect("a master key");
    let mixed = Party::with_prepared(&alice.prepare(), &other.public_key().prepare(), "Alice");
    assert_eq!(mixed.err(), Some(Error::UserKeyMismatch));
}

/// A generator that gives the same bytes twice gives a nonce that the message changes, and a generator that fails is an error.
#[test]
fn nonces_are_hedged() {
    let key = signing().user_key("Alice").expect("a user's key");
    let prepared = key.prepare();
    let with = |message: &[u8]| {
        let signature = key.sign_with_rng(&mut Broken::Constant(5), message);
        let signature = signature.expect("a signature");
        let again = prepared.sign_with_rng(&mut Broken::Constant(5), message);
        assert_eq!(again, Ok(signature), "with tables and without");
        signature
    };
    let (one, two) = (with(b"one"), with(b"two"));
    assert_ne!(one.s(), two.s());
    // With one message and one random number, keys of two users have nonces of their own: h is a hash of g^r, and would be the same.
    let other = signing().user_key("Bob").expect("a user's key");
    let other = other.sign_with_rng(&mut Broken::Constant(5), b"one");
    assert_ne!(other.expect("a signature").h(), one.h());
    // Were r the same, l1 − l2 = h2 − h1 would relate S1 and S2, and give ds away; that they are not, the hash of the message sees to.
    assert_eq!(with(b"one"), one);
    assert_eq!(
        key.sign_with_rng(&mut Broken::Fails, b"x"),
        Err(Error::Random)
    );
    for stuck in [0, 0xFF] {
        let public = encryption().public_key().clone();
        let made = public.encapsulate_with_rng(&mut Broken::Constant(stuck), "Bob", 16);
        assert_eq!(made.err(), Some(Error::Random));
    }
    assert_eq!(key.sign_with_nonce(b"x", &[0; 32]), Err(Error::Nonce));
    assert_eq!(key.sign_with_nonce(b"x", &array(N)), Err(Error::Nonce));
}

#[test]
fn der_that_is_not_strict() {
    let key = signing().user_key("Alice").expect("a user's key");
    let signature = key.sign(b"a message").expect("a signature");
    let ciphertext = encryption().public_key().encrypt("Bob", b"x").expect("one");
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
        UserSigningKey::from_der(der, signing().public_key()).err()
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
