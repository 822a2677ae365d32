//! What the parent knows: the secrets of each operation, computed from the same numbers. That they
//! are the operation's own is checked by its results.

use kuaimi::Threads;
use kuaimi::sm2::batch::{
    EncryptItem, SignItem, encrypt_batch_with_rng, generate_batch_with_rng, sign_batch_with_rng,
};
use kuaimi::sm2::{self, Ciphertext, PrivateKey, PublicKey, SigningKey};
use kuaimi::sm3;
use kuaimi::sm4::Sm4Gcm;
use kuaimi::sm9::{self, EncryptOptions, G1Point};
use kuaimi_testing::Repeatable;
use kuaimi_testing::child_memory::Secret;
use num_bigint::BigUint;
use rand_core::TryRng as _;

use super::batches::USERS;
use super::{BATCH, MESSAGE};

fn hexadecimal(text: &str) -> BigUint {
    BigUint::parse_bytes(text.as_bytes(), 16).expect("hexadecimal")
}

fn sm2_order() -> BigUint {
    number(&sm2::parameters::n())
}

fn sm2_prime() -> BigUint {
    number(&sm2::parameters::p())
}

fn sm9_order() -> BigUint {
    hexadecimal("B640000002A3A6F1D603AB4FF58EC74449F2934B18EA8BEEE56EE19CD69ECF25")
}

fn sm9_prime() -> BigUint {
    hexadecimal("B640000002A3A6F1D603AB4FF58EC74521F2934B1A7AEEDBE56F9B27E351457D")
}

fn number(bytes: &[u8]) -> BigUint {
    BigUint::from_bytes_be(bytes)
}

fn padded(number: &BigUint) -> [u8; 32] {
    let (short, mut bytes) = (number.to_bytes_be(), [0; 32]);
    bytes[32 - short.len()..].copy_from_slice(&short);
    bytes
}

fn integer(name: &str, bytes: &[u8], modulus: &BigUint) -> [Secret; 3] {
    let bytes = bytes.try_into().expect("32 bytes");
    Secret::integer(name, bytes, &padded(modulus))
}

/// The coordinates of a point, or of an element of a field.
fn coordinates(name: &str, bytes: &[u8], prime: &BigUint) -> Vec<Secret> {
    let each = bytes.chunks(32);
    each.flat_map(|bytes| integer(name, bytes, prime)).collect()
}

/// The number in `[1, order − 1]` that an operation draws.
fn drawn(random: &mut Repeatable, order: &BigUint) -> [u8; 32] {
    loop {
        let mut bytes = [0; 32];
        random.try_fill_bytes(&mut bytes).expect("it does not fail");
        if number(&bytes) < *order {
            return bytes;
        }
    }
}

/// What the operation gets, and the secrets that may not stay.
pub(crate) fn prepare(name: &str, secret: &[u8; 32], seed: u64) -> (Vec<u8>, Vec<Secret>) {
    // What is decrypted.
    let plaintext: [u8; 48] = core::array::from_fn(|i| secret[i % 32].wrapping_add(i as u8) ^ 0x5a);
    let (name, items) = match name.strip_suffix(" in a batch") {
        Some(name) => (name, BATCH),
        None => (name, 1),
    };
    match name.split_once(' ') {
        Some(("sm2", name)) => sm2(name, secret, &mut Repeatable(seed), &plaintext, items),
        Some(("sm9", name)) => sm9(name, secret, &mut Repeatable(seed), &plaintext, items),
        _ => {
            let key = secret[..16].try_into().expect("16 bytes");
            let mut data = plaintext.to_vec();
            let tag = Sm4Gcm::new(key)
                .seal_in_place(&[1; 12], b"", &mut data)
                .expect("a nonce");
            let secrets = vec![
                Secret::new("the key", key),
                Secret::new("the plaintext", &plaintext),
            ];
            ([&data[..], &tag].concat(), secrets)
        }
    }
}

