//! Encryption master keys, from which the key generation centre makes users' keys for decryption
//! and key exchange (GB/T 38635.2-2020, clause 7.1).

use alloc::boxed::Box;
use alloc::sync::Arc;
#[cfg(feature = "batch")]
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use kuaimi_math::arith::U256;
#[cfg(feature = "batch")]
use kuaimi_math::sm9::group::G2;
use kuaimi_math::sm9::group::{self, G1, G1Table, Gt, GtTable};
use kuaimi_platform::declassify;
use rand_core::TryCryptoRng;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::extract;
#[cfg(feature = "batch")]
use super::extract::extract_batch;
use super::identity::KeyIdentity;
use super::scalar::random_scalar;
use super::user_key::UserKey;
use super::{
    DecryptionKey, EncryptionKey, Error, ExchangeKey, G1Point, HID_ENCRYPT, HID_EXCHANGE, Identity,
};
#[cfg(feature = "batch")]
use crate::batch::Threads;
use crate::precompute::{Precompute, Slot};
use once_cell::race::OnceBox;

/// An encryption master key, for encryption, encapsulation and key exchange: an integer `ke` in
/// `[1, N − 1]`, with its public key `Ppub-e = [ke]P1`.
///
/// Its holder can decrypt the messages to every user, so only the key generation centre may have
/// it. Wiped when dropped. `Debug` shows only the public key. All operations with it are constant
/// time, comparison included.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::MasterEncryptionKey;
///
/// let master = MasterEncryptionKey::generate()?;
/// let bob = master.extract("bob@example.com")?;
/// let recipient = master.public_key().encryption_key("bob@example.com")?;
/// let ciphertext = recipient.encrypt(b"a secret")?;
/// assert_eq!(*bob.decrypt(&ciphertext)?, b"a secret");
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
///
/// Source: GB/T 38635.2-2020, clause 7.1.
#[derive(Clone)]
pub struct MasterEncryptionKey(Arc<Secret>);

/// In a box that does not move, since a move leaves a copy that nobody wipes. Clones share it.
struct Secret {
    ke: U256,
    public: MasterEncryptionPublicKey,
}

