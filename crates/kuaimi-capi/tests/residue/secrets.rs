//! What the parent knows: what each handle holds.

use std::fs::File;
use std::os::unix::fs::FileExt as _;

use kuaimi::sm2::{self, PrivateKey};
use kuaimi::sm3;
use kuaimi::sm4::Sm4;
use kuaimi::sm9::{self, MasterEncryptionKey, MasterSigningKey};
use kuaimi_testing::child_memory::Secret;

/// SM9's order and prime.
const ORDER: &str = "b640000002a3a6f1d603ab4ff58ec74449f2934b18ea8beee56ee19cd69ecf25";
const PRIME: &str = "b640000002a3a6f1d603ab4ff58ec74521f2934b1a7aeedbe56f9b27e351457d";

fn number(text: &str) -> [u8; 32] {
    hex::decode(text)
        .expect("hexadecimal")
        .try_into()
        .expect("32 bytes")
}

fn coordinates(name: &str, bytes: &[u8], prime: &[u8; 32]) -> Vec<Secret> {
    let (numbers, _) = bytes.as_chunks::<32>();
    let each = numbers.iter();
    each.flat_map(|number| Secret::integer(name, number, prime))
        .collect()
}

/// The stored state that the handle is read from, if it is, and what the handle holds.
pub(crate) fn prepare(name: &str, secret: &[u8; 32]) -> (Vec<u8>, Vec<Secret>) {
    let nothing = Vec::new();
    match name.split_once(' ').unwrap_or((name, "")) {
        ("sm2", "private key" | "signing key") => {
            let key = Secret::integer("the key", secret, &sm2::parameters::n());
            (nothing, key.into())
        }
        ("sm2", name) => sm2_exchange(name, secret),
        ("sm9", name) => sm9(name, secret),
        ("file", name) => {
            let key = Secret::integer("the key", secret, &sm2::parameters::n());
            (file(name, secret), key.into())
        }
        ("sm4", _) => (
            nothing,
            round_keys(secret[..16].try_into().expect("16 bytes")),
        ),
        ("sm3", _) => (nothing, vec![Secret::new("what was hashed", secret)]),
        _ => (nothing, hmac_states(secret)),
    }
}

/// A file with the key, under the password "text".
fn file(name: &str, secret: &[u8; 32]) -> Vec<u8> {
    use kuaimi_pki::certificate::{CertificateBuilder, Validity};
    use kuaimi_pki::pkcs12::{Content, Entry, Key, Pkcs12, Profile};

    let key = PrivateKey::from_bytes(secret).expect("in range");
    if name == "pkcs12" {
        let mut file = Pkcs12::new();
        let content = Content::Key(Key::of_sm2(&key).expect("a key"));
        file.push(Entry::new(content));
        let der = file.to_der("text", Profile::ShangMi, &mut getrandom::SysRng);
        return der.expect("a file");
    }
    let start = "2026-01-01T00:00:00Z".parse().expect("a date");
    let validity = Validity::days(start, 365).expect("a validity");
    let subject = kuaimi_pki::name::parse("CN=holder").expect("a name");
    let signer = sm2::SigningKey::new(key.clone());
    let certificate = CertificateBuilder::new(subject, key.public_key(), validity)
        .serial(&[1])
        .and_then(|it| it.self_sign(&signer))
        .expect("a certificate");
    let text = kuaimi_pki::cfca::write_key_file(&key, &certificate, "text");
    text.expect("a file").into_bytes()
}

/// Another number of the same run.
fn ephemeral(secret: &[u8; 32]) -> [u8; 32] {
    let mut r = secret.map(|byte| byte ^ 0x5a);
    r[0] &= 0x7f;
    r
}

/// The bytes of a state before or after those that are public.
fn place(state: &[u8], public: &[u8]) -> usize {
    let mut windows = state.windows(public.len());
    windows.position(|it| it == public).expect("it is stored")
}

