//! What the connections of a side have in common.

mod client;
mod server;

use core::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

pub use client::ClientConfig;
pub use server::{ClientAuth, ServerConfig};

use crate::{CipherSuite, Error, SessionCache, SessionStore};

/// What a client signs in CertificateVerify (6.4.5.9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SignedTranscript {
    /// The SM3 digest of the messages so far, as the message of the signature: they are hashed
    /// twice. Tongsuo, TASSL, gotlcp and the test centre do so.
    #[default]
    Digest,
    /// The messages so far themselves, as GmSSL 3.3 signs them.
    Messages,
    /// A server accepts either; a client signs the digest.
    Either,
}

/// What both sides have.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) suites: Vec<CipherSuite>,
    pub(crate) alpn: Vec<Vec<u8>>,
    pub(crate) sessions: Option<Arc<dyn SessionStore>>,
    pub(crate) session_seconds: u64,
    pub(crate) signed_transcript: SignedTranscript,
    clock: Arc<dyn Fn() -> u64 + Send + Sync>,
}

/// Sessions that are kept in memory if nothing else is said.
const SESSIONS: usize = 1024;

impl Common {
    fn new() -> Self {
        Self {
            suites: CipherSuite::ALL.to_vec(),
            alpn: Vec::new(),
            sessions: Some(Arc::new(SessionCache::new(SESSIONS))),
            session_seconds: 2 * 3600,
            signed_transcript: SignedTranscript::Digest,
            clock: Arc::new(|| {
                // Before 1970 every certificate is refused.
                let now = SystemTime::now().duration_since(UNIX_EPOCH);
                now.map_or(0, |now| now.as_secs())
            }),
        }
    }

    pub(crate) fn now(&self) -> u64 {
        (self.clock)()
    }

    fn set_suites(&mut self, suites: &[CipherSuite]) -> Result<(), Error> {
        if suites.is_empty() {
            return Err(Error::Config("there is no cipher suite"));
        }
        self.suites = suites.to_vec();
        Ok(())
    }

    fn set_alpn<P: AsRef<[u8]>>(&mut self, protocols: &[P]) -> Result<(), Error> {
        let all: Vec<Vec<u8>> = protocols.iter().map(|one| one.as_ref().to_vec()).collect();
        if all.iter().any(|one| !(1..=255).contains(&one.len())) || all.len() > 100 {
            return Err(Error::Config(
                "there are at most 100 protocols of ALPN, each with 1 to 255 bytes",
            ));
        }
        self.alpn = all;
        Ok(())
    }
}

impl fmt::Debug for Common {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Common")
            .field("suites", &self.suites)
            .field("alpn", &self.alpn)
            .field("sessions", &self.sessions.is_some())
            .finish_non_exhaustive()
    }
}

/// The methods that both configurations have.
macro_rules! common_options {
    () => {
        /// The cipher suites, the preferred one first.
        ///
        /// # Errors
        /// [`Error::Config`] if there is none.
        pub fn suites(mut self, suites: &[CipherSuite]) -> Result<Self, Error> {
            self.common.set_suites(suites)?;
            Ok(self)
        }

        /// The application protocols (ALPN), the preferred one first.
        ///
        /// # Errors
        /// [`Error::Config`] for names that are empty or have more than 255 bytes.
        pub fn alpn<P: AsRef<[u8]>>(mut self, protocols: &[P]) -> Result<Self, Error> {
            self.common.set_alpn(protocols)?;
            Ok(self)
        }

        /// Where sessions are kept; `None` for no resumption. Without this, the last 1024 are kept
        /// in memory.
        #[must_use]
        pub fn sessions(mut self, store: Option<Arc<dyn SessionStore>>) -> Self {
            self.common.sessions = store;
            self
        }

        /// How long a session can be resumed, in seconds: two hours without this, and a day at
        /// most.
        #[must_use]
        pub fn session_seconds(mut self, seconds: u64) -> Self {
            self.common.session_seconds = seconds.min(24 * 3600);
            self
        }

        /// What CertificateVerify signs, for peers that differ.
        #[must_use]
        pub fn signed_transcript(mut self, what: SignedTranscript) -> Self {
            self.common.signed_transcript = what;
            self
        }

        /// The clock: seconds since 1970. Without this, the system's.
        #[must_use]
        pub fn clock(mut self, clock: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
            self.common.clock = Arc::new(clock);
            self
        }
    };
}
use common_options;
