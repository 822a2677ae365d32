//! Lists of revoked certificates.

use std::sync::OnceLock;

use kuaimi::sm2::VerifyingKey;
use kuaimi_pki::PublicKey as Key;
use kuaimi_pki::crl::{Crl as List, CrlBuilder, CrlReason, Entry, Listing};
use kuaimi_pki::external::der::{Decode, Encode};
use kuaimi_pki::external::x509_cert::name::Name;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{Certificate, Extension, extension, identities, malformed};
use crate::bytes::Input;
use crate::error::Failure;
use crate::sm2::{PrivateKey, PublicKey};

/// Serial number, date, number of the reason, and the date from when on the key was in wrong
/// hands; dates in seconds since 1970.
pub(super) type Revoked = (Vec<u8>, u64, Option<u8>, Option<u64>);

/// The same to be written. Dates that are out of range are the caller's.
type Revoke = (Vec<u8>, i64, Option<u8>, Option<i64>);

fn revoked(entry: Entry<'_>) -> Revoked {
    (
        entry.serial().to_vec(),
        entry.date(),
        entry.reason().map(|reason| reason as u8),
        entry.invalidity_date(),
    )
}

/// The reason with this number (RFC 5280, clause 5.3.1).
pub(super) fn reason(number: Option<u8>) -> Result<Option<CrlReason>, Failure> {
    let read = |number: u8| {
        CrlReason::from_der(&[0x0a, 1, number])
            .map_err(|_| Failure::Argument(format!("{number} is no reason")))
    };
    number.map(read).transpose()
}

/// Seconds since 1970 that are not before.
pub(super) fn seconds(time: i64) -> Result<u64, Failure> {
    u64::try_from(time)
        .map_err(|_| Failure::Argument("a time is between the years 1970 and 9999".into()))
}

/// A list, as it was read. kuaimi.x509.CertificateRevocationList gives it the shape of
/// cryptography's.
#[pyclass(frozen, module = "kuaimi._native.x509")]
pub(crate) struct Crl {
    list: List,
    /// Made when the first entry is asked for: the places of a large list are sorted.
    listing: OnceLock<Listing>,
}

#[pymethods]
impl Crl {
    /// From DER. Raises FormatError with the reason.
    #[new]
    fn new(py: Python<'_>, der: Input) -> Result<Self, Failure> {
        Ok(Self {
            list: py.detach(|| List::from_der(&der))?,
            listing: OnceLock::new(),
        })
    }

    #[getter]
    fn der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.list.as_der())
    }

    #[getter]
    fn pem(&self) -> String {
        self.list.to_pem()
    }

    #[getter]
    fn tbs<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.list.tbs())
    }

    #[getter]
    fn issuer_der<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.list.issuer_der())
    }

    /// Seconds since 1970: when it was made, and when the next one is expected.
    #[getter]
    fn updates(&self) -> (u64, Option<u64>) {
        (self.list.this_update(), self.list.next_update())
    }

    #[getter]
    fn signature_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.list.signature())
    }

    #[getter]
    fn signature_oid(&self) -> String {
        self.list.signature_oid().to_string()
    }

    #[getter]
    fn extensions_der(&self) -> Result<Vec<Extension>, Failure> {
        Ok(self.list.extensions()?.iter().map(extension).collect())
    }

    /// How many entries there are.
    fn count(&self) -> usize {
        self.list.len()
    }

    /// The entries from a place on: at most so many.
    fn entries(&self, from_: usize, count: usize) -> Vec<Revoked> {
        // No Python is called under the lock.
        let listing = self.listing.get_or_init(|| Listing::new(&self.list));
        let places = from_..from_.saturating_add(count);
        let found = places.map_while(|place| listing.get(place));
        found.map(revoked).collect()
    }

    /// The entry with this serial number.
    fn find(&self, serial: Input) -> Option<Revoked> {
        self.list.find(&serial).map(revoked)
    }

    /// Whether this key signed it.
    fn verify(&self, py: Python<'_>, key: &PublicKey, empty_identity: bool) -> Result<(), Failure> {
        let key = Key::Sm2(VerifyingKey::new(*key.point()));
        let identities = identities(empty_identity);
        Ok(py.detach(|| self.list.verify_signature(&key, identities))?)
    }
}

