//! Users' keys as files hold them: with the master public key, and without the identity.

use core::fmt;

use zeroize::Zeroizing;

use crate::sm9::{
    self, DecryptionKey, ExchangeKey, Identity, MasterEncryptionPublicKey, MasterSigningPublicKey,
    SigningKey,
};

/// A user's signing key from a file, before the identity that it is for is known: PKCS#8 has no
/// place for it. It signs nothing; [`signing_key`](Self::signing_key) makes a key of it that does.
///
/// Wiped when dropped; `Debug` shows the master public key only.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::encoding::{DecodePrivateKey, EncodePrivateKey};
/// use kuaimi::encoding::sm9::UnboundSigningKey;
/// use kuaimi::sm9::{Error, MasterSigningKey};
///
/// let alice = MasterSigningKey::generate()?.extract("alice")?;
/// let file = alice.to_pkcs8_der()?;
/// let key = UnboundSigningKey::from_pkcs8_der(file.as_bytes())?;
/// assert_eq!(key.signing_key("alice")?, alice);
/// assert_eq!(key.signing_key("bob"), Err(Error::UserKeyMismatch));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct UnboundSigningKey {
    xy: Zeroizing<[u8; 64]>,
    master: MasterSigningPublicKey,
}

impl UnboundSigningKey {
    #[cfg(all(feature = "pem", feature = "encryption"))]
    pub(super) fn new(
        point: &[u8],
        master: MasterSigningPublicKey,
    ) -> Result<Self, crate::encoding::Error> {
        let xy = Zeroizing::new(sm9::G1Point::from_slice(point)?.to_bytes());
        Ok(Self { xy, master })
    }

    /// The key for this identity (with [`HID_SIGN`](sm9::HID_SIGN) by default), which is checked:
    /// see [`SigningKey`].
    ///
    /// # Errors
    /// [`sm9::Error::UserKeyMismatch`], [`sm9::Error::EmptyIdentity`].
    ///
    /// ```
    /// # use kuaimi::encoding::{DecodePrivateKey, EncodePrivateKey, sm9::UnboundSigningKey};
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let file = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?.to_pkcs8_der()?;
    /// let alice = UnboundSigningKey::from_pkcs8_der(file.as_bytes())?.signing_key("alice")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn signing_key<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
    ) -> Result<SigningKey, sm9::Error> {
        SigningKey::from_bytes(&self.xy, identity, &self.master)
    }

    /// The master public key that the file holds.
    ///
    /// ```
    /// # use kuaimi::encoding::{DecodePrivateKey, EncodePrivateKey, sm9::UnboundSigningKey};
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let master = MasterSigningKey::from_bytes(&[7; 32])?;
    /// # let file = master.extract("alice")?.to_pkcs8_der()?;
    /// let key = UnboundSigningKey::from_pkcs8_der(file.as_bytes())?;
    /// assert_eq!(key.master_public_key(), master.public_key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn master_public_key(&self) -> &MasterSigningPublicKey {
        &self.master
    }

    /// The point, `x ‖ y`.
    ///
    /// ```
    /// # use kuaimi::encoding::{DecodePrivateKey, EncodePrivateKey, sm9::UnboundSigningKey};
    /// # use kuaimi::sm9::MasterSigningKey;
    /// # let alice = MasterSigningKey::from_bytes(&[7; 32])?.extract("alice")?;
    /// # let key = UnboundSigningKey::from_pkcs8_der(alice.to_pkcs8_der()?.as_bytes())?;
    /// assert_eq!(key.to_bytes(), alice.to_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<[u8; 64]> {
        self.xy.clone()
    }
}

impl fmt::Debug for UnboundSigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnboundSigningKey")
            .field("master", &self.master)
            .finish_non_exhaustive()
    }
}

