//! Files of keys and certificates under a password: PKCS #12, and CFCA's `.sm2`.

use getrandom::SysRng;
use kuaimi_pki::pkcs12::{Pkcs12, Profile, Protection};
use kuaimi_pki::{Certificate as Pki, cfca};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use zeroize::Zeroizing;

use crate::bytes::Input;
use crate::error::Failure;
use crate::sm2::PrivateKey;
use crate::x509::Certificate;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(load, module)?)?;
    module.add_function(wrap_pyfunction!(load_cfca, module)?)?;
    module.add_function(wrap_pyfunction!(serialize, module)?)
}

fn text(password: &[u8]) -> Result<Zeroizing<String>, Failure> {
    String::from_utf8(password.to_vec())
        .map(Zeroizing::new)
        .map_err(|_| Failure::Argument("the password is UTF-8 text".into()))
}

/// Each SM2 key with its certificate, the certificates above it, and its name; and all other
/// certificates. Certificates are in DER.
type Loaded = (Vec<Entry>, Vec<Vec<u8>>);
type Entry = (PrivateKey, Option<Vec<u8>>, Vec<Vec<u8>>, Option<String>);

#[pyfunction]
fn load(py: Python<'_>, data: Input, password: Input) -> Result<Loaded, Failure> {
    let password = text(&password)?;
    let file = py.detach(|| Pkcs12::from_bytes(&data, &password))?;
    let der = |one: &Pki| one.as_der().to_vec();
    let mut entries: Vec<Entry> = Vec::new();
    let mut used = Vec::new();
    for identity in file.identities() {
        if let Ok(key) = identity.key.sm2() {
            used.extend(identity.certificate);
            entries.push((
                PrivateKey::of(key),
                identity.certificate.map(der),
                identity.chain.iter().map(|one| der(one)).collect(),
                identity.friendly_name.map(str::to_owned),
            ));
        }
    }
    let others = file.certificates().filter(|one| !used.contains(one));
    Ok((entries, others.map(der).collect()))
}

/// The key and the certificate of a file of CFCA.
#[pyfunction]
fn load_cfca(
    py: Python<'_>,
    data: Input,
    password: Input,
) -> Result<(PrivateKey, Vec<u8>), Failure> {
    let password = text(&password)?;
    let (key, certificate) = py.detach(|| cfca::open_key_file(&data, &password))?;
    Ok((PrivateKey::of(key), certificate.as_der().to_vec()))
}

#[pyfunction]
#[pyo3(signature = (pairs, certificates, password, *, name, profile, iterations))]
fn serialize<'py>(
    py: Python<'py>,
    pairs: Vec<(PyRef<'py, PrivateKey>, PyRef<'py, Certificate>)>,
    certificates: Vec<PyRef<'py, Certificate>>,
    password: Input,
    name: Option<&str>,
    profile: &str,
    iterations: Option<u32>,
) -> Result<Bound<'py, PyBytes>, Failure> {
    let profile = match profile {
        "compatible" => Profile::Compatible,
        "sm" => Profile::ShangMi,
        "sm-openssl" => Profile::ShangMiOpenssl,
        "legacy" => Profile::Legacy,
        _ => {
            return Err(Failure::Argument(
                "profile is \"compatible\", \"sm\", \"sm-openssl\" or \"legacy\"".into(),
            ));
        }
    };
    let mut protection = Protection::from(profile);
    if let Some(iterations) = iterations {
        protection = protection.with_iterations(iterations);
    }
    let password = text(&password)?;
    if password.is_empty() {
        return Err(Failure::Argument(
            "an empty password protects nothing".into(),
        ));
    }
    let mut file = Pkcs12::new();
    for (key, certificate) in &pairs {
        file.push_identity(key.secret(), &certificate.0, name)?;
    }
    for certificate in &certificates {
        if !file.certificates().any(|old| *old == certificate.0) {
            file.push_certificate(&certificate.0);
        }
    }
    let der = py.detach(|| file.to_der(&password, protection, &mut SysRng))?;
    Ok(PyBytes::new(py, &der))
}
