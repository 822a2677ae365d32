//! A user's key for decryption, with the lines of the Miller loop through it.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use zeroize::Zeroizing;

use crate::sm9::encapsulate::decapsulate;
use crate::sm9::encrypt::open;
use crate::sm9::points::{self, G2Lines, Gt};
use crate::sm9::{CheckValue, Ciphertext, Error, G1Point, Identity, UserEncryptionKey};

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

impl PreparedDecryptionKey {
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
        Zeroizing::new(points::pairing_with(&c.0, &self.0.lines))
    }
}

impl fmt::Debug for PreparedDecryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedDecryptionKey")
            .field("master", self.0.key.master_public_key())
            .finish_non_exhaustive()
    }
}
