//! The owner of a key: an identity, and the function identifier `hid` that is appended to it before
//! it is hashed.

use alloc::boxed::Box;
use core::fmt;
use core::hash::{Hash, Hasher};

use kuaimi_math::arith::U256;

use super::Error;
use super::hash::h1;

/// The `hid` of signing keys, 1 (GB/T 41389-2022).
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{HID_SIGN, MasterSigningKey};
///
/// assert_eq!(MasterSigningKey::generate()?.extract("alice")?.hid(), HID_SIGN);
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub const HID_SIGN: u8 = 1;
/// The `hid` of keys for key exchange, 2 (GB/T 41389-2022).
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{HID_EXCHANGE, MasterEncryptionKey};
///
/// assert_eq!(MasterEncryptionKey::generate()?.extract_exchange("alice")?.hid(), HID_EXCHANGE);
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub const HID_EXCHANGE: u8 = 2;
/// The `hid` of keys for encryption and encapsulation, 3 (GB/T 41389-2022).
///
/// ```
/// # #[cfg(feature = "std")] {
/// use kuaimi::sm9::{HID_ENCRYPT, MasterEncryptionKey};
///
/// assert_eq!(MasterEncryptionKey::generate()?.extract("alice")?.hid(), HID_ENCRYPT);
/// # }
/// # Ok::<(), kuaimi::sm9::Error>(())
/// ```
pub const HID_ENCRYPT: u8 = 3;

/// An identity: any bytes, such as a mail address, a telephone number or the name of a device; and
/// the function identifier `hid`, one byte, if it is not the operation's default.
///
/// The bytes are used as they are: `Alice` and `alice` are two users. An identity may have any
/// length but zero. An empty one is refused ([`Error::EmptyIdentity`]), as it is usually a name
/// that somebody forgot to give: its key would be valid for all who forgot theirs.
///
/// Functions that take an identity take bytes or text, too:
///
/// ```
/// use kuaimi::sm9::{HID_EXCHANGE, Identity};
///
/// let by_default: Identity = "alice@example.com".into();
/// assert_eq!(by_default.hid(), None);
/// let for_exchange = Identity::new(b"alice@example.com").with_hid(HID_EXCHANGE);
/// assert_eq!(for_exchange.hid(), Some(2));
/// ```
///
/// Source: GB/T 38635.2-2020, clauses 6.1 and 7.1; GB/T 41389-2022.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity<'a> {
    id: &'a [u8],
    hid: Option<u8>,
}

impl<'a> Identity<'a> {
    /// With the operation's default `hid`: [`HID_SIGN`], [`HID_EXCHANGE`] or [`HID_ENCRYPT`].
    ///
    /// ```
    /// use kuaimi::sm9::Identity;
    ///
    /// assert_eq!(Identity::new(b"alice"), "alice".into());
    /// ```
    pub const fn new(id: &'a [u8]) -> Self {
        Self { id, hid: None }
    }

    /// With this `hid`.
    ///
    /// ```
    /// use kuaimi::sm9::Identity;
    ///
    /// assert_eq!(Identity::new(b"alice").with_hid(9).hid(), Some(9));
    /// ```
    #[must_use]
    pub const fn with_hid(mut self, hid: u8) -> Self {
        self.hid = Some(hid);
        self
    }

    /// The bytes.
    ///
    /// ```
    /// use kuaimi::sm9::Identity;
    ///
    /// assert_eq!(Identity::new(b"alice").id(), b"alice");
    /// ```
    pub const fn id(&self) -> &'a [u8] {
        self.id
    }

    /// The `hid`, if one was set.
    ///
    /// ```
    /// use kuaimi::sm9::Identity;
    ///
    /// assert_eq!(Identity::new(b"alice").hid(), None);
    /// ```
    pub const fn hid(&self) -> Option<u8> {
        self.hid
    }
}

impl<'a> From<&'a [u8]> for Identity<'a> {
    fn from(id: &'a [u8]) -> Self {
        Self::new(id)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Identity<'a> {
    fn from(id: &'a [u8; N]) -> Self {
        Self::new(id)
    }
}

impl<'a> From<&'a str> for Identity<'a> {
    fn from(id: &'a str) -> Self {
        Self::new(id.as_bytes())
    }
}

/// The identity that a key knows, with its `hid` and its hash. Clones share it.
#[derive(Clone)]
pub(super) struct KeyIdentity {
    id: Box<[u8]>,
    hid: u8,
    h1: U256,
}

impl KeyIdentity {
    pub(super) fn new(identity: Identity<'_>, default_hid: u8) -> Result<Self, Error> {
        if identity.id.is_empty() {
            return Err(Error::EmptyIdentity);
        }
        let hid = identity.hid.unwrap_or(default_hid);
        // The hash is that of the copy: others may share the caller's memory and change it
        // meanwhile, and a cache finds the key by its identity.
        let id: Box<[u8]> = identity.id.into();
        Ok(Self {
            h1: h1(&id, hid),
            id,
            hid,
        })
    }

    pub(super) fn id(&self) -> &[u8] {
        &self.id
    }

    pub(super) fn hid(&self) -> u8 {
        self.hid
    }

    pub(super) fn h1(&self) -> &U256 {
        &self.h1
    }

    /// With its `hid`.
    pub(super) fn identity(&self) -> Identity<'_> {
        Identity::new(self.id()).with_hid(self.hid())
    }
}

impl PartialEq for KeyIdentity {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for KeyIdentity {}

impl Hash for KeyIdentity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl fmt::Debug for KeyIdentity {
    /// As text where it is text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match core::str::from_utf8(self.id()) {
            Ok(text) => write!(f, "{text:?}")?,
            Err(_) => super::write_hex(f, self.id())?,
        }
        write!(f, ", hid {}", self.hid())
    }
}
