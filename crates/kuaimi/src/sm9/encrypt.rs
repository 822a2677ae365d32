//! Encrypting and decrypting (GB/T 38635.2-2020, clause 9): encapsulation of the keys `K1 ‖ K2`, the message under `K1`, and a check
//! value under `K2`.

use alloc::vec::Vec;

use rand_core::TryCryptoRng;
use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

use super::encapsulate::{MAX_ZERO_KEYS, Session, check_point, key_stream};
use super::points::Gt;
use super::scalar::random_scalar;
use super::{
    CheckValue, Ciphertext, Error, G1Point, HID_ENCRYPT, Identity, MasterEncryptionPublicKey, Mode,
    UserEncryptionKey, modes,
};
use crate::sm3::{Kdf, Sm3, hmac_sm3};
use crate::sm4::{self, Sm4};
use kuaimi_math::arith::U256;
use kuaimi_platform::declassify;

/// Bytes of `K2`.
pub(super) const K2_LEN: usize = 32;

/// The longest message, in bytes: what one key stream can cover beside `K2`.
pub const MAX_MESSAGE_LEN: u64 = Kdf::MAX_LEN - K2_LEN as u64;

/// The choices that a sender makes.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{CheckValue, EncryptOptions, MasterEncryptionKey, Mode};
///
/// let master = MasterEncryptionKey::generate()?;
/// let options = EncryptOptions { mode: Mode::Cbc, ..EncryptOptions::default() };
/// let ciphertext = master.public_key().encrypt_with("bob", b"a secret", options)?;
/// assert_eq!(ciphertext.mode(), Mode::Cbc);
///
/// // For a reader with GmSSL 3:
/// let ciphertext = master.public_key().encrypt_with("bob", b"a secret", EncryptOptions::GMSSL)?;
/// let bob = master.user_key("bob")?;
/// assert_eq!(*bob.decrypt_with("bob", &ciphertext, CheckValue::HmacSm3)?, b"a secret");
/// assert!(bob.decrypt("bob", &ciphertext).is_err());
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EncryptOptions {
    /// How the message is hidden.
    pub mode: Mode,
    /// How the check value is computed.
    pub check_value: CheckValue,
}

impl EncryptOptions {
    /// What GmSSL 3 does and reads.
    pub const GMSSL: Self = Self {
        mode: Mode::Stream,
        check_value: CheckValue::HmacSm3,
    };
}

impl MasterEncryptionPublicKey {
    /// Encrypts `message`, of 1 byte to [`MAX_MESSAGE_LEN`] bytes, for the holder of `identity` (with [`HID_ENCRYPT`] by default), as
    /// [`EncryptOptions::default`] has it.
    ///
    /// Constant time in the message and the nonce. The recipient need not have a key yet.
    ///
    /// # Errors
    /// [`Error::EmptyMessage`], [`Error::MessageTooLong`], [`Error::EmptyIdentity`], [`Error::UnusableMasterKey`];
    /// [`Error::Random`] if the operating system's generator fails.
    #[cfg(feature = "getrandom")]
    pub fn encrypt<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        message: &[u8],
    ) -> Result<Ciphertext, Error> {
        self.encrypt_with(identity, message, EncryptOptions::default())
    }

    /// As [`encrypt`](Self::encrypt), with the sender's choices.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    #[cfg(feature = "getrandom")]
    pub fn encrypt_with<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        message: &[u8],
        options: EncryptOptions,
    ) -> Result<Ciphertext, Error> {
        self.encrypt_with_rng(&mut getrandom::SysRng, identity, message, options)
    }

    /// As [`encrypt_with`](Self::encrypt_with), with nonces and initial values from `rng`.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    pub fn encrypt_with_rng<'a, R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        identity: impl Into<Identity<'a>>,
        message: &[u8],
        options: EncryptOptions,
    ) -> Result<Ciphertext, Error> {
        let identity = identity.into();
        check_message(message)?;
        let q = self.point_of(&identity, HID_ENCRYPT)?;
        encrypt(rng, identity.id(), message, options, |r| {
            self.session(&q, r)
        })
    }

    /// As [`encrypt_with`](Self::encrypt_with), with the nonce `r` and the initial value, which modes without one do not look at.
    ///
    /// **Dangerous.** Whoever learns `r` can decrypt. For test vectors.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt), and [`Error::Nonce`] for an `r` that is zero, not below `N`, or leads to a key of zeros.
    #[cfg(feature = "hazmat")]
    pub fn encrypt_with_nonce<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        message: &[u8],
        options: EncryptOptions,
        r: &[u8; 32],
        iv: &[u8; 16],
    ) -> Result<Ciphertext, Error> {
        let identity = identity.into();
        check_message(message)?;
        let q = self.point_of(&identity, HID_ENCRYPT)?;
        let session = self.session(&q, &*super::scalar::given(r)?);
        seal(session, identity.id(), message, options, iv)?.ok_or(Error::Nonce)
    }
}

pub(super) fn check_message(message: &[u8]) -> Result<(), Error> {
    match message.len() as u64 {
        0 => Err(Error::EmptyMessage),
        1..=MAX_MESSAGE_LEN => Ok(()),
        _ => Err(Error::MessageTooLong),
    }
}

/// Clause 9.2, with the way to `C` and `w`. The message was checked.
pub(super) fn encrypt<R: TryCryptoRng + ?Sized>(
    rng: &mut R,
    id: &[u8],
    message: &[u8],
    options: EncryptOptions,
    session: impl Fn(&U256) -> Session,
) -> Result<Ciphertext, Error> {
    let mut iv = [0; sm4::BLOCK_LEN];
    rng.try_fill_bytes(&mut iv[..modes::iv_len(options.mode)])
        .map_err(|_| Error::Random)?;
    for _ in 0..MAX_ZERO_KEYS {
        // A2: r ∈ [1, N − 1]
        let r = random_scalar(rng)?;
        let session = session(&r);
        check_point(&session.0)?;
        if let Some(ciphertext) = seal(session, id, message, options, &iv)? {
            return Ok(ciphertext);
        }
    }
    Err(Error::Random)
}

