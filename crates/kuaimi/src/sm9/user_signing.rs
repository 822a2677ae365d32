//! A user's signing key.

use core::fmt;

use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::points::{self, G1};
use super::{Error, G1Point, HID_SIGN, Identity, MasterSigningPublicKey};
use kuaimi_platform::declassify;

/// A user's signing key `ds`: a point of `G1`, made by the key generation centre with
/// [`MasterSigningKey::user_key`](super::MasterSigningKey::user_key); with the master public key, without which it does not sign.
///
/// The identity is not in it: [`check`](Self::check) tells whether it is someone's. Signing is constant time;
/// who signs more than a few times should [`prepare`](Self::prepare). Wiped when dropped; `Debug` shows the master public key only.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{Error, MasterSigningKey, UserSigningKey};
///
/// let master = MasterSigningKey::generate()?;
/// let alice = master.user_key("alice")?;
/// // What the user stores, and how it comes back:
/// let bytes = alice.to_bytes();
/// let again = UserSigningKey::from_bytes(&bytes, master.public_key())?;
/// again.check("alice")?;
/// assert_eq!(again.check("bob"), Err(Error::UserKeyMismatch));
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
///
/// Source: GB/T 38635.2-2020, clause 6.1.
#[derive(Clone)]
pub struct UserSigningKey {
    ds: G1,
    master: MasterSigningPublicKey,
}

impl UserSigningKey {
    pub(super) fn new(ds: G1, master: MasterSigningPublicKey) -> Self {
        Self { ds, master }
    }

    /// From `x ‖ y`, 32 bytes each, most significant first.
    ///
    /// # Errors
    /// As [`G1Point::from_bytes`].
    pub fn from_bytes(xy: &[u8; 64], master: &MasterSigningPublicKey) -> Result<Self, Error> {
        Ok(Self::new(G1Point::from_bytes(xy)?.0, master.clone()))
    }

    /// From `x ‖ y`, from `04 ‖ x ‖ y`, or compressed, `02 ‖ x` or `03 ‖ x`: the last in a time that depends on the key.
    ///
    /// # Errors
    /// As [`G1Point::from_slice`].
    pub fn from_slice(bytes: &[u8], master: &MasterSigningPublicKey) -> Result<Self, Error> {
        Ok(Self::new(G1Point::from_slice(bytes)?.0, master.clone()))
    }

    /// `x ‖ y`.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 64]> {
        Zeroizing::new(points::g1_to_bytes(&self.ds))
    }

    /// The master public key that the key was made under.
    pub fn master_public_key(&self) -> &MasterSigningPublicKey {
        &self.master
    }

    /// The same key beside this master public key, for programs that tell valgrind what is public.
    #[cfg(feature = "memcheck")]
    #[doc(hidden)]
    pub fn under(&self, master: &MasterSigningPublicKey) -> Self {
        let mut key = self.clone();
        key.master = master.clone();
        key
    }

    /// Whether this is the key of `identity` (with [`HID_SIGN`] by default): whether `e(ds, [H1(ID ‖ hid)]P2 + Ppub-s)` is
    /// `e(P1, Ppub-s)`. For a user who received a key, and for whoever reads one from a file.
    ///
    /// # Errors
    /// [`Error::UserKeyMismatch`] if it is another's, or made under another master key; [`Error::EmptyIdentity`].
    pub fn check<'a>(&self, identity: impl Into<Identity<'a>>) -> Result<(), Error> {
        let h1 = identity.into().h1(HID_SIGN)?;
        let p = points::g2_generator_mul_add_vartime(&h1, self.master.point())
            .ok_or(Error::UserKeyMismatch)?;
        let pairing = Zeroizing::new(points::pairing(&self.ds, &p));
        // Whether it is, the error tells.
        if declassify(pairing.as_flattened().ct_eq(self.master.g().as_flattened())) {
            Ok(())
        } else {
            Err(Error::UserKeyMismatch)
        }
    }

    /// `ds`.
    pub(super) fn point(&self) -> &G1 {
        &self.ds
    }
}

impl fmt::Debug for UserSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserSigningKey")
            .field("master", &self.master)
            .finish_non_exhaustive()
    }
}

impl ConstantTimeEq for UserSigningKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.to_bytes()
            .as_slice()
            .ct_eq(other.to_bytes().as_slice())
    }
}

impl PartialEq for UserSigningKey {
    /// In constant time; both the key and the master public key count.
    fn eq(&self, other: &Self) -> bool {
        self.master == other.master && declassify(self.ct_eq(other))
    }
}

impl Eq for UserSigningKey {}

impl Drop for UserSigningKey {
    fn drop(&mut self) {
        self.ds.zeroize();
    }
}

impl ZeroizeOnDrop for UserSigningKey {}
