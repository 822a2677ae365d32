//! TLCP (GB/T 38636-2020): connections of clients and servers, without input and output.

mod config;
mod connection;

pub use config::*;
pub use connection::*;

use crate::error::Error;

/// What a failure of the connection is here. A wrong argument is one; all else is the connection's
/// end, and the connection keeps the reason.
fn failure(error: &kuaimi_tlcp::Error) -> Error {
    match error.is_of_connection() {
        true => Error::KUAIMI_ERROR_TLCP,
        false => error.kind().into(),
    }
}
