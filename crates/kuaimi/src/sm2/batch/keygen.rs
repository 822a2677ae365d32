//! Many key pairs.

use alloc::vec;
use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::{SHORT, draw};
use crate::batch::{Threads, failed, in_chunks};
use crate::sm2::{Error, PrivateKey, PublicKey};
use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, Point};

/// `count` new private keys from the operating system's random generator, as
/// [`PrivateKey::generate`] makes them one by one.
///
/// Constant time in the keys. They are wiped where they are dropped;
/// [keys in vectors](crate::sm2::batch) are best used by reference.
///
/// # Errors
/// For a key, [`Error::Random`] if the generator fails.
///
/// ```
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::generate_batch;
///
/// let keys = generate_batch(100, Threads::One);
/// let first = keys[0].as_ref().map_err(Clone::clone)?;
/// assert_ne!(keys[1].as_ref(), Ok(first));
/// # Ok::<(), kuaimi::sm2::Error>(())
/// ```
#[cfg(feature = "getrandom")]
pub fn generate_batch(count: usize, threads: Threads) -> Vec<Result<PrivateKey, Error>> {
    let mut keys = failed(&Error::Random, count);
    in_chunks(
        (threads, SHORT),
        &vec![(); count],
        &mut keys,
        group::several_chunks(),
        |_, keys| {
            keygen_on(Threads::One, &mut getrandom::SysRng, keys);
        },
    );
    keys
}

/// As [`generate_batch`], from `rng`: 32 bytes for each key in one request, and more if a number is
/// out of range.
///
/// ```
/// # #[cfg(feature = "getrandom")] {
/// use kuaimi::Threads;
/// use kuaimi::sm2::batch::generate_batch_with_rng;
///
/// let keys = generate_batch_with_rng(&mut getrandom::SysRng, 3, Threads::One);
/// assert!(keys.iter().all(Result::is_ok));
/// # }
/// ```
///
/// # Errors
/// For a key, [`Error::Random`] if the generator fails, or is stuck at numbers out of range.
pub fn generate_batch_with_rng<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    count: usize,
    threads: Threads,
) -> Vec<Result<PrivateKey, Error>> {
    let mut keys = failed(&Error::Random, count);
    keygen_on(threads, rng, &mut keys);
    keys
}

/// Makes keys on these threads, of randomness drawn by this one.
fn keygen_on<R: TryCryptoRng + ?Sized>(
    threads: Threads,
    rng: &mut R,
    keys: &mut [Result<PrivateKey, Error>],
) {
    if let [key] = keys {
        *key = PrivateKey::generate_with_rng(rng);
        return;
    }
    let random = match draw::<32, R>(rng, keys.len()) {
        Ok(random) => random,
        Err(error) => return keys.fill_with(|| Err(error)),
    };
    in_chunks(
        (threads, SHORT),
        &random,
        keys,
        group::several_chunks(),
        keygen_chunk,
    );
    for key in keys.iter_mut().filter(|key| key.is_err()) {
        // A number out of range, which happens once in 2³².
        *key = PrivateKey::generate_with_rng(rng);
    }
}

fn keygen_chunk(random: &[[u8; 32]], keys: &mut [Result<PrivateKey, Error>]) {
    let d: Zeroizing<Vec<U256>> = Zeroizing::new(random.iter().map(U256::from_be_bytes).collect());
    let mut products = vec![Point::default(); random.len()];
    group::generator_mul_many(&d, &mut products);
    for ((key, d), point) in keys.iter_mut().zip(d.iter()).zip(&products) {
        if PrivateKey::is_in_range(d) {
            *key = Ok(PrivateKey::from_parts(*d, PublicKey::from_point(point)));
        }
    }
}
