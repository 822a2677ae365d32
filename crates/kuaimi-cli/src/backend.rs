//! Which implementations compute: the fastest that the CPU can run, unless `--backend` or the
//! environment variable `KUAIMI_BACKEND` names another row of the library's table.

use clap::Args;

use crate::failure::{Failure, Result};

/// The option of commands for which the implementation matters.
#[derive(Args, Debug, Clone)]
pub struct BackendArgs {
    /// Use this backend instead of the fastest that the CPU can run.
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
}

impl BackendArgs {
    /// Selects the backend that was asked for.
    pub fn apply(&self) -> Result<()> {
        match &self.backend {
            Some(name) => kuaimi::set_backend(name)
                .map_err(|unknown| Failure::usage(format!("--backend: {unknown}"))),
            None => Ok(()),
        }
    }
}

/// A name that the library would ignore is a mistake that the user should hear of.
pub fn check() -> Result<()> {
    kuaimi::check_backend_variable()
        .map_err(|unknown| Failure::usage(format!("KUAIMI_BACKEND: {unknown}")))
}
