//! Recovering the public key from a signature.
//!
//! From `s = (1 + d)⁻¹·(k − r·d)` follows `k = s + (r + s)·d`, so that `P = [t⁻¹](R − [s]G)` for
//! `t = r + s` and `R = [k]G`, whose x-coordinate is `r − e` modulo `n`. Two bits say which of the
//! four points it can be.

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{
    self, ORDER, Point, scalar_invert_vartime, scalar_mul, scalar_reduce, scalar_sub,
};

use super::{Error, PublicKey, Signature};

/// A recovery identifier, a number from 0 to 3: it says from which of four possible points `R` a
/// signature was made.
///
/// Bit 0 is the parity of the point's `y`. Bit 1 is set when its `x` is not below `n`, which
/// happens once in 2³² signatures.
/// [`SigningKey::sign_digest_recoverable`](super::SigningKey::sign_digest_recoverable) gives the
/// identifier, and [`PublicKey::recover`] takes it. `RecoveryId::try_from(byte)` reads one.
///
/// ```
/// use kuaimi::sm2::{Error, RecoveryId};
///
/// let id = RecoveryId::try_from(1)?;
/// assert_eq!(id.to_byte(), 1);
/// assert_eq!(RecoveryId::ALL[1], id);
/// assert_eq!(RecoveryId::try_from(4), Err(Error::RecoveryId(4)));
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecoveryId(u8);

impl RecoveryId {
    /// All four identifiers, the likely ones first.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    pub(super) fn new(y_is_odd: bool, x_is_reduced: bool) -> Self {
        Self(u8::from(y_is_odd) | u8::from(x_is_reduced) << 1)
    }

    /// The identifier as a number, 0 to 3.
    pub fn to_byte(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for RecoveryId {
    type Error = Error;

    fn try_from(byte: u8) -> Result<Self, Error> {
        if byte < 4 {
            Ok(Self(byte))
        } else {
            Err(Error::RecoveryId(byte))
        }
    }
}

impl PublicKey {
    /// The public key under which `signature` over the digest `e` verifies. Variable time.
    ///
    /// `e = SM3(Z ‖ M)` depends on the public key through `Z`. So the digest must come with the
    /// signature, or from a scheme without `Z`. If you have no recovery identifier, try each of
    /// [`RecoveryId::ALL`], and compare the keys with what you know of the right one, such as its
    /// hash: up to four keys fit.
    ///
    /// # Errors
    /// [`Error::NotRecoverable`] when no point belongs to this signature and identifier.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::{PublicKey, PrivateKey, SigningKey};
    ///
    /// let key = SigningKey::new(PrivateKey::generate()?);
    /// let e = [7; 32];
    /// let (signature, id) = key.sign_digest_recoverable(&e)?;
    /// assert_eq!(PublicKey::recover(&e, &signature, id)?, *key.public_key());
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    pub fn recover(e: &[u8; 32], signature: &Signature, id: RecoveryId) -> Result<Self, Error> {
        let point = point_of_nonce_vartime(e, signature, id).ok_or(Error::NotRecoverable)?;
        let (s, t) = factors(signature, &scalar_invert_vartime(&signature.t()));
        let key = group::double_scalar_mul_vartime(&s, &t, &point);
        key.as_ref()
            .map(Self::from_point)
            .ok_or(Error::NotRecoverable)
    }
}

/// The point `R`, if there is one.
pub(super) fn point_of_nonce_vartime(
    e: &[u8; 32],
    signature: &Signature,
    id: RecoveryId,
) -> Option<Point> {
    let (r, _) = signature.integers();
    let mut x = scalar_sub(&r, &scalar_reduce(&U256::from_be_bytes(e)));
    if id.0 & 2 != 0 {
        let carry;
        (x, carry) = x.overflowing_add(&ORDER);
        if carry {
            return None;
        }
    }
    group::point_decompress_vartime(&x, id.0 & 1 != 0).ok()
}

/// `−s/t` and `1/t`, given `1/t`: the public key is `[−s/t]G + [1/t]R`.
pub(super) fn factors(signature: &Signature, t_inverse: &U256) -> (U256, U256) {
    let (_, s) = signature.integers();
    let minus_s = scalar_sub(&U256::ZERO, &s);
    (scalar_mul(&minus_s, t_inverse), *t_inverse)
}