fn sm2(
    name: &str,
    secret: &[u8; 32],
    random: &mut Repeatable,
    plaintext: &[u8],
    items: usize,
) -> (Vec<u8>, Vec<Secret>) {
    let n = sm2_order();
    let key = PrivateKey::from_bytes(secret).expect("in range");
    let mut secrets = Vec::from(integer("the key", secret, &n));
    let mut public = Vec::new();
    match name {
        "generate" => {
            let together = generate_batch_with_rng(&mut Repeatable(random.0), items, Threads::One);
            secrets.clear();
            for made in &together {
                let key = drawn(random, &n);
                let made = made.as_ref().expect("numbers");
                assert_eq!(*made.to_bytes(), key);
                secrets.extend(integer("the key", &key, &n));
            }
        }
        "key" => {}
        "sign" => {
            let key = SigningKey::new(key);
            let together = vec![SignItem::new(&key, MESSAGE); items];
            for signature in sign_batch_with_rng(random, &together, Threads::One) {
                let signature = signature.expect("numbers").to_bytes();
                secrets.extend(of_signature(secret, &signature));
            }
        }
        "sign, deterministic" => {
            let signature = SigningKey::new(key).sign_deterministic(MESSAGE);
            secrets.extend(of_signature(secret, &signature.to_bytes()));
        }
        "encrypt" | "encrypt a file" => {
            let recipient = PrivateKey::from_bytes(&[7; 32]).expect("in range");
            public = recipient.public_key().to_sec1_bytes().to_vec();
            secrets = vec![Secret::new("the message", secret)];
            let item = EncryptItem::new(recipient.public_key(), secret);
            let together =
                encrypt_batch_with_rng(&mut Repeatable(random.0), &vec![item; items], Threads::One);
            for made in together {
                let (alone, of_encryption) = of_encryption(&recipient, random, secret);
                assert_eq!(made.expect("numbers").to_der(), alone);
                secrets.extend(of_encryption);
            }
        }
        "decrypt" | "decrypt a file" | "decrypt a wrong file" => {
            let (ciphertext, of_encryption) = of_encryption(&key, random, plaintext);
            public = ciphertext;
            if name == "decrypt a wrong file" {
                let right = Ciphertext::from_der(&public).expect("a ciphertext");
                let (mut c3, c2) = (*right.digest(), right.masked().to_vec());
                c3[0] ^= 1;
                let wrong = Ciphertext::from_parts(*right.point(), c3, c2);
                public = wrong.expect("a ciphertext").to_der();
            }
            secrets.push(Secret::new("the plaintext", plaintext));
            secrets.extend(of_encryption);
        }
        "diffie-hellman" => {
            let peer = PrivateKey::from_bytes(&drawn(random, &n)).expect("in range");
            public = peer.public_key().to_sec1_bytes().to_vec();
            secrets.extend(integer(
                "the shared point",
                &*peer.diffie_hellman(key.public_key()),
                &sm2_prime(),
            ));
        }
        _ => return sm2_exchange(name, &key, random),
    }
    (public, secrets)
}

/// `(1 + d)⁻¹`, and the nonce of a signature by `d`: `k = s·(1 + d) + r·d`.
fn of_signature(d: &[u8], signature: &[u8; 64]) -> Vec<Secret> {
    let (n, d) = (sm2_order(), number(d));
    let [r, s] = [0, 32].map(|i| number(&signature[i..i + 32]));
    let k = (s * (&d + 1u32) + r * &d) % &n;
    let inverse = (d + 1u32).modinv(&n).expect("a prime");
    let mut secrets = Vec::from(integer("the nonce", &padded(&k), &n));
    secrets.extend(integer("(1 + d)⁻¹", &padded(&inverse), &n));
    secrets
}

/// A ciphertext for `recipient` in DER; its nonce, the shared point, and the key stream of this
/// message.
fn of_encryption(
    recipient: &PrivateKey,
    random: &mut Repeatable,
    message: &[u8],
) -> (Vec<u8>, Vec<Secret>) {
    let (n, seed) = (sm2_order(), random.0);
    let k = drawn(random, &n);
    let ciphertext = recipient
        .public_key()
        .encrypt_with_rng(&mut Repeatable(seed), message)
        .expect("numbers");
    let c1 = PrivateKey::from_bytes(&k).expect("in range");
    assert_eq!(ciphertext.point(), c1.public_key());
    let mut secrets = Vec::from(integer("the nonce", &k, &n));
    let shared = product(&k, &recipient.to_bytes());
    secrets.extend(coordinates("the shared point", &shared, &sm2_prime()));
    secrets.push(key_stream(message, ciphertext.masked()));
    (ciphertext.to_der(), secrets)
}

