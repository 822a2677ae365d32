//! A user's key in `G2`: for decryption and decapsulation, or for key exchange.

use alloc::sync::Arc;
use core::fmt;

use kuaimi_math::sm9::group::{self, G2, G2Lines, Gt};
use kuaimi_platform::declassify;
use subtle::{Choice, ConstantTimeEq};
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::encapsulate::Argument;
use super::identity::KeyIdentity;
use super::point::{g2_from_bytes, g2_from_slice};
use super::{
    EncryptionKey, Error, G1Point, HID_ENCRYPT, HID_EXCHANGE, Identity, MasterEncryptionPublicKey,
};
use crate::precompute::{Precompute, Slot};

/// What the two kinds have in common: `de`, and the public parts that belong to it.
#[derive(Clone)]
pub(super) struct UserKey(Arc<Inner>);

/// In a box that does not move, since a move leaves a copy that nobody wipes.
struct Inner {
    de: G2,
    public: EncryptionKey,
    /// Through `de`, and as secret.
    lines: Slot<G2Lines>,
}

impl UserKey {
    pub(super) fn new(de: G2, identity: KeyIdentity, master: MasterEncryptionPublicKey) -> Self {
        let public = EncryptionKey::from_parts(identity, master);
        Self::in_slot(de, public, Slot::new(Precompute::default()))
    }

    pub(super) fn in_slot(de: G2, public: EncryptionKey, lines: Slot<G2Lines>) -> Self {
        Self(Arc::new(Inner { de, public, lines }))
    }

    fn with_precompute(&self, policy: Precompute) -> Self {
        let key = Self::in_slot(self.0.de, self.0.public.clone(), Slot::new(policy));
        if policy == Precompute::AtOnce {
            key.lines();
        }
        key
    }

    /// A point from outside: `e([H1(ID ‖ hid)]P1 + Ppub-e, de)` must be `e(Ppub-e, P2)`.
    fn checked(
        de: G2,
        identity: Identity<'_>,
        hid: u8,
        master: &MasterEncryptionPublicKey,
    ) -> Result<Self, Error> {
        let key = Self::new(de, KeyIdentity::new(identity, hid)?, master.clone());
        let q = key.0.public.point().map_err(|_| Error::UserKeyMismatch)?;
        let pairing = Zeroizing::new(group::pairing(&q, &key.0.de));
        // The error tells whether they are equal.
        if declassify(pairing.as_flattened().ct_eq(master.g().as_flattened())) {
            Ok(key)
        } else {
            Err(Error::UserKeyMismatch)
        }
    }

    pub(super) fn to_bytes(&self) -> Zeroizing<[u8; 128]> {
        Zeroizing::new(group::g2_to_bytes(&self.0.de))
    }

    /// `de`.
    pub(super) fn point(&self) -> &G2 {
        &self.0.de
    }

    pub(super) fn public(&self) -> &EncryptionKey {
        &self.0.public
    }

    pub(super) fn master(&self) -> &MasterEncryptionPublicKey {
        self.0.public.master_public_key()
    }

    /// The bytes of the identity.
    pub(super) fn id(&self) -> &[u8] {
        self.0.public.key_identity().id()
    }

    /// The lines through `de`, which are made if they are not there.
    pub(super) fn lines(&self) -> &G2Lines {
        self.0.lines.get(|| G2Lines::new(&self.0.de))
    }

    /// `de`, or the lines through it, by the policy of this key. This counts as a use.
    pub(super) fn argument(&self) -> Argument<'_> {
        match self.0.lines.used(|| Some(G2Lines::new(&self.0.de))) {
            Some(lines) => Argument::Lines(lines.lines()),
            None => Argument::Point(&self.0.de),
        }
    }

    /// `e(C, de)`.
    pub(super) fn pair(&self, c: &G1Point) -> Zeroizing<Gt> {
        Zeroizing::new(match self.argument() {
            Argument::Lines(lines) => group::pairing_with(&c.0, lines),
            Argument::Point(de) => group::pairing(&c.0, de),
        })
    }
}

/// `x ‖ y` of a user's key, of which it is checked that it is a point of `G2`.
#[cfg(all(feature = "pem", feature = "encryption"))]
pub(crate) fn user_key_bytes(bytes: &[u8]) -> Result<Zeroizing<[u8; 128]>, Error> {
    let mut de = g2_from_slice(bytes)?;
    let bytes = Zeroizing::new(group::g2_to_bytes(&de));
    de.zeroize();
    Ok(bytes)
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.de.zeroize();
    }
}

