//! No copy of a private key, a password or a decrypted structure is in the heap or in the static
//! memory of a process that has read or written a file with keys, once what it made was dropped.
//! The stack is not searched: see the library's own test of the same name.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use std::hint::black_box;

use kuaimi::sm2::{PrivateKey, SigningKey};
use kuaimi_pki::certificate::{CertificateBuilder, Validity};
use kuaimi_pki::cfca::{open_key_file, open_returned_key, return_key, write_key_file};
use kuaimi_pki::key_response::KeyResponse;
use kuaimi_pki::pkcs12::{Content, Entry, Key, Pkcs12, Profile, Protection};
use kuaimi_pki::{Certificate, name};
use kuaimi_testing::child_memory::{
    CHILD, INPUT_LEN, STACK, Secret, found_in_child, read_input, wait_until_read,
};
use zeroize::Zeroizing;

/// SM2's order.
const N: &str = "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123";
const PROFILES: [(&str, Profile); 4] = [
    ("ShangMi", Profile::ShangMi),
    ("ShangMiOpenssl", Profile::ShangMiOpenssl),
    ("Compatible", Profile::Compatible),
    ("Legacy", Profile::Legacy),
];

/// A password of 32 characters, a private key, and a file: what a child reads from its parent.
struct Input(Box<Zeroizing<[u8; INPUT_LEN]>>);

impl Input {
    fn new(password: &str, key: &PrivateKey, file: &[u8]) -> Self {
        let mut bytes = Box::new(Zeroizing::new([0; INPUT_LEN]));
        bytes[..32].copy_from_slice(password.as_bytes());
        bytes[32..64].copy_from_slice(key.to_bytes().as_ref());
        bytes[64..66].copy_from_slice(&(file.len() as u16).to_be_bytes());
        bytes[66..][..file.len()].copy_from_slice(file);
        Self(bytes)
    }

    fn read() -> Self {
        let mut bytes = Box::new(Zeroizing::new([0; INPUT_LEN]));
        read_input(&mut bytes);
        Self(bytes)
    }

    fn password(&self) -> &str {
        std::str::from_utf8(&self.0[..32]).unwrap()
    }

    fn key(&self) -> PrivateKey {
        PrivateKey::from_slice(&self.0[32..64]).unwrap()
    }

    fn file(&self) -> &[u8] {
        let length = u16::from_be_bytes([self.0[64], self.0[65]]);
        &self.0[66..][..usize::from(length)]
    }
}

fn protection(name: &str) -> Protection {
    let found = PROFILES.iter().find(|(known, _)| *known == name);
    Protection::from(found.unwrap().1).with_iterations(2)
}

fn contents(key: &PrivateKey) -> Pkcs12 {
    let mut file = Pkcs12::new();
    file.push(Entry::new(Content::Key(Key::of_sm2(key).unwrap())));
    file
}

/// The child's operation. What it gives is dropped, or kept.
fn operate(name: &str) -> Box<dyn std::any::Any> {
    let input = Input::read();
    let password = input.password();
    match name.split_once(' ').unwrap() {
        ("reads", _) => {
            let file = Pkcs12::from_bytes(input.file(), password).unwrap();
            let key = file.keys().next().unwrap().sm2().unwrap();
            Box::new((file, key))
        }
        ("refuses", _) => {
            let mut altered = input.file().to_vec();
            let last = altered.len() - 200;
            altered[last] ^= 1;
            assert!(Pkcs12::from_bytes(&altered, password).is_err());
            Box::new(input)
        }
        ("writes", "cfca") => {
            let certificate = Certificate::from_der(input.file()).unwrap();
            Box::new(write_key_file(&input.key(), &certificate, password).unwrap())
        }
        ("writes", profile) => {
            let file = contents(&input.key());
            let der = file.to_der(password, protection(profile), &mut getrandom::SysRng);
            Box::new((file, der.unwrap()))
        }
        ("opens", "cfca") => Box::new(open_key_file(input.file(), password).unwrap()),
        // To itself: the key that is opened with is the one that is found.
        ("opens", "returned") => Box::new(open_returned_key(&input.key(), input.file()).unwrap()),
        ("opens", "response") => {
            let answer = KeyResponse::from_bytes(input.file()).unwrap();
            Box::new(answer.open(&input.key()).unwrap().unwrap())
        }
        _ => panic!("{name}"),
    }
}

