//! Session tickets under SM4-GCM (the construction that RFC 5077, clause 4, recommends, with an
//! AEAD): the name of the key, a random nonce, the ciphertext, the tag. The name is authenticated,
//! too.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use getrandom::SysRng;
use kuaimi::external::rand_core::TryRng;
use kuaimi::sm4::Sm4Gcm;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

const NAME_LEN: usize = 16;
const NONCE_LEN: usize = 12;

/// How long a key makes tickets, in seconds; it opens them for as long again.
pub(crate) const KEY_LIFETIME: u32 = 6 * 60 * 60;

/// NIST SP 800-38D, clause 8.3: with random nonces, a key is used 2³² times at most.
const MAX_TICKETS: u64 = 1 << 32;

/// A key for tickets.
pub(crate) struct TicketKey {
    cipher: Sm4Gcm,
    name: [u8; NAME_LEN],
    made: AtomicU64,
}

/// The random generator failed.
#[derive(Debug)]
pub(crate) struct RandomFailed;

impl TicketKey {
    pub(crate) fn generate() -> Result<Self, RandomFailed> {
        let mut key = Zeroizing::new([0; 16]);
        let mut name = [0; NAME_LEN];
        fill(key.as_mut())?;
        fill(&mut name)?;
        Ok(Self {
            cipher: Sm4Gcm::new(&key),
            name,
            made: AtomicU64::new(0),
        })
    }

    /// A ticket with `state`; none where the key or the random generator does not serve.
    pub(crate) fn seal(&self, state: &[u8]) -> Option<Vec<u8>> {
        if self.made.fetch_add(1, Ordering::Relaxed) >= MAX_TICKETS {
            self.made.store(MAX_TICKETS, Ordering::Relaxed);
            return None;
        }
        let mut nonce = [0; NONCE_LEN];
        fill(&mut nonce).ok()?;
        let sealed = self.cipher.seal(&nonce, &self.name, state).ok()?;
        Some([self.name.as_slice(), &nonce, &sealed].concat())
    }

    /// The state in a ticket, if this key made it.
    pub(crate) fn open(&self, ticket: &[u8]) -> Option<Vec<u8>> {
        let (name, rest) = ticket.split_at_checked(NAME_LEN)?;
        let (nonce, sealed) = rest.split_at_checked(NONCE_LEN)?;
        if !bool::from(name.ct_eq(&self.name)) {
            return None;
        }
        self.cipher.open(nonce, &self.name, sealed).ok()
    }
}

fn fill(bytes: &mut [u8]) -> Result<(), RandomFailed> {
    SysRng.try_fill_bytes(bytes).map_err(|_| RandomFailed)
}

impl fmt::Debug for TicketKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TicketKey { ... }")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_tickets_of_this_key_open() {
        let (key, other) = (
            TicketKey::generate().unwrap(),
            TicketKey::generate().unwrap(),
        );
        let ticket = key.seal(b"a state").unwrap();
        assert_eq!(key.open(&ticket).unwrap(), b"a state");
        assert_eq!(other.open(&ticket), None);
        assert_ne!(key.seal(b"a state").unwrap(), ticket, "a fresh nonce");
        for at in 0..ticket.len() {
            let mut altered = ticket.clone();
            altered[at] ^= 0x80;
            assert_eq!(key.open(&altered), None, "byte {at}");
            assert_eq!(key.open(&ticket[..at]), None, "{at} bytes");
        }
        // Another key's ticket under this key's name.
        let mut renamed = other.seal(b"a state").unwrap();
        renamed[..NAME_LEN].copy_from_slice(&key.name);
        assert_eq!(key.open(&renamed), None);
    }

    #[test]
    fn a_worn_key_makes_no_tickets() {
        let key = TicketKey::generate().unwrap();
        let ticket = key.seal(b"a state").unwrap();
        key.made.store(MAX_TICKETS - 1, Ordering::Relaxed);
        assert!(key.seal(b"a state").is_some());
        assert!(key.seal(b"a state").is_none());
        assert!(key.seal(b"a state").is_none());
        assert!(key.open(&ticket).is_some(), "it still opens them");
    }
}
