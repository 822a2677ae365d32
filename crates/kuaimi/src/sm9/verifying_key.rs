//! The key that verifies a user's signatures: the user's identity and the master public key.

use kuaimi_math::sm9::group::{self, G2};

use super::identity::KeyIdentity;
use super::{Error, HID_SIGN, Identity, MasterSigningPublicKey};

/// The key that verifies a user's signatures: an identity, with its `hid`, and a master public key. The user has no other public key.
///
/// Verifying is variable time, as all data is public. [`prepare`](Self::prepare) the key if it verifies many signatures. Clones share
/// the identity and the precomputation of the master public key.
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VerifyingKey {
    identity: KeyIdentity,
    master: MasterSigningPublicKey,
}

impl VerifyingKey {
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
        Self { identity, master }
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
        self.identity.identity()
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
        self.identity.hid()
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
        &self.master
    }

    /// The same identity with this master public key.
    pub(super) fn under(&self, master: &MasterSigningPublicKey) -> Self {
        Self::from_parts(self.identity.clone(), master.clone())
    }

    pub(super) fn key_identity(&self) -> &KeyIdentity {
        &self.identity
    }

    /// `P = [H1(ID ‖ hid)]P2 + Ppub-s`, unless it is infinity: the master key has no key for this identity then.
    pub(super) fn point(&self) -> Option<G2> {
        group::g2_generator_mul_add_vartime(self.identity.h1(), self.master.point())
    }
}
