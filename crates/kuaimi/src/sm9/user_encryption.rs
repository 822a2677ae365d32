//! A user's key for decryption, decapsulation and key exchange.

use core::fmt;

use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::points::{self, G2};
use super::{Error, HID_ENCRYPT, Identity, MasterEncryptionPublicKey, master};
use kuaimi_platform::declassify;

/// A user's key `de` for decryption and decapsulation, or for key exchange: a point of `G2`, made by the key generation centre with
/// [`MasterEncryptionKey::user_key`](super::MasterEncryptionKey::user_key) or
/// [`user_exchange_key`](super::MasterEncryptionKey::user_exchange_key); with the master public key.
///
/// The identity is not in it, and decryption asks for it; [`check`](Self::check) tells whether the two belong together. All that is
/// done with it is constant time; who decrypts more than once should [`prepare`](Self::prepare). Wiped when dropped; `Debug` shows
/// the master public key only.
///
/// As bytes it is `x ‖ y`, 128 bytes, as [`MasterSigningPublicKey`](super::MasterSigningPublicKey) has them; reading them shows that they are a point in the
/// group of order `N`.
///
/// Source: GB/T 38635.2-2020, clause 7.1.
#[derive(Clone)]
pub struct UserEncryptionKey {
    de: G2,
    master: MasterEncryptionPublicKey,
}

impl UserEncryptionKey {
    pub(super) fn new(de: G2, master: MasterEncryptionPublicKey) -> Self {
        Self { de, master }
    }

    /// From `x ‖ y`.
    ///
    /// # Errors
    /// As [`MasterSigningPublicKey::from_bytes`](super::MasterSigningPublicKey::from_bytes).
    pub fn from_bytes(xy: &[u8; 128], master: &MasterEncryptionPublicKey) -> Result<Self, Error> {
        Ok(Self::new(master::g2_from_bytes(xy)?, master.clone()))
    }

    /// From `x ‖ y`, from `04 ‖ x ‖ y`, or compressed, `02 ‖ x` or `03 ‖ x`: the last in a time that depends on the key.
    ///
    /// # Errors
    /// As [`MasterSigningPublicKey::from_slice`](super::MasterSigningPublicKey::from_slice).
    pub fn from_slice(bytes: &[u8], master: &MasterEncryptionPublicKey) -> Result<Self, Error> {
        Ok(Self::new(master::g2_from_slice(bytes)?, master.clone()))
    }

    /// `x ‖ y`.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 128]> {
        Zeroizing::new(points::g2_to_bytes(&self.de))
    }

    /// The master public key that the key was made under.
    pub fn master_public_key(&self) -> &MasterEncryptionPublicKey {
        &self.master
    }

    /// The same key beside this master public key, for programs that tell valgrind what is public.
    #[cfg(feature = "memcheck")]
    #[doc(hidden)]
    pub fn under(&self, master: &MasterEncryptionPublicKey) -> Self {
        let mut key = self.clone();
        key.master = master.clone();
        key
    }

    /// Whether this is the key of `identity` (with [`HID_ENCRYPT`] by default): whether `e([H1(ID ‖ hid)]P1 + Ppub-e, de)` is
    /// `e(Ppub-e, P2)`. For a user who received a key, and for whoever reads one from a file.
    ///
    /// # Errors
    /// [`Error::UserKeyMismatch`] if it is another's, or made under another master key; [`Error::EmptyIdentity`].
    pub fn check<'a>(&self, identity: impl Into<Identity<'a>>) -> Result<(), Error> {
        let h1 = identity.into().h1(HID_ENCRYPT)?;
        let q = points::g1_generator_mul_add_vartime(&h1, self.master.point())
            .ok_or(Error::UserKeyMismatch)?;
        let pairing = Zeroizing::new(points::pairing(&q, &self.de));
        // Whether it is, the error tells.
        if declassify(pairing.as_flattened().ct_eq(self.master.g().as_flattened())) {
            Ok(())
        } else {
            Err(Error::UserKeyMismatch)
        }
    }

    /// `de`.
    pub(super) fn point(&self) -> &G2 {
        &self.de
    }
}

impl fmt::Debug for UserEncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserEncryptionKey")
            .field("master", &self.master)
            .finish_non_exhaustive()
    }
}

impl ConstantTimeEq for UserEncryptionKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.to_bytes()
            .as_slice()
            .ct_eq(other.to_bytes().as_slice())
    }
}

impl PartialEq for UserEncryptionKey {
    /// In constant time; both the key and the master public key count.
    fn eq(&self, other: &Self) -> bool {
        self.master == other.master && declassify(self.ct_eq(other))
    }
}

impl Eq for UserEncryptionKey {}

impl Drop for UserEncryptionKey {
    fn drop(&mut self) {
        self.de.zeroize();
    }
}

impl ZeroizeOnDrop for UserEncryptionKey {}
