//! The messages of the handshake (GB/T 38636-2020, 6.4.5): a file for each that has parts.
//!
//! ```text
//! msg_type (1) ‖ length (3) ‖ body
//! ```

pub(crate) mod certificate;
pub(crate) mod certificate_request;
pub(crate) mod client_hello;
pub(crate) mod extensions;
pub(crate) mod key_exchange;
pub(crate) mod server_hello;

use crate::codec::vector;

/// The types of messages (6.4.5.1).
pub(crate) mod kind {
    pub(crate) const HELLO_REQUEST: u8 = 0;
    pub(crate) const CLIENT_HELLO: u8 = 1;
    pub(crate) const SERVER_HELLO: u8 = 2;
    pub(crate) const CERTIFICATE: u8 = 11;
    pub(crate) const SERVER_KEY_EXCHANGE: u8 = 12;
    pub(crate) const CERTIFICATE_REQUEST: u8 = 13;
    pub(crate) const SERVER_HELLO_DONE: u8 = 14;
    pub(crate) const CERTIFICATE_VERIFY: u8 = 15;
    pub(crate) const CLIENT_KEY_EXCHANGE: u8 = 16;
    pub(crate) const FINISHED: u8 = 20;

    /// The standard's name.
    pub(crate) fn name(kind: u8) -> &'static str {
        match kind {
            HELLO_REQUEST => "HelloRequest",
            CLIENT_HELLO => "ClientHello",
            SERVER_HELLO => "ServerHello",
            CERTIFICATE => "Certificate",
            SERVER_KEY_EXCHANGE => "ServerKeyExchange",
            CERTIFICATE_REQUEST => "CertificateRequest",
            SERVER_HELLO_DONE => "ServerHelloDone",
            CERTIFICATE_VERIFY => "CertificateVerify",
            CLIENT_KEY_EXCHANGE => "ClientKeyExchange",
            FINISHED => "Finished",
            _ => "an unknown message",
        }
    }

    /// The longest message of this type that is accepted: chains and lists of authorities are long.
    pub(crate) fn max_len(kind: u8) -> usize {
        match kind {
            CERTIFICATE | CERTIFICATE_REQUEST => 1 << 17,
            CLIENT_HELLO => 1 << 16,
            _ => 1 << 14,
        }
    }
}

/// A message of the handshake.
pub(crate) struct Message<'a> {
    pub(crate) kind: u8,
    /// With the type and the length, as it goes into the transcript.
    pub(crate) whole: &'a [u8],
    pub(crate) body: &'a [u8],
}

/// The bytes of a message.
pub(crate) fn encode(kind: u8, body: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = vec![kind];
    vector::<3>(&mut out, body);
    out
}
