//! SM2 as OpenSSL's operations: a file for each.

pub(crate) mod decode;
pub(crate) mod ecdh;
pub(crate) mod encryption;
pub(crate) mod exchange;
pub(crate) mod key;
mod key_params;
pub(crate) mod keymgmt;
pub(crate) mod signature;

use crate::failure::{Failure, Reason};

/// Whether `name` is the digest that SM2 is defined with.
pub(crate) fn is_sm3(name: &str) -> bool {
    name.eq_ignore_ascii_case("SM3") || name == "1.2.156.10197.1.401"
}

/// Refuses a digest that is not SM3.
pub(crate) fn check_digest(name: &str) -> Result<(), Failure> {
    if is_sm3(name) {
        Ok(())
    } else {
        Err(Failure::with(
            Reason::UnsupportedDigest,
            format!("digest {name}"),
        ))
    }
}
