//! Certificates and requests (`kuaimi_pki`): what the package's `x509` is made of.
//!
//! The classes of names and extensions are Python's own, in the shapes of `cryptography`. Between
//! them and this module go DER and plain tuples.

mod builder;
mod certificate;
mod chain;
mod crl;
mod extension;
mod name;
mod ocsp;
mod request;

use kuaimi_pki::external::der::{self, DateTime};
use kuaimi_pki::public_key::Identities;
use pyo3::prelude::*;

use crate::error::Failure;

pub(crate) use certificate::Certificate;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Certificate>()?;
    module.add_class::<request::Request>()?;
    module.add_class::<chain::Store>()?;
    certificate::add_to(module)?;
    request::add_to(module)?;
    builder::add_to(module)?;
    crl::add_to(module)?;
    ocsp::add_to(module)?;
    extension::add_to(module)?;
    name::add_to(module)
}

/// An extension: its identifier, whether it is critical, its value in DER.
type Extension = (String, bool, Vec<u8>);

fn extension(found: &kuaimi_pki::external::x509_cert::ext::Extension) -> Extension {
    let value = found.extn_value.as_bytes().to_vec();
    (found.extn_id.to_string(), found.critical, value)
}

/// A structure that cannot be read, or cannot be written.
fn malformed(error: der::Error) -> Failure {
    Failure::Format(error.to_string())
}

pub(crate) fn identities(empty: bool) -> Identities {
    match empty {
        true => Identities::DefaultOrEmpty,
        false => Identities::Default,
    }
}

/// Seconds since 1970.
pub(crate) fn time(seconds: i64) -> Result<DateTime, Failure> {
    u64::try_from(seconds)
        .ok()
        .and_then(|seconds| {
            DateTime::from_unix_duration(core::time::Duration::from_secs(seconds)).ok()
        })
        .ok_or_else(|| Failure::Argument("a time is between the years 1970 and 9999".into()))
}

fn oid(text: &str) -> Result<der::oid::ObjectIdentifier, Failure> {
    text.parse()
        .map_err(|_| Failure::Argument(format!("{text} is no object identifier")))
}
