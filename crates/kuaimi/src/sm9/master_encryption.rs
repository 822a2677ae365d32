//! The key generation centre's side of encryption, encapsulation and key exchange: master keys, and users' keys made from them
//! (GB/T 38635.2-2020, clause 7.1).

use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use rand_core::TryCryptoRng;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::master::{self, derive_many};
use super::points::{self, G1, Gt};
use super::scalar::random_scalar;
use super::shared::Shared;
use super::{Error, G1Point, HID_ENCRYPT, HID_EXCHANGE, Identity, UserEncryptionKey};
use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;

/// A master key for encryption, encapsulation and key exchange: an integer `ke` in `[1, N − 1]`, with its public key
/// `Ppub-e = [ke]P1`.
///
/// Whoever has it can decrypt what is sent to any user: it belongs to the key generation centre alone. Wiped when dropped; `Debug`
/// shows the public key only; comparing and all that is done with it takes constant time.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::MasterEncryptionKey;
///
/// let master = MasterEncryptionKey::generate()?;
/// let bob = master.user_key("bob@example.com")?;
/// let ciphertext = master.public_key().encrypt("bob@example.com", b"a secret")?;
/// assert_eq!(*bob.decrypt("bob@example.com", &ciphertext)?, b"a secret");
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
///
/// Source: GB/T 38635.2-2020, clause 7.1.
#[derive(Clone)]
pub struct MasterEncryptionKey {
    ke: U256,
    public: MasterEncryptionPublicKey,
}

impl MasterEncryptionKey {
    /// A new master key from the operating system's random generator.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Result<Self, Error> {
        Self::generate_with_rng(&mut getrandom::SysRng)
    }

    /// A new master key from `rng`: numbers of 32 bytes are drawn until one is in range.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails, or is stuck at numbers out of range.
    pub fn generate_with_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Ok(Self::new(&*random_scalar(rng)?))
    }

    /// The master key that is the integer in `bytes`, most significant byte first.
    ///
    /// # Errors
    /// [`Error::MasterKeyRange`] unless the integer is in `[1, N − 1]`.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        Ok(Self::new(&*master::integer(bytes)?))
    }

    /// As [`from_bytes`](Self::from_bytes), from a slice of 32 bytes.
    ///
    /// # Errors
    /// [`Error::MasterKeyLength`] for another length, [`Error::MasterKeyRange`] for an integer out of range.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(
            bytes
                .try_into()
                .map_err(|_| Error::MasterKeyLength(bytes.len()))?,
        )
    }

    fn new(ke: &U256) -> Self {
        Self {
            ke: *ke,
            public: MasterEncryptionPublicKey::new(G1Point(points::g1_generator_mul(ke))),
        }
    }

    /// The integer `ke`, most significant byte first.
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.ke.to_be_bytes())
    }

    /// The public key, which users and senders need.
    pub fn public_key(&self) -> &MasterEncryptionPublicKey {
        &self.public
    }

    /// The decryption key of a user: `de = [t2]P2` with `t2 = ke / (H1(ID ‖ hid) + ke)`. The `hid` is [`HID_ENCRYPT`] by default;
    /// for key exchange see [`user_exchange_key`](Self::user_exchange_key).
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`]; [`Error::UnusableMasterKey`] where `H1(ID ‖ hid) + ke` is a multiple of `N`.
    pub fn user_key<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
    ) -> Result<UserEncryptionKey, Error> {
        self.derive(&identity.into(), HID_ENCRYPT)
    }

    /// The key of a user for key exchange: as [`user_key`](Self::user_key), with [`HID_EXCHANGE`] by default.
    ///
    /// # Errors
    /// As [`user_key`](Self::user_key).
    pub fn user_exchange_key<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
    ) -> Result<UserEncryptionKey, Error> {
        self.derive(&identity.into(), HID_EXCHANGE)
    }

    fn derive(&self, identity: &Identity<'_>, hid: u8) -> Result<UserEncryptionKey, Error> {
        let t2 = master::derive(&self.ke, &identity.h1(hid)?)?;
        Ok(UserEncryptionKey::new(
            points::g2_generator_mul(&t2),
            self.public.clone(),
        ))
    }

    /// The decryption keys of many users, each as [`user_key`](Self::user_key) gives it, in order: some hundreds at a time
    /// share one inversion modulo `N`, and their points another.
    pub fn user_keys(&self, identities: &[Identity<'_>]) -> Vec<Result<UserEncryptionKey, Error>> {
        self.derive_many(identities, HID_ENCRYPT)
    }

    /// The keys of many users for key exchange, each as [`user_exchange_key`](Self::user_exchange_key) gives it, in order.
    pub fn user_exchange_keys(
        &self,
        identities: &[Identity<'_>],
    ) -> Vec<Result<UserEncryptionKey, Error>> {
        self.derive_many(identities, HID_EXCHANGE)
    }

    fn derive_many(
        &self,
        identities: &[Identity<'_>],
        hid: u8,
    ) -> Vec<Result<UserEncryptionKey, Error>> {
        derive_many(
            &self.ke,
            identities,
            hid,
            points::g2_generator_mul_many,
            |de| UserEncryptionKey::new(*de, self.public.clone()),
        )
    }
}

impl fmt::Debug for MasterEncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MasterEncryptionKey")
            .field("public", &self.public)
            .finish_non_exhaustive()
    }
}

impl ConstantTimeEq for MasterEncryptionKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.ke.ct_eq(&other.ke)
    }
}

impl PartialEq for MasterEncryptionKey {
    /// In constant time; whether they are equal may be known, as their public keys tell it.
    fn eq(&self, other: &Self) -> bool {
        declassify(self.ct_eq(other))
    }
}

impl Eq for MasterEncryptionKey {}

impl Drop for MasterEncryptionKey {
    fn drop(&mut self) {
        self.ke.zeroize();
    }
}

impl ZeroizeOnDrop for MasterEncryptionKey {}

/// A master public key for encryption, encapsulation and key exchange, `Ppub-e`: a point of `G1` other than infinity. It is what a
/// sender needs beside an identity.
///
/// As bytes it is `x ‖ y`, 64 bytes, each number 32, most significant first.
///
/// `g = e(Ppub-e, P2)`, which all that is sent under the key needs a power of, is computed at its first use and kept (384 bytes).
/// Clones, and users' keys made with this one, share it.
///
/// ```
/// use kuaimi::sm9::{Error, MasterEncryptionPublicKey};
///
/// assert_eq!(MasterEncryptionPublicKey::from_slice(&[4; 12]), Err(Error::PointLength(12)));
/// ```
///
/// Source: GB/T 38635.2-2020, clause 7.1.
#[derive(Clone)]
pub struct MasterEncryptionPublicKey {
    point: G1Point,
    g: Shared<Gt>,
}

