//! A sender under one master key, and the recipients that it knows.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use crate::sm9::encapsulate::{Session, encapsulate};
use crate::sm9::encrypt::{check_message, encrypt};
use crate::sm9::points::{self, G1, G1Table, Gt, GtTable};
use crate::sm9::{
    Ciphertext, EncryptOptions, Error, G1Point, HID_ENCRYPT, Identity, MasterEncryptionPublicKey,
};
use kuaimi_math::arith::U256;

/// A [`MasterEncryptionPublicKey`] with a table of its multiples and one of powers of `g = e(Ppub-e, P2)`: an encapsulation or encryption
/// then takes no square in `GT` and no doubling.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{EncryptOptions, MasterEncryptionKey};
///
/// let master = MasterEncryptionKey::generate()?;
/// let sender = master.public_key().prepare();
/// let ciphertext = sender.encrypt("bob", b"a secret", EncryptOptions::default())?;
/// // For someone who is written to again and again:
/// let bob = sender.recipient("bob")?;
/// let another = bob.encrypt(b"another", EncryptOptions::default())?;
/// # let key = master.user_key("bob")?;
/// # assert_eq!(*key.decrypt("bob", &ciphertext)?, b"a secret");
/// # assert_eq!(*key.decrypt("bob", &another)?, b"another");
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone)]
pub struct PreparedSender {
    master: MasterEncryptionPublicKey,
    ppub: Arc<G1Table>,
    g: Arc<GtTable>,
}

impl MasterEncryptionPublicKey {
    /// This key with its table; see [`PreparedSender`]. Takes a pairing and the table.
    pub fn prepare(&self) -> PreparedSender {
        PreparedSender {
            master: self.clone(),
            ppub: Arc::new(G1Table::new(self.point())),
            g: Arc::new(GtTable::new(self.g())),
        }
    }
}

impl PreparedSender {
    /// Bytes that the tables take in memory.
    pub const TABLE_BYTES: usize = G1Table::BYTES + GtTable::BYTES;

    /// The key without its table.
    pub fn master_public_key(&self) -> &MasterEncryptionPublicKey {
        &self.master
    }

    /// As [`MasterEncryptionPublicKey::encapsulate`].
    ///
    /// # Errors
    /// As [`MasterEncryptionPublicKey::encapsulate`].
    #[cfg(feature = "getrandom")]
    pub fn encapsulate<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        length: usize,
    ) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
        self.encapsulate_with_rng(&mut getrandom::SysRng, identity, length)
    }

    /// As [`MasterEncryptionPublicKey::encapsulate_with_rng`].
    ///
    /// # Errors
    /// As [`MasterEncryptionPublicKey::encapsulate`].
    pub fn encapsulate_with_rng<'a, R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        identity: impl Into<Identity<'a>>,
        length: usize,
    ) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
        let identity = identity.into();
        let h1 = identity.h1(HID_ENCRYPT)?;
        encapsulate(rng, identity.id(), length, |r| {
            (self.point_power(&h1, r), self.g_power(r))
        })
    }

    /// As [`MasterEncryptionPublicKey::encrypt_with`].
    ///
    /// # Errors
    /// As [`MasterEncryptionPublicKey::encrypt`].
    #[cfg(feature = "getrandom")]
    pub fn encrypt<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        message: &[u8],
        options: EncryptOptions,
    ) -> Result<Ciphertext, Error> {
        self.encrypt_with_rng(&mut getrandom::SysRng, identity, message, options)
    }

    /// As [`MasterEncryptionPublicKey::encrypt_with_rng`].
    ///
    /// # Errors
    /// As [`MasterEncryptionPublicKey::encrypt`].
    pub fn encrypt_with_rng<'a, R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        identity: impl Into<Identity<'a>>,
        message: &[u8],
        options: EncryptOptions,
    ) -> Result<Ciphertext, Error> {
        let identity = identity.into();
        check_message(message)?;
        let h1 = identity.h1(HID_ENCRYPT)?;
        encrypt(rng, identity.id(), message, options, |r| {
            (self.point_power(&h1, r), self.g_power(r))
        })
    }

    /// A recipient who is written to again and again (with [`HID_ENCRYPT`] by default), with a table of its point.
    ///
    /// # Errors
    /// [`Error::EmptyIdentity`], [`Error::UnusableMasterKey`].
    pub fn recipient<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
    ) -> Result<PreparedRecipient, Error> {
        let identity = identity.into();
        let q = self.master.point_of(&identity, HID_ENCRYPT)?;
        Ok(PreparedRecipient {
            g: self.g.clone(),
            q: Arc::new(G1Table::new(&q)),
            id: identity.id().into(),
        })
    }

    /// `[r]Q` with `Q = [h1]P1 + Ppub-e`, as `[r·h1]P1 + [r]Ppub-e`. Zeros where the master key cannot serve the identity.
    pub(in crate::sm9) fn point_power(&self, h1: &U256, r: &U256) -> G1 {
        let product = Zeroizing::new(points::scalar_mul(r, h1));
        points::g1_generator_table_mul(&product, r, &self.ppub)
    }

    /// `g^r`.
    pub(in crate::sm9) fn g_power(&self, r: &U256) -> Zeroizing<Gt> {
        Zeroizing::new(self.g.pow(r))
    }
}

impl fmt::Debug for PreparedSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedSender")
            .field("master", &self.master)
            .finish_non_exhaustive()
    }
}

/// A recipient under one master key, with a table of the point `Q` of its identity: from [`PreparedSender::recipient`].
#[derive(Clone)]
pub struct PreparedRecipient {
    g: Arc<GtTable>,
    q: Arc<G1Table>,
    id: Arc<[u8]>,
}

impl PreparedRecipient {
    /// Bytes that the table takes in memory.
    pub const TABLE_BYTES: usize = G1Table::BYTES;

    /// As [`MasterEncryptionPublicKey::encapsulate`], for this identity.
    ///
    /// # Errors
    /// [`Error::KeyLength`]; [`Error::Random`] if the operating system's generator fails.
    #[cfg(feature = "getrandom")]
    pub fn encapsulate(&self, length: usize) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
        self.encapsulate_with_rng(&mut getrandom::SysRng, length)
    }

    /// As [`encapsulate`](Self::encapsulate), with nonces from `rng`.
    ///
    /// # Errors
    /// As [`encapsulate`](Self::encapsulate).
    pub fn encapsulate_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        length: usize,
    ) -> Result<(Zeroizing<Vec<u8>>, G1Point), Error> {
        encapsulate(rng, &self.id, length, |r| self.session(r))
    }

    /// As [`MasterEncryptionPublicKey::encrypt_with`], for this identity.
    ///
    /// # Errors
    /// [`Error::EmptyMessage`], [`Error::MessageTooLong`]; [`Error::Random`] if the operating system's generator fails.
    #[cfg(feature = "getrandom")]
    pub fn encrypt(&self, message: &[u8], options: EncryptOptions) -> Result<Ciphertext, Error> {
        self.encrypt_with_rng(&mut getrandom::SysRng, message, options)
    }

    /// As [`encrypt`](Self::encrypt), with nonces and initial values from `rng`.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    pub fn encrypt_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
        options: EncryptOptions,
    ) -> Result<Ciphertext, Error> {
        check_message(message)?;
        encrypt(rng, &self.id, message, options, |r| self.session(r))
    }

    fn session(&self, r: &U256) -> Session {
        (self.q.mul(r), Zeroizing::new(self.g.pow(r)))
    }
}

impl fmt::Debug for PreparedRecipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PreparedRecipient { .. }")
    }
}
