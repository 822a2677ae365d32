//! The values of extensions: DER on one side, tuples on the other.

use kuaimi_pki::external::der::asn1::OctetString;
use kuaimi_pki::external::der::flagset::FlagSet;
use kuaimi_pki::external::der::{Decode, Encode};
use kuaimi_pki::external::x509_cert::ext::pkix::constraints::name::GeneralSubtree;
use kuaimi_pki::external::x509_cert::ext::pkix::crl::dp::DistributionPoint;
use kuaimi_pki::external::x509_cert::ext::pkix::name::{DistributionPointName, GeneralName};
use kuaimi_pki::external::x509_cert::ext::pkix::{
    AccessDescription, AuthorityInfoAccessSyntax, AuthorityKeyIdentifier, BasicConstraints,
    CrlDistributionPoints, ExtendedKeyUsage, KeyUsage, KeyUsages, NameConstraints, SubjectAltName,
    SubjectKeyIdentifier,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::name::{Other, from_other, other};
use super::{malformed, oid};
use crate::bytes::Input;
use crate::error::Failure;

type Made<'py> = Result<Bound<'py, PyBytes>, Failure>;

fn encoded<'py>(py: Python<'py>, value: &impl Encode) -> Made<'py> {
    Ok(PyBytes::new(py, &value.to_der().map_err(malformed)?))
}

#[pyfunction]
fn decode_basic_constraints(der: Input) -> Result<(bool, Option<u8>), Failure> {
    let found = BasicConstraints::from_der(&der).map_err(malformed)?;
    Ok((found.ca, found.path_len_constraint))
}

