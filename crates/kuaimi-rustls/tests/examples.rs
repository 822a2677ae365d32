//! The examples run, and end.

#![allow(
    clippy::duplicate_mod,
    reason = "each example is a program, and they share a file"
)]

#[path = "../examples/axum.rs"]
mod axum;
#[path = "../examples/hyper.rs"]
mod hyper;
#[path = "../examples/tokio.rs"]
mod tokio;

#[test]
fn they_run() {
    tokio::main().unwrap();
    hyper::main().unwrap();
    axum::main().unwrap();
}
