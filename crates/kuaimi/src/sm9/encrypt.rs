//! Encrypting (GB/T 38635.2-2020, clause 9.2): encapsulation of the keys `K1 ‖ K2`, the message
//! under `K1`, and a message authentication code under `K2`.

use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;
use rand_core::TryCryptoRng;
use zeroize::{Zeroize, Zeroizing};

use super::encapsulate::{MAX_ZERO_KEYS, Session, key_stream};
use super::layout::{self, BLOCK_LEN};
#[cfg(feature = "sm4")]
use super::modes;
use super::scalar::random_scalar;
use super::{Ciphertext, EncryptOptions, EncryptionKey, Error, G1Point, Mac, Mode};
use crate::sm3::{Kdf, Sm3, hmac_sm3};
#[cfg(feature = "sm4")]
use crate::sm4::Sm4;

/// Bytes of `K2`.
pub(super) const K2_LEN: usize = 32;

/// The maximum length of a message in bytes: one key stream, less the 32 bytes of `K2`, has 128 GiB
/// less 64 bytes.
///
/// ```
/// assert!(kuaimi::sm9::MAX_MESSAGE_LEN < 128 << 30);
/// ```
pub const MAX_MESSAGE_LEN: u64 = Kdf::MAX_LEN - K2_LEN as u64;

pub(super) fn check_message(message: &[u8]) -> Result<(), Error> {
    match message.len() as u64 {
        0 => Err(Error::EmptyMessage),
        1..=MAX_MESSAGE_LEN => Ok(()),
        _ => Err(Error::MessageTooLong),
    }
}

/// The initial value of a mode, in its first bytes.
pub(super) type InitialValue = [u8; BLOCK_LEN];

/// A random initial value for a mode; zeros, which are not used, where it has none.
pub(super) fn initial_value<R: TryCryptoRng + ?Sized>(
    mode: Mode,
    rng: &mut R,
) -> Result<InitialValue, Error> {
    let mut iv = [0; BLOCK_LEN];
    rng.try_fill_bytes(&mut iv[..layout::iv_len(mode)])
        .map_err(|_| Error::Random)?;
    Ok(iv)
}

/// Clause 9.2.
pub(super) fn encrypt<R: TryCryptoRng + ?Sized>(
    key: &EncryptionKey,
    rng: &mut R,
    message: &[u8],
    options: EncryptOptions,
) -> Result<Ciphertext, Error> {
    check_message(message)?;
    let iv = initial_value(options.mode(), rng)?;
    for _ in 0..MAX_ZERO_KEYS {
        // A2: r ∈ [1, N − 1]
        let r = random_scalar(rng)?;
        if let Some(ciphertext) = encrypt_with(key, &r, &iv, message, options)? {
            return Ok(ciphertext);
        }
    }
    Err(Error::Random)
}

/// Steps A3 to A8; nothing where `K1` is all zero and another nonce is needed.
pub(super) fn encrypt_with(
    key: &EncryptionKey,
    r: &U256,
    iv: &InitialValue,
    message: &[u8],
    options: EncryptOptions,
) -> Result<Option<Ciphertext>, Error> {
    check_message(message)?;
    let session = key.session(key.used_tables(), r)?;
    encrypt_in(&session, key.id(), iv, message, options)
}

/// Steps A6 to A8, after A3 to A5: `C1 = [r]Q`, `w = g^r`.
pub(super) fn encrypt_in(
    (c1, w): &Session,
    id: &[u8],
    iv: &InitialValue,
    message: &[u8],
    options: EncryptOptions,
) -> Result<Option<Ciphertext>, Error> {
    // The stream mode has none.
    let _ = iv;
    // A6: K1 ‖ K2 = KDF(C1 ‖ w ‖ ID)
    let mut keys = key_stream(c1, w, id);
    let mut c2 = match options.mode() {
        Mode::Stream => {
            let mut data = Zeroizing::new(message.to_vec());
            keys.xor_in_place(&mut data)
                .map_err(|_| Error::MessageTooLong)?;
            core::mem::take(&mut *data)
        }
        #[cfg(feature = "sm4")]
        mode => modes::encrypt(mode, k1_cipher(&mut keys)?, iv, message),
    };
    // What was encrypted under a key of zeros is thrown away with its nonce, so the result may be
    // known.
    if declassify(keys.all_zero()) {
        c2.zeroize();
        return Ok(None);
    }
    // A7: C3 = MAC(K2, C2)
    let c3 = mac(options.mac(), &*k2(&mut keys)?, &c2);
    // A8: C = C1 ‖ C3 ‖ C2
    Ok(Some(Ciphertext {
        mode: options.mode(),
        c1: G1Point(*c1),
        c3,
        c2,
    }))
}