macro_rules! user_key {
    ($(#[$doc:meta])* $key:ident, $hid:ident, $extract:ident) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $key(pub(super) UserKey);

        impl $key {
            #[doc = concat!("From `x ‖ y`, 128 bytes; for this identity (with [`", stringify!($hid), "`] by default) under this master public key.")]
            /// Constant time apart from the result.
            ///
            /// # Errors
            /// [`Error::UserKeyMismatch`]; [`Error::EmptyIdentity`]; and those of
            /// [`MasterSigningPublicKey::from_bytes`](super::MasterSigningPublicKey::from_bytes).
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::{", stringify!($key), ", MasterEncryptionKey};")]
            /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
            #[doc = concat!("let bytes = master.", stringify!($extract), "(\"bob\")?.to_bytes();")]
            #[doc = concat!("let key = ", stringify!($key), "::from_bytes(&bytes, \"bob\", master.public_key())?;")]
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn from_bytes<'a>(
                xy: &[u8; 128],
                identity: impl Into<Identity<'a>>,
                master: &MasterEncryptionPublicKey,
            ) -> Result<Self, Error> {
                UserKey::checked(g2_from_bytes(xy)?, identity.into(), $hid, master).map(Self)
            }

            /// As [`from_bytes`](Self::from_bytes), from `x ‖ y`, from `04 ‖ x ‖ y`, or compressed,
            /// `02 ‖ x` or `03 ‖ x`: the compressed form takes a time that depends on the key.
            ///
            /// # Errors
            /// As [`from_bytes`](Self::from_bytes), and [`Error::PointLength`],
            /// [`Error::PointFormat`].
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::{", stringify!($key), ", MasterEncryptionKey};")]
            /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
            #[doc = concat!("let bytes = [&[4], &master.", stringify!($extract), "(\"bob\")?.to_bytes()[..]].concat();")]
            #[doc = concat!("let key = ", stringify!($key), "::from_slice(&bytes, \"bob\", master.public_key())?;")]
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn from_slice<'a>(
                bytes: &[u8],
                identity: impl Into<Identity<'a>>,
                master: &MasterEncryptionPublicKey,
            ) -> Result<Self, Error> {
                UserKey::checked(g2_from_slice(bytes)?, identity.into(), $hid, master).map(Self)
            }

            /// `x ‖ y`, 128 bytes, in the order of
            /// [`MasterSigningPublicKey`](super::MasterSigningPublicKey).
            ///
            /// ```
            /// # use kuaimi::sm9::MasterEncryptionKey;
            /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
            #[doc = concat!("assert_ne!(master.", stringify!($extract), "(\"alice\")?.to_bytes(), master.", stringify!($extract), "(\"bob\")?.to_bytes());")]
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn to_bytes(&self) -> Zeroizing<[u8; 128]> {
                self.0.to_bytes()
            }

            /// The identity that the key is for, with its `hid`.
            ///
            /// ```
            /// # use kuaimi::sm9::{Identity, MasterEncryptionKey};
            /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
            /// let identity = Identity::new(b"bob").with_hid(9);
            #[doc = concat!("assert_eq!(master.", stringify!($extract), "(identity)?.identity(), identity);")]
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn identity(&self) -> Identity<'_> {
                self.0.public().identity()
            }

            #[doc = concat!("The function identifier of the key, [`", stringify!($hid), "`] unless another was set.")]
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::{", stringify!($hid), ", MasterEncryptionKey};")]
            /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
            #[doc = concat!("assert_eq!(master.", stringify!($extract), "(\"bob\")?.hid(), ", stringify!($hid), ");")]
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn hid(&self) -> u8 {
                self.0.public().hid()
            }

            /// The master public key that the key is used with.
            ///
            /// ```
            /// # use kuaimi::sm9::MasterEncryptionKey;
            /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
            #[doc = concat!("assert_eq!(master.", stringify!($extract), "(\"bob\")?.master_public_key(), master.public_key());")]
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn master_public_key(&self) -> &MasterEncryptionPublicKey {
                self.0.master()
            }

            /// Bytes of the lines of Miller's loop through `de`, on the heap and written.
            ///
            /// ```
            #[doc = concat!("assert!(kuaimi::sm9::", stringify!($key), "::TABLE_BYTES < 10 << 10);")]
            /// ```
            pub const TABLE_BYTES: usize = G2Lines::BYTES;

            /// The same key, with no lines yet, which makes its own by this policy.
            ///
            /// ```
            /// # use kuaimi::sm9::MasterEncryptionKey;
            /// use kuaimi::precompute::Precompute;
            ///
            /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
            #[doc = concat!("let key = master.", stringify!($extract), "(\"bob\")?.with_precompute(Precompute::AtOnce);")]
            /// assert!(key.is_prepared());
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            #[must_use]
            pub fn with_precompute(&self, policy: Precompute) -> Self {
                Self(self.0.with_precompute(policy))
            }

            /// Whether the lines were made.
            pub fn is_prepared(&self) -> bool {
                self.0.0.lines.peek().is_some()
            }

            /// The same key with this master public key, for programs that tell valgrind what is
            /// public.
            #[cfg(feature = "memcheck")]
            #[doc(hidden)]
            pub fn under(&self, master: &MasterEncryptionPublicKey) -> Self {
                let public = self.0.public().under(master);
                let slot = Slot::new(Precompute::default());
                Self(UserKey::in_slot(*self.0.point(), public, slot))
            }
        }

        impl fmt::Debug for $key {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($key))
                    .field("public", self.0.public())
                    .finish_non_exhaustive()
            }
        }

        impl ConstantTimeEq for $key {
            /// Of the secret point alone.
            fn ct_eq(&self, other: &Self) -> Choice {
                self.to_bytes()
                    .as_slice()
                    .ct_eq(other.to_bytes().as_slice())
            }
        }

        impl PartialEq for $key {
            /// In constant time; the identity and the master public key count, too.
            fn eq(&self, other: &Self) -> bool {
                self.0.public() == other.0.public() && declassify(self.ct_eq(other))
            }
        }

        impl Eq for $key {}

        // With the last clone.
        impl ZeroizeOnDrop for $key {}
    };
}

