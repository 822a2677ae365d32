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
/// [`Error::Random`] if the generator fails.
#[cfg(feature = "getrandom")]
pub fn keygen_batch(count: usize) -> Result<Vec<SecretKey>, Error> {
    keygen_batch_with_rng(&mut getrandom::SysRng, count)
}

/// As [`keygen_batch`], from `rng`: 32 bytes a key in one request, and more for a number out of range.
///
/// # Errors
/// [`Error::Random`] if the generator fails, or is stuck at numbers out of range.
pub fn keygen_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    count: usize,
) -> Result<Vec<SecretKey>, Error> {
    let random = draw::<32, R>(rng, count)?;
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
    // In memory that is as long as need be from the beginning: moving keys would leave copies behind.
    let mut keys = Vec::with_capacity(count);
    for (random, point) in random.iter().zip(&products) {
        let d = Zeroizing::new(U256::from_be_bytes(random));
        keys.push(if SecretKey::is_in_range(&d) {
            SecretKey::from_parts(*d, PublicKey::from_point(point))
        } else {
            SecretKey::generate_with_rng(rng)?
        });
    }
    Ok(keys)
}
