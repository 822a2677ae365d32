//! A signing key with its tables.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::PreparedVerifier;
use super::stored::tag_key;
use crate::nonce::NonceKey;
use crate::sm9::points::{G1Table, GtTable};
use crate::sm9::sign::sign;
use crate::sm9::{Error, MessageHash, Signature, UserSigningKey};
use crate::stored;

/// A [`UserSigningKey`] with a table of multiples of `ds` and one of powers of `g = e(P1, Ppub-s)`: a signature then takes
/// neither squares in `GT` nor doublings.
///
/// Making one takes a pairing and the tables, about as long as a few signatures without. The table of `ds` is as secret as `ds`: it is
/// read whole, in constant time, and wiped with the last clone.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::MasterSigningKey;
///
/// let master = MasterSigningKey::generate()?;
/// let alice = master.user_key("alice")?.prepare();
/// for message in [b"one", b"two"] {
///     master.public_key().verify("alice", message, &alice.sign(message)?)?;
/// }
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone)]
pub struct PreparedSigningKey {
    inner: Arc<Inner>,
    g: Arc<GtTable>,
}

struct Inner {
    key: UserSigningKey,
    ds: G1Table,
    nonces: NonceKey,
}

impl UserSigningKey {
    /// This key with its tables; see [`PreparedSigningKey`].
    pub fn prepare(&self) -> PreparedSigningKey {
        self.prepare_under(&self.master_public_key().prepare())
    }

    /// As [`prepare`](Self::prepare), sharing the table of a verifier under the same master key.
    ///
    /// # Errors
    /// [`Error::UserKeyMismatch`] for a verifier under another master key.
    pub fn prepare_with(&self, verifier: &PreparedVerifier) -> Result<PreparedSigningKey, Error> {
        if verifier.master_public_key() != self.master_public_key() {
            return Err(Error::UserKeyMismatch);
        }
        Ok(self.prepare_under(verifier))
    }

    fn prepare_under(&self, verifier: &PreparedVerifier) -> PreparedSigningKey {
        PreparedSigningKey {
            inner: Arc::new(Inner {
                key: self.clone(),
                ds: G1Table::new(self.point()),
                nonces: self.nonce_key(),
            }),
            g: verifier.table().clone(),
        }
    }
}

/// Kind and version.
const KIND: &[u8; 8] = b"KM9-psk2";

fn tag_key_of(key: &UserSigningKey) -> Zeroizing<[u8; 32]> {
    tag_key(key.to_bytes().as_ref(), &key.master_public_key().to_bytes())
}

impl PreparedSigningKey {
    /// Bytes that the tables take in memory.
    pub const TABLE_BYTES: usize = G1Table::BYTES + GtTable::BYTES;

    /// The tables, to be kept beside the key: [`TABLE_BYTES`](Self::TABLE_BYTES) bytes and 40 more. **A secret**, as the key is.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let tables = [&self.inner.ds.to_bytes()[..], &self.g.to_bytes()[..]];
        stored::write(KIND, &tables, tag_key_of(&self.inner.key).as_ref())
    }

    /// The tables as [`to_bytes`](Self::to_bytes) left them, for the key that they are of.
    ///
    /// # Errors
    /// [`Error::TableFormat`]; [`Error::TableAltered`] where they were altered by anyone who does not have the key, or are another key's.
    pub fn from_bytes(bytes: &[u8], key: &UserSigningKey) -> Result<Self, Error> {
        let mut tables = stored::read(KIND, bytes, tag_key_of(key).as_ref())?;
        let ds = tables.bytes(G1Table::BYTES)?;
        let g = tables.bytes(GtTable::BYTES)?;
        tables.end()?;
        Ok(Self {
            inner: Arc::new(Inner {
                key: key.clone(),
                ds: G1Table::from_bytes(ds)?,
                nonces: key.nonce_key(),
            }),
            g: Arc::new(GtTable::from_bytes(g)?),
        })
    }

    /// The key without its tables.
    pub fn key(&self) -> &UserSigningKey {
        &self.inner.key
    }

    /// As [`UserSigningKey::sign`].
    ///
    /// # Errors
    /// [`Error::Random`] if the operating system's generator fails.
    #[cfg(feature = "getrandom")]
    pub fn sign(&self, message: &[u8]) -> Result<Signature, Error> {
        self.sign_with_rng(&mut getrandom::SysRng, message)
    }

    /// As [`UserSigningKey::sign_with_rng`].
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature, Error> {
        self.sign_hashed_with_rng(rng, &MessageHash::of(message))
    }

    /// As [`UserSigningKey::sign_hashed`].
    ///
    /// # Errors
    /// [`Error::Random`] if the operating system's generator fails.
    #[cfg(feature = "getrandom")]
    pub fn sign_hashed(&self, message: &MessageHash) -> Result<Signature, Error> {
        self.sign_hashed_with_rng(&mut getrandom::SysRng, message)
    }

    /// As [`UserSigningKey::sign_hashed_with_rng`].
    ///
    /// # Errors
    /// [`Error::Random`] if the generator fails.
    pub fn sign_hashed_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &MessageHash,
    ) -> Result<Signature, Error> {
        sign(
            &self.inner.nonces,
            rng,
            message,
            |r| Zeroizing::new(self.g.pow(r)),
            |l| self.inner.ds.mul(l),
        )
    }
}

impl fmt::Debug for PreparedSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedSigningKey")
            .field("master", self.inner.key.master_public_key())
            .finish_non_exhaustive()
    }
}
