//! Requests with a temporary key: attributes as CFCA reads them, which have no SET around their
//! values, against PKCS #10.

use der::asn1::{Any, ObjectIdentifier};
use der::{Decode, Tag, Tagged};
use kuaimi::sm2::PublicKey;

use crate::Error;
use crate::ber::{
    Elements, OCTET_STRING, PRINTABLE_STRING, SEQUENCE, element, identifier, integer,
};
use crate::error::Reading;
use crate::oid::{CHALLENGE_PASSWORD, TEMPORARY_KEY};
use crate::request::{Request, RequestBuilder};

const WHAT: &str = "temporary key of CFCA";
/// What precedes the coordinates; CFCA has described it nowhere. All requests that are known have
/// these bytes.
const HEADER: [u8; 8] = [0, 0xb4, 0, 0, 0, 1, 0, 0];

impl RequestBuilder {
    /// Adds the temporary public key, to which CFCA returns a key pair to encrypt with, and the
    /// challenge password. Everybody can read both in the request.
    ///
    /// # Errors
    /// [`Error::Argument`] if the password has a character that a PrintableString has not, or the
    /// request has one of the attributes already.
    pub fn cfca_temporary_key(
        self,
        temporary: &PublicKey,
        challenge_password: &str,
    ) -> Result<Self, Error> {
        let printable = |c: u8| c.is_ascii_alphanumeric() || b" '()+,-./:=?".contains(&c);
        if !challenge_password.bytes().all(printable) || challenge_password.len() > 255 {
            let why = "CFCA's challenge password has at most 255 letters, digits and signs of a \
                       PrintableString";
            return Err(Error::Argument(why));
        }
        let password = element(PRINTABLE_STRING, &[challenge_password.as_bytes()]);
        // A coordinate has room for 64 bytes, of which the last 32 are zero.
        let xy = temporary.to_xy_bytes();
        let (x, y) = xy.split_at(32);
        let content = element(OCTET_STRING, &[&HEADER, x, &[0; 32], y, &[0; 32]]);
        let key = element(SEQUENCE, &[&integer(1), &content]);
        let key = element(OCTET_STRING, &[&key]);
        self.bare_attribute(CHALLENGE_PASSWORD, &password)?
            .bare_attribute(TEMPORARY_KEY, &key)
    }

    fn bare_attribute(self, oid: ObjectIdentifier, value: &[u8]) -> Result<Self, Error> {
        let der = identifier(oid, value);
        self.encoded_attribute(oid, Any::from_der(&der).of(WHAT)?)
    }
}

/// The temporary public key in a request, if it has one. The challenge password is
/// [`Request::challenge_password`].
///
/// # Errors
/// [`Error::Der`], [`Error::Structure`] and [`Error::Encoding`] if it is malformed.
pub fn temporary_key(request: &Request) -> Result<Option<PublicKey>, Error> {
    let Some(value) = request.attribute(TEMPORARY_KEY) else {
        return Ok(None);
    };
    value.tag().assert_eq(Tag::OctetString).of(WHAT)?;
    let mut fields = Elements::inside(value.value(), SEQUENCE, WHAT)?;
    if fields.value::<u8>()? != 1 {
        return Err(Error::Structure(WHAT, "has another version than 1"));
    }
    let content = fields.octets()?;
    fields.end()?;
    let malformed = Error::Structure(WHAT, "is no key of SM2");
    let numbers = content.strip_prefix(&HEADER).ok_or(malformed.clone())?;
    let (numbers, rest) = numbers.as_chunks::<32>();
    let ([x, zero_x, y, zero_y], []) = (numbers, rest) else {
        return Err(malformed);
    };
    if *zero_x != [0; 32] || *zero_y != [0; 32] {
        return Err(malformed);
    }
    let mut xy = [0; 64];
    let (low, high) = xy.split_at_mut(32);
    low.copy_from_slice(x);
    high.copy_from_slice(y);
    Ok(Some(
        PublicKey::from_xy_bytes(&xy).map_err(kuaimi::encoding::Error::from)?,
    ))
}
