//! With OpenSSL 4.0 and Tongsuo, which `make test-openssl` builds and names in the environment: all that the system's OpenSSL is
//! tested with, and what only these can.

#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;

use std::path::PathBuf;

use common::library::Library;
use common::{failures, programs};

fn at(variable: &str) -> Library {
    let folder = std::env::var_os(variable);
    let folder = folder.unwrap_or_else(|| panic!("{variable} is not set: run make test-openssl"));
    Library::At(PathBuf::from(folder))
}

fn openssl_4() -> Library {
    at("KUAIMI_OPENSSL_4")
}

fn tongsuo() -> Library {
    at("KUAIMI_TONGSUO")
}

#[test]
fn programs_end_well_with_openssl_4() {
    programs::run_all(&openssl_4());
}

#[test]
fn programs_end_well_with_tongsuo() {
    programs::run_all(&tongsuo());
}

#[test]
fn wrong_modules_and_settings_are_named() {
    for library in [openssl_4(), tongsuo()] {
        failures::broken_modules(&library);
        failures::wrong_settings(&library);
    }
}
