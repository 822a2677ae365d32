//! The key that verifies a user's signatures: the user's identity and the master public key.

use alloc::sync::Arc;
use core::fmt;
use core::hash::{Hash, Hasher};

use kuaimi_math::sm9::group::{self, G2, G2Lines, Lines};

use super::identity::KeyIdentity;
use super::verify::VerifyingTables;
use super::{Error, HID_SIGN, Identity, MasterSigningPublicKey};
use crate::precompute::{Precompute, Slot};

/// The key that verifies a user's signatures: an identity, with its `hid`, and a master public key.
/// The user has no other public key.
///
/// Verifying is variable time, as all data is public. When the key is used for the second time, it
/// makes the lines of Miller's loop through `P = [H1(ID ‖ hid)]P2 + Ppub-s`
/// ([`TABLE_BYTES`](Self::TABLE_BYTES) bytes), and the master public key makes a table of powers of
/// `g`: a verification then takes one Miller loop, not two. See [`precompute`](crate::precompute).
/// Clones share the lines.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{Error, MasterSigningKey, VerifyingKey};
///
/// let master = MasterSigningKey::generate()?;
/// let signature = master.extract("alice")?.sign(b"a message")?;
///
/// let alice = VerifyingKey::new(master.public_key(), "alice")?;
/// alice.verify(b"a message", &signature)?;
/// assert_eq!(alice.verify(b"a massage", &signature), Err(Error::InvalidSignature));
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
///
/// Source: GB/T 38635.2-2020, clause 6.3.
#[derive(Clone)]
pub struct VerifyingKey(Arc<Inner>);

struct Inner {
    identity: KeyIdentity,
    master: MasterSigningPublicKey,
    lines: Slot<G2Lines>,
}

impl VerifyingKey {
    /// Bytes of the lines on the heap.
    ///
    /// ```
    /// assert!(kuaimi::sm9::VerifyingKey::TABLE_BYTES < 10 << 10);
    /// ```
    pub const TABLE_BYTES: usize = G2Lines::BYTES;

