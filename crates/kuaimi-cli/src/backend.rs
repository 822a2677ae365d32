//! Which arithmetic computes. The library takes the best that the CPU can do, unless the environment variable
//! `KUAIMI_BACKEND` names another; it reads that once, so a program that is told otherwise starts itself again.

use std::process::Command;

use clap::Args;

use crate::exit::{Failure, Result, reason};

const VARIABLE: &str = "KUAIMI_BACKEND";

/// The option of commands for which the arithmetic matters.
#[derive(Args, Debug, Clone)]
pub struct BackendArgs {
    /// Compute with this arithmetic and not with the best that the CPU can do.
    #[arg(long, value_name = "NAME")]
    backend: Option<String>,
}

impl BackendArgs {
    /// Sees to it that the arithmetic is the one asked for. Call it first: what was read or written before is not undone.
    pub fn apply(&self) -> Result<()> {
        let Some(name) = &self.backend else {
            return Ok(());
        };
        known("--backend", name)?;
        if std::env::var(VARIABLE).as_deref() == Ok(name) {
            return Ok(());
        }
        let cannot = |error: std::io::Error| {
            Failure::usage(format!(
                "--backend: the program cannot start itself again: {}; set {VARIABLE}={name} instead",
                reason(&error)
            ))
        };
        let mut again = Command::new(std::env::current_exe().map_err(cannot)?);
        again.args(std::env::args_os().skip(1)).env(VARIABLE, name);
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            // Returns only if it fails.
            Err(cannot(again.exec()))
        }
        #[cfg(not(unix))]
        {
            let status = again.status().map_err(cannot)?;
            std::process::exit(status.code().unwrap_or(2))
        }
    }
}

/// A name that the library would pass over is a mistake that a person should hear of.
pub fn check() -> Result<()> {
    match std::env::var_os(VARIABLE) {
        Some(name) => known(VARIABLE, &name.to_string_lossy()),
        None => Ok(()),
    }
}

fn known(option: &str, name: &str) -> Result<()> {
    if kuaimi::backends().contains(&name.trim()) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{option}: there is no backend {name:?} in this build on this machine; leave it out, or give one of: {}",
        kuaimi::backends().join(", ")
    )))
}
