//! The extension module `kuaimi._native`: what the Python package `kuaimi` calls.
//!
//! | room | what it does |
//! | --- | --- |
//! | `bytes` | bytes that an argument lends, and when the interpreter lock is released |
//! | `error` | the library's errors as the exceptions of `kuaimi.errors` |
//! | `argument` | identities, and constants given by their name |
//! | `serialization` | how keys are written, and encrypted under a password |
//! | `file` | Python's file objects and paths as streams |
//! | `lock` | locks that no child of a fork waits for |
//! | `once` | steps that are taken once |
//! | `backend` | which implementation computes, and what tables may take |
//! | `sm2`, `sm3`, `sm4`, `sm9` | a file for each class |
//! | `x509`, `cms`, `cms_stream`, `pkcs12` | certificates and requests; messages; files of keys and certificates |
//! | `tlcp` | connections of TLCP |
//! | `hazmat` | nonces chosen by the caller: for `kuaimi.compat`, whose originals take them |
//! | `batch` | columns of values: lists, NumPy, Arrow; what many operations give |
//!
//! Objects do not change, or keep what changes under a lock: so the module needs no interpreter
//! lock.

#![deny(unsafe_code)]

use pyo3::prelude::*;

mod argument;
mod backend;
mod batch;
mod bytes;
mod cms;
mod cms_stream;
mod error;
mod file;
mod hazmat;
mod lock;
mod once;
mod pkcs12;
mod serialization;
mod sm2;
mod sm3;
mod sm4;
mod sm9;
mod tlcp;
mod x509;

/// What the package `kuaimi` is made of. Import `kuaimi` instead.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    backend::add_to(module)?;
    submodule(module, "sm2", sm2::add_to)?;
    submodule(module, "sm3", sm3::add_to)?;
    submodule(module, "sm4", sm4::add_to)?;
    submodule(module, "sm9", sm9::add_to)?;
    submodule(module, "x509", x509::add_to)?;
    submodule(module, "cms", cms::add_to)?;
    submodule(module, "pkcs12", pkcs12::add_to)?;
    submodule(module, "tlcp", tlcp::add_to)?;
    submodule(module, "hazmat", hazmat::add_to)?;
    submodule(module, "batch", batch::add_to)?;
    Ok(())
}

/// Adds a module, also to the table of modules, so that `from kuaimi._native.sm2 import …` finds
/// it.
fn submodule(
    parent: &Bound<'_, PyModule>,
    name: &str,
    add_to: fn(&Bound<'_, PyModule>) -> PyResult<()>,
) -> PyResult<()> {
    let py = parent.py();
    let full_name = format!("kuaimi._native.{name}");
    let module = PyModule::new(py, &full_name)?;
    add_to(&module)?;
    parent.add(name, &module)?;
    py.import("sys")?
        .getattr("modules")?
        .set_item(full_name, module)
}
