//! Distinguished names, and the other names of a subject, as tuples.

use kuaimi_pki::external::der::asn1::{Any, Ia5String, OctetString};
use kuaimi_pki::external::der::{Decode, Encode, Tag, Tagged};
use kuaimi_pki::external::x509_cert::attr::AttributeTypeAndValue;
use kuaimi_pki::external::x509_cert::ext::pkix::name::{GeneralName, OtherName};
use kuaimi_pki::external::x509_cert::name::{Name, RdnSequence, RelativeDistinguishedName};
use kuaimi_pki::name;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::{malformed, oid};
use crate::bytes::Input;
use crate::error::Failure;

/// The parts of a name in the order of the certificate; each is a set of attributes: type, text,
/// and the tag of the text's type.
type Parts = Vec<Vec<(String, String, u8)>>;

/// A name from RFC 4514's text, in DER.
#[pyfunction]
fn parse_name<'py>(py: Python<'py>, text: &str) -> Result<Bound<'py, PyBytes>, Failure> {
    let der = name::parse(text)?.to_der().map_err(malformed)?;
    Ok(PyBytes::new(py, &der))
}

/// RFC 4514's text of a name in DER.
#[pyfunction]
fn format_name(der: Input) -> Result<String, Failure> {
    Ok(name::to_text(&Name::from_der(&der).map_err(malformed)?))
}

/// The universal tags of strings.
fn text_tag(number: u8) -> Result<Tag, Failure> {
    Ok(match number {
        12 => Tag::Utf8String,
        18 => Tag::NumericString,
        19 => Tag::PrintableString,
        20 => Tag::TeletexString,
        22 => Tag::Ia5String,
        30 => Tag::BmpString,
        other => return Err(Failure::Argument(format!("{other} is no type of text"))),
    })
}

#[pyfunction]
fn decode_name(der: Input) -> Result<Parts, Failure> {
    let found = Name::from_der(&der).map_err(malformed)?;
    found
        .iter_rdn()
        .map(|part| {
            part.iter()
                .map(|one| {
                    let text = name::string(&one.value).ok_or_else(|| {
                        Failure::Format(format!("the attribute {} is no text", one.oid))
                    })?;
                    Ok((
                        one.oid.to_string(),
                        text,
                        one.value.tag().number().value() as u8,
                    ))
                })
                .collect()
        })
        .collect()
}

/// The opposite. A tag of 0 lets the type decide, as RFC 5280 does.
#[pyfunction]
fn encode_name<'py>(py: Python<'py>, parts: Parts) -> Result<Bound<'py, PyBytes>, Failure> {
    let mut all = Vec::new();
    for part in parts {
        let mut values = Vec::new();
        for (id, text, tag) in part {
            let tag = match tag {
                0 => name::string_tag(oid(&id)?),
                tag => text_tag(tag)?,
            };
            let encoded = match tag {
                Tag::BmpString => text
                    .encode_utf16()
                    .flat_map(u16::to_be_bytes)
                    .collect::<Vec<_>>(),
                _ => text.into_bytes(),
            };
            values.push(AttributeTypeAndValue {
                oid: oid(&id)?,
                value: Any::new(tag, encoded).map_err(malformed)?,
            });
        }
        all.push(RelativeDistinguishedName::try_from(values).map_err(malformed)?);
    }
    let der = RdnSequence::from(all).to_der().map_err(malformed)?;
    Ok(PyBytes::new(py, &der))
}

/// A name of a subject: `dns`, `email`, `uri` with text, `ip` with 4 or 16 bytes (8 or 32 of a
/// network), `directory` with DER, `id`, and `other` with its type and DER.
#[derive(FromPyObject, IntoPyObject)]
pub(super) enum Value {
    Text(String),
    Bytes(Vec<u8>),
    Other((String, Vec<u8>)),
}

pub(super) type Other = (String, Value);

pub(super) fn other(found: &GeneralName) -> Result<Other, Failure> {
    let (kind, value) = match found {
        GeneralName::DnsName(text) => ("dns", Value::Text(text.to_string())),
        GeneralName::Rfc822Name(text) => ("email", Value::Text(text.to_string())),
        GeneralName::UniformResourceIdentifier(text) => ("uri", Value::Text(text.to_string())),
        GeneralName::IpAddress(bytes) => ("ip", Value::Bytes(bytes.as_bytes().to_vec())),
        GeneralName::DirectoryName(name) => {
            ("directory", Value::Bytes(name.to_der().map_err(malformed)?))
        }
        GeneralName::RegisteredId(id) => ("id", Value::Text(id.to_string())),
        GeneralName::OtherName(other) => {
            let der = other.value.to_der().map_err(malformed)?;
            ("other", Value::Other((other.type_id.to_string(), der)))
        }
        GeneralName::EdiPartyName(_) => {
            return Err(Failure::Format("EDI party names are not supported".into()));
        }
    };
    Ok((kind.to_owned(), value))
}

pub(super) fn from_other((kind, value): Other) -> Result<GeneralName, Failure> {
    let ia5 = |text: &str| {
        Ia5String::new(text).map_err(|_| Failure::Argument(format!("{text} is not ASCII")))
    };
    Ok(match (kind.as_str(), value) {
        ("dns", Value::Text(text)) => GeneralName::DnsName(ia5(&text)?),
        ("email", Value::Text(text)) => GeneralName::Rfc822Name(ia5(&text)?),
        ("uri", Value::Text(text)) => GeneralName::UniformResourceIdentifier(ia5(&text)?),
        ("id", Value::Text(text)) => GeneralName::RegisteredId(oid(&text)?),
        ("ip", Value::Bytes(bytes)) => {
            GeneralName::IpAddress(OctetString::new(bytes).map_err(malformed)?)
        }
        ("directory", Value::Bytes(der)) => {
            GeneralName::DirectoryName(Name::from_der(&der).map_err(malformed)?)
        }
        ("other", Value::Other((id, der))) => GeneralName::OtherName(OtherName {
            type_id: oid(&id)?,
            value: Any::from_der(&der).map_err(malformed)?,
        }),
        (kind, _) => return Err(Failure::Argument(format!("{kind} is no kind of name"))),
    })
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(parse_name, module)?)?;
    module.add_function(wrap_pyfunction!(format_name, module)?)?;
    module.add_function(wrap_pyfunction!(decode_name, module)?)?;
    module.add_function(wrap_pyfunction!(encode_name, module)?)
}
