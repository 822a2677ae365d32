//! A user's key in `G2`, with the lines of Miller's loop through it.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use kuaimi_math::sm9::group::{self, G2Lines, Gt};
use zeroize::Zeroizing;

use super::tag_key;
use crate::sm9::encapsulate::{Argument, ReceiveOps};
use crate::sm9::user_key::UserKey;
use crate::sm9::{DecryptionKey, Error, ExchangeKey, G1Point, Identity};
use crate::stored;

/// The lines through `de`. They are as secret as `de`.
struct SecretLines(G2Lines);

impl SecretLines {
    fn new(key: &UserKey) -> Self {
        Self(G2Lines::new(key.point()))
    }

    fn tag_key(key: &UserKey) -> Zeroizing<[u8; 32]> {
        tag_key(key.to_bytes().as_ref(), &key.master().to_bytes())
    }

    fn write(&self, kind: &[u8; 8], key: &UserKey) -> Zeroizing<Vec<u8>> {
        stored::write(kind, &[&self.0.to_bytes()], Self::tag_key(key).as_ref())
    }

    fn read(kind: &[u8; 8], bytes: &[u8], key: &UserKey) -> Result<Self, Error> {
        let mut body = stored::read(kind, bytes, Self::tag_key(key).as_ref())?;
        let lines = G2Lines::from_bytes(body.bytes(G2Lines::BYTES)?)?;
        body.end()?;
        Ok(Self(lines))
    }

    /// `e(C, de)`.
    fn pair(&self, c: &G1Point) -> Zeroizing<Gt> {
        Zeroizing::new(group::pairing_with(&c.0, self.0.lines()))
    }
}

macro_rules! prepared_key {
    ($(#[$doc:meta])* $prepared:ident, $key:ident, $kind:literal, $extract:literal) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $prepared(Arc<($key, SecretLines)>);

        impl $prepared {
            /// The length of the lines in bytes, in memory and written.
            ///
            /// ```
            #[doc = concat!("assert!(kuaimi::sm9::", stringify!($prepared), "::TABLE_BYTES < 10 << 10);")]
            /// ```
            pub const TABLE_BYTES: usize = G2Lines::BYTES;

            /// The lines as bytes, to store beside the key: [`TABLE_BYTES`](Self::TABLE_BYTES) bytes and 40 more. **Secret**, like the key.
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::{MasterEncryptionKey, ", stringify!($prepared), "};")]
            #[doc = concat!("# let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.", $extract, "(\"bob\")?;")]
            /// let lines = bob.prepare().to_bytes();
            #[doc = concat!("assert_eq!(lines.len(), ", stringify!($prepared), "::TABLE_BYTES + 40);")]
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
                let (key, lines) = &*self.0;
                lines.write($kind, &key.0)
            }

            /// Reads the lines that [`to_bytes`](Self::to_bytes) wrote, for the key that they belong to.
            ///
            /// # Errors
            /// [`Error::TableFormat`]; [`Error::TableAltered`] if they belong to another key, or were altered by someone without the key.
            ///
            /// ```
            #[doc = concat!("# use kuaimi::sm9::{Error, MasterEncryptionKey, ", stringify!($prepared), "};")]
            /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
            #[doc = concat!("# let (alice, bob) = (master.", $extract, "(\"alice\")?, master.", $extract, "(\"bob\")?);")]
            /// let lines = bob.prepare().to_bytes();
            #[doc = concat!("let prepared = ", stringify!($prepared), "::from_bytes(&lines, &bob)?;")]
            #[doc = concat!("let mistaken = ", stringify!($prepared), "::from_bytes(&lines, &alice);")]
            /// assert_eq!(mistaken.err(), Some(Error::TableAltered));
            /// # Ok::<(), Error>(())
            /// ```
            pub fn from_bytes(bytes: &[u8], key: &$key) -> Result<Self, Error> {
                let lines = SecretLines::read($kind, bytes, &key.0)?;
                Ok(Self(Arc::new((key.clone(), lines))))
            }

            /// The key without its lines.
            ///
            /// ```
            /// # use kuaimi::sm9::MasterEncryptionKey;
            #[doc = concat!("# let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.", $extract, "(\"bob\")?;")]
            /// assert_eq!(*bob.prepare().key(), bob);
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn key(&self) -> &$key {
                &self.0.0
            }

            #[doc = concat!("As [`", stringify!($key), "::identity`].")]
            ///
            /// ```
            /// # use kuaimi::sm9::MasterEncryptionKey;
            #[doc = concat!("# let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.", $extract, "(\"bob\")?;")]
            /// assert_eq!(bob.prepare().identity().id(), b"bob");
            /// # Ok::<(), kuaimi::sm9::Error>(())
            /// ```
            pub fn identity(&self) -> Identity<'_> {
                self.key().identity()
            }
        }

        impl ReceiveOps for $prepared {
            fn id(&self) -> &[u8] {
                self.key().identity().id()
            }

            fn pair(&self, c: &G1Point) -> Zeroizing<Gt> {
                self.0.1.pair(c)
            }

            fn argument(&self) -> Argument<'_> {
                Argument::Lines(self.0.1.0.lines())
            }
        }

        impl fmt::Debug for $prepared {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($prepared))
                    .field("key", self.key())
                    .finish_non_exhaustive()
            }
        }
    };
}

