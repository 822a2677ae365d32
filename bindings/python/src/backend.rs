//! Which implementation computes, and what tables may take.

use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;

use crate::error::Failure;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(backend, module)?)?;
    module.add_function(wrap_pyfunction!(backends, module)?)?;
    module.add_function(wrap_pyfunction!(set_backend, module)?)?;
    module.add_function(wrap_pyfunction!(set_table_limit, module)?)?;
    module.add_function(wrap_pyfunction!(crate::error::exceptions_by_kind, module)?)?;
    warn_of_unknown_name(module.py())
}

/// A warning of Python's, where `KUAIMI_BACKEND` names no implementation of this machine: it is
/// ignored.
fn warn_of_unknown_name(py: Python<'_>) -> PyResult<()> {
    let Err(unknown) = kuaimi::check_backend_variable() else {
        return Ok(());
    };
    let text = std::ffi::CString::new(format!("KUAIMI_BACKEND is ignored: {unknown}"))?;
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)
}

/// The implementation in use: the name of the row that is selected, the fastest that this CPU can
/// run unless told otherwise.
///
/// >>> import kuaimi
/// >>> kuaimi.backend() in kuaimi.backends()
/// True
#[pyfunction]
fn backend() -> String {
    kuaimi::backend().name().to_string()
}

/// The names of the implementations that this machine can run, from slow to fast.
///
/// >>> import kuaimi
/// >>> kuaimi.backends()[0]
/// 'portable64'
#[pyfunction]
fn backends() -> Vec<&'static str> {
    kuaimi::backends().collect()
}

/// Selects an implementation for the whole process, for tests and measurements. Results are the
/// same with each.
///
/// Raises InvalidArgument for a name that is not in backends().
///
/// >>> import kuaimi
/// >>> fastest = kuaimi.backend()
/// >>> kuaimi.set_backend("portable")
/// >>> kuaimi.set_backend(fastest)
#[pyfunction]
fn set_backend(name: &str) -> Result<(), Failure> {
    Ok(kuaimi::set_backend(name)?)
}

/// Sets what the tables of users' keys may take together in this process, in bytes: by default 16
/// MiB, about 300 keys of SM2.
///
/// A key makes its table when it is used for the second time, and is then faster: 52 KiB for an
/// SM2PublicKey. Beyond the limit, keys work without a table; with 0, none makes one. prepare() of
/// a key makes its table all the same. Not counted are those tables, and those of SM9's master
/// public keys.
///
/// >>> import kuaimi
/// >>> kuaimi.set_table_limit(64 << 20)
#[pyfunction]
fn set_table_limit(bytes: usize) {
    kuaimi::precompute::set_limit(bytes);
}
