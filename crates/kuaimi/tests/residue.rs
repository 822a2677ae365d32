//! No copy of a key, a nonce or a plaintext is in the memory of a process after an operation, once what it made was dropped: in the heap, what
//! was freed of it, and static memory. The stack, on which intermediate values stay (SECURITY.md), is searched as well, and what is there is printed; after
//! `wipe_stack` nothing is there either.
//!
//! A child process does the operation; its parent, which knows the secrets, reads all of the child's memory that can be written.
//! Searched are both orders of bytes, as integers are in memory and as they are written, and the Montgomery form.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

use std::any::Any;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::FileExt as _;
use std::process::{Command, Stdio};

use kuaimi::sm2::{Ciphertext, PublicKey, SecretKey, SigningKey};
use kuaimi::sm4::Sm4Gcm;
use kuaimi::sm9;
use kuaimi_testing::Repeatable;
use num_bigint::BigUint;
use zeroize::{Zeroize as _, Zeroizing};

/// The name of the operation that a child does.
const CHILD: &str = "KUAIMI_RESIDUE_CHILD";

const MESSAGE: &[u8] = b"a message";

/// What the child reads: the key, then public values, 512 bytes in all. From a file without a buffer.
fn input() -> Zeroizing<[u8; 512]> {
    let mut bytes = Zeroizing::new([0; 512]);
    let mut file = File::open("/dev/stdin").expect("a pipe");
    file.read_exact(&mut *bytes).expect("512 bytes");
    bytes
}

/// The operation in the child. Where it is `held`, nothing is dropped: the search must find what it is for.
#[test]
fn child() {
    let Ok(name) = std::env::var(CHILD) else {
        return;
    };
    match name.rsplit_once(", ") {
        Some((name, "held")) => std::mem::forget(operate(name)),
        Some((name, "dropped")) => drop(operate(name)),
        Some((name, "wiped")) => kuaimi::wipe_stack(|| drop(operate(name))),
        // The operation itself must wipe what it left.
        Some((name, "key read before")) => {
            let operation = kuaimi::wipe_stack(|| read(name));
            run(operation);
        }
        _ => panic!("{name}"),
    }
    let here = 0u8;
    println!("\nready {}", std::ptr::from_ref(&here).addr());
    // Until the parent has read everything.
    let _ = File::open("/dev/stdin").expect("a pipe").read(&mut [0]);
}

/// What an operation makes, with its key: in the heap, so that no copy on the stack is this program's own.
type Made = Box<dyn Any>;
type Operation = Box<dyn FnOnce() -> Made>;

#[inline(never)]
fn operate(name: &str) -> Made {
    read(name)()
}

#[inline(never)]
fn run(operation: Operation) {
    drop(operation());
}