prepared_key! {
    /// A [`DecryptionKey`] with the 77 lines that Miller's loop draws through `de`: decapsulation and decryption need not compute them.
    ///
    /// The lines are as secret as `de`, and wiped with the last clone. They take about a third of a decryption to compute.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm9::MasterEncryptionKey;
    ///
    /// let master = MasterEncryptionKey::generate()?;
    /// let bob = master.extract("bob")?.prepare();
    /// for message in [b"one", b"two"] {
    ///     let ciphertext = master.public_key().encryption_key("bob")?.encrypt(message)?;
    ///     assert_eq!(*bob.decrypt(&ciphertext)?, message);
    /// }
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    PreparedDecryptionKey, DecryptionKey, b"KM9-pdk2", "extract"
}

prepared_key! {
    /// An [`ExchangeKey`] with the 77 lines that Miller's loop draws through `de`, and with what its master public key
    /// [precomputes](crate::sm9::MasterEncryptionPublicKey::precompute).
    ///
    /// The lines are as secret as `de`, and wiped with the last clone.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm9::{MasterEncryptionKey, exchange::{Initiator, Responder}};
    ///
    /// let master = MasterEncryptionKey::generate()?;
    /// let alice = master.extract_exchange("alice")?.prepare();
    /// let bob = master.extract_exchange("bob")?.prepare();
    /// let (initiator, r_a) = Initiator::start(&alice, "bob")?;
    /// let response = Responder::new(&bob, "alice")?.respond(&r_a, 16)?;
    /// let key = initiator.finish_unconfirmed(response.point(), 16)?;
    /// assert_eq!(key, response.key_unconfirmed());
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    PreparedExchangeKey, ExchangeKey, b"KM9-pxk2", "extract_exchange"
}

impl DecryptionKey {
    /// This key with its lines; see [`PreparedDecryptionKey`].
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
    /// let ciphertext = bob.encryption_key().encrypt(b"a secret")?;
    /// assert_eq!(*bob.prepare().decrypt(&ciphertext)?, b"a secret");
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepare(&self) -> PreparedDecryptionKey {
        let lines = SecretLines::new(&self.0);
        PreparedDecryptionKey(Arc::new((self.clone(), lines)))
    }
}

impl ExchangeKey {
    /// This key with its lines, and with what its master public key precomputes; see [`PreparedExchangeKey`].
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// # use kuaimi::sm9::{MasterEncryptionKey, exchange::Initiator};
    /// # let alice = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("alice")?;
    /// let alice = alice.prepare();
    /// let with_bob = Initiator::start(&alice, "bob")?;
    /// let with_carol = Initiator::start(&alice, "carol")?;
    /// # }
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn prepare(&self) -> PreparedExchangeKey {
        self.master_public_key().precompute();
        let lines = SecretLines::new(&self.0);
        PreparedExchangeKey(Arc::new((self.clone(), lines)))
    }
}
