//! Which implementation computes.

use pyo3::prelude::*;

use crate::error::Failure;

pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(backend, module)?)?;
    module.add_function(wrap_pyfunction!(backends, module)?)?;
    module.add_function(wrap_pyfunction!(set_backend, module)?)?;
    module.add_function(wrap_pyfunction!(crate::error::exceptions_by_kind, module)?)
}

/// The implementation in use: the name of the row that is selected, the fastest that this CPU can run unless told otherwise.
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

/// Selects an implementation for the whole process, for tests and measurements. Results are the same with each.
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
