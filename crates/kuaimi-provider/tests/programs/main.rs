//! Programs against EVP alone, with the system's OpenSSL: Kuaimi's algorithms beside its own.

#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

use common::library::Library;
use common::programs;

#[test]
fn programs_end_well() {
    programs::run_all(&Library::System);
}