impl MasterEncryptionPublicKey {
    fn new(point: G1Point) -> Self {
        Self {
            point,
            g: Shared::new(),
        }
    }

    /// `Ppub-e`.
    pub(super) fn point(&self) -> &G1 {
        &self.point.0
    }

    /// `g = e(Ppub-e, P2)`.
    pub(super) fn g(&self) -> &Gt {
        self.g
            .get(|| points::pairing_with(self.point(), points::g2_generator_lines()))
    }

    /// From `x ‖ y`.
    ///
    /// # Errors
    /// As [`G1Point::from_bytes`].
    pub fn from_bytes(xy: &[u8; 64]) -> Result<Self, Error> {
        Ok(Self::new(G1Point::from_bytes(xy)?))
    }

    /// From `x ‖ y`, from `04 ‖ x ‖ y`, or compressed, `02 ‖ x` or `03 ‖ x`. Variable time.
    ///
    /// # Errors
    /// As [`G1Point::from_slice`].
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(G1Point::from_slice(bytes)?))
    }

    /// `x ‖ y`.
    pub fn to_bytes(&self) -> [u8; 64] {
        self.point.to_bytes()
    }

    /// `04 ‖ x ‖ y`.
    pub fn to_sec1_bytes(&self) -> [u8; 65] {
        self.point.to_sec1_bytes()
    }
}

// The point is the key; whether what follows from it was computed yet is of no account.

impl PartialEq for MasterEncryptionPublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.point == other.point
    }
}

impl Eq for MasterEncryptionPublicKey {}

impl Hash for MasterEncryptionPublicKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.point.hash(state);
    }
}

impl fmt::Debug for MasterEncryptionPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterEncryptionPublicKey(")?;
        super::write_hex(f, &self.to_bytes())?;
        f.write_str(")")
    }
}
