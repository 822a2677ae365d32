//! Many key pairs.

use alloc::vec;
use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::draw;
use crate::batch::in_chunks;
use crate::sm2::{Error, PublicKey, SecretKey};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, Point};

/// `count` new private keys from the operating system's random generator, as [`SecretKey::generate`] makes them one by one.
///
/// Constant time in the keys.
///
/// # Errors
/// For a key, [`Error::Random`] if the generator fails.
///
/// ```
/// use kuaimi::sm2::SecretKey;
/// use kuaimi::sm2::batch::keygen_batch;
///
/// let keys: Vec<SecretKey> = keygen_batch(100).into_iter().collect::<Result<_, _>>()?;
/// assert_eq!(keys.len(), 100);
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[cfg(feature = "getrandom")]
pub fn keygen_batch(count: usize) -> Vec<Result<SecretKey, Error>> {
    keygen_batch_with_rng(&mut getrandom::SysRng, count)
}

/// As [`keygen_batch`], from `rng`: 32 bytes for each key in one request, and more if a number is out of range.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use kuaimi::sm2::batch::keygen_batch_with_rng;
///
/// let keys = keygen_batch_with_rng(&mut getrandom::SysRng, 3);
/// assert!(keys.iter().all(Result::is_ok));
/// # }
/// ```
///
/// # Errors
/// For a key, [`Error::Random`] if the generator fails, or is stuck at numbers out of range.
pub fn keygen_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    count: usize,
) -> Vec<Result<SecretKey, Error>> {
    let random = match draw::<32, R>(rng, count) {
        Ok(random) => random,
        Err(error) => return core::iter::repeat_with(|| Err(error)).take(count).collect(),
    };
    let mut products = vec![Point::default(); count];
    in_chunks(
        &random,
        &mut products,
        group::chunk(),
        |random, products| {
            let d: Zeroizing<Vec<U256>> =
                Zeroizing::new(random.iter().map(U256::from_be_bytes).collect());
            group::generator_mul_many(&d, products);
        },
    );
    // Allocated once: a vector that grows would leave copies of the keys behind.
    let mut keys = Vec::with_capacity(count);
    for (random, point) in random.iter().zip(&products) {
        let d = Zeroizing::new(U256::from_be_bytes(random));
        keys.push(if SecretKey::is_in_range(&d) {
            Ok(SecretKey::from_parts(*d, PublicKey::from_point(point)))
        } else {
            SecretKey::generate_with_rng(rng)
        });
    }
    keys
}