#[pyfunction]
fn encode_basic_constraints(py: Python<'_>, ca: bool, path_length: Option<u8>) -> Made<'_> {
    let value = BasicConstraints {
        ca,
        path_len_constraint: path_length,
    };
    encoded(py, &value)
}

/// The bits, the first in the lowest place.
#[pyfunction]
fn decode_key_usage(der: Input) -> Result<u16, Failure> {
    Ok(KeyUsage::from_der(&der).map_err(malformed)?.0.bits())
}

#[pyfunction]
fn encode_key_usage(py: Python<'_>, bits: u16) -> Made<'_> {
    let usages: FlagSet<KeyUsages> =
        FlagSet::new(bits).map_err(|_| Failure::Argument("there are nine key usages".into()))?;
    encoded(py, &KeyUsage(usages))
}

#[pyfunction]
fn decode_extended_key_usage(der: Input) -> Result<Vec<String>, Failure> {
    let found = ExtendedKeyUsage::from_der(&der).map_err(malformed)?;
    Ok(found.0.iter().map(ToString::to_string).collect())
}

#[pyfunction]
fn encode_extended_key_usage(py: Python<'_>, usages: Vec<String>) -> Made<'_> {
    let usages = usages.iter().map(|id| oid(id)).collect::<Result<_, _>>()?;
    encoded(py, &ExtendedKeyUsage(usages))
}

fn others(all: &[GeneralName]) -> Result<Vec<Other>, Failure> {
    all.iter().map(other).collect()
}

fn from_others(all: Vec<Other>) -> Result<Vec<GeneralName>, Failure> {
    all.into_iter().map(from_other).collect()
}

#[pyfunction]
fn decode_general_names(der: Input) -> Result<Vec<Other>, Failure> {
    others(&SubjectAltName::from_der(&der).map_err(malformed)?.0)
}

#[pyfunction]
fn encode_general_names(py: Python<'_>, names: Vec<Other>) -> Made<'_> {
    encoded(py, &SubjectAltName(from_others(names)?))
}

#[pyfunction]
fn decode_subject_key_identifier(py: Python<'_>, der: Input) -> Made<'_> {
    let found = SubjectKeyIdentifier::from_der(&der).map_err(malformed)?;
    Ok(PyBytes::new(py, found.0.as_bytes()))
}

#[pyfunction]
fn encode_subject_key_identifier(py: Python<'_>, id: Input) -> Made<'_> {
    let id = OctetString::new(id.to_vec()).map_err(malformed)?;
    encoded(py, &SubjectKeyIdentifier(id))
}

#[pyfunction]
fn decode_authority_key_identifier(der: Input) -> Result<Option<Vec<u8>>, Failure> {
    let found = AuthorityKeyIdentifier::from_der(&der).map_err(malformed)?;
    Ok(found.key_identifier.map(|id| id.as_bytes().to_vec()))
}

#[pyfunction]
fn encode_authority_key_identifier(py: Python<'_>, id: Input) -> Made<'_> {
    let value = AuthorityKeyIdentifier {
        key_identifier: Some(OctetString::new(id.to_vec()).map_err(malformed)?),
        ..Default::default()
    };
    encoded(py, &value)
}

/// The full names of each point.
#[pyfunction]
fn decode_crl_distribution_points(der: Input) -> Result<Vec<Vec<Other>>, Failure> {
    let found = CrlDistributionPoints::from_der(&der).map_err(malformed)?;
    found
        .0
        .iter()
        .map(|point| match &point.distribution_point {
            Some(DistributionPointName::FullName(names)) => others(names),
            _ => Ok(Vec::new()),
        })
        .collect()
}

#[pyfunction]
fn encode_crl_distribution_points(py: Python<'_>, points: Vec<Vec<Other>>) -> Made<'_> {
    let points = points
        .into_iter()
        .map(|names| {
            Ok(DistributionPoint {
                distribution_point: Some(DistributionPointName::FullName(from_others(names)?)),
                reasons: None,
                crl_issuer: None,
            })
        })
        .collect::<Result<_, Failure>>()?;
    encoded(py, &CrlDistributionPoints(points))
}

#[pyfunction]
fn decode_authority_information_access(der: Input) -> Result<Vec<(String, Other)>, Failure> {
    let found = AuthorityInfoAccessSyntax::from_der(&der).map_err(malformed)?;
    let one = |access: &AccessDescription| {
        Ok((
            access.access_method.to_string(),
            other(&access.access_location)?,
        ))
    };
    found.0.iter().map(one).collect()
}

#[pyfunction]
fn encode_authority_information_access(py: Python<'_>, all: Vec<(String, Other)>) -> Made<'_> {
    let all = all
        .into_iter()
        .map(|(method, name)| {
            Ok(AccessDescription {
                access_method: oid(&method)?,
                access_location: from_other(name)?,
            })
        })
        .collect::<Result<_, Failure>>()?;
    encoded(py, &AuthorityInfoAccessSyntax(all))
}

type Subtrees = (Option<Vec<Other>>, Option<Vec<Other>>);

#[pyfunction]
fn decode_name_constraints(der: Input) -> Result<Subtrees, Failure> {
    let found = NameConstraints::from_der(&der).map_err(malformed)?;
    let names = |all: Option<Vec<GeneralSubtree>>| {
        all.map(|all| all.iter().map(|one| other(&one.base)).collect())
            .transpose()
    };
    Ok((
        names(found.permitted_subtrees)?,
        names(found.excluded_subtrees)?,
    ))
}

#[pyfunction]
fn encode_name_constraints(
    py: Python<'_>,
    permitted: Option<Vec<Other>>,
    excluded: Option<Vec<Other>>,
) -> Made<'_> {
    let subtrees = |all: Option<Vec<Other>>| {
        all.map(|all| {
            all.into_iter()
                .map(|name| {
                    Ok(GeneralSubtree {
                        base: from_other(name)?,
                        minimum: 0,
                        maximum: None,
                    })
                })
                .collect::<Result<_, Failure>>()
        })
        .transpose()
    };
    let value = NameConstraints {
        permitted_subtrees: subtrees(permitted)?,
        excluded_subtrees: subtrees(excluded)?,
    };
    encoded(py, &value)
}

pub(super) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(decode_basic_constraints, module)?)?;
    module.add_function(wrap_pyfunction!(encode_basic_constraints, module)?)?;
    module.add_function(wrap_pyfunction!(decode_key_usage, module)?)?;
    module.add_function(wrap_pyfunction!(encode_key_usage, module)?)?;
    module.add_function(wrap_pyfunction!(decode_extended_key_usage, module)?)?;
    module.add_function(wrap_pyfunction!(encode_extended_key_usage, module)?)?;
    module.add_function(wrap_pyfunction!(decode_general_names, module)?)?;
    module.add_function(wrap_pyfunction!(encode_general_names, module)?)?;
    module.add_function(wrap_pyfunction!(decode_subject_key_identifier, module)?)?;
    module.add_function(wrap_pyfunction!(encode_subject_key_identifier, module)?)?;
    module.add_function(wrap_pyfunction!(decode_authority_key_identifier, module)?)?;
    module.add_function(wrap_pyfunction!(encode_authority_key_identifier, module)?)?;
    module.add_function(wrap_pyfunction!(decode_crl_distribution_points, module)?)?;
    module.add_function(wrap_pyfunction!(encode_crl_distribution_points, module)?)?;
    module.add_function(wrap_pyfunction!(
        decode_authority_information_access,
        module
    )?)?;
    module.add_function(wrap_pyfunction!(
        encode_authority_information_access,
        module
    )?)?;
    module.add_function(wrap_pyfunction!(decode_name_constraints, module)?)?;
    module.add_function(wrap_pyfunction!(encode_name_constraints, module)?)
}
