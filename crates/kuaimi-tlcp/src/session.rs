//! Sessions, which are resumed by their identifiers (6.4.5.1).

use core::fmt;
use core::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use kuaimi_pki::Certificate;
use lru::LruCache;

use crate::CipherSuite;
use crate::key_schedule::MasterSecret;

/// What both sides keep of a handshake, to resume it. It has the master secret: whoever reads it
/// can read the connections. Clones share it.
#[derive(Clone)]
pub struct Session(pub(crate) Arc<SessionState>);

pub(crate) struct SessionState {
    pub(crate) id: Vec<u8>,
    pub(crate) suite: CipherSuite,
    pub(crate) master: MasterSecret,
    pub(crate) peer: Vec<Certificate>,
    pub(crate) server_name: Option<String>,
    /// Of the configuration: a session is not resumed under another.
    pub(crate) context: [u8; 32],
    /// In seconds since 1970.
    pub(crate) expires: u64,
}

impl Session {
    /// When it ends, in seconds since 1970: never later than the peer's certificates.
    pub fn expires(&self) -> u64 {
        self.0.expires
    }

    pub(crate) fn is_usable(&self, context: &[u8; 32], now: u64) -> bool {
        self.0.context == *context && now < self.0.expires
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("suite", &self.0.suite)
            .finish_non_exhaustive()
    }
}

/// Where sessions are kept: a server's by their identifiers, a client's by the server's name. It
/// is called from all threads that have connections.
pub trait SessionStore: Send + Sync {
    /// Keeps a session. It may be forgotten at any time.
    fn put(&self, key: &[u8], session: Session);
    /// The session that was kept for `key`.
    fn get(&self, key: &[u8]) -> Option<Session>;
    /// Forgets a session: its connection failed, and it must not be resumed.
    fn remove(&self, key: &[u8]);
}

/// A number of sessions in memory. The one that was not used for the longest time goes first.
///
/// ```
/// use kuaimi_tlcp::{SessionCache, SessionStore};
///
/// let cache = SessionCache::new(1000);
/// assert!(cache.get(b"bank.example").is_none());
/// ```
pub struct SessionCache(Mutex<LruCache<Vec<u8>, Session>>);

impl SessionCache {
    /// A store for at most `capacity` sessions, of some hundred bytes and the peer's certificates
    /// each. 0 is taken for 1.
    pub fn new(capacity: usize) -> Self {
        let capacity = NonZeroUsize::new(capacity).unwrap_or(NonZeroUsize::MIN);
        Self(Mutex::new(LruCache::new(capacity)))
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, LruCache<Vec<u8>, Session>> {
        // A thread that panics leaves the cache as it was before or after its call.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionStore for SessionCache {
    fn put(&self, key: &[u8], session: Session) {
        self.cache().put(key.to_vec(), session);
    }

    fn get(&self, key: &[u8]) -> Option<Session> {
        self.cache().get(key).cloned()
    }

    fn remove(&self, key: &[u8]) {
        self.cache().pop(key);
    }
}

impl fmt::Debug for SessionCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionCache")
            .field("len", &self.cache().len())
            .finish_non_exhaustive()
    }
}
