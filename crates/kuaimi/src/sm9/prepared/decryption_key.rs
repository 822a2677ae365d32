//! A user's key for decryption, with the lines of the Miller loop through it.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use super::stored::tag_key;
use crate::sm9::encapsulate::decapsulate;
use crate::sm9::encrypt::open;
use crate::sm9::points::{self, G2Lines, Gt};
use crate::sm9::{CheckValue, Ciphertext, Error, G1Point, Identity, UserEncryptionKey};
use crate::stored;

/// A [`UserEncryptionKey`] with the 77 lines that a Miller loop draws through `de`: decapsulation, decryption and key exchange are then
/// spared their computation.
///
/// The lines are as secret as `de`, and wiped with the last clone. Making them takes about a third of a decryption.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::MasterEncryptionKey;
///
/// let master = MasterEncryptionKey::generate()?;
/// let bob = master.user_key("bob")?.prepare();
/// for message in [b"one", b"two"] {
///     let ciphertext = master.public_key().encrypt("bob", message)?;
///     assert_eq!(*bob.decrypt("bob", &ciphertext)?, message);
/// }
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone)]
pub struct PreparedDecryptionKey(Arc<Inner>);

struct Inner {
    key: UserEncryptionKey,
    lines: G2Lines,
}

impl UserEncryptionKey {
    /// This key with its lines; see [`PreparedDecryptionKey`].
    pub fn prepare(&self) -> PreparedDecryptionKey {
        PreparedDecryptionKey(Arc::new(Inner {
            key: self.clone(),
            lines: G2Lines::new(self.point()),
        }))
    }
}

/// Kind and version.
const KIND: &[u8; 8] = b"KM9-pdk2";

fn tag_key_of(key: &UserEncryptionKey) -> Zeroizing<[u8; 32]> {
    tag_key(key.to_bytes().as_ref(), &key.master_public_key().to_bytes())
}

impl PreparedDecryptionKey {
    /// Bytes that the lines take in memory.
    pub const TABLE_BYTES: usize = G2Lines::BYTES;

    /// The lines, to be kept beside the key: [`TABLE_BYTES`](Self::TABLE_BYTES) bytes and 40 more. **A secret**, as the key is.
    pub fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        stored::write(
            KIND,
            &[&self.0.lines.to_bytes()],
            tag_key_of(&self.0.key).as_ref(),
        )
    }

    /// The lines as [`to_bytes`](Self::to_bytes) left them, for the key that they are of.
    ///
    /// # Errors
    /// [`Error::TableFormat`]; [`Error::TableAltered`] where they were altered by anyone who does not have the key, or are another key's.
    pub fn from_bytes(bytes: &[u8], key: &UserEncryptionKey) -> Result<Self, Error> {
        let mut body = stored::read(KIND, bytes, tag_key_of(key).as_ref())?;
        let lines = body.bytes(G2Lines::BYTES)?;
        body.end()?;
        Ok(Self(Arc::new(Inner {
            key: key.clone(),
            lines: G2Lines::from_bytes(lines)?,
        })))
    }

    /// The key without its lines.
    pub fn key(&self) -> &UserEncryptionKey {
        &self.0.key
    }

    /// As [`UserEncryptionKey::decapsulate`].
    ///
    /// # Errors
    /// As [`UserEncryptionKey::decapsulate`].
    pub fn decapsulate<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        c: &G1Point,
        length: usize,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let id = identity.into().checked()?;
        decapsulate(c, &self.pair(c), id, length)
    }

    /// As [`UserEncryptionKey::decrypt`].
    ///
    /// # Errors
    /// As [`UserEncryptionKey::decrypt`].
    pub fn decrypt<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        ciphertext: &Ciphertext,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.decrypt_with(identity, ciphertext, CheckValue::Sm3)
    }

    /// As [`UserEncryptionKey::decrypt_with`].
    ///
    /// # Errors
    /// As [`UserEncryptionKey::decrypt`].
    pub fn decrypt_with<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        ciphertext: &Ciphertext,
        check_value: CheckValue,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let id = identity.into().checked()?;
        open(&self.pair(&ciphertext.c1), id, ciphertext, check_value)
    }

    /// `e(C, de)`.
    pub(in crate::sm9) fn pair(&self, c: &G1Point) -> Zeroizing<Gt> {
        Zeroizing::new(points::pairing_with(&c.0, self.0.lines.lines()))
    }
}

impl fmt::Debug for PreparedDecryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedDecryptionKey")
            .field("master", self.0.key.master_public_key())
            .finish_non_exhaustive()
    }
}