/// Reads the key, and gives the operation with it.
#[inline(never)]
fn read(name: &str) -> Operation {
    let bytes = input();
    let (secret, public) = bytes.split_at(32);
    let length = usize::from(u16::from_be_bytes([public[0], public[1]]));
    let public = &public[2..][..length];
    match name {
        "sm2 key" => {
            let key = Box::new(SecretKey::from_slice(secret).expect("in range"));
            Box::new(move || key)
        }
        "sm2 sign" => {
            let key = SigningKey::new(SecretKey::from_slice(secret).expect("in range"));
            let key = Box::new(key);
            Box::new(move || {
                let signature = key.sign_with_rng(&mut Repeatable(3), MESSAGE);
                signature.expect("numbers");
                key
            })
        }
        "sm2 sign, deterministic" => {
            let key = SigningKey::new(SecretKey::from_slice(secret).expect("in range"));
            let key = Box::new(key);
            Box::new(move || {
                key.sign_deterministic(MESSAGE);
                key
            })
        }
        "sm2 encrypt" => {
            let recipient = PublicKey::from_sec1_bytes(public).expect("a point");
            let message = Zeroizing::new(secret.to_vec());
            Box::new(move || {
                let ciphertext = recipient.encrypt_with_rng(&mut Repeatable(4), &message);
                ciphertext.expect("numbers");
                Box::new(message)
            })
        }
        "sm2 decrypt" => {
            let key = Box::new(SecretKey::from_slice(secret).expect("in range"));
            let ciphertext = Ciphertext::from_der(public).expect("a ciphertext");
            Box::new(move || {
                let plaintext = key.decrypt(&ciphertext).expect("it is right");
                assert_eq!(plaintext.len(), 48);
                Box::new((key, plaintext))
            })
        }
        "sm9 sign" => {
            let master = sm9::MasterSigningKey::from_slice(secret).expect("in range");
            let key = Box::new(master.extract("alice").expect("usable"));
            let master = Box::new(master);
            Box::new(move || {
                let signature = key.sign_with_rng(&mut Repeatable(3), MESSAGE);
                signature.expect("numbers");
                Box::new((master, key))
            })
        }
        "sm9 decapsulate" => {
            let master = sm9::MasterEncryptionKey::from_slice(secret).expect("in range");
            let key = Box::new(master.extract("bob").expect("usable"));
            let master = Box::new(master);
            let point = sm9::G1Point::from_slice(public).expect("a point");
            Box::new(move || {
                let shared = key.decapsulate(&point, 48).expect("a key");
                Box::new((master, key, shared))
            })
        }
        "sm4-gcm open" => {
            let mut key = [0; 16];
            key.copy_from_slice(&secret[..16]);
            let cipher = Box::new(Sm4Gcm::new(&key));
            key.zeroize();
            let (data, tag) = public.split_at(public.len() - 16);
            let mut data = Zeroizing::new(data.to_vec());
            let tag: [u8; 16] = tag.try_into().expect("16 bytes");
            Box::new(move || {
                cipher
                    .open_in_place(&[1; 12], b"", &mut data, &tag)
                    .expect("right");
                Box::new((cipher, data))
            })
        }
        _ => panic!("{name}"),
    }
}

