//! Integers modulo the order `N` in plain form.

use kuaimi_math::arith::{Modulus, U256};
use kuaimi_math::sm9::curve::N;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::Error;
use crate::nonce;

/// The order `N`.
pub(super) const ORDER: U256 = N::MODULUS;

/// Whether `0 < a < N`. The result may be known, as a number that is out of range is refused or
/// thrown away.
pub(super) fn is_nonzero_scalar(a: &U256) -> bool {
    nonce::in_range(a, &ORDER)
}

/// A secret number in `[1, N − 1]`.
pub(super) fn random_scalar<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
) -> Result<Zeroizing<U256>, Error> {
    Ok(nonce::uniform(rng, &ORDER)?)
}

/// A secret number in `[1, N − 1]` from the caller, 32 bytes, most significant first.
#[cfg(feature = "hazmat")]
pub(super) fn given(r: &[u8; 32]) -> Result<Zeroizing<U256>, Error> {
    use crate::nonce::NonceSource;
    let r = nonce::Given::new(r).next()?;
    if is_nonzero_scalar(&r) {
        Ok(r)
    } else {
        Err(Error::Nonce)
    }
}
