//! SM4 (GB/T 32907-2016) and its modes.

mod aead;
pub(crate) mod cipher;
mod context;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::Failure;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<aead::Gcm>()?;
    module.add_class::<aead::Ccm>()?;
    module.add_class::<cipher::Cipher>()?;
    module.add_class::<cipher::Ecb>()?;
    module.add_class::<cipher::Cbc>()?;
    module.add_class::<cipher::Ctr>()?;
    module.add_class::<cipher::Cfb>()?;
    module.add_class::<cipher::Ofb>()?;
    module.add_class::<cipher::Xts>()?;
    module.add_class::<context::Context>()?;
    module.add_function(wrap_pyfunction!(generate_key, module)?)?;
    module.add_function(wrap_pyfunction!(cipher::encrypt, module)?)?;
    module.add_function(wrap_pyfunction!(cipher::decrypt, module)?)
}

/// A random key of 16 bytes, from the operating system's generator.
fn random_key(py: Python<'_>) -> PyResult<Bound<'_, PyBytes>> {
    PyBytes::new_with(py, 16, |key| {
        getrandom::fill(key).map_err(|_| Failure::from(kuaimi::sm2::Error::Random).into())
    })
}

/// A random key: 16 bytes of the operating system's generator.
///
/// >>> len(kuaimi.sm4.generate_key())
/// 16
#[pyfunction]
fn generate_key(py: Python<'_>) -> PyResult<Bound<'_, PyBytes>> {
    random_key(py)
}