/// A secret, and what it is called.
struct Secret(&'static str, Vec<u8>);

/// An integer as it is written, as limbs in memory, and as limbs of the Montgomery form modulo `m`.
fn integer(what: [&'static str; 2], bytes: &[u8], m: &BigUint) -> Vec<Secret> {
    let reversed = |bytes: &[u8]| bytes.iter().rev().copied().collect::<Vec<u8>>();
    let montgomery = (BigUint::from_bytes_be(bytes) << 256u32) % m;
    let mut limbs = montgomery.to_bytes_le();
    limbs.resize(32, 0);
    vec![
        Secret(what[0], bytes.to_vec()),
        Secret(what[0], reversed(bytes)),
        Secret(what[1], limbs),
    ]
}

fn order() -> BigUint {
    let n = "FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123";
    BigUint::parse_bytes(n.as_bytes(), 16).expect("hexadecimal")
}

fn sm2_prime() -> BigUint {
    let p = "FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF";
    BigUint::parse_bytes(p.as_bytes(), 16).expect("hexadecimal")
}

fn sm9_order() -> BigUint {
    let n = "B640000002A3A6F1D603AB4FF58EC74449F2934B18EA8BEEE56EE19CD69ECF25";
    BigUint::parse_bytes(n.as_bytes(), 16).expect("hexadecimal")
}

fn sm9_prime() -> BigUint {
    let q = "B640000002A3A6F1D603AB4FF58EC74521F2934B1A7AEEDBE56F9B27E351457D";
    BigUint::parse_bytes(q.as_bytes(), 16).expect("hexadecimal")
}

fn padded(number: &BigUint) -> Vec<u8> {
    let bytes = number.to_bytes_be();
    [vec![0; 32 - bytes.len()], bytes].concat()
}

/// `(1 + d)⁻¹`, and the nonce of a signature by `d`: `k = s·(1 + d) + r·d`.
fn of_signature(d: &[u8], signature: &[u8; 64]) -> Vec<Secret> {
    let (n, d) = (order(), BigUint::from_bytes_be(d));
    let [r, s] = [0, 32].map(|i| BigUint::from_bytes_be(&signature[i..i + 32]));
    let k = (s * (&d + 1u32) + r * &d) % &n;
    let inverse = (d + 1u32).modinv(&n).expect("a prime");
    let mut secrets = integer(["the nonce", "the nonce, Montgomery form"], &padded(&k), &n);
    secrets.extend(integer(
        ["(1 + d)⁻¹", "(1 + d)⁻¹, Montgomery form"],
        &padded(&inverse),
        &n,
    ));
    secrets
}

/// What the operation gets, and the secrets that may not stay. The numbers are new in each run, so that no memory has them by chance.
fn prepare(name: &str, secret: &[u8; 32]) -> (Vec<u8>, Vec<Secret>) {
    let key = || SecretKey::from_bytes(secret).expect("in range");
    let plaintext: Vec<u8> = (0..48)
        .map(|i| secret[i % 32].wrapping_add(i as u8) ^ 0x5a)
        .collect();
    let mut secrets = integer(["the key", "the key, Montgomery form"], secret, &order());
    let mut public = Vec::new();
    match name {
        "sm2 key" => {}
        "sm2 sign" => {
            let signature = SigningKey::new(key()).sign_with_rng(&mut Repeatable(3), MESSAGE);
            secrets.extend(of_signature(
                secret,
                &signature.expect("numbers").to_bytes(),
            ));
        }
        "sm2 sign, deterministic" => {
            let signature = SigningKey::new(key()).sign_deterministic(MESSAGE);
            secrets.extend(of_signature(secret, &signature.to_bytes()));
        }
        "sm2 encrypt" => {
            let recipient = SecretKey::from_bytes(&[7; 32]).expect("in range");
            public = recipient.public_key().to_sec1_bytes().to_vec();
            secrets = vec![Secret("the message", secret.to_vec())];
            let mut random = Repeatable(4);
            let ciphertext = recipient.public_key().encrypt_with_rng(&mut random, secret);
            let shared = recipient.diffie_hellman(ciphertext.expect("numbers").point());
            secrets.extend(integer(
                ["the shared point", "the shared point, Montgomery form"],
                &*shared,
                &sm2_prime(),
            ));
        }
        "sm2 decrypt" => {
            let mut random = Repeatable(4);
            let ciphertext = key().public_key().encrypt_with_rng(&mut random, &plaintext);
            let ciphertext = ciphertext.expect("numbers");
            public = ciphertext.to_der();
            secrets.push(Secret("the plaintext", plaintext));
            secrets.extend(integer(
                ["the shared point", "the shared point, Montgomery form"],
                &*key().diffie_hellman(ciphertext.point()),
                &sm2_prime(),
            ));
        }
        "sm9 sign" => {
            secrets = integer(
                ["the master key", "the master key, Montgomery form"],
                secret,
                &sm9_order(),
            );
            let master = sm9::MasterSigningKey::from_bytes(secret).expect("in range");
            let user = master.extract("alice").expect("usable").to_bytes();
            for half in user[user.len() - 64..].chunks(32) {
                secrets.extend(integer(
                    ["the user's key", "the user's key, Montgomery form"],
                    half,
                    &sm9_prime(),
                ));
            }
        }
        "sm9 decapsulate" => {
            secrets = integer(
                ["the master key", "the master key, Montgomery form"],
                secret,
                &sm9_order(),
            );
            let master = sm9::MasterEncryptionKey::from_bytes(secret).expect("in range");
            let bob = master.extract("bob").expect("usable");
            let user = bob.to_bytes();
            for quarter in user[user.len() - 128..].chunks(32) {
                secrets.extend(integer(
                    ["the user's key", "the user's key, Montgomery form"],
                    quarter,
                    &sm9_prime(),
                ));
            }
            let (shared, point) = bob
                .encryption_key()
                .encapsulate_with_rng(&mut Repeatable(4), 48)
                .expect("numbers");
            public = point.to_bytes().to_vec();
            secrets.push(Secret("the shared key", shared.to_vec()));
        }
        "sm4-gcm open" => {
            let key = secret[..16].try_into().expect("16 bytes");
            let mut data = plaintext.clone();
            let tag = Sm4Gcm::new(key)
                .seal_in_place(&[1; 12], b"", &mut data)
                .expect("a nonce");
            public = [&data[..], &tag].concat();
            secrets = vec![
                Secret("the key", key.to_vec()),
                Secret("the plaintext", plaintext),
            ];
        }
        _ => panic!("{name}"),
    }
    (public, secrets)
}

/// All memory of a process that can be written, by the names that the system gives; the region with the address `stack` has that name.
fn memory(process: u32, stack: u64) -> Vec<(String, Vec<u8>)> {
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).expect("it runs");
    let file = File::open(format!("/proc/{process}/mem")).expect("a child's memory");
    let mut all = Vec::new();
    for line in maps.lines() {
        let mut fields = line.split_whitespace();
        let range = fields.next().expect("a range");
        if !fields.next().expect("permissions").starts_with("rw") {
            continue;
        }
        let bound = |text: &str| u64::from_str_radix(text, 16).expect("hexadecimal");
        let (start, end) = range.split_once('-').expect("two bounds");
        let (start, end) = (bound(start), bound(end));
        let name = match (start..end).contains(&stack) {
            true => STACK,
            false => fields.nth(3).unwrap_or("mapped"),
        };
        let mut bytes = vec![0; (end - start) as usize];
        // Some pages of the system's own cannot be read.
        if file.read_exact_at(&mut bytes, start).is_ok() {
            all.push((name.to_string(), bytes));
        }
    }
    all
}

const STACK: &str = "the stack";

/// Where any sixteen bytes of a secret are, that begin at a multiple of eight of it.
fn found(memory: &[(String, Vec<u8>)], secrets: &[Secret]) -> Vec<String> {
    use std::collections::HashMap;
    // By the first eight bytes.
    let mut parts: HashMap<[u8; 8], Vec<(&str, &[u8])>> = HashMap::new();
    for Secret(name, bytes) in secrets {
        for start in (0..=bytes.len() - 16).step_by(8) {
            let part = &bytes[start..][..16];
            let first = part[..8].try_into().expect("eight bytes");
            parts.entry(first).or_default().push((name, part));
        }
    }
    let mut all = Vec::new();
    for (region, bytes) in memory {
        for (place, window) in bytes.windows(16).enumerate() {
            let first: &[u8; 8] = window[..8].try_into().expect("eight bytes");
            for (name, part) in parts.get(first).into_iter().flatten() {
                if *part == window {
                    all.push(format!(
                        "{region}: {name}, {:#x} from its end",
                        bytes.len() - place
                    ));
                }
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

/// What stays of the secrets of an operation.
fn residue(name: &str, how: &str) -> Vec<String> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).expect("random");
    secret[0] &= 0x7f;
    let (public, secrets) = prepare(name, &secret);
    let mut bytes = secret.to_vec();
    bytes.extend((public.len() as u16).to_be_bytes());
    bytes.extend(public);
    bytes.resize(512, 0);
    let mut child = Command::new(std::env::current_exe().expect("this test"))
        .args(["child", "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, format!("{name}, {how}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this test again");
    let mut pipe = child.stdin.take().expect("a pipe");
    pipe.write_all(&bytes).expect("it reads");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let stack = output
        .find_map(|line| line.expect("text").strip_prefix("ready ")?.parse().ok())
        .unwrap_or_else(|| panic!("{name} ended early"));
    let found = found(&memory(child.id(), stack), &secrets);
    drop(pipe);
    assert!(child.wait().expect("it ends").success());
    found
}

const OPERATIONS: [&str; 8] = [
    "sm2 key",
    "sm2 sign",
    "sm2 sign, deterministic",
    "sm2 encrypt",
    "sm2 decrypt",
    "sm9 sign",
    "sm9 decapsulate",
    "sm4-gcm open",
];

/// The search finds what is kept on purpose.
#[test]
fn what_is_kept_is_found() {
    for name in OPERATIONS {
        assert!(!residue(name, "held").is_empty(), "{name}");
    }
}

#[test]
fn nothing_stays_after_a_drop_but_on_the_stack() {
    for name in OPERATIONS {
        let (stack, other): (Vec<_>, Vec<_>) = residue(name, "dropped")
            .into_iter()
            .partition(|it| it.starts_with(STACK));
        assert!(other.is_empty(), "{name}: {other:#?}");
        println!("{name}: {} pieces on the stack", stack.len());
        stack.iter().for_each(|it| println!("    {it}"));
    }
}

#[test]
fn nothing_stays_where_the_stack_is_wiped() {
    for name in OPERATIONS {
        let found = residue(name, "wiped");
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

/// Those that take long enough wipe what they left on the stack.
#[test]
fn nothing_stays_of_long_operations() {
    for name in ["sm2 encrypt", "sm2 decrypt", "sm9 decapsulate"] {
        let found = residue(name, "key read before");
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}