fn key_stream(message: &[u8], masked: &[u8]) -> Secret {
    let stream: Vec<u8> = message.iter().zip(masked).map(|(a, b)| a ^ b).collect();
    Secret::new("the key stream", &stream)
}

/// `x ‖ y` of `[ab]G`.
fn product(a: &[u8; 32], b: &[u8; 32]) -> [u8; 64] {
    let ab = number(a) * number(b) % sm2_order();
    let ab = PrivateKey::from_bytes(&padded(&ab)).expect("in range");
    ab.public_key().to_xy_bytes()
}

fn sm2_exchange(name: &str, key: &PrivateKey, random: &mut Repeatable) -> (Vec<u8>, Vec<Secret>) {
    use sm2::exchange::{Initiator, Party, Peer, Responder};

    let n = sm2_order();
    let here = Repeatable(random.0);
    let r_here = drawn(random, &n);
    let (peer, there) = (drawn(random, &n), Repeatable(random.0));
    let peer = PrivateKey::from_bytes(&peer).expect("in range");
    let r_there = drawn(random, &n);
    let responds = matches!(
        name,
        "exchange: respond" | "exchange: confirmation" | "exchange: confirm"
    );
    let (a, b, mut random_a, mut random_b) = match responds {
        false => (key, &peer, here, there),
        true => (&peer, key, there, here),
    };
    let party = |key, name| Party::new(key, name).expect("a name");
    let other = |key: &PrivateKey, name| Peer::new(key.public_key(), name).expect("a name");
    let started = Initiator::start_with_rng(&mut random_a, party(a, b"alice"), other(b, b"bob"));
    let (initiator, r_a) = started.expect("numbers");
    let response = Responder::new(party(b, b"bob"), other(a, b"alice"))
        .respond_with_rng(&mut random_b, &r_a, 48)
        .expect("numbers");
    let (r_b, s_b) = (*response.point(), response.confirmation());
    let (shared, s_a) = initiator.finish(&r_b, &s_b, 48).expect("they agree");
    let (theirs, confirmation) = match responds {
        false => (&r_b, s_b),
        true => (&r_a, s_a),
    };

    // t = d + x̄·r of both sides, whose product is that of U.
    let t = |key: &PrivateKey, r: &[u8; 32]| {
        let point = PrivateKey::from_bytes(r).expect("in range");
        let mut x = [0; 16];
        x.copy_from_slice(&point.public_key().to_xy_bytes()[16..32]);
        x[0] |= 0x80;
        padded(&((number(&*key.to_bytes()) + number(&x) * number(r)) % &n))
    };
    let t_here = t(key, &r_here);
    let u = product(&t_here, &t(&peer, &r_there));
    let z = |id, key: &PrivateKey| sm2::identity_digest(id, key.public_key()).expect("a name");
    let mut derived = [0; 48];
    let z = [&u[..], &z(b"alice", a), &z(b"bob", b)].concat();
    sm3::kdf(&z, &mut derived).expect("a length");
    assert_eq!(derived[..], shared[..]);

    let mut secrets = Vec::from(integer("the key", &*key.to_bytes(), &n));
    secrets.extend(integer("the ephemeral key", &r_here, &n));
    secrets.extend(integer("d + x̄·r", &t_here, &n));
    secrets.extend(coordinates("the shared point", &u, &sm2_prime()));
    secrets.push(Secret::new("the shared key", &shared));
    let points: [&PublicKey; 2] = [peer.public_key(), theirs];
    let [peer, theirs] = points.map(|point| point.to_sec1_bytes());
    ([&peer[..], &theirs, &confirmation].concat(), secrets)
}

