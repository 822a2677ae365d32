//! Random numbers modulo the order `n`.

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::ORDER;
use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::Error;
use crate::nonce;

/// How many random numbers of 256 bits are drawn for one in range. One in 2³² is not: as many in a
/// row come from a generator that is stuck, and asking it for ever would not help.
pub(super) const MAX_DRAWS: usize = 8;

/// Whether `0 < a < n`. May be public, as a candidate that is not in range is thrown away.
pub(super) fn is_nonzero_scalar(a: &U256) -> bool {
    nonce::in_range(a, &ORDER)
}

/// A secret number in `[1, n − 1]`.
pub(super) fn random_scalar<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
) -> Result<Zeroizing<U256>, Error> {
    Ok(nonce::uniform(rng, &ORDER)?)
}
