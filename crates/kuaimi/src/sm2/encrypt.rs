//! Encrypting (GB/T 32918.4-2016, clause 6).

use rand_core::TryCryptoRng;
use subtle::Choice;
use zeroize::{Zeroize, Zeroizing};

use kuaimi_math::arith::U256;
use kuaimi_math::sm2::group::{self, KeyTable, Point};
use kuaimi_platform::declassify;

use super::ciphertext::MAX_MESSAGE_LEN;
#[cfg(feature = "hazmat")]
use super::scalar::is_nonzero_scalar;
use super::scalar::random_scalar;
use super::{Ciphertext, Error, PublicKey};
use crate::sm3::{Kdf, Sm3};
use crate::stack::{POINT_WORDS, wiped_after};

impl PublicKey {
    /// Encrypts `message`, of 1 byte to [`MAX_MESSAGE_LEN`] bytes, for the holder of the private
    /// key.
    ///
    /// Constant time in the message and the nonce; the length of the message shows. For files, see
    /// [`stream`](super::stream). Source: GB/T 32918.4-2016, clause 6.1.
    ///
    /// ```
    /// use kuaimi::sm2::{Error, PrivateKey};
    ///
    /// let key = PrivateKey::generate()?;
    /// let ciphertext = key.public_key().encrypt(b"a secret")?;
    /// assert_eq!(*key.decrypt(&ciphertext)?, b"a secret");
    /// assert_eq!(key.public_key().encrypt(b""), Err(Error::EmptyMessage));
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::EmptyMessage`], [`Error::MessageTooLong`], and [`Error::Random`] if the operating
    /// system's generator fails.
    #[cfg(feature = "getrandom")]
    pub fn encrypt(&self, message: &[u8]) -> Result<Ciphertext, Error> {
        self.encrypt_with_rng(&mut getrandom::SysRng, message)
    }

    /// As [`encrypt`](Self::encrypt), with nonces from `rng`.
    ///
    /// ```
    /// # #[cfg(feature = "getrandom")] {
    /// use kuaimi::sm2::PrivateKey;
    ///
    /// let key = PrivateKey::from_bytes(&[7; 32])?;
    /// let ciphertext = key.public_key().encrypt_with_rng(&mut getrandom::SysRng, b"a secret")?;
    /// assert_eq!(*key.decrypt(&ciphertext)?, b"a secret");
    /// # }
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::EmptyMessage`], [`Error::MessageTooLong`], and [`Error::Random`] if the generator
    /// fails.
    pub fn encrypt_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Ciphertext, Error> {
        wiped_after::<POINT_WORDS, _>(|| {
            encrypt_for(rng, message, |k| Session::for_sender(self, k))
        })
    }

    /// Encrypts `message` with the nonce `k`, 32 bytes, most significant first.
    ///
    /// **Dangerous**: for test vectors only. Anyone who learns `k` can decrypt the message, and two
    /// messages with the same `k` reveal each other.
    ///
    /// ```
    /// use kuaimi::sm2::PrivateKey;
    ///
    /// let key = PrivateKey::from_bytes(&[7; 32])?;
    /// let ciphertext = key.public_key().encrypt_with_nonce(b"a secret", &[5; 32])?;
    /// assert_eq!(ciphertext, key.public_key().encrypt_with_nonce(b"a secret", &[5; 32])?);
    /// assert_eq!(*key.decrypt(&ciphertext)?, b"a secret");
    /// # Ok::<(), kuaimi::sm2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::EmptyMessage`], [`Error::MessageTooLong`], and [`Error::Nonce`] for a `k` that is
    /// zero, not below `n`, or leads to a key stream of zeros.
    #[cfg(feature = "hazmat")]
    pub fn encrypt_with_nonce(&self, message: &[u8], k: &[u8; 32]) -> Result<Ciphertext, Error> {
        check_length(message)?;
        let k = Zeroizing::new(U256::from_be_bytes(k));
        if !is_nonzero_scalar(&k) {
            return Err(Error::Nonce);
        }
        encrypt_in(Session::for_sender(self, &k), message)?.ok_or(Error::Nonce)
    }
}

/// Encrypts with nonces from `rng`, in sessions that steps A2 to A4 make of them.
pub(super) fn encrypt_for<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    message: &[u8],
    session: impl Fn(&U256) -> (PublicKey, Session),
) -> Result<Ciphertext, Error> {
    check_length(message)?;
    for _ in 0..MAX_ZERO_MASKS {
        // A1: k ∈ [1, n − 1]
        let k = random_scalar(rng)?;
        if let Some(ciphertext) = encrypt_in(session(&k), message)? {
            return Ok(ciphertext);
        }
    }
    Err(Error::Random)
}

