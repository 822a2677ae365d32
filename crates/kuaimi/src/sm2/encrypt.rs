//! Encrypting (GB/T 32918.4-2016, clause 6).

use rand_core::TryCryptoRng;
use subtle::Choice;
use zeroize::{Zeroize, Zeroizing};

use super::ciphertext::MAX_MESSAGE_LEN;
use super::curve::{Fn, Sm2};
use super::public_key::coordinates;
use super::scalar::{MAX_DRAWS, is_nonzero_scalar};
use super::tables::generator_comb;
use super::{Ciphertext, Error, PublicKey};
use crate::arith::backend::{verdict, with_backend};
use crate::arith::{Backend, Field, PrimeField, U256};
use crate::curve::{Affine, multiply};
use crate::sm3::{Kdf, Sm3};

impl PublicKey {
    /// Encrypts `message`, of 1 byte to [`MAX_MESSAGE_LEN`] bytes, for the holder of the private key.
    ///
    /// Constant time in the message and the nonce. For files, see [`stream`](super::stream).
    ///
    /// # Errors
    /// [`Error::EmptyMessage`], [`Error::MessageTooLong`], and [`Error::Random`] if the operating system's generator fails.
    #[cfg(feature = "getrandom")]
    pub fn encrypt(&self, message: &[u8]) -> Result<Ciphertext, Error> {
        self.encrypt_with_rng(&mut getrandom::SysRng, message)
    }

    /// As [`encrypt`](Self::encrypt), with nonces from `rng`.
    ///
    /// # Errors
    /// [`Error::EmptyMessage`], [`Error::MessageTooLong`], and [`Error::Random`] if the generator fails.
    pub fn encrypt_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Ciphertext, Error> {
        check_length(message)?;
        for _ in 0..MAX_ZERO_MASKS {
            // A1: k ∈ [1, n − 1]
            let k = random_scalar(rng)?;
            if let Some(ciphertext) = encrypt_with_k(self, &k, message)? {
                return Ok(ciphertext);
            }
        }
        Err(Error::Random)
    }

    /// Encrypts `message` with the nonce `k`, 32 bytes, most significant first.
    ///
    /// **Dangerous.** Whoever learns `k` can decrypt, and a nonce used twice gives both messages away. For test vectors.
    ///
    /// # Errors
    /// [`Error::EmptyMessage`], [`Error::MessageTooLong`], and [`Error::Nonce`] for a `k` that is zero, not below `n`, or
    /// leads to a key stream of zeros.
    #[cfg(feature = "hazmat")]
    pub fn encrypt_with_nonce(&self, message: &[u8], k: &[u8; 32]) -> Result<Ciphertext, Error> {
        check_length(message)?;
        let k = Zeroizing::new(U256::from_be_bytes(k));
        if !is_nonzero_scalar(&k) {
            return Err(Error::Nonce);
        }
        encrypt_with_k(self, &k, message)?.ok_or(Error::Nonce)
    }
}

fn check_length(message: &[u8]) -> Result<(), Error> {
    match message.len() as u64 {
        0 => Err(Error::EmptyMessage),
        1..=MAX_MESSAGE_LEN => Ok(()),
        _ => Err(Error::MessageTooLong),
    }
}

/// How many nonces are tried for a key stream that is not all zero. A single byte's is in one of 256 cases: as many in a row
/// come from a generator that is stuck, and asking it for ever would not help.
const MAX_ZERO_MASKS: usize = 64;

/// A secret number in `[1, n − 1]`.
pub(super) fn random_scalar<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
) -> Result<Zeroizing<U256>, Error> {
    let mut bytes = Zeroizing::new([0u8; 32]);
    for _ in 0..MAX_DRAWS {
        rng.try_fill_bytes(bytes.as_mut())
            .map_err(|_| Error::Random)?;
        let k = Zeroizing::new(U256::from_be_bytes(&bytes));
        if is_nonzero_scalar(&k) {
            return Ok(k);
        }
    }
    Err(Error::Random)
}

/// Steps A2 to A8 of clause 6.1; nothing when the key stream is all zero and another nonce is needed.
fn encrypt_with_k(
    public: &PublicKey,
    k: &U256,
    message: &[u8],
) -> Result<Option<Ciphertext>, Error> {
    // A2 to A4: C₁ = [k]G, (x₂, y₂) = [k]P; the cofactor is 1.
    let (c1, mut session) = Session::for_sender(public, k);
    // A5, A6: t = KDF(x₂ ‖ y₂, klen), C₂ = M ⊕ t
    let mut c2 = message.to_vec();
    session.encrypt(&mut c2)?;
    // What the zero mask went over is thrown away with its nonce, and may be known to have been.
    if verdict(session.mask_is_zero()) {
        c2.zeroize();
        return Ok(None);
    }
    // A7: C₃ = SM3(x₂ ‖ M ‖ y₂)
    let c3 = session.finish();
    // A8: C = C₁ ‖ C₃ ‖ C₂
    Ok(Some(Ciphertext { c1, c3, c2 }))
}

/// What sender and recipient compute alike once they share `(x₂, y₂)`: the mask and the digest of the plaintext, over
/// pieces of any length. Wiped when dropped.
pub(super) struct Session {
    mask: Kdf,
    digest: Sm3,
    y2: Zeroizing<[u8; 32]>,
}

impl Session {
    fn new<B: Backend>(shared: &Affine<Sm2<B>>) -> Self {
        let xy = coordinates(shared);
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
        with_backend!(B => {
            let mut k = Fn::<B>::from_u256_reduced(k);
            let mut ephemeral = generator_comb::<B>().mul(&k);
            let mut product = multiply::mul(&k, &public.to_affine::<B>());
            k.zeroize();
            // One inversion for both.
            let inverse = (ephemeral.z * product.z).invert();
            let c1 = ephemeral.to_affine_with(&(inverse * product.z));
            let mut shared = product.to_affine_with(&(inverse * ephemeral.z));
            ephemeral.zeroize();
            product.zeroize();
            let session = Self::new(&shared);
            shared.x.zeroize();
            shared.y.zeroize();
            (PublicKey::from_affine::<B>(&c1), session)
        })
    }

    /// The recipient's session, for the point received.
    pub(super) fn for_recipient(secret: &super::SecretKey, c1: &PublicKey) -> Self {
        with_backend!(B => {
            let mut d = secret.scalar::<B>();
            let mut product = multiply::mul(&d, &c1.to_affine::<B>());
            let mut shared = product.to_affine();
            product.zeroize();
            d.zeroize();
            let session = Self::new(&shared);
            shared.x.zeroize();
            shared.y.zeroize();
            session
        })
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

    /// As [`decrypt`](Self::decrypt), for what is known to lead to `C₃`: it takes no part in the digest.
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