    /// The key for this identity (with [`HID_SIGN`] by default) under this master public key.
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`].
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, MasterSigningKey, VerifyingKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let alice = VerifyingKey::new(master.public_key(), "alice")?;
    /// assert_eq!(VerifyingKey::new(master.public_key(), ""), Err(Error::EmptyIdentity));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new<'a>(
        master: &MasterSigningPublicKey,
        identity: impl Into<Identity<'a>>,
    ) -> Result<Self, Error> {
        let identity = KeyIdentity::new(identity.into(), HID_SIGN)?;
        Ok(Self::from_parts(identity, master.clone()))
    }

    pub(super) fn from_parts(identity: KeyIdentity, master: MasterSigningPublicKey) -> Self {
        Self::in_slot(identity, master, Slot::new(Precompute::default()))
    }

    fn in_slot(
        identity: KeyIdentity,
        master: MasterSigningPublicKey,
        lines: Slot<G2Lines>,
    ) -> Self {
        Self(Arc::new(Inner {
            identity,
            master,
            lines,
        }))
    }

    /// The same key, with no table yet, which makes its own by this policy.
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey};
    /// use kuaimi::precompute::Precompute;
    ///
    /// # let key = MasterSigningKey::from_bytes(&[7; 32])?.public_key().verifying_key("alice")?;
    /// assert!(key.with_precompute(Precompute::AtOnce).is_prepared());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[must_use]
    pub fn with_precompute(&self, policy: Precompute) -> Self {
        let (identity, master) = (self.0.identity.clone(), self.0.master.clone());
        let key = Self::in_slot(identity, master, Slot::new(policy));
        if policy == Precompute::AtOnce {
            key.prepare();
        }
        key
    }

    /// Makes the lines now, for this key and its clones, and the master public key's table of
    /// powers of `g`.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterSigningKey;
    /// let key = MasterSigningKey::from_bytes(&[7; 32])?.public_key().verifying_key("alice")?;
    /// key.prepare();
    /// assert!(key.clone().is_prepared());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepare(&self) {
        self.0.master.g_table();
        self.0.lines.try_get(|| self.make_lines());
    }

    /// Whether the lines and the master public key's table were made.
    pub fn is_prepared(&self) -> bool {
        self.known_tables().is_some()
    }

    /// The identity of the signer, with its `hid`.
    ///
    /// ```
    /// # use kuaimi::sm9::{Identity, MasterSigningKey, VerifyingKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let identity = Identity::new(b"alice").with_hid(9);
    /// assert_eq!(VerifyingKey::new(master.public_key(), identity)?.identity(), identity);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn identity(&self) -> Identity<'_> {
        self.0.identity.identity()
    }

    /// The function identifier, [`HID_SIGN`] unless another was set.
    ///
    /// ```
    /// # use kuaimi::sm9::{HID_SIGN, MasterSigningKey, VerifyingKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// assert_eq!(VerifyingKey::new(master.public_key(), "alice")?.hid(), HID_SIGN);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn hid(&self) -> u8 {
        self.0.identity.hid()
    }

    /// The master public key.
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterSigningKey, VerifyingKey};
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// let alice = VerifyingKey::new(master.public_key(), "alice")?;
    /// assert_eq!(alice.master_public_key(), master.public_key());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn master_public_key(&self) -> &MasterSigningPublicKey {
        &self.0.master
    }

    /// The same identity with this master public key.
    #[cfg(feature = "memcheck")]
    pub(super) fn under(&self, master: &MasterSigningPublicKey) -> Self {
        Self::from_parts(self.0.identity.clone(), master.clone())
    }

    /// The same identity with this master public key, as one of several keys that share the tables
    /// of the master public key. Its lines are made at its first use, and count in the cache or
    /// batch that it is for.
    #[cfg(any(feature = "std", feature = "batch"))]
    pub(super) fn in_cache(&self, master: &MasterSigningPublicKey) -> Self {
        Self::in_slot(self.0.identity.clone(), master.clone(), Slot::in_cache())
    }

    /// The tables, by the policies of this key and of its master public key. This counts as a use
    /// of both.
    pub(super) fn used_tables(&self) -> Option<VerifyingTables<'_>> {
        let g_table = self.0.master.used_g_table(1);
        let lines = self.0.lines.used(|| self.make_lines());
        Some((lines?.lines(), g_table?))
    }

    /// The tables, if both were made.
    pub(super) fn known_tables(&self) -> Option<VerifyingTables<'_>> {
        Some((self.known_lines()?, self.0.master.known_g_table()?))
    }

    /// The lines, if they were made.
    pub(super) fn known_lines(&self) -> Option<&Lines> {
        self.0.lines.peek().map(G2Lines::lines)
    }

    /// As [`known_lines`](Self::known_lines), after so many uses together.
    #[cfg(feature = "batch")]
    pub(super) fn used_lines(&self, uses: usize) -> Option<&Lines> {
        let lines = self.0.lines.used_times(uses, || self.make_lines());
        lines.map(G2Lines::lines)
    }

    fn make_lines(&self) -> Option<G2Lines> {
        self.point().map(|p| G2Lines::new(&p))
    }

    pub(super) fn key_identity(&self) -> &KeyIdentity {
        &self.0.identity
    }

    /// `P = [H1(ID ‖ hid)]P2 + Ppub-s`, unless it is infinity: the master key has no key for this
    /// identity then.
    pub(super) fn point(&self) -> Option<G2> {
        group::g2_generator_mul_add_vartime(self.0.identity.h1(), self.0.master.point())
    }
}

// The identity and the master public key are the key; its lines do not count.

impl PartialEq for VerifyingKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.identity == other.0.identity && self.0.master == other.0.master
    }
}

impl Eq for VerifyingKey {}

impl Hash for VerifyingKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.identity.hash(state);
        self.0.master.hash(state);
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VerifyingKey")
            .field("identity", &self.0.identity)
            .field("master", &self.0.master)
            .finish()
    }
}