#[test]
fn child() {
    let Ok(name) = std::env::var(CHILD) else {
        return;
    };
    match name.rsplit_once(", ") {
        Some((name, "held")) => std::mem::forget(operate(name)),
        Some((name, "dropped")) => deep(|| drop(operate(name))),
        _ => panic!("{name}"),
    }
    wait_until_read();
}

/// As deep in the stack as what follows reaches.
#[inline(never)]
fn deep(body: impl FnOnce()) {
    let mut room = [0u8; 8192];
    black_box(&mut room);
    body();
    black_box(&mut room);
}

/// What stays in the heap and in static memory, of a new key and a new password.
fn residue(name: &str, how: &str) -> Vec<String> {
    let key = PrivateKey::generate().unwrap();
    let mut random = [0; 16];
    getrandom::fill(&mut random).unwrap();
    let password = hex::encode(random);
    let rng = &mut getrandom::SysRng;
    let certificate = || {
        let validity = Validity::days("2026-01-01T00:00:00Z".parse().unwrap(), 9).unwrap();
        let builder =
            CertificateBuilder::new(name::parse("CN=x").unwrap(), key.public_key(), validity);
        let signer = SigningKey::new(key.clone());
        builder.serial(&[1]).unwrap().self_sign(&signer).unwrap()
    };
    let file = match name.split_once(' ').unwrap() {
        ("writes", "cfca") => certificate().as_der().to_vec(),
        ("writes", _) => Vec::new(),
        (_, "cfca") => write_key_file(&key, &certificate(), &password)
            .unwrap()
            .into(),
        (_, "returned") => return_key(&key, key.public_key(), rng).unwrap().into(),
        (_, "response") => KeyResponse::new(vec![certificate()])
            .unwrap()
            .with_encryption_key(&key, vec![certificate()], rng)
            .unwrap()
            .to_der(),
        (_, profile) => contents(&key)
            .to_der(&password, protection(profile), rng)
            .unwrap(),
    };
    let order = hex::decode(N).unwrap().try_into().unwrap();
    let utf16: Vec<u8> = password.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let mut secrets = Vec::from(Secret::integer("the private key", &key.to_bytes(), &order));
    secrets.push(Secret::new("the password", password.as_bytes()));
    secrets.push(Secret::new("the password in UTF-16", &utf16));
    let input = Input::new(&password, &key, &file);
    let mut found = found_in_child(&format!("{name}, {how}"), &input.0, &secrets);
    found.retain(|place| !place.starts_with(STACK));
    found
}

fn operations() -> Vec<String> {
    let mut all = Vec::new();
    for (profile, _) in PROFILES {
        for verb in ["reads", "writes", "refuses"] {
            all.push(format!("{verb} {profile}"));
        }
    }
    all.extend(
        [
            "writes cfca",
            "opens cfca",
            "opens returned",
            "opens response",
        ]
        .map(Into::into),
    );
    all
}

/// The search finds what is kept.
#[test]
fn what_is_held_is_found() {
    for (name, secret) in [
        ("reads ShangMi", "the private key"),
        ("refuses ShangMi", "the password"),
        ("opens cfca", "the private key"),
    ] {
        let found = residue(name, "held");
        assert!(
            found.iter().any(|place| place.contains(secret)),
            "{name}: {found:?}"
        );
    }
}

#[test]
fn nothing_stays() {
    let failures: Vec<_> = operations()
        .into_iter()
        .map(|name| (residue(&name, "dropped"), name))
        .filter(|(found, _)| !found.is_empty())
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}
