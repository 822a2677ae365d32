//! Making lists (RFC 5280, clause 5.1): in one step, or in two with a signature from elsewhere.

use alloc::vec::Vec;
use core::time::Duration;

use der::{DateTime, Encode};
use kuaimi::sm2::PublicKey;
use x509_cert::ext::pkix::CrlReason;
use x509_cert::name::Name;
use x509_cert::time::Time;

use super::{Crl, MAX_LEN, Scope};
use crate::error::Reading;
use crate::extensions::BorrowedExtension;
use crate::unsigned::{FromSigned, SM2_WITH_SM3, Unsigned};
use crate::{Certificate, Error, Signer, ber, oid};

const WHAT: &str = "list of revoked certificates";

/// What a list is to contain.
///
/// ```
/// use kuaimi::sm2::PublicKey;
/// use kuaimi_pki::crl::{Crl, CrlBuilder, CrlReason};
/// use kuaimi_pki::{Certificate, Error, Signer};
///
/// fn publish(ca: &Certificate, key: &impl Signer, now: u64, lost: &Certificate) -> Result<Crl, Error> {
///     CrlBuilder::new(ca, now, now + 7 * 86400)?
///         .number(42)
///         .revoke(lost.serial(), now, Some(CrlReason::KeyCompromise))?
///         .sign(key)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct CrlBuilder {
    issuer: Vec<u8>,
    issuer_key: Option<Vec<u8>>,
    key: PublicKey,
    this_update: Time,
    next_update: Time,
    number: Option<u64>,
    base_number: Option<u64>,
    scope: Scope,
    /// The entries in DER, one after another.
    entries: Vec<u8>,
}

impl CrlBuilder {
    /// An empty list of the authority `issuer`, made at `this_update` and replaced by
    /// `next_update`, in seconds since 1970.
    ///
    /// # Errors
    /// [`Error::Algorithm`] if the authority has no SM2 key; [`Error::Argument`] for dates that
    /// cannot be written, or of which the second is not after the first.
    pub fn new(issuer: &Certificate, this_update: u64, next_update: u64) -> Result<Self, Error> {
        let key = issuer.public_key().sm2()?.public_key();
        let id = issuer.subject_key_identifier()?;
        let name = issuer.subject_der();
        Self::begin(name, id, key, this_update, next_update)
    }

    /// As [`new`](Self::new), of an authority whose certificate is elsewhere: its name, the
    /// identifier of its key as its certificate has it, and the key.
    ///
    /// # Errors
    /// [`Error::Argument`] for dates as in [`new`](Self::new).
    pub fn named(
        issuer: &Name,
        key_identifier: Option<&[u8]>,
        key: &PublicKey,
        this_update: u64,
        next_update: u64,
    ) -> Result<Self, Error> {
        let (name, id) = (
            issuer.to_der().of(WHAT)?,
            key_identifier.map(<[u8]>::to_vec),
        );
        Self::begin(&name, id, key, this_update, next_update)
    }

    fn begin(
        issuer: &[u8],
        issuer_key: Option<Vec<u8>>,
        key: &PublicKey,
        this_update: u64,
        next_update: u64,
    ) -> Result<Self, Error> {
        if next_update <= this_update {
            return Err(Error::Argument("the next list must come after this one"));
        }
        Ok(Self {
            issuer: issuer.to_vec(),
            issuer_key,
            key: *key,
            this_update: time(this_update)?,
            next_update: time(next_update)?,
            number: None,
            base_number: None,
            scope: Scope::default(),
            entries: Vec::new(),
        })
    }

    /// The list's number, which grows from list to list.
    #[must_use]
    pub fn number(mut self, number: u64) -> Self {
        self.number = Some(number);
        self
    }

    /// Makes this the changes to the complete list with the number `base`. It needs a number of
    /// its own.
    #[must_use]
    pub fn delta_of(mut self, base: u64) -> Self {
        self.base_number = Some(base);
        self
    }

    /// Which certificates the list is about.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Adds the certificate with the serial number `serial` (the content of the INTEGER in DER),
    /// revoked at `date`, in seconds since 1970. In a delta,
    /// [`RemoveFromCRL`](CrlReason::RemoveFromCRL) takes it from the list.
    ///
    /// # Errors
    /// [`Error::Argument`] for a serial number that is no integer of 1 to 20 bytes (or 21 with a
    /// sign), and for a date that cannot be written.
    pub fn revoke(
        self,
        serial: &[u8],
        date: u64,
        reason: Option<CrlReason>,
    ) -> Result<Self, Error> {
        self.revoke_with(serial, date, reason, None)
    }

