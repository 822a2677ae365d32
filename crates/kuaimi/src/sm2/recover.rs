//! Recovering the public key from a signature.
//!
//! From `s = (1 + d)⁻¹·(k − r·d)` follows `k = s + (r + s)·d`, so that `P = [t⁻¹](R − [s]G)` for `t = r + s` and `R = [k]G`, whose
//! x-coordinate is `r − e` modulo `n`. Two bits say which of the four points it can be.

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{
    self, ORDER, Point, scalar_invert_vartime, scalar_mul, scalar_reduce, scalar_sub,
};

use super::{Error, PublicKey, Signature};

/// Which of the up to four points `R` a signature was made with: bit 0 is the parity of its `y`, bit 1 is set when its
/// `x` is not below `n` (once in 2³²).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RecoveryId(u8);

impl RecoveryId {
    /// All four, the likely ones first.
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
    /// As `e = SM3(Z ‖ M)` depends on the public key through `Z`, the digest must come with the signature, or be that of
    /// a scheme without `Z`. Without a recovery identifier, try [`RecoveryId::ALL`] and compare what comes out with what is
    /// known of the key (its hash, say): up to four keys fit.
    ///
    /// # Errors
    /// [`Error::NotRecoverable`] when no point belongs to this signature and identifier.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use kuaimi::sm2::{PublicKey, SecretKey, SigningKey};
    ///
    /// let key = SigningKey::new(SecretKey::generate()?);
    /// let e = [7; 32];
    /// let (signature, id) = key.sign_prehash_recoverable(&e)?;
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
