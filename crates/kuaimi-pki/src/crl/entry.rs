//! An entry of a list (RFC 5280, clauses 5.1.2.6 and 5.3).

use der::Decode;
use x509_cert::ext::pkix::CrlReason;

use super::read::{self, WHAT};
use crate::ber::{self, Elements, Malformed};
use crate::extensions::BorrowedExtension;
use crate::oid;

/// A revoked certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    serial: &'a [u8],
    date: u64,
    reason: Option<CrlReason>,
    invalidity: Option<u64>,
}

/// What an entry of a list may not have.
pub(super) enum Fault {
    Malformed,
    Indirect,
    Critical,
    Version,
}

impl From<Malformed> for Fault {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

impl<'a> Entry<'a> {
    /// The certificate's serial number: the content of the INTEGER in DER.
    pub fn serial(&self) -> &'a [u8] {
        self.serial
    }

    /// When it was revoked, in seconds since 1970.
    pub fn date(&self) -> u64 {
        self.date
    }

    /// Why it was revoked.
    pub fn reason(&self) -> Option<CrlReason> {
        self.reason
    }

    /// From when on the key was, or may have been, in wrong hands, in seconds since 1970.
    pub fn invalidity_date(&self) -> Option<u64> {
        self.invalidity
    }

    /// The entry that begins at `place`, and was read before.
    pub(super) fn at(der: &'a [u8], place: u32) -> Option<Self> {
        let rest = der.get(usize::try_from(place).ok()?..)?;
        let fields = Elements::new(rest, WHAT).enter(ber::SEQUENCE).ok()?;
        Self::read(fields, true).ok()
    }

    /// The serial number alone of the entry that begins at `place`: much is compared with it.
    pub(super) fn serial_at(der: &'a [u8], place: u32) -> Option<&'a [u8]> {
        let rest = der.get(usize::try_from(place).ok()?..)?;
        let mut fields = Elements::new(rest, WHAT).enter(ber::SEQUENCE).ok()?;
        fields.take(ber::INTEGER).ok()
    }

    /// The entry with the fields `fields`. Extensions are allowed in version 2.
    pub(super) fn read(mut fields: Elements<'a>, version_2: bool) -> Result<Self, Fault> {
        let serial = fields.take(ber::INTEGER)?;
        if !ber::is_integer(serial) {
            return Err(Fault::Malformed);
        }
        let date = read::time(&mut fields)?;
        let mut entry = Self {
            serial,
            date,
            reason: None,
            invalidity: None,
        };
        if let Some(extensions) = fields.enter_optional(ber::SEQUENCE)? {
            if !version_2 {
                return Err(Fault::Version);
            }
            entry.extensions(extensions)?;
        }
        fields.end()?;
        Ok(entry)
    }

    fn extensions(&mut self, mut extensions: Elements<'_>) -> Result<(), Fault> {
        while !extensions.is_empty() {
            let extension = BorrowedExtension::read(&mut extensions)?;
            let id = extension.id;
            if id == oid::CRL_REASON.as_bytes() {
                if self.reason.is_some() {
                    return Err(Fault::Malformed);
                }
                let reason = CrlReason::from_der(extension.content);
                self.reason = Some(reason.map_err(|_| Fault::Malformed)?);
            } else if id == oid::INVALIDITY_DATE.as_bytes() {
                let mut content = Elements::new(extension.content, WHAT);
                if content.tag() != Some(ber::GENERALIZED_TIME) || self.invalidity.is_some() {
                    return Err(Fault::Malformed);
                }
                self.invalidity = Some(read::time(&mut content)?);
                content.end()?;
            } else if id == oid::CERTIFICATE_ISSUER.as_bytes() {
                return Err(Fault::Indirect);
            } else if extension.critical {
                return Err(Fault::Critical);
            }
        }
        Ok(())
    }
}