user_key! {
    /// A user's decryption key `de`, a point of `G2`, with the user's identity and the master
    /// public key that it is used with. The key generation centre makes it, by
    /// [`MasterEncryptionKey::extract`](super::MasterEncryptionKey::extract).
    ///
    /// A key that is read from bytes is checked: `e([H1(ID ‖ hid)]P1 + Ppub-e, de)` must be
    /// `e(Ppub-e, P2)`. This takes a pairing, about as long as a decryption, once; a key that was
    /// made for another identity or for key exchange, or under another master key, is
    /// [`Error::UserKeyMismatch`].
    ///
    /// All operations with it are constant time. At the second decryption the lines of Miller's
    /// loop through `de` are kept (9.6 KiB), which the clones share; [`prepare`](Self::prepare)
    /// does so in advance. Wiped when dropped, the lines with the last clone; `Debug` shows the
    /// public parts only.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm9::{DecryptionKey, Error, MasterEncryptionKey};
    ///
    /// let master = MasterEncryptionKey::generate()?;
    /// let bob = master.extract("bob")?;
    /// // The user stores the key, and reads it again:
    /// let bytes = bob.to_bytes();
    /// assert_eq!(DecryptionKey::from_bytes(&bytes, "bob", master.public_key())?, bob);
    /// let wrong = DecryptionKey::from_bytes(&bytes, "alice", master.public_key());
    /// assert_eq!(wrong.err(), Some(Error::UserKeyMismatch));
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    ///
    /// Source: GB/T 38635.2-2020, clause 7.1.
    DecryptionKey, HID_ENCRYPT, extract
}

user_key! {
    /// A user's key for [key exchange](super::exchange), a point of `G2`, with the user's identity
    /// and the master public key that it is used with. The key generation centre makes it, by
    /// [`MasterEncryptionKey::extract_exchange`](super::MasterEncryptionKey::extract_exchange).
    ///
    /// A key that is read from bytes is checked, and keeps lines from the second exchange on, as a
    /// [`DecryptionKey`] does. All operations with it are constant time. Wiped when dropped;
    /// `Debug` shows the public parts only.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm9::{DecryptionKey, Error, ExchangeKey, MasterEncryptionKey};
    ///
    /// let master = MasterEncryptionKey::generate()?;
    /// let bob = master.extract_exchange("bob")?;
    /// let bytes = bob.to_bytes();
    /// assert_eq!(ExchangeKey::from_bytes(&bytes, "bob", master.public_key())?, bob);
    /// // It is no decryption key:
    /// let wrong = DecryptionKey::from_bytes(&bytes, "bob", master.public_key());
    /// assert_eq!(wrong.err(), Some(Error::UserKeyMismatch));
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    ///
    /// Source: GB/T 38635.2-2020, clause 7.1; GB/T 41389-2022 for the `hid`.
    ExchangeKey, HID_EXCHANGE, extract_exchange
}

impl DecryptionKey {
    /// Makes the lines of Miller's loop through `de` now, for this key and its clones. They take
    /// about a third of a decryption to compute.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
    /// bob.prepare();
    /// assert!(bob.clone().is_prepared());
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepare(&self) {
        self.0.lines();
    }

    /// The key that encrypts for this key: the identity and the master public key.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
    /// let ciphertext = bob.encryption_key().encrypt(b"a secret")?;
    /// assert_eq!(*bob.decrypt(&ciphertext)?, b"a secret");
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn encryption_key(&self) -> &EncryptionKey {
        self.0.public()
    }
}

impl ExchangeKey {
    /// Makes the lines of Miller's loop through `de` now, for this key and its clones, and the
    /// tables of the master public key: an exchange then takes neither squares nor doublings but
    /// for `g3`.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Party, Peer}};
    /// let alice = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("alice")?;
    /// alice.prepare();
    /// let with_bob = Initiator::start(Party::new(&alice), Peer::new("bob")?)?;
    /// let with_carol = Initiator::start(Party::new(&alice), Peer::new("carol")?)?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepare(&self) {
        self.master_public_key().prepare();
        self.0.lines();
    }
}
