//! Limits of a port.

use std::time::Duration;

use serde::Deserialize;

/// Limits of a port, against peers that take too much or never go on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Limits {
    /// The most connections at a time. Those above it are closed at once.
    pub max_connections: usize,
    /// The time for a handshake, from the connection's acceptance on.
    pub handshake_seconds: u64,
    /// The time for the connection to the backend or the server.
    pub connect_seconds: u64,
    /// The time without a byte in either direction after which a connection is closed.
    pub idle_seconds: u64,
    /// The most new connections a second from one address, in the long run; 0 is no limit. For
    /// IPv6, an address is its first 64 bits.
    pub rate_per_address: u32,
    /// How many connections may come at once above it.
    pub rate_burst: u32,
}

impl Limits {
    pub(crate) fn handshake(&self) -> Duration {
        Duration::from_secs(self.handshake_seconds)
    }

    pub(crate) fn connect(&self) -> Duration {
        Duration::from_secs(self.connect_seconds)
    }

    pub(crate) fn idle(&self) -> Duration {
        Duration::from_secs(self.idle_seconds)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_connections: 10_000,
            handshake_seconds: 10,
            connect_seconds: 10,
            idle_seconds: 300,
            rate_per_address: 0,
            rate_burst: 20,
        }
    }
}