impl MasterEncryptionKey {
    /// A new master key from the operating system's random generator.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    ///
    /// ```
    /// use kuaimi::sm9::MasterEncryptionKey;
    ///
    /// let master = MasterEncryptionKey::generate()?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Result<Self, Error> {
        Self::generate_with_rng(&mut getrandom::SysRng)
    }

    /// A new master key from `rng`: numbers of 32 bytes are drawn until one is in range.
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails, or is stuck at numbers out of range.
    ///
    /// ```
    /// use kuaimi::sm9::MasterEncryptionKey;
    ///
    /// let master = MasterEncryptionKey::generate_with_rng(&mut getrandom::SysRng)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn generate_with_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        Ok(Self::new(&*random_scalar(rng)?))
    }

    /// The master key that is the integer in `bytes`, most significant byte first.
    ///
    /// # Errors
    /// [`Error::MasterKeyRange`] unless the integer is in `[1, N − 1]`.
    ///
    /// ```
    /// use kuaimi::sm9::MasterEncryptionKey;
    ///
    /// assert_eq!(*MasterEncryptionKey::from_bytes(&[7; 32])?.to_bytes(), [7; 32]);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, Error> {
        Ok(Self::new(&*extract::master_key(bytes)?))
    }

    /// As [`from_bytes`](Self::from_bytes), from a slice of 32 bytes.
    ///
    /// # Errors
    /// [`Error::MasterKeyLength`] for another length, [`Error::MasterKeyRange`] for an integer out
    /// of range.
    ///
    /// ```
    /// use kuaimi::sm9::{Error, MasterEncryptionKey};
    ///
    /// assert_eq!(MasterEncryptionKey::from_slice(&[7; 31]), Err(Error::MasterKeyLength(31)));
    /// ```
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(
            bytes
                .try_into()
                .map_err(|_| Error::MasterKeyLength(bytes.len()))?,
        )
    }

    fn new(ke: &U256) -> Self {
        Self(Arc::new(Secret {
            ke: *ke,
            public: MasterEncryptionPublicKey::new(G1Point(group::g1_generator_mul(ke))),
        }))
    }

    /// The integer `ke`, 32 bytes, most significant first.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// assert_eq!(*MasterEncryptionKey::from_bytes(&[7; 32])?.to_bytes(), [7; 32]);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.0.ke.to_be_bytes())
    }

    /// The public key, which users and senders need.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let published: [u8; 64] = master.public_key().to_bytes();
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn public_key(&self) -> &MasterEncryptionPublicKey {
        &self.0.public
    }

    /// The decryption key of a user (with [`HID_ENCRYPT`] by default): `de = [t2]P2` with
    /// `t2 = ke / (H1(ID ‖ hid) + ke)`.
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`]; [`Error::UnusableMasterKey`] where `H1(ID ‖ hid) + ke` is a
    /// multiple of `N`.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = master.extract("bob")?;
    /// assert_eq!(bob.identity().id(), b"bob");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn extract<'a>(&self, identity: impl Into<Identity<'a>>) -> Result<DecryptionKey, Error> {
        self.user_key(identity.into(), HID_ENCRYPT)
            .map(DecryptionKey)
    }

    /// The key of a user for key exchange: as [`extract`](Self::extract), with [`HID_EXCHANGE`] by
    /// default.
    ///
    /// # Errors
    /// As [`extract`](Self::extract).
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = master.extract_exchange("bob")?;
    /// assert_ne!(bob.to_bytes(), master.extract("bob")?.to_bytes());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn extract_exchange<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
    ) -> Result<ExchangeKey, Error> {
        self.user_key(identity.into(), HID_EXCHANGE)
            .map(ExchangeKey)
    }

    fn user_key(&self, identity: Identity<'_>, hid: u8) -> Result<UserKey, Error> {
        let identity = KeyIdentity::new(identity, hid)?;
        let de = group::g2_generator_mul(&*extract::t2(&self.0.ke, &identity)?);
        Ok(UserKey::new(de, identity, self.0.public.clone()))
    }

    /// The decryption keys of many users, each as [`extract`](Self::extract) gives it, in order: up
    /// to 256 at a time share one inversion modulo `N`, and their points another.
    ///
    /// # Errors
    /// For an item, as [`extract`](Self::extract).
    ///
    /// ```
    /// # use kuaimi::Threads;
    /// # use kuaimi::sm9::{Error, MasterEncryptionKey};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let keys = master.extract_batch(&["alice".into(), "bob".into(), "".into()], Threads::One);
    /// assert_eq!(keys[1], master.extract("bob"));
    /// assert_eq!(keys[2], Err(Error::EmptyIdentity));
    /// # Ok::<(), Error>(())
    /// ```
    #[cfg(feature = "batch")]
    pub fn extract_batch(
        &self,
        identities: &[Identity<'_>],
        threads: Threads,
    ) -> Vec<Result<DecryptionKey, Error>> {
        self.user_keys(threads, identities, HID_ENCRYPT, DecryptionKey)
    }

    /// The keys of many users for key exchange, each as
    /// [`extract_exchange`](Self::extract_exchange) gives it, in order.
    ///
    /// # Errors
    /// For an item, as [`extract`](Self::extract).
    ///
    /// ```
    /// # use kuaimi::Threads;
    /// # use kuaimi::sm9::{Error, MasterEncryptionKey};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let keys = master.extract_exchange_batch(&["alice".into(), "bob".into()], Threads::One);
    /// assert_eq!(keys[1], master.extract_exchange("bob"));
    /// # Ok::<(), Error>(())
    /// ```
    #[cfg(feature = "batch")]
    pub fn extract_exchange_batch(
        &self,
        identities: &[Identity<'_>],
        threads: Threads,
    ) -> Vec<Result<ExchangeKey, Error>> {
        self.user_keys(threads, identities, HID_EXCHANGE, ExchangeKey)
    }

    #[cfg(feature = "batch")]
    fn user_keys<K: Send>(
        &self,
        threads: Threads,
        identities: &[Identity<'_>],
        hid: u8,
        key: impl Fn(UserKey) -> K + Sync,
    ) -> Vec<Result<K, Error>> {
        extract_batch(
            threads,
            &self.0.ke,
            identities,
            hid,
            group::g2_generator_mul_many,
            |de: &G2, identity| key(UserKey::new(*de, identity, self.0.public.clone())),
        )
    }
}

impl fmt::Debug for MasterEncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MasterEncryptionKey")
            .field("public", &self.0.public)
            .finish_non_exhaustive()
    }
}

