//! A list and the changes to it (RFC 5280, clause 5.2.4).

use x509_cert::ext::pkix::CrlReason;

use super::{Crl, Entry};
use crate::Error;

/// A complete list with its delta.
///
/// ```
/// use kuaimi_pki::Error;
/// use kuaimi_pki::crl::{Combined, Crl};
///
/// fn is_revoked(list: &Crl, delta: &Crl, serial: &[u8]) -> Result<bool, Error> {
///     Ok(Combined::new(list, delta)?.find(serial).is_some())
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Combined<'a> {
    base: &'a Crl,
    delta: &'a Crl,
}

impl<'a> Combined<'a> {
    /// The list `base` with the changes in `delta`. Their signatures and dates are not checked.
    ///
    /// # Errors
    /// [`Error::Argument`] if they do not belong together: `delta` must be a delta, `base` must be
    /// none, both must have the same issuer and be about the same certificates, and `base` must not
    /// be older than what `delta` is the changes to, nor newer than `delta`.
    pub fn new(base: &'a Crl, delta: &'a Crl) -> Result<Self, Error> {
        let (Some(from), Some(to)) = (delta.base_number(), delta.number()) else {
            return Err(Error::Argument("the second list has no changes to another"));
        };
        if base.is_delta() {
            return Err(Error::Argument("the first list is not complete"));
        }
        let number = base
            .number()
            .ok_or(Error::Argument("the complete list has no number"))?;
        let same = base.issuer_der() == delta.issuer_der()
            && base.scope() == delta.scope()
            && base.authority_key_identifier() == delta.authority_key_identifier();
        if !same {
            return Err(Error::Argument(
                "the two lists are not about the same certificates",
            ));
        }
        if is_less(number, from) {
            return Err(Error::Argument(
                "the complete list is older than the changes begin",
            ));
        }
        if is_less(to, number) {
            return Err(Error::Argument(
                "the changes are older than the complete list",
            ));
        }
        Ok(Self { base, delta })
    }

    /// The entry with the serial number `serial`, as in [`Crl::find`]: the delta's if it has one,
    /// or none if the delta takes it from the list.
    pub fn find(&self, serial: &[u8]) -> Option<Entry<'a>> {
        match self.delta.find(serial) {
            Some(entry) if entry.reason() == Some(CrlReason::RemoveFromCRL) => None,
            Some(entry) => Some(entry),
            None => self.base.find(serial),
        }
    }
}

/// Compares big-endian numbers without zeros before them.
fn is_less(a: &[u8], b: &[u8]) -> bool {
    (a.len(), a) < (b.len(), b)
}
