//! The C functions, called from Rust: the standards' examples, keys in all forms, batches, and
//! certificates. Functions that draw a nonce cannot reproduce an example: what they make is checked
//! with those that can, and against the Rust library.

use serde_json::Value;

fn vectors(name: &str) -> Value {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let text = std::fs::read_to_string(path.join(name)).expect("the vectors");
    serde_json::from_str(&text).expect("JSON")
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(value.as_str().expect("text")).expect("hexadecimal")
}

fn ascii(value: &Value) -> &[u8] {
    value.as_str().expect("text").as_bytes()
}

/// `call!(kuaimi_sm3_new(&mut hash))` fails the test where the function does.
macro_rules! call {
    ($name:ident($($argument:expr),* $(,)?)) => {
        // SAFETY: the arguments are references, slices with their lengths, and handles that are not
        // freed yet.
        assert_eq!(unsafe { $name($($argument),*) }, KUAIMI_OK, stringify!($name))
    };
}

/// `free!(kuaimi_sm3_free(a, b))`: each is freed once.
macro_rules! free {
    ($($name:ident($($handle:expr),*));*) => {$($(
        // SAFETY: the handles are the test's own, and not used again.
        unsafe { $name($handle) };
    )*)*};
}

/// `output!(|out, len| function(…, out, len))`: asks for the size, then for the bytes.
macro_rules! output {
    (|$out:ident, $len:ident| $name:ident($($argument:expr),* $(,)?)) => {{
        let (mut size, $out) = (0, null_mut());
        let $len = &mut size;
        call!($name($($argument),*));
        let mut buffer = vec![0xa5; size];
        let ($out, $len) = (buffer.as_mut_ptr(), &mut size);
        call!($name($($argument),*));
        buffer.truncate(size);
        buffer
    }};
}

mod allocations;
mod batches;
mod explain;
mod keys;
mod pki;
mod sm2;
mod sm4_pieces;
mod sm9;
mod symmetric;
mod threads;
mod tlcp;