/// SM4 under `K1`, the next bytes of the key stream.
#[cfg(feature = "sm4")]
pub(super) fn k1_cipher(keys: &mut Kdf) -> Result<Sm4, Error> {
    let mut k1 = Zeroizing::new([0; layout::KEY_LEN]);
    keys.fill(k1.as_mut()).map_err(|_| Error::MessageTooLong)?;
    Ok(Sm4::new(&k1))
}

/// `K2`, the next bytes of the key stream.
pub(super) fn k2(keys: &mut Kdf) -> Result<Zeroizing<[u8; K2_LEN]>, Error> {
    let mut k2 = Zeroizing::new([0; K2_LEN]);
    keys.fill(k2.as_mut()).map_err(|_| Error::MessageTooLong)?;
    Ok(k2)
}

/// `C3 = MAC(K2, C2)`.
pub(super) fn mac(mac: Mac, k2: &[u8; K2_LEN], c2: &[u8]) -> [u8; 32] {
    match mac {
        Mac::Sm3 => {
            let mut hash = Sm3::new();
            hash.update(c2);
            hash.update(k2);
            hash.finalize()
        }
        Mac::HmacSm3 => hmac_sm3(k2, c2),
    }
}

impl EncryptionKey {
    /// Encrypts `message`, of 1 byte to [`MAX_MESSAGE_LEN`] bytes, with the options
    /// [`EncryptOptions::default`].
    ///
    /// Constant time in the message and the nonce. For files, see `stream`.
    ///
    /// # Errors
    /// [`Error::EmptyMessage`], [`Error::MessageTooLong`], [`Error::UnusableMasterKey`];
    /// [`Error::Random`] if the operating system's random generator fails.
    ///
    /// ```
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = master.public_key().encryption_key("bob")?;
    /// let ciphertext = bob.encrypt(b"a secret")?;
    /// assert_eq!(*master.extract("bob")?.decrypt(&ciphertext)?, b"a secret");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    ///
    /// Source: GB/T 38635.2-2020, clause 9.2.
    #[cfg(feature = "getrandom")]
    pub fn encrypt(&self, message: &[u8]) -> Result<Ciphertext, Error> {
        self.encrypt_with(message, EncryptOptions::default())
    }

    /// As [`encrypt`](Self::encrypt), with these options.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    ///
    /// ```
    /// # use kuaimi::sm9::{EncryptOptions, MasterEncryptionKey, Mode};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = master.public_key().encryption_key("bob")?;
    /// let options = EncryptOptions::new().with_mode(Mode::Cbc);
    /// let ciphertext = bob.encrypt_with(b"a secret", options)?;
    /// assert_eq!(*master.extract("bob")?.decrypt(&ciphertext)?, b"a secret");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "getrandom")]
    pub fn encrypt_with(
        &self,
        message: &[u8],
        options: EncryptOptions,
    ) -> Result<Ciphertext, Error> {
        self.encrypt_with_rng(&mut getrandom::SysRng, message, options)
    }

    /// As [`encrypt_with`](Self::encrypt_with), with nonces and initial values from `rng`.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    ///
    /// ```
    /// # use kuaimi::sm9::{EncryptOptions, MasterEncryptionKey};
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// let bob = master.public_key().encryption_key("bob")?;
    /// let rng = &mut getrandom::SysRng;
    /// let ciphertext = bob.encrypt_with_rng(rng, b"a secret", EncryptOptions::new())?;
    /// assert_eq!(*master.extract("bob")?.decrypt(&ciphertext)?, b"a secret");
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    pub fn encrypt_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
        options: EncryptOptions,
    ) -> Result<Ciphertext, Error> {
        encrypt(self, rng, message, options)
    }
}

impl EncryptionKey {
    /// As [`encrypt_with`](Self::encrypt_with), with the nonce `r`, 32 bytes, most significant
    /// first, and the initial value, which modes without one do not use.
    ///
    /// **Dangerous**: for test vectors only. Anyone who learns `r` can decrypt the message.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt), and [`Error::Nonce`] for an `r` that is zero, not below `N`,
    /// or leads to a key of zeros.
    ///
    /// ```
    /// # use kuaimi::sm9::{EncryptOptions, MasterEncryptionKey};
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.public_key().encryption_key("bob")?;
    /// let (r, iv) = ([7; 32], [0; 16]);
    /// let ciphertext = bob.encrypt_with_nonce(b"a secret", EncryptOptions::new(), &r, &iv)?;
    /// # Ok::<(), kuaimi::sm9::Error>(())
    /// ```
    #[cfg(feature = "hazmat")]
    pub fn encrypt_with_nonce(
        &self,
        message: &[u8],
        options: EncryptOptions,
        r: &[u8; 32],
        iv: &[u8; 16],
    ) -> Result<Ciphertext, Error> {
        let r = super::scalar::given(r)?;
        encrypt_with(self, &r, iv, message, options)?.ok_or(Error::Nonce)
    }
}