    /// As [`revoke`](Self::revoke), with the time from when on the key may have been in wrong
    /// hands.
    ///
    /// # Errors
    /// As [`revoke`](Self::revoke).
    pub fn revoke_with(
        mut self,
        serial: &[u8],
        date: u64,
        reason: Option<CrlReason>,
        invalidity_date: Option<u64>,
    ) -> Result<Self, Error> {
        if !ber::is_integer(serial) || serial.len() > 21 {
            return Err(Error::Argument("this is no serial number"));
        }
        let mut entry = Vec::with_capacity(64);
        ber::write(&mut entry, ber::INTEGER, serial);
        entry.extend(time(date)?.to_der().of(WHAT)?);
        let mut extensions = Vec::new();
        // No reason is written as the absence of a reason.
        if let Some(reason) = reason.filter(|reason| *reason != CrlReason::Unspecified) {
            let content = [ber::ENUMERATED, 1, reason as u8];
            extension(&mut extensions, &oid::CRL_REASON, false, &content);
        }
        if let Some(date) = invalidity_date {
            let date = date_time(date)?;
            let date = der::asn1::GeneralizedTime::from_date_time(date);
            let content = date.to_der().of(WHAT)?;
            extension(&mut extensions, &oid::INVALIDITY_DATE, false, &content);
        }
        if !extensions.is_empty() {
            ber::write(&mut entry, ber::SEQUENCE, &extensions);
        }
        if self.entries.len() + entry.len() > MAX_LEN / 2 {
            return Err(Error::Limit(
                "the entries of a list of revoked certificates",
            ));
        }
        ber::write(&mut self.entries, ber::SEQUENCE, &entry);
        Ok(self)
    }

    /// What the authority has to sign.
    ///
    /// # Errors
    /// [`Error::Argument`] for a delta without a number.
    pub fn prepare(self) -> Result<Unsigned<Crl>, Error> {
        if self.base_number.is_some() && self.number.is_none() {
            return Err(Error::Argument("a delta needs a number"));
        }
        let mut fields = Vec::with_capacity(self.entries.len() + 512);
        ber::write(&mut fields, ber::INTEGER, &[1]);
        fields.extend(SM2_WITH_SM3.to_der().of(WHAT)?);
        fields.extend(&self.issuer);
        fields.extend(self.this_update.to_der().of(WHAT)?);
        fields.extend(self.next_update.to_der().of(WHAT)?);
        if !self.entries.is_empty() {
            ber::write(&mut fields, ber::SEQUENCE, &self.entries);
        }
        let mut extensions = Vec::new();
        let number = |number: u64| ber::unsigned(&number.to_be_bytes());
        if let Some(key) = &self.issuer_key {
            let id = ber::element(ber::context_primitive(0), &[key]);
            let content = ber::element(ber::SEQUENCE, &[&id]);
            extension(
                &mut extensions,
                &oid::AUTHORITY_KEY_IDENTIFIER,
                false,
                &content,
            );
        }
        if let Some(value) = self.number {
            extension(&mut extensions, &oid::CRL_NUMBER, false, &number(value));
        }
        if let Some(value) = self.base_number {
            extension(
                &mut extensions,
                &oid::DELTA_CRL_INDICATOR,
                true,
                &number(value),
            );
        }
        if !self.scope.is_all() {
            let content = self.scope.write();
            extension(
                &mut extensions,
                &oid::ISSUING_DISTRIBUTION_POINT,
                true,
                &content,
            );
        }
        if !extensions.is_empty() {
            let list = ber::element(ber::SEQUENCE, &[&extensions]);
            ber::write(&mut fields, ber::context(0), &list);
        }
        Ok(Unsigned::new(
            ber::element(ber::SEQUENCE, &[&fields]),
            &self.key,
        ))
    }

    /// Signs the list.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare), those of `signer`, and [`Error::Argument`] if its key is
    /// not the authority's.
    pub fn sign<S: Signer + ?Sized>(self, signer: &S) -> Result<Crl, Error> {
        if *signer.public_key() != self.key {
            return Err(Error::Argument("the key is not the authority's"));
        }
        self.prepare()?.sign(signer)
    }
}

impl FromSigned for Crl {
    fn from_signed(der: &[u8]) -> Result<Self, Error> {
        Self::from_der(der)
    }
}

fn extension(out: &mut Vec<u8>, id: &der::asn1::ObjectIdentifier, critical: bool, content: &[u8]) {
    let extension = BorrowedExtension {
        id: id.as_bytes(),
        critical,
        content,
    };
    out.extend(extension.to_der());
}

fn date_time(seconds: u64) -> Result<DateTime, Error> {
    DateTime::from_unix_duration(Duration::from_secs(seconds))
        .map_err(|_| Error::Argument("the date is after the year 9999"))
}

/// UTCTime until 2049, then GeneralizedTime.
fn time(seconds: u64) -> Result<Time, Error> {
    Ok(Time::from(date_time(seconds)?))
}