fn sm2_exchange(name: &str, secret: &[u8; 32]) -> (Vec<u8>, Vec<Secret>) {
    use sm2::exchange::{Initiator, Party, Peer, Responder};

    let (n, r) = (sm2::parameters::n(), ephemeral(secret));
    let key = PrivateKey::from_bytes(secret).expect("in range");
    let party = Party::new(&key, b"alice").expect("a name");
    let peer = Peer::new(key.public_key(), b"bob").expect("a name");
    let mut secrets = Vec::from(Secret::integer("the ephemeral key", &r, &n));
    if name.starts_with("initiator") {
        let (initiator, _) = Initiator::start_with_nonce(party, peer, &r).expect("in range");
        secrets.extend(Secret::integer("the key", secret, &n));
        return (initiator.to_bytes().to_vec(), secrets);
    }
    let responder = Responder::new(party, peer);
    let response = responder.respond_with_nonce(key.public_key(), 16, &r);
    let response = response.expect("in range");
    let state = response.to_bytes().to_vec();
    // The shared point, and behind it the initiator's digest.
    let z = sm2::identity_digest(b"bob", key.public_key()).expect("a name");
    let at = place(&state, &z) - 64;
    let prime = sm2::parameters::p();
    secrets.extend(coordinates("the shared point", &state[at..][..64], &prime));
    secrets.push(Secret::new("the shared key", &response.key_unconfirmed()));
    (state, secrets)
}

fn sm9(name: &str, secret: &[u8; 32]) -> (Vec<u8>, Vec<Secret>) {
    use sm9::exchange::{Initiator, Party, Peer, Responder};

    let (order, prime) = (number(ORDER), number(PRIME));
    let master = MasterEncryptionKey::from_bytes(secret).expect("in range");
    let alice = || master.extract_exchange("alice").expect("usable");
    let user = |bytes: &[u8]| coordinates("the user's key", bytes, &prime);
    let mut state = Vec::new();
    let secrets = match name.trim_end_matches(", prepared") {
        "signing key" => {
            let master = MasterSigningKey::from_bytes(secret).expect("in range");
            user(&*master.extract("alice").expect("usable").to_bytes())
        }
        "decryption key" => user(&*master.extract("alice").expect("usable").to_bytes()),
        "exchange key" => user(&*alice().to_bytes()),
        "initiator" => {
            let r = ephemeral(secret);
            let started = Initiator::start_with_nonce(
                Party::new(&alice()),
                Peer::new("bob").expect("a name"),
                &r,
            );
            state = started.expect("in range").0.to_bytes().to_vec();
            let mut secrets = user(&*alice().to_bytes());
            secrets.extend(Secret::integer("the ephemeral key", &r, &order));
            secrets
        }
        "response" => {
            let (_, r_a) = Initiator::start_with_nonce(
                Party::new(&alice()),
                Peer::new("bob").expect("a name"),
                &[7; 32],
            )
            .expect("in range");
            let bob = master.extract_exchange("bob").expect("usable");
            let responder = Responder::new(Party::new(&bob), Peer::new("alice").expect("a name"));
            let response = responder.respond_with_nonce(&r_a, 16, &ephemeral(secret));
            let response = response.expect("in range");
            state = response.to_bytes().to_vec();
            // g1, g2 and g3 behind the responder's point.
            let at = place(&state, &response.point().to_bytes()) + 64;
            let mut secrets = coordinates("g1, g2 or g3", &state[at..][..3 * 384], &prime);
            secrets.push(Secret::new("the shared key", &response.key_unconfirmed()));
            secrets
        }
        _ => Secret::integer("the master key", secret, &order).into(),
    };
    (state, secrets)
}

/// SM3 after the key and the two paddings of HMAC, as bytes and as words in memory.
fn hmac_states(key: &[u8; 32]) -> Vec<Secret> {
    let initial = number("7380166f4914b2b9172442d7da8a0600a96f30bc163138aae38dee4db0fb0e4e");
    let states = [("inner", 0x36), ("outer", 0x5c)].map(|(name, pad)| {
        let (mut state, mut block) = (initial, [pad; 64]);
        block.iter_mut().zip(key).for_each(|(pad, key)| *pad ^= key);
        sm3::compress(&mut state, &[block]);
        let mut words = state;
        words.chunks_mut(4).for_each(|word| word.reverse());
        [Secret::new(name, &state), Secret::new(name, &words)]
    });
    states.into_iter().flatten().collect()
}

/// SM4's key, and its round keys in the form that this machine's implementation gives them: read
/// from memory, as no function shows them.
fn round_keys(key: &[u8; 16]) -> Vec<Secret> {
    let cipher = Box::new(Sm4::new(key));
    let memory = File::open("/proc/self/mem").expect("this process's memory");
    let mut bytes = [0; size_of::<Sm4>()];
    let place = std::ptr::from_ref(&*cipher).addr() as u64;
    memory
        .read_exact_at(&mut bytes, place)
        .expect("it is there");
    vec![
        Secret::new("the round keys", &bytes),
        Secret::new("the key", key),
    ]
}
