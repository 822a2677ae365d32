//! Many decryptions (GB/T 32918.4-2016, clause 7).

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::LONG;
use crate::batch::{Threads, failed, in_chunks};
use crate::sm2::encrypt::Session;
use crate::sm2::{Ciphertext, Error, PrivateKey};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, Point};

/// A ciphertext to decrypt, and its key, for [`decrypt_batch`].
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::{DecryptItem, decrypt_batch};
/// use kuaimi::sm2::PrivateKey;
///
/// let key = PrivateKey::generate()?;
/// let ciphertext = key.public_key().encrypt(b"a secret")?;
/// let results = decrypt_batch(&[DecryptItem::new(&key, &ciphertext)], Threads::One);
/// assert_eq!(**results[0].as_ref().unwrap(), *b"a secret");
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DecryptItem<'a> {
    key: &'a PrivateKey,
    ciphertext: &'a Ciphertext,
}

impl<'a> DecryptItem<'a> {
    /// A ciphertext for `key`.
    pub fn new(key: &'a PrivateKey, ciphertext: &'a Ciphertext) -> Self {
        Self { key, ciphertext }
    }
}

/// Decrypts all items, with one key or with many.
///
/// Constant time in the keys and the plaintexts, whether items succeed or fail. Plaintexts are
/// wiped when dropped.
///
/// # Errors
/// For an item, [`Error::DecryptionFailed`], whatever the reason.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::{DecryptItem, decrypt_batch};
/// use kuaimi::sm2::{Error, PrivateKey};
///
/// let (key, other) = (PrivateKey::generate()?, PrivateKey::generate()?);
/// let ciphertext = key.public_key().encrypt(b"a secret")?;
/// let results = decrypt_batch(&[
///     DecryptItem::new(&key, &ciphertext),
///     DecryptItem::new(&other, &ciphertext),
/// ], Threads::One);
/// assert_eq!(**results[0].as_ref().unwrap(), *b"a secret");
/// assert_eq!(results[1], Err(Error::DecryptionFailed));
/// # }
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
pub fn decrypt_batch(
    items: &[DecryptItem<'_>],
    threads: Threads,
) -> Vec<Result<Zeroizing<Vec<u8>>, Error>> {
    let mut plaintexts = failed(&Error::DecryptionFailed, items.len());
    in_chunks(
        (threads, LONG),
        items,
        &mut plaintexts,
        group::chunk(),
        |items, out| {
            // B1, B2: C₁ is on the curve and not at infinity, of which a PublicKey is proof. B3:
            // (x₂, y₂) = [d]C₁
            let d: Zeroizing<Vec<U256>> =
                Zeroizing::new(items.iter().map(|item| item.key.integer()).collect());
            let received: Vec<Point> = items
                .iter()
                .map(|item| item.ciphertext.c1.to_point())
                .collect();
            let mut shared = Zeroizing::new(vec![Point::default(); items.len()]);
            group::point_mul_many(&d, &received, &mut shared);
            // B4 to B7
            for ((out, item), shared) in out.iter_mut().zip(items).zip(shared.iter()) {
                *out = Session::from_point(shared).open(item.ciphertext);
            }
        },
    );
    plaintexts
}