/// The lists in text or DER, each in DER.
#[pyfunction]
fn split_crls<'py>(py: Python<'py>, data: Input) -> Result<Vec<Bound<'py, PyBytes>>, Failure> {
    let all = py.detach(|| List::read_all(&data))?;
    Ok(all
        .iter()
        .map(|one| PyBytes::new(py, one.as_der()))
        .collect())
}

/// A list in DER. Without an issuer's certificate, its name and the identifier of its key are
/// given.
#[pyfunction]
#[pyo3(signature = (name, key_identifier, updates, number, base_number, revoked, issuer, signer))]
#[allow(clippy::too_many_arguments, reason = "called by one Python class")]
fn build_crl<'py>(
    py: Python<'py>,
    name: Input,
    key_identifier: Option<Input>,
    updates: (i64, i64),
    number: Option<u64>,
    base_number: Option<u64>,
    revoked: Vec<Revoke>,
    issuer: Option<&Certificate>,
    signer: &PrivateKey,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let (this, next) = (seconds(updates.0)?, seconds(updates.1)?);
    let signer = signer.usual_signer();
    let mut builder = match issuer {
        Some(issuer) => CrlBuilder::new(&issuer.0, this, next)?,
        None => {
            let name = Name::from_der(&name).map_err(malformed)?;
            CrlBuilder::named(
                &name,
                key_identifier.as_deref(),
                signer.public_key(),
                this,
                next,
            )?
        }
    };
    if let Some(number) = number {
        builder = builder.number(number);
    }
    if let Some(base) = base_number {
        builder = builder.delta_of(base);
    }
    for (serial, date, why, invalidity) in revoked {
        let invalidity = invalidity.map(seconds).transpose()?;
        builder = builder.revoke_with(&serial, seconds(date)?, reason(why)?, invalidity)?;
    }
    let made = py.detach(|| builder.sign(signer))?;
    Ok(PyBytes::new(py, made.as_der()))
}

/// A number as an INTEGER in DER, and back: CRLNumber and DeltaCRLIndicator.
#[pyfunction]
fn encode_crl_number(py: Python<'_>, number: u64) -> Result<Bound<'_, PyBytes>, Failure> {
    let der = number.to_der().map_err(malformed)?;
    Ok(PyBytes::new(py, &der))
}

/// The bytes of the number, which has at most 20.
#[pyfunction]
fn decode_crl_number<'py>(py: Python<'py>, der: Input) -> Result<Bound<'py, PyBytes>, Failure> {
    let number = kuaimi_pki::external::der::asn1::UintRef::from_der(&der).map_err(malformed)?;
    Ok(PyBytes::new(py, number.as_bytes()))
}

/// ENUMERATED in DER.
#[pyfunction]
fn encode_crl_reason(py: Python<'_>, number: u8) -> Result<Bound<'_, PyBytes>, Failure> {
    reason(Some(number))?;
    Ok(PyBytes::new(py, &[0x0a, 1, number]))
}

/// GeneralizedTime in DER.
#[pyfunction]
fn encode_invalidity_date(py: Python<'_>, time: i64) -> Result<Bound<'_, PyBytes>, Failure> {
    let time = super::time(time)?;
    let time = kuaimi_pki::external::der::asn1::GeneralizedTime::from_date_time(time);
    Ok(PyBytes::new(py, &time.to_der().map_err(malformed)?))
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Crl>()?;
    module.add_function(wrap_pyfunction!(split_crls, module)?)?;
    module.add_function(wrap_pyfunction!(build_crl, module)?)?;
    module.add_function(wrap_pyfunction!(encode_crl_number, module)?)?;
    module.add_function(wrap_pyfunction!(decode_crl_number, module)?)?;
    module.add_function(wrap_pyfunction!(encode_crl_reason, module)?)?;
    module.add_function(wrap_pyfunction!(encode_invalidity_date, module)?)
}
