//! The options of encryption and decryption.

use core::fmt;
use core::str::FromStr;

use kuaimi_platform::ErrorKind;

/// How a message is encrypted: the `EnType` of GB/T 41389. The modes that use SM4 come with the
/// feature `sm4`.
///
/// ```
/// # #[cfg(feature = "sm4")] {
/// use kuaimi::sm9::Mode;
///
/// assert_eq!(Mode::default(), Mode::Stream);
/// assert_eq!("cbc".parse(), Ok(Mode::Cbc));
/// assert_eq!(Mode::from_en_type(8), Some(Mode::Cfb));
/// # }
/// ```
///
/// Source: GB/T 38635.2-2020, clause 9; GB/T 41389-2022.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// A key stream as long as the message is added to it (`EnType` 0). The usual mode, and the
    /// default.
    #[default]
    Stream,
    /// SM4 in ECB mode with PKCS#7 padding (`EnType` 1). It shows which blocks of the message are
    /// equal.
    #[cfg(feature = "sm4")]
    Ecb,
    /// SM4 in CBC mode with PKCS#7 padding, the initial value of 16 bytes before it (`EnType` 2).
    #[cfg(feature = "sm4")]
    Cbc,
    /// SM4 in OFB mode, the initial value of 16 bytes before it (`EnType` 4).
    #[cfg(feature = "sm4")]
    Ofb,
    /// SM4 in CFB mode with feedback of whole blocks, the initial value of 16 bytes before it
    /// (`EnType` 8).
    #[cfg(feature = "sm4")]
    Cfb,
}

impl Mode {
    /// All modes.
    ///
    /// ```
    /// assert!(kuaimi::sm9::Mode::ALL.contains(&kuaimi::sm9::Mode::Cbc));
    /// ```
    #[cfg(feature = "sm4")]
    pub const ALL: &'static [Self] = &[Self::Stream, Self::Ecb, Self::Cbc, Self::Ofb, Self::Cfb];
    /// All modes: without the feature `sm4` there is one.
    #[cfg(not(feature = "sm4"))]
    pub const ALL: &'static [Self] = &[Self::Stream];

    /// The number of the mode in DER.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm9::Mode::Ofb.en_type(), 4);
    /// ```
    pub const fn en_type(self) -> u8 {
        match self {
            Self::Stream => 0,
            #[cfg(feature = "sm4")]
            Self::Ecb => 1,
            #[cfg(feature = "sm4")]
            Self::Cbc => 2,
            #[cfg(feature = "sm4")]
            Self::Ofb => 4,
            #[cfg(feature = "sm4")]
            Self::Cfb => 8,
        }
    }

    /// The mode that has this number in DER.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm9::Mode::from_en_type(3), None);
    /// ```
    pub fn from_en_type(number: u8) -> Option<Self> {
        let mut all = Self::ALL.iter();
        all.find(|mode| mode.en_type() == number).copied()
    }

    /// The name in commands: `stream`, `ecb`, `cbc`, `ofb` or `cfb`.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm9::Mode::Cbc.name(), "cbc");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            #[cfg(feature = "sm4")]
            Self::Ecb => "ecb",
            #[cfg(feature = "sm4")]
            Self::Cbc => "cbc",
            #[cfg(feature = "sm4")]
            Self::Ofb => "ofb",
            #[cfg(feature = "sm4")]
            Self::Cfb => "cfb",
        }
    }
}

/// How the message authentication code `C3` is computed from `C2` and the key `K2`. A ciphertext
/// does not say which one it has, so both sides must agree on it.
///
/// ```
/// use kuaimi::sm9::Mac;
///
/// assert_eq!(Mac::default(), Mac::Sm3);
/// assert_eq!("hmac-sm3".parse(), Ok(Mac::HmacSm3));
/// ```
///
/// Source: GB/T 38635.2-2020, clause 9.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mac {
    /// `SM3(C2 ‖ K2)`, as the standard has it. The default.
    #[default]
    Sm3,
    /// `HMAC-SM3(K2, C2)`, as GmSSL 3 has it.
    HmacSm3,
}

impl Mac {
    /// All kinds.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm9::Mac::ALL.len(), 2);
    /// ```
    pub const ALL: &'static [Self] = &[Self::Sm3, Self::HmacSm3];

    /// The name in commands: `sm3` or `hmac-sm3`.
    ///
    /// ```
    /// assert_eq!(kuaimi::sm9::Mac::HmacSm3.name(), "hmac-sm3");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sm3 => "sm3",
            Self::HmacSm3 => "hmac-sm3",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a name that no [`Mode`] or no [`Mac`] has.
///
/// ```
/// use kuaimi::sm9::{Mode, UnknownName};
///
/// assert_eq!("ctr".parse::<Mode>(), Err(UnknownName));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName;

impl UnknownName {
    /// What the error is about, as the errors of the whole library say it.
    pub const fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidArgument
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the modes are stream, ecb, cbc, ofb and cfb, and the MACs sm3 and hmac-sm3")
    }
}

impl core::error::Error for UnknownName {}

impl FromStr for Mode {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.iter().find(|mode| mode.name() == name);
        found.copied().ok_or(UnknownName)
    }
}

