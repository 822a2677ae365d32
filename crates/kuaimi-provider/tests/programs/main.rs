//! Programs against EVP alone, with the system's OpenSSL: Kuaimi's algorithms beside its own. Then
//! what is said where the module or its configuration is wrong.

#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

use common::library::Library;
use common::{failures, programs};

#[test]
fn programs_end_well() {
    programs::run_all(&Library::System);
}

#[test]
fn broken_modules_are_refused() {
    failures::broken_modules(&Library::System);
}

#[test]
fn wrong_settings_are_named() {
    failures::wrong_settings(&Library::System);
}
