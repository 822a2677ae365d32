//! What the tests with OpenSSL's libraries share.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod failures;
pub mod library;
pub mod programs;
pub mod vectors;