impl FromStr for Mac {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let found = Self::ALL.iter().find(|mac| mac.name() == name);
        found.copied().ok_or(UnknownName)
    }
}

/// The options of encryption. The default is usual in the standard: the stream mode, and
/// [`Mac::Sm3`].
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{DecryptOptions, EncryptOptions, MasterEncryptionKey, Mode};
///
/// let bob = MasterEncryptionKey::generate()?.extract("bob")?;
/// let options = EncryptOptions::new().with_mode(Mode::Cbc);
/// let ciphertext = bob.encryption_key().encrypt_with(b"a secret", options)?;
/// assert_eq!(ciphertext.mode(), Mode::Cbc);
///
/// // For a reader with GmSSL 3:
/// let ciphertext = bob.encryption_key().encrypt_with(b"a secret", EncryptOptions::GMSSL)?;
/// assert_eq!(*bob.decrypt_with(&ciphertext, DecryptOptions::GMSSL)?, b"a secret");
/// assert!(bob.decrypt(&ciphertext).is_err());
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EncryptOptions {
    mode: Mode,
    mac: Mac,
}

impl EncryptOptions {
    /// The options that GmSSL 3 writes and reads: the stream mode, and [`Mac::HmacSm3`].
    ///
    /// ```
    /// use kuaimi::sm9::{EncryptOptions, Mac};
    ///
    /// assert_eq!(EncryptOptions::GMSSL, EncryptOptions::new().with_mac(Mac::HmacSm3));
    /// ```
    pub const GMSSL: Self = Self::new().with_mac(Mac::HmacSm3);

    /// The default options.
    ///
    /// ```
    /// use kuaimi::sm9::EncryptOptions;
    ///
    /// assert_eq!(EncryptOptions::new(), EncryptOptions::default());
    /// ```
    pub const fn new() -> Self {
        Self {
            mode: Mode::Stream,
            mac: Mac::Sm3,
        }
    }

    /// The same options with this mode.
    ///
    /// ```
    /// use kuaimi::sm9::{EncryptOptions, Mode};
    ///
    /// assert_eq!(EncryptOptions::new().with_mode(Mode::Ofb).mode(), Mode::Ofb);
    /// ```
    #[must_use]
    pub const fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// The same options with this message authentication code.
    ///
    /// ```
    /// use kuaimi::sm9::{EncryptOptions, Mac};
    ///
    /// assert_eq!(EncryptOptions::new().with_mac(Mac::HmacSm3).mac(), Mac::HmacSm3);
    /// ```
    #[must_use]
    pub const fn with_mac(mut self, mac: Mac) -> Self {
        self.mac = mac;
        self
    }

    /// The mode.
    ///
    /// ```
    /// use kuaimi::sm9::{EncryptOptions, Mode};
    ///
    /// assert_eq!(EncryptOptions::new().mode(), Mode::Stream);
    /// ```
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// The message authentication code.
    ///
    /// ```
    /// use kuaimi::sm9::{EncryptOptions, Mac};
    ///
    /// assert_eq!(EncryptOptions::new().mac(), Mac::Sm3);
    /// ```
    pub const fn mac(&self) -> Mac {
        self.mac
    }
}

/// The options of decryption, which a ciphertext does not say. The default is the standard's
/// [`Mac::Sm3`].
///
/// ```
/// use kuaimi::sm9::{DecryptOptions, Mac};
///
/// assert_eq!(DecryptOptions::new().mac(), Mac::Sm3);
/// assert_eq!(DecryptOptions::GMSSL.mac(), Mac::HmacSm3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DecryptOptions {
    mac: Mac,
}

impl DecryptOptions {
    /// The options for ciphertexts of GmSSL 3: [`Mac::HmacSm3`].
    ///
    /// ```
    /// use kuaimi::sm9::{DecryptOptions, Mac};
    ///
    /// assert_eq!(DecryptOptions::GMSSL, DecryptOptions::new().with_mac(Mac::HmacSm3));
    /// ```
    pub const GMSSL: Self = Self::new().with_mac(Mac::HmacSm3);

    /// The default options.
    ///
    /// ```
    /// use kuaimi::sm9::DecryptOptions;
    ///
    /// assert_eq!(DecryptOptions::new(), DecryptOptions::default());
    /// ```
    pub const fn new() -> Self {
        Self { mac: Mac::Sm3 }
    }

    /// The same options with this message authentication code.
    ///
    /// ```
    /// use kuaimi::sm9::{DecryptOptions, Mac};
    ///
    /// assert_eq!(DecryptOptions::new().with_mac(Mac::HmacSm3).mac(), Mac::HmacSm3);
    /// ```
    #[must_use]
    pub const fn with_mac(mut self, mac: Mac) -> Self {
        self.mac = mac;
        self
    }

    /// The message authentication code.
    ///
    /// ```
    /// use kuaimi::sm9::{DecryptOptions, Mac};
    ///
    /// assert_eq!(DecryptOptions::new().mac(), Mac::Sm3);
    /// ```
    pub const fn mac(&self) -> Mac {
        self.mac
    }
}