impl ConstantTimeEq for MasterEncryptionKey {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ke.ct_eq(&other.0.ke)
    }
}

impl PartialEq for MasterEncryptionKey {
    /// In constant time. The result may be known, as the public keys tell it.
    fn eq(&self, other: &Self) -> bool {
        declassify(self.ct_eq(other))
    }
}

impl Eq for MasterEncryptionKey {}

impl Drop for Secret {
    fn drop(&mut self) {
        self.ke.zeroize();
    }
}

// With the last clone.
impl ZeroizeOnDrop for MasterEncryptionKey {}

/// An encryption master public key, for encryption, encapsulation and key exchange, `Ppub-e`: a
/// point of `G1` other than infinity. Senders need it together with an identity.
///
/// As bytes it is `x ‖ y`, 64 bytes; each number has 32, most significant first.
///
/// What operations under the key have in common is computed when it is needed, and shared by
/// clones, by users' keys and by threads: at the first use `g = e(Ppub-e, P2)`, of which every
/// encryption takes a power; when the key is used for the second time, tables of powers of `g` and
/// of multiples of `Ppub-e`. See [`precompute`](crate::precompute); the sizes are there.
///
/// ```
/// use kuaimi::sm9::{Error, MasterEncryptionPublicKey};
///
/// assert_eq!(MasterEncryptionPublicKey::from_slice(&[4; 12]), Err(Error::PointLength(12)));
/// ```
///
/// Source: GB/T 38635.2-2020, clause 7.1.
#[derive(Clone)]
pub struct MasterEncryptionPublicKey(Arc<Public>);

struct Public {
    point: G1Point,
    g: OnceBox<Gt>,
    g_table: Slot<GtTable>,
    table: Slot<G1Table>,
}

impl MasterEncryptionPublicKey {
    fn new(point: G1Point) -> Self {
        Self::with_policy(point, Precompute::default())
    }

    fn with_policy(point: G1Point, policy: Precompute) -> Self {
        Self(Arc::new(Public {
            point,
            g: OnceBox::new(),
            g_table: Slot::uncounted(policy),
            table: Slot::uncounted(policy),
        }))
    }