fn sm9(
    name: &str,
    secret: &[u8; 32],
    random: &mut Repeatable,
    plaintext: &[u8],
    items: usize,
) -> (Vec<u8>, Vec<Secret>) {
    let n = sm9_order();
    let master = sm9::MasterEncryptionKey::from_bytes(secret).expect("in range");
    let mut secrets = Vec::from(integer("the master key", secret, &n));
    let mut public = Vec::new();
    match name {
        "generate" => secrets = integer("the master key", &drawn(random, &n), &n).into(),
        "extract" => {
            let master = sm9::MasterSigningKey::from_bytes(secret).expect("in range");
            for user in USERS {
                let key = master.extract(user).expect("usable").to_bytes();
                secrets.extend(coordinates("a user's key", &*key, &sm9_prime()));
            }
        }
        "sign" if items > 1 => {
            // The numbers for all nonces come in one request, and the keys alone are looked for.
            let master = sm9::MasterSigningKey::from_bytes(secret).expect("in range");
            let key = master.extract("alice").expect("usable").to_bytes();
            secrets.extend(coordinates("the user's key", &*key, &sm9_prime()));
        }
        "sign" => secrets.extend(of_sm9_signature(secret, random)),
        "encapsulate" | "encrypt" | "encrypt a file" | "encrypt a raw file" => {
            public = master.public_key().to_bytes().to_vec();
            let length = match name {
                "encapsulate" => 48,
                // Not of the whole file, as it is nowhere as a whole: its first block.
                _ => 32,
            };
            let recipient = master.public_key().encryption_key("bob").expect("a name");
            let item = sm9::batch::EncapsulateItem::new(&recipient, length);
            let mut same = Repeatable(random.0);
            let together =
                sm9::batch::encapsulate_batch_with_rng(&mut same, &vec![item; items], Threads::One);
            secrets.clear();
            for made in together {
                let r = drawn(random, &n);
                secrets.extend(integer("the nonce", &r, &n));
                let (point, of_encapsulation) = of_encapsulation(&master, &r, length);
                assert_eq!(made.expect("numbers").1, point);
                secrets.extend(of_encapsulation);
            }
            if name != "encapsulate" {
                secrets.push(Secret::new("the message", secret));
            }
        }
        _ if name.starts_with("exchange") => return sm9_exchange(name, &master, random),
        _ => {
            let bob = master.extract("bob").expect("usable");
            secrets.extend(coordinates(
                "the user's key",
                &*bob.to_bytes(),
                &sm9_prime(),
            ));
            let r = drawn(&mut Repeatable(random.0), &n);
            // With K2 behind a key stream that is as long as the message.
            let length = plaintext.len() + 32 * usize::from(name != "decapsulate");
            let (point, of_encapsulation) = of_encapsulation(&master, &r, length);
            secrets.extend(of_encapsulation);
            public = point.to_bytes().to_vec();
            if name != "decapsulate" {
                let options = EncryptOptions::default();
                let made = bob
                    .encryption_key()
                    .encrypt_with_rng(random, plaintext, options);
                let ciphertext = made.expect("numbers");
                assert_eq!(*ciphertext.c1(), point);
                secrets.push(Secret::new("the plaintext", plaintext));
                public = match name {
                    "decrypt a file" => ciphertext.to_der(),
                    _ => ciphertext.to_bytes(),
                };
            }
        }
    }
    (public, secrets)
}

/// The user's key, the nonce `r` and `r − h`: the signature is `h` and `[r − h]ds`.
fn of_sm9_signature(secret: &[u8; 32], random: &mut Repeatable) -> Vec<Secret> {
    let (n, seed) = (sm9_order(), random.0);
    let master = sm9::MasterSigningKey::from_bytes(secret).expect("in range");
    let alice = master.extract("alice").expect("usable");
    let signature = alice.sign_with_rng(random, MESSAGE).expect("numbers");

    // SM3(nk ‖ 0³² ‖ e ‖ random ‖ counter), until one is below the order.
    let label = b"Kuaimi SM9 nonce key";
    let master = master.public_key().to_bytes();
    let nk = sm3::digest(&[&label[..], &*alice.to_bytes(), &master].concat());
    let e = sm3::digest(&[&[2], MESSAGE].concat());
    let mut random = Repeatable(seed);
    let mut candidates = (0..=u8::MAX).map(|counter| {
        let mut bytes = [0; 22];
        random.try_fill_bytes(&mut bytes).expect("it does not fail");
        sm3::digest(&[&nk[..], &[0; 32], &e, &bytes, &[counter]].concat())
    });
    let r = candidates.find(|r| number(r) < n).expect("one");
    assert_eq!(alice.sign_with_nonce(MESSAGE, &r), Ok(signature));
    let l = (number(&r) + &n - number(&signature.h())) % &n;

    let mut secrets = coordinates("the user's key", &*alice.to_bytes(), &sm9_prime());
    secrets.extend(integer("the nonce", &r, &n));
    secrets.extend(integer("r − h", &padded(&l), &n));
    secrets
}

