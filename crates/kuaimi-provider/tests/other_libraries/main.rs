//! With OpenSSL 4.0 and Tongsuo, which `make test-openssl` builds and names in the environment: all
//! that the system's OpenSSL is tested with, and what only these can.

#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
mod handshakes;
mod messages;
mod tlcp;

use std::path::PathBuf;

use common::library::{Library, run};
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

#[test]
fn tls_1_3_in_memory() {
    for library in [openssl_4(), tongsuo()] {
        let mut program = library.program("tls");
        run(&mut program, "");
        // The library's own code for GCM reads what valgrind takes for not set.
        let mut valgrind = library.under_valgrind(&program);
        run(valgrind.env("VALGRIND_OPTS", "--undef-value-errors=no"), "");
    }
}

#[test]
fn tls_1_3_between_libraries() {
    handshakes::all(&openssl_4(), &tongsuo());
}

#[test]
fn messages_are_signed_and_encrypted() {
    for library in [openssl_4(), tongsuo()] {
        messages::signed_and_encrypted(&library);
    }
}
