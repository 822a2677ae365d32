//! No copy of a key, a nonce, a shared value or a plaintext is in the memory of a process after an
//! operation, once what it made was dropped: in the heap, what was freed of it, and static memory.
//! The stack, on which intermediate values stay (SECURITY.md), is searched as well, and what is
//! there is printed; after `wipe_stack` nothing is there either, and nothing after an operation
//! that overwrites the stack itself.
//!
//! A child process does the operation (`operations`); its parent, which knows the secrets
//! (`secrets`), reads all of the child's memory that can be written. Searched are both orders of
//! bytes, as integers are in memory and as they are written, and the Montgomery form.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

mod batches;
mod operations;
mod secrets;

use std::hint::black_box;

use kuaimi_testing::Repeatable;
use kuaimi_testing::child_memory::{
    CHILD, INPUT_LEN, STACK, found_in_child, read_input, wait_until_read,
};
use zeroize::Zeroizing;

const MESSAGE: &[u8] = b"a message";

/// More than a file's piece, so that it is not encrypted as a message in memory is.
const FILE_LEN: usize = 70_000;

/// So many together that they are computed together.
const BATCH: usize = 4;

/// What both processes know: the child reads it from a pipe.
struct Input(Box<Zeroizing<[u8; INPUT_LEN]>>);

impl Input {
    fn new(secret: &[u8; 32], seed: u64, public: &[u8]) -> Self {
        let mut bytes = Box::new(Zeroizing::new([0; INPUT_LEN]));
        bytes[..32].copy_from_slice(secret);
        bytes[32..40].copy_from_slice(&seed.to_be_bytes());
        bytes[40..42].copy_from_slice(&(public.len() as u16).to_be_bytes());
        bytes[42..][..public.len()].copy_from_slice(public);
        Self(bytes)
    }

    fn read() -> Self {
        let mut bytes = Box::new(Zeroizing::new([0; INPUT_LEN]));
        read_input(&mut bytes);
        Self(bytes)
    }

    /// A key, or a message.
    fn secret(&self) -> &[u8; 32] {
        self.0.first_chunk().expect("32 bytes")
    }

    /// Where the operation's random numbers come from. Eight bytes, of which nothing that is
    /// searched for consists.
    fn random(&self) -> Repeatable {
        Repeatable(u64::from_be_bytes(
            self.0[32..40].try_into().expect("eight bytes"),
        ))
    }

    /// Points and ciphertexts from others.
    fn public(&self) -> &[u8] {
        let length = u16::from_be_bytes([self.0[40], self.0[41]]);
        &self.0[42..][..usize::from(length)]
    }
}

/// The operation in the child. Where it is `held`, nothing is dropped: the search must find what it
/// is for.
#[test]
fn child() {
    let Ok(name) = std::env::var(CHILD) else {
        return;
    };
    match name.rsplit_once(", ") {
        Some((name, "held")) => std::mem::forget(operations::operate(name)),
        Some((name, "dropped")) => deep(|| drop(operations::operate(name))),
        Some((name, "wiped")) => deep(|| kuaimi::wipe_stack(|| drop(operations::operate(name)))),
        // The operation itself must wipe what it left.
        Some((name, "key read before")) => {
            let operation = kuaimi::wipe_stack(|| operations::read(name));
            deep(|| operations::run(operation));
        }
        _ => panic!("{name}"),
    }
    wait_until_read();
}

/// So deep in the stack that what follows, until the memory is read, does not overwrite what the
/// operation left.
#[inline(never)]
fn deep(body: impl FnOnce()) {
    let mut room = [0u8; 8192];
    black_box(&mut room);
    body();
    black_box(&mut room);
}

/// What stays of the secrets of an operation. The numbers are new in each run, so that no memory
/// has them by chance.
fn residue(name: &str, how: &str) -> Vec<String> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).expect("random");
    // Below the orders and the primes.
    secret[0] &= 0x7f;
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).expect("random");
    let seed = u64::from_be_bytes(seed);
    let (public, secrets) = secrets::prepare(name, &secret, seed);
    let input = Input::new(&secret, seed, &public);
    found_in_child(&format!("{name}, {how}"), &input.0, &secrets)
}

/// These overwrite the stack that they used: an item for each place that does it, so that none is
/// hidden by the next.
const LONG: [&str; 24] = [
    "sm2 encrypt",
    "sm2 decrypt",
    "sm2 diffie-hellman",
    "sm2 exchange: start",
    "sm2 exchange: initiator",
    "sm2 exchange: initiator, unconfirmed",
    "sm2 exchange: respond",
    "sm2 exchange: confirmation",
    "sm2 exchange: confirm",
    "sm2 encrypt a file",
    "sm2 decrypt a file",
    "sm2 decrypt a wrong file",
    "sm9 decapsulate",
    "sm9 decrypt",
    "sm9 exchange: start",
    "sm9 exchange: initiator",
    "sm9 exchange: initiator, unconfirmed",
    "sm9 exchange: respond",
    "sm9 exchange: confirmation",
    "sm9 exchange: confirm",
    "sm9 encrypt a file",
    "sm9 encrypt a raw file",
    "sm9 decrypt a file",
    "sm9 decrypt a raw file",
];

/// These do not.
const SHORT: [&str; 9] = [
    "sm2 generate",
    "sm2 key",
    "sm2 sign",
    "sm2 sign, deterministic",
    "sm9 generate",
    "sm9 sign",
    "sm9 encapsulate",
    "sm9 encrypt",
    "sm4-gcm open",
];

/// Items that are computed together, on this thread: the stacks of other threads are not told from
/// the heap.
const BATCHES: [&str; 14] = [
    "sm2 generate in a batch",
    "sm2 sign in a batch",
    "sm2 encrypt in a batch",
    "sm2 decrypt in a batch",
    "sm2 diffie-hellman in a batch",
    "sm2 exchange: initiator in a batch",
    "sm2 exchange: respond in a batch",
    "sm9 extract in a batch",
    "sm9 sign in a batch",
    "sm9 encapsulate in a batch",
    "sm9 encrypt in a batch",
    "sm9 decapsulate in a batch",
    "sm9 decrypt in a batch",
    "sm4-gcm open in a batch",
];

/// All failures, not only the first.
fn each(names: impl IntoIterator<Item = &'static str>, check: impl Fn(&str) -> Vec<String>) {
    let failures: Vec<_> = names
        .into_iter()
        .map(|name| (name, check(name)))
        .filter(|(_, wrong)| !wrong.is_empty())
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

fn all() -> impl Iterator<Item = &'static str> {
    SHORT.into_iter().chain(LONG).chain(BATCHES)
}

/// The search finds what is kept on purpose.
#[test]
fn what_is_kept_is_found() {
    each(all(), |name| match residue(name, "held").is_empty() {
        true => vec!["nothing was found".to_string()],
        false => Vec::new(),
    });
}

#[test]
fn nothing_stays_after_a_drop_but_on_the_stack() {
    each(all(), |name| {
        let (stack, other): (Vec<_>, Vec<_>) = residue(name, "dropped")
            .into_iter()
            .partition(|it| it.starts_with(STACK));
        println!("{name}: {} pieces on the stack", stack.len());
        stack.iter().for_each(|it| println!("    {it}"));
        other
    });
}

#[test]
fn nothing_stays_where_the_stack_is_wiped() {
    each(all(), |name| residue(name, "wiped"));
}

/// Those that take long enough wipe what they left on the stack.
#[test]
fn nothing_stays_of_long_operations() {
    each(LONG, |name| residue(name, "key read before"));
}
