//! A curve that is given by its parameters in place of its name (`SpecifiedECDomain`, SEC 1, C.2),
//! as old versions of OpenSSL and of Bouncy Castle write it.
//!
//! `SEQUENCE { version INTEGER, SEQUENCE { prime-field, p INTEGER }, SEQUENCE { a OCTET STRING, b
//! OCTET STRING, seed BIT STRING OPTIONAL }, G OCTET STRING, n INTEGER, cofactor INTEGER OPTIONAL
//! }`. Every number is compared: another generator on the same curve would let its writer know
//! private keys of other people's public keys (as in CVE-2020-0601).

use der::asn1::{AnyRef, BitStringRef, ObjectIdentifier, OctetStringRef, UintRef};
use der::{Reader, SliceReader};

use super::Error;
use crate::sm2::PublicKey;
use crate::sm2::parameters;

/// `prime-field` (ANSI X9.62).
const PRIME_FIELD: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.1.1");

/// Whether these parameters are those of SM2's curve.
///
/// # Errors
/// [`Error::ExplicitParameters`] for those of another curve, and for malformed ones.
pub(super) fn check(parameters: AnyRef<'_>) -> Result<(), Error> {
    match are_sm2(parameters.value()) {
        Ok(true) => Ok(()),
        Ok(false) | Err(_) => Err(Error::ExplicitParameters),
    }
}

fn are_sm2(body: &[u8]) -> Result<bool, Error> {
    let mut fields = SliceReader::new(body)?;
    // 1: without a seed; 2 and 3: with one.
    let version: u8 = fields.decode()?;
    let field = fields.sequence(|field| -> Result<_, Error> {
        Ok(field.decode::<ObjectIdentifier>()? == PRIME_FIELD && is(field, &parameters::p())?)
    })?;
    let curve = fields.sequence(|curve| -> Result<_, Error> {
        let a = is_element(curve, &parameters::a())?;
        let b = is_element(curve, &parameters::b())?;
        // The seed says how `a` and `b` were chosen, and changes nothing.
        if !curve.is_finished() {
            curve.decode::<BitStringRef<'_>>()?;
        }
        Ok(a && b)
    })?;
    let base = PublicKey::from_sec1_bytes(fields.decode::<&OctetStringRef>()?.as_bytes())?;
    let mut g = [0; 64];
    g[..32].copy_from_slice(&parameters::gx());
    g[32..].copy_from_slice(&parameters::gy());
    let order = is(&mut fields, &parameters::n())?;
    let cofactor = fields.is_finished() || fields.decode::<u8>()? == 1;
    fields.finish()?;
    Ok(
        (1..=3).contains(&version)
            && field
            && curve
            && base.to_xy_bytes() == g
            && order
            && cofactor,
    )
}

/// Whether the next element is the INTEGER `number`.
fn is<'a>(fields: &mut SliceReader<'a>, number: &[u8; 32]) -> Result<bool, Error> {
    Ok(fields.decode::<UintRef<'a>>()?.as_bytes() == number)
}

/// Whether the next element is the OCTET STRING of the field element `number`.
fn is_element(fields: &mut SliceReader<'_>, number: &[u8; 32]) -> Result<bool, Error> {
    Ok(fields.decode::<&OctetStringRef>()?.as_bytes() == number)
}