    /// From `x ‖ y`, 64 bytes.
    ///
    /// # Errors
    /// As [`G1Point::from_bytes`].
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, MasterEncryptionPublicKey};
    /// # let public = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(MasterEncryptionPublicKey::from_bytes(&public.to_bytes())?, public);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_bytes(xy: &[u8; 64]) -> Result<Self, Error> {
        Ok(Self::new(G1Point::from_bytes(xy)?))
    }

    /// From `x ‖ y`, from `04 ‖ x ‖ y`, or compressed, `02 ‖ x` or `03 ‖ x`. Variable time.
    ///
    /// # Errors
    /// As [`G1Point::from_slice`].
    ///
    /// ```
    /// # use kuaimi::sm9::{MasterEncryptionKey, MasterEncryptionPublicKey};
    /// # let public = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(MasterEncryptionPublicKey::from_slice(&public.to_sec1_bytes())?, public);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self::new(G1Point::from_slice(bytes)?))
    }

    /// `x ‖ y`.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let public = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(public.to_bytes(), public.to_sec1_bytes()[1..]);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn to_bytes(&self) -> [u8; 64] {
        self.0.point.to_bytes()
    }

    /// `04 ‖ x ‖ y`.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let public = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(public.to_sec1_bytes()[0], 4);
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn to_sec1_bytes(&self) -> [u8; 65] {
        self.0.point.to_sec1_bytes()
    }

    /// What encrypts for a user (with [`HID_ENCRYPT`] by default): the same as
    /// [`EncryptionKey::new`].
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`].
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let public = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert_eq!(public.encryption_key("bob")?.identity().id(), b"bob");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn encryption_key<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
    ) -> Result<EncryptionKey, Error> {
        EncryptionKey::new(self, identity)
    }

    /// The same master public key, with no table yet, which makes its own by this policy. Users'
    /// keys that are made from it share them.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// use kuaimi::precompute::Precompute;
    ///
    /// # let key = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().clone();
    /// assert!(key.with_precompute(Precompute::AtOnce).is_prepared());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[must_use]
    pub fn with_precompute(&self, policy: Precompute) -> Self {
        let key = Self::with_policy(self.0.point, policy);
        if policy == Precompute::AtOnce {
            key.prepare();
        }
        key
    }

    /// Makes the tables now, for this key, its clones and the users' keys that were made from it.
    /// This takes about a millisecond.
    ///
    /// ```
    /// # use kuaimi::sm9::{Error, MasterEncryptionKey};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// master.public_key().prepare();
    /// let ciphertext = master.public_key().encryption_key("bob")?.encrypt(b"a secret")?;
    /// # Ok::<(), Error>(())
    /// ```
    pub fn prepare(&self) {
        self.g_table();
        self.0.table.get(|| self.make_table());
    }

    /// Whether the tables were made.
    pub fn is_prepared(&self) -> bool {
        self.known_tables().is_some()
    }

    /// `Ppub-e`.
    pub(super) fn point(&self) -> &G1 {
        &self.0.point.0
    }

    /// `g = e(Ppub-e, P2)`.
    pub(super) fn g(&self) -> &Gt {
        let compute = || group::pairing_with(self.point(), group::g2_generator_lines());
        self.0.g.get_or_init(|| Box::new(compute()))
    }

    /// The table of powers of `g`.
    pub(super) fn g_table(&self) -> &GtTable {
        self.0.g_table.get(|| GtTable::new(self.g()))
    }

    /// The table of powers of `g`, by the policy of this key. This counts as a use.
    pub(super) fn used_g_table(&self) -> Option<&GtTable> {
        self.0.g_table.used(|| Some(GtTable::new(self.g())))
    }

    /// The table of multiples of `Ppub-e`, by the policy of this key. This counts as a use.
    pub(super) fn used_table(&self) -> Option<&G1Table> {
        self.0.table.used(|| Some(self.make_table()))
    }

    /// The tables of `g` and of `Ppub-e`, if they were made.
    fn known_tables(&self) -> Option<(&GtTable, &G1Table)> {
        Some((self.0.g_table.peek()?, self.0.table.peek()?))
    }

    /// `g^r`, from the table if there is one.
    pub(super) fn g_power(&self, table: Option<&GtTable>, r: &U256) -> Zeroizing<Gt> {
        Zeroizing::new(match table {
            Some(table) => table.pow(r),
            None => group::gt_pow(self.g(), r),
        })
    }

    fn make_table(&self) -> G1Table {
        G1Table::new(self.point())
    }
}

// The point is the key; what was computed of it does not count.

impl PartialEq for MasterEncryptionPublicKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.point == other.0.point
    }
}

impl Eq for MasterEncryptionPublicKey {}

impl Hash for MasterEncryptionPublicKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.point.hash(state);
    }
}

impl fmt::Debug for MasterEncryptionPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterEncryptionPublicKey(")?;
        super::write_hex(f, &self.to_bytes())?;
        f.write_str(")")
    }
}
