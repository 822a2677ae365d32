//! Session tickets (RFC 8446, clause 4.6.1), encrypted with SM4-GCM.

use std::sync::Arc;

use rustls::Error;
use rustls::crypto::GetRandomFailed;
use rustls::server::ProducesTickets;
use rustls::ticketer::TicketRotator;

use crate::ticket::{KEY_LIFETIME, TicketKey};

/// Tickets under SM4-GCM, with a new key every six hours: for a server's `ticketer`.
///
/// A ticket is accepted for six to twelve hours. The key is this process's: servers that should
/// resume each other's sessions need a ticketer of their own.
///
/// ```
/// # fn config() -> rustls::ServerConfig { unimplemented!() }
/// # fn example() -> Result<(), rustls::Error> {
/// let mut config = config();
/// config.ticketer = kuaimi_rustls::Ticketer::new()?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Ticketer(());

impl Ticketer {
    /// A ticketer with a fresh key.
    ///
    /// # Errors
    /// If the random generator fails.
    #[expect(clippy::new_ret_no_self, reason = "as rustls's own ticketers")]
    pub fn new() -> Result<Arc<dyn ProducesTickets>, Error> {
        Ok(Arc::new(TicketRotator::new(KEY_LIFETIME, generate)?))
    }
}

fn generate() -> Result<Box<dyn ProducesTickets>, GetRandomFailed> {
    match TicketKey::generate() {
        Ok(key) => Ok(Box::new(key)),
        Err(_) => Err(GetRandomFailed),
    }
}

impl ProducesTickets for TicketKey {
    fn enabled(&self) -> bool {
        true
    }

    fn lifetime(&self) -> u32 {
        2 * KEY_LIFETIME
    }

    fn encrypt(&self, state: &[u8]) -> Option<Vec<u8>> {
        self.seal(state)
    }

    fn decrypt(&self, ticket: &[u8]) -> Option<Vec<u8>> {
        self.open(ticket)
    }
}
