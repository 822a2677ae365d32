//! Many messages, each under a key of its own.
//!
//! A message of few blocks leaves most of the processor idle, and a key that is used once costs
//! more than its message. Here as many messages as the implementation has [lanes of
//! keys](Implementation::keys_in_lanes) are computed at the same time: their key schedules, the
//! keys of their hashes, and their key streams, some blocks of each at a time. Messages of similar
//! lengths are taken together. Lengths are public, so the order shows nothing. Each hash has only
//! the powers of its key that its blocks need.
//!
//! Messages are computed one by one where they are long, where they are too few for the lanes, and
//! where the implementation has none.

use super::super::backend::Implementation;
use super::super::{Error, KEY_LEN};
use super::Sm4Gcm;

/// What is encrypted or decrypted in place, and the result. Users of the library need
/// `kuaimi::sm4::batch`.
pub struct Job<'a> {
    /// The key.
    pub key: &'a [u8; KEY_LEN],
    /// The nonce.
    pub nonce: &'a [u8],
    /// What is authenticated only.
    pub associated_data: &'a [u8],
    /// The message, and then its ciphertext; or the other way round.
    pub data: &'a mut [u8],
    /// The tag: the result of encryption, or what decryption compares.
    pub tag: [u8; Sm4Gcm::TAG_LEN],
    /// What became of it.
    pub result: Result<(), Error>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Act {
    Seal,
    Open,
}

impl Act {
    /// Computes one message.
    pub(super) fn alone(
        self,
        gcm: &Sm4Gcm,
        nonce: &[u8],
        associated_data: &[u8],
        data: &mut [u8],
        tag: &mut [u8; Sm4Gcm::TAG_LEN],
    ) -> Result<(), Error> {
        match self {
            Self::Seal => *tag = gcm.seal_in_place(nonce, associated_data, data)?,
            Self::Open => gcm.open_in_place(nonce, associated_data, data, tag)?,
        }
        Ok(())
    }
}

impl Job<'_> {
    /// Computes it alone.
    pub(super) fn alone(&mut self, implementation: Implementation, act: Act) {
        let gcm = Sm4Gcm::with_implementation(implementation, self.key);
        let (nonce, associated_data) = (self.nonce, self.associated_data);
        self.result = act.alone(&gcm, nonce, associated_data, self.data, &mut self.tag);
    }
}

/// Encrypts the data of all jobs in place, as [`Sm4Gcm::seal_in_place`] does. A job that fails has
/// its data unchanged.
pub fn seal_each(jobs: &mut [Job<'_>]) {
    run(Implementation::selected(), jobs, Act::Seal);
}

/// Decrypts the data of all jobs in place, as [`Sm4Gcm::open_in_place`] does. A job that fails has
/// its data unchanged.
pub fn open_each(jobs: &mut [Job<'_>]) {
    run(Implementation::selected(), jobs, Act::Open);
}

/// Computes jobs with this implementation.
pub(in super::super) fn run(implementation: Implementation, jobs: &mut [Job<'_>], act: Act) {
    #[cfg(clmul)]
    super::lanes::run(implementation, jobs, act);
    #[cfg(not(clmul))]
    for job in jobs {
        job.alone(implementation, act);
    }
}
