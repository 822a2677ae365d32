//! TLCP (GB/T 38636-2020): connections of clients and servers, without input and output.

mod config;
mod connection;

pub use config::*;
pub use connection::*;

use crate::error::Error;

/// What a failure of the connection is here. A wrong argument is one; all else is the connection's
/// end, and the connection keeps the reason.
fn failure(error: &kuaimi_tlcp::Error) -> Error {
    use kuaimi_tlcp::Error as E;
    match error {
        E::Config(_) => Error::KUAIMI_ERROR_INVALID_ARGUMENT,
        E::OwnCertificate(error) => error.kind().into(),
        E::Certificate(..) | E::NoCertificate => Error::KUAIMI_ERROR_CERTIFICATE_REFUSED,
        E::Random => Error::KUAIMI_ERROR_RANDOM,
        _ => Error::KUAIMI_ERROR_TLCP,
    }
}