pub(super) fn check_length(message: &[u8]) -> Result<(), Error> {
    match message.len() as u64 {
        0 => Err(Error::EmptyMessage),
        1..=MAX_MESSAGE_LEN => Ok(()),
        _ => Err(Error::MessageTooLong),
    }
}

/// How many nonces are tried for a key stream that is not all zero. A single byte's is in one of
/// 256 cases: as many in a row come from a generator that is stuck, and asking it for ever would
/// not help.
const MAX_ZERO_MASKS: usize = 64;

/// Steps A5 to A8 of clause 6.1; nothing when the key stream is all zero and another nonce is
/// needed.
pub(super) fn encrypt_in(
    // A2 to A4: C₁ = [k]G, (x₂, y₂) = [k]P; the cofactor is 1.
    (c1, mut session): (PublicKey, Session),
    message: &[u8],
) -> Result<Option<Ciphertext>, Error> {
    // A5, A6: t = KDF(x₂ ‖ y₂, klen), C₂ = M ⊕ t
    let mut c2 = Zeroizing::new(message.to_vec());
    session.encrypt(&mut c2)?;
    let mut c2 = core::mem::take(&mut *c2);
    // What the zero mask went over is thrown away with its nonce, and may be known to have been.
    if declassify(session.mask_is_zero()) {
        c2.zeroize();
        return Ok(None);
    }
    // A7: C₃ = SM3(x₂ ‖ M ‖ y₂)
    let c3 = session.finish();
    // A8: C = C₁ ‖ C₃ ‖ C₂
    Ok(Some(Ciphertext { c1, c3, c2 }))
}

/// What sender and recipient compute alike once they share `(x₂, y₂)`: the mask and the digest of
/// the plaintext, over pieces of any length. Wiped when dropped.
pub(super) struct Session {
    mask: Kdf,
    digest: Sm3,
    y2: Zeroizing<[u8; 32]>,
}

impl Session {
    /// The session of a shared point.
    pub(super) fn from_point(shared: &Point) -> Self {
        let xy = group::point_to_bytes(shared);
        let mut digest = Sm3::new();
        digest.update(&xy[..32]);
        let mut y2 = Zeroizing::new([0u8; 32]);
        y2.copy_from_slice(&xy[32..]);
        Self {
            mask: Kdf::new(xy.as_ref()),
            digest,
            y2,
        }
    }

    /// The sender's session for nonce `k`, and the point `[k]G` to send.
    pub(super) fn for_sender(public: &PublicKey, k: &U256) -> (PublicKey, Self) {
        Self::sending(group::generator_and_point_mul(k, &public.to_point()))
    }

    /// As [`for_sender`](Self::for_sender), with the table of the recipient's key.
    pub(super) fn with_table(table: &KeyTable, k: &U256) -> (PublicKey, Self) {
        Self::sending(group::generator_and_prepared_mul(k, table))
    }

    fn sending((c1, mut shared): (Point, Point)) -> (PublicKey, Self) {
        let session = Self::from_point(&shared);
        shared.zeroize();
        (PublicKey::from_point(&c1), session)
    }

    /// The recipient's session, for the point received.
    pub(super) fn for_recipient(secret: &super::PrivateKey, c1: &PublicKey) -> Self {
        let d = Zeroizing::new(secret.integer());
        let mut shared = group::point_mul(&d, &c1.to_point());
        let session = Self::from_point(&shared);
        shared.zeroize();
        session
    }

    /// Plaintext to masked plaintext.
    pub(super) fn encrypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.digest.update(data);
        self.mask
            .xor_in_place(data)
            .map_err(|_| Error::MessageTooLong)
    }

    /// Masked plaintext to plaintext, which must not leave this crate before `C₃` is compared.
    pub(super) fn decrypt(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.mask
            .xor_in_place(data)
            .map_err(|_| Error::MessageTooLong)?;
        self.digest.update(data);
        Ok(())
    }

    /// As [`decrypt`](Self::decrypt), for what is known to lead to `C₃`: it takes no part in the
    /// digest.
    #[cfg(feature = "std")]
    pub(super) fn unmask(&mut self, data: &mut [u8]) -> Result<(), Error> {
        self.mask
            .xor_in_place(data)
            .map_err(|_| Error::MessageTooLong)
    }

    /// Whether every byte of the mask so far was zero.
    pub(super) fn mask_is_zero(&self) -> Choice {
        self.mask.all_zero()
    }

    /// `C₃ = SM3(x₂ ‖ M ‖ y₂)`.
    pub(super) fn finish(mut self) -> [u8; 32] {
        self.digest.update(self.y2.as_ref());
        self.digest.finalize()
    }
}