/// A user's key for decryption or for key exchange from a file, before the identity that it is for
/// is known: PKCS#8 has no place for it, and does not tell the two kinds apart. It decrypts
/// nothing; [`decryption_key`](Self::decryption_key) and [`exchange_key`](Self::exchange_key) make
/// keys of it that do.
///
/// Wiped when dropped; `Debug` shows the master public key only.
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::encoding::{DecodePrivateKey, EncodePrivateKey};
/// use kuaimi::encoding::sm9::UnboundDecryptionKey;
/// use kuaimi::sm9::{Error, MasterEncryptionKey};
///
/// let bob = MasterEncryptionKey::generate()?.extract("bob")?;
/// let file = bob.to_pkcs8_der()?;
/// let key = UnboundDecryptionKey::from_pkcs8_der(file.as_bytes())?;
/// assert_eq!(key.decryption_key("bob")?, bob);
/// assert_eq!(key.exchange_key("bob"), Err(Error::UserKeyMismatch));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct UnboundDecryptionKey {
    xy: Zeroizing<[u8; 128]>,
    master: MasterEncryptionPublicKey,
}

impl UnboundDecryptionKey {
    #[cfg(all(feature = "pem", feature = "encryption"))]
    pub(super) fn new(
        point: &[u8],
        master: MasterEncryptionPublicKey,
    ) -> Result<Self, crate::encoding::Error> {
        let xy = sm9::user_key_bytes(point)?;
        Ok(Self { xy, master })
    }

    /// The decryption key for this identity (with [`HID_ENCRYPT`](sm9::HID_ENCRYPT) by default),
    /// which is checked: see [`DecryptionKey`].
    ///
    /// # Errors
    /// [`sm9::Error::UserKeyMismatch`], [`sm9::Error::EmptyIdentity`].
    ///
    /// ```
    /// # use kuaimi::encoding::{DecodePrivateKey, EncodePrivateKey, sm9::UnboundDecryptionKey};
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let file = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?.to_pkcs8_der()?;
    /// let bob = UnboundDecryptionKey::from_pkcs8_der(file.as_bytes())?.decryption_key("bob")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decryption_key<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
    ) -> Result<DecryptionKey, sm9::Error> {
        DecryptionKey::from_bytes(&self.xy, identity, &self.master)
    }

    /// The key for key exchange for this identity (with [`HID_EXCHANGE`](sm9::HID_EXCHANGE) by
    /// default), which is checked: see [`ExchangeKey`].
    ///
    /// # Errors
    /// [`sm9::Error::UserKeyMismatch`], [`sm9::Error::EmptyIdentity`].
    ///
    /// ```
    /// # use kuaimi::encoding::{DecodePrivateKey, EncodePrivateKey, sm9::UnboundDecryptionKey};
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let file = MasterEncryptionKey::from_bytes(&[7; 32])?.extract_exchange("bob")?.to_pkcs8_der()?;
    /// let bob = UnboundDecryptionKey::from_pkcs8_der(file.as_bytes())?.exchange_key("bob")?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn exchange_key<'a>(
        &self,
        identity: impl Into<Identity<'a>>,
    ) -> Result<ExchangeKey, sm9::Error> {
        ExchangeKey::from_bytes(&self.xy, identity, &self.master)
    }

    /// The master public key that the file holds.
    ///
    /// ```
    /// # use kuaimi::encoding::{DecodePrivateKey, EncodePrivateKey, sm9::UnboundDecryptionKey};
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let master = MasterEncryptionKey::from_bytes(&[7; 32])?;
    /// # let file = master.extract("bob")?.to_pkcs8_der()?;
    /// let key = UnboundDecryptionKey::from_pkcs8_der(file.as_bytes())?;
    /// assert_eq!(key.master_public_key(), master.public_key());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn master_public_key(&self) -> &MasterEncryptionPublicKey {
        &self.master
    }

    /// The point, `x ‖ y`.
    ///
    /// ```
    /// # use kuaimi::encoding::{DecodePrivateKey, EncodePrivateKey, sm9::UnboundDecryptionKey};
    /// # use kuaimi::sm9::MasterEncryptionKey;
    /// # let bob = MasterEncryptionKey::from_bytes(&[7; 32])?.extract("bob")?;
    /// # let key = UnboundDecryptionKey::from_pkcs8_der(bob.to_pkcs8_der()?.as_bytes())?;
    /// assert_eq!(key.to_bytes(), bob.to_bytes());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_bytes(&self) -> Zeroizing<[u8; 128]> {
        self.xy.clone()
    }
}

impl fmt::Debug for UnboundDecryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnboundDecryptionKey")
            .field("master", &self.master)
            .finish_non_exhaustive()
    }
}