/// `g^a` with `g = e(P1, Ppub-e)`, as the standard writes it.
fn power(master: &sm9::MasterEncryptionKey, a: &BigUint) -> [u8; 384] {
    let point = master.public_key().to_bytes();
    let a = sm9::MasterSigningKey::from_bytes(&padded(a)).expect("in range");
    let point = G1Point::from_bytes(&point).expect("a point");
    a.public_key().pair_with(&point)
}

/// The point for bob that the number `r` leads to, the shared value `w = g^r`, and the key of this
/// length.
fn of_encapsulation(
    master: &sm9::MasterEncryptionKey,
    r: &[u8; 32],
    length: usize,
) -> (G1Point, Vec<Secret>) {
    let bob = master.public_key().encryption_key("bob").expect("a name");
    let made = bob.encapsulate_with_nonce(length, r);
    let (shared, point) = made.expect("a key");
    let w = power(master, &number(r));
    let mut derived = vec![0; length];
    let z = [&point.to_bytes()[..], &w, b"bob"].concat();
    sm3::kdf(&z, &mut derived).expect("a length");
    assert_eq!(derived, *shared);
    let mut secrets = coordinates("w", &w, &sm9_prime());
    secrets.push(Secret::new("the shared key", &shared));
    (point, secrets)
}

fn sm9_exchange(
    name: &str,
    master: &sm9::MasterEncryptionKey,
    random: &mut Repeatable,
) -> (Vec<u8>, Vec<Secret>) {
    use sm9::exchange::{Initiator, Party, Peer, Responder};

    let n = sm9_order();
    let here = Repeatable(random.0);
    let r_here = drawn(random, &n);
    let there = Repeatable(random.0);
    let r_there = drawn(random, &n);
    let responds = matches!(
        name,
        "exchange: respond" | "exchange: confirmation" | "exchange: confirm"
    );
    let (mut random_a, mut random_b) = match responds {
        false => (here, there),
        true => (there, here),
    };
    let [alice, bob] = ["alice", "bob"].map(|id| master.extract_exchange(id).expect("usable"));
    let started = Initiator::start_with_rng(
        &mut random_a,
        Party::new(&alice),
        Peer::new("bob").expect("a name"),
    );
    let (initiator, r_a) = started.expect("numbers");
    let response = Responder::new(Party::new(&bob), Peer::new("alice").expect("a name"))
        .respond_with_rng(&mut random_b, &r_a, 48)
        .expect("numbers");
    let (r_b, s_b) = (*response.point(), response.confirmation());
    let (shared, s_a) = initiator.finish(&r_b, &s_b, 48).expect("they agree");
    let (user, theirs, confirmation, [ra, rb]) = match responds {
        false => (alice, &r_b, s_b, [&r_here, &r_there]),
        true => (bob, &r_a, s_a, [&r_there, &r_here]),
    };

    // g1, g2 and g3 are g to the powers of rA, rB and rA·rB.
    let [ra, rb] = [ra, rb].map(|r| number(r));
    let g = [&ra, &rb, &(&ra * &rb % &n)].map(|power_of| power(master, power_of));
    let mut derived = [0; 48];
    let points = [r_a, r_b].map(|point| point.to_bytes()).concat();
    let z = [&b"alicebob"[..], &points, g.as_flattened()].concat();
    sm3::kdf(&z, &mut derived).expect("a length");
    assert_eq!(derived[..], shared[..]);

    let prime = sm9_prime();
    let mut secrets = Vec::from(integer("the master key", &*master.to_bytes(), &n));
    secrets.extend(coordinates("the user's key", &*user.to_bytes(), &prime));
    secrets.extend(integer("the ephemeral key", &r_here, &n));
    for (name, g) in ["g1", "g2", "g3"].into_iter().zip(&g) {
        secrets.extend(coordinates(name, g, &prime));
    }
    secrets.push(Secret::new("the shared key", &shared));
    ([&theirs.to_bytes()[..], &confirmation].concat(), secrets)
}
