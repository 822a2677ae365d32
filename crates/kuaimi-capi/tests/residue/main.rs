//! Handles wipe what they hold when they are freed: a child process makes a handle of a secret,
//! uses it and frees it, and its parent finds no copy of what it held in the child's memory, but
//! for the stack (SECURITY.md, *What is wiped*). Where the handle is not freed, the parent finds
//! it.
#![cfg(all(target_os = "linux", target_pointer_width = "64"))]

mod handles;
mod secrets;

use kuaimi_testing::child_memory::{
    CHILD, INPUT_LEN, STACK, found_in_child, read_input, wait_until_read,
};

const HANDLES: [&str; 29] = [
    "sm2 private key",
    "sm2 signing key",
    "sm2 initiator",
    "sm2 initiator, used",
    "sm2 response",
    "sm2 response, used",
    "sm9 master signing key",
    "sm9 signing key",
    "sm9 signing key, prepared",
    "sm9 master encryption key",
    "sm9 decryption key",
    "sm9 decryption key, prepared",
    "sm9 exchange key",
    "sm9 exchange key, prepared",
    "sm9 initiator",
    "sm9 response",
    "sm3",
    "hmac",
    "sm4",
    "sm4 cbc",
    "sm4 ccm",
    "sm4 cfb",
    "sm4 ctr",
    "sm4 gcm",
    "sm4 gcm stream",
    "sm4 ofb",
    "sm4 xts",
    "file pkcs12",
    "file cfca",
];

/// In the child, whose only copy of the input is in this box.
#[test]
fn child() {
    let Ok(name) = std::env::var(CHILD) else {
        return;
    };
    let (name, how) = name.rsplit_once(": ").expect("two parts");
    let mut input = Box::new([0; INPUT_LEN]);
    read_input(&mut input);
    let free = handles::make(name, &input);
    match how {
        "freed" => free(),
        _ => std::mem::forget(free),
    }
    handles::wipe(&mut *input);
    wait_until_read();
}

/// What is found outside of the stack. The numbers are new in each run, so that no memory has them
/// by chance.
fn residue(name: &str, how: &str) -> Vec<String> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).expect("random");
    // Below the orders and the primes.
    secret[0] &= 0x7f;
    let (state, secrets) = secrets::prepare(name, &secret);
    let mut input = [0; INPUT_LEN];
    input[..32].copy_from_slice(&secret);
    input[32..34].copy_from_slice(&(state.len() as u16).to_be_bytes());
    input[34..][..state.len()].copy_from_slice(&state);
    let mut found = found_in_child(&format!("{name}: {how}"), &input, &secrets);
    found.retain(|it| !it.starts_with(STACK));
    found
}

#[test]
fn a_handle_that_was_freed_leaves_nothing() {
    let all = HANDLES.map(|name| (name, residue(name, "freed")));
    let failures: Vec<_> = all.iter().filter(|(_, found)| !found.is_empty()).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The search finds what a handle holds. One that was used up holds nothing.
#[test]
fn a_handle_that_is_kept_is_found() {
    let all = HANDLES.map(|name| (name, residue(name, "kept")));
    let failures: Vec<_> = all
        .iter()
        .filter(|(name, found)| found.is_empty() != name.ends_with("used"))
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}