/// Steps A6 to A8; nothing when `K1` is all zero and another nonce is needed.
fn seal(
    // A3 to A5: C1 = [r]Q, w = g^r
    (c1, w): Session,
    id: &[u8],
    message: &[u8],
    EncryptOptions { mode, check_value }: EncryptOptions,
    iv: &[u8; sm4::BLOCK_LEN],
) -> Result<Option<Ciphertext>, Error> {
    // A6: K1 ‖ K2 = KDF(C1 ‖ w ‖ ID)
    let mut keys = key_stream(&c1, &w, id);
    let mut c2 = match mode {
        Mode::Stream => {
            let mut data = message.to_vec();
            keys.xor_in_place(&mut data)
                .map_err(|_| Error::MessageTooLong)?;
            data
        }
        _ => modes::encrypt(mode, k1_cipher(&mut keys)?, iv, message),
    };
    // What went under a key of zeros is thrown away with its nonce, and may be known to have been.
    if declassify(keys.all_zero()) {
        c2.zeroize();
        return Ok(None);
    }
    // A7: C3 = MAC(K2, C2)
    let c3 = check(check_value, &*k2(&mut keys)?, &c2);
    // A8: C = C1 ‖ C3 ‖ C2
    Ok(Some(Ciphertext {
        mode,
        c1: G1Point(c1),
        c3,
        c2,
    }))
}

pub(super) fn k1_cipher(keys: &mut Kdf) -> Result<Sm4, Error> {
    let mut k1 = Zeroizing::new([0; sm4::KEY_LEN]);
    keys.fill(k1.as_mut()).map_err(|_| Error::MessageTooLong)?;
    Ok(Sm4::new(&k1))
}

pub(super) fn k2(keys: &mut Kdf) -> Result<Zeroizing<[u8; K2_LEN]>, Error> {
    let mut k2 = Zeroizing::new([0; K2_LEN]);
    keys.fill(k2.as_mut()).map_err(|_| Error::MessageTooLong)?;
    Ok(k2)
}

/// `C3`.
fn check(check_value: CheckValue, k2: &[u8; K2_LEN], c2: &[u8]) -> [u8; 32] {
    match check_value {
        CheckValue::Sm3 => {
            let mut hash = Sm3::new();
            hash.update(c2);
            hash.update(k2);
            hash.finalize()
        }
        CheckValue::HmacSm3 => hmac_sm3(k2, c2),
    }
}

impl UserEncryptionKey {
    /// Decrypts `ciphertext`, whose check value is the standard's; `identity` must be the one that this key is for (its `hid` is of no
    /// account).
    ///
    /// Constant time in the key and the plaintext; the plaintext is wiped when dropped. Who decrypts more than once should
    /// [`prepare`](Self::prepare).
    ///
    /// # Errors
    /// [`Error::DecryptionFailed`], whatever the reason; [`Error::EmptyIdentity`].
    pub fn decrypt<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        ciphertext: &Ciphertext,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        self.decrypt_with(identity, ciphertext, CheckValue::Sm3)
    }

    /// As [`decrypt`](Self::decrypt), with a check value of this kind.
    ///
    /// # Errors
    /// As [`decrypt`](Self::decrypt).
    pub fn decrypt_with<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
        ciphertext: &Ciphertext,
        check_value: CheckValue,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let id = identity.into().checked()?;
        open(&self.pair(&ciphertext.c1), id, ciphertext, check_value)
    }
}

/// Clause 9.3 from B3 on, with `w' = e(C1, de)`. That `C1` is in `G1` (B1), a `Ciphertext` is proof of.
///
/// Of keys that are all zero the standard has the recipient refuse `K1`. Some senders throw away `K1 ‖ K2` only, and then one message
/// of a single byte in 256 would be lost; the check value vouches for it, so that `K1 ‖ K2` is what is refused here, too.
pub(super) fn open(
    w: &Gt,
    id: &[u8],
    ciphertext: &Ciphertext,
    check_value: CheckValue,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let failed = |_| Error::DecryptionFailed;
    let Ciphertext { mode, c1, c3, c2 } = ciphertext;
    // B3: K1' ‖ K2' = KDF(C1 ‖ w' ‖ ID)
    let mut keys = key_stream(&c1.0, w, id);
    let (masked, cipher) = match mode {
        Mode::Stream => {
            let mut data = Zeroizing::new(c2.clone());
            keys.xor_in_place(&mut data)
                .map_err(|_| Error::DecryptionFailed)?;
            (Some(data), None)
        }
        _ => (None, Some(k1_cipher(&mut keys).map_err(failed)?)),
    };
    // B4, B5: u = MAC(K2', C2) must be C3.
    let u = check(check_value, &*k2(&mut keys).map_err(failed)?, c2);
    let valid = u.ct_eq(c3) & !keys.all_zero();
    // An error tells the verdict.
    if !declassify(valid) {
        return Err(Error::DecryptionFailed);
    }
    // What is authentic need not be padded as it must be: its maker may have erred.
    match (masked, cipher) {
        (Some(message), _) => Ok(message),
        (None, Some(cipher)) => modes::decrypt(*mode, cipher, c2).ok_or(Error::DecryptionFailed),
        (None, None) => Err(Error::DecryptionFailed),
    }
}
