//! Whom a key is for: an identity, and the function identifier `hid` that is appended to it before it is hashed.

use super::Error;
use super::hash::h1;
use kuaimi_math::arith::U256;

/// The `hid` of signing keys (GB/T 41389).
pub const HID_SIGN: u8 = 1;
/// The `hid` of keys for key exchange (GB/T 41389).
pub const HID_EXCHANGE: u8 = 2;
/// The `hid` of keys for encryption and encapsulation (GB/T 41389).
pub const HID_ENCRYPT: u8 = 3;

/// An identity: any bytes but none at all — a mail address, a telephone number, a device's name — and the function identifier
/// `hid`, one byte, where it is not the one that the operation has by default.
///
/// The bytes are taken as they are: `Alice` and `alice` are two users. There is no upper limit to their number. *No* bytes are
/// refused ([`Error::EmptyIdentity`]): such an identity is in practice a name that was forgotten, and a key for it a key for all who
/// forgot theirs.
///
/// Whatever takes an identity takes bytes or text, too:
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
    /// With the operation's own `hid`: [`HID_SIGN`], [`HID_EXCHANGE`] or [`HID_ENCRYPT`].
    pub const fn new(id: &'a [u8]) -> Self {
        Self { id, hid: None }
    }

    /// With this `hid`.
    #[must_use]
    pub const fn with_hid(mut self, hid: u8) -> Self {
        self.hid = Some(hid);
        self
    }

    /// The bytes.
    pub const fn id(&self) -> &'a [u8] {
        self.id
    }

    /// The `hid`, where one was set.
    pub const fn hid(&self) -> Option<u8> {
        self.hid
    }

    /// `H1(ID ‖ hid)`, in `[1, N − 1]`.
    pub(super) fn h1(&self, default: u8) -> Result<U256, Error> {
        self.checked()?;
        Ok(h1(self.id, self.hid.unwrap_or(default)))
    }

    /// The bytes, of which there is one at least.
    pub(super) fn checked(&self) -> Result<&'a [u8], Error> {
        if self.id.is_empty() {
            return Err(Error::EmptyIdentity);
        }
        Ok(self.id)
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
