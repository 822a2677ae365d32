//! The Go library, through the program in `peers/gmsm`. Each slice is a process of its own, which warms up before it
//! measures; on one core with `GOMAXPROCS=1`, so that its garbage collector pays its own way.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::operation::Operation;
use super::{Contender, Measured};
use crate::report::Library;

pub(crate) struct Gmsm {
    program: PathBuf,
    version: String,
}

#[derive(Deserialize)]
struct Answer {
    results: Vec<Measurement>,
}

#[derive(Deserialize)]
struct Measurement {
    condition: String,
    ops_per_second: f64,
}

impl Gmsm {
    /// Builds the program beside this one.
    pub(crate) fn build() -> Result<Self> {
        let source = source();
        let here =
            std::env::current_exe().context("the system does not say where kuaimi-lab is")?;
        let program = here.with_file_name(format!("gmsm-peer{}", std::env::consts::EXE_SUFFIX));
        let unfinished = here.with_file_name(format!("gmsm-peer-{}", std::process::id()));
        let build = go()
            .args(["build", "-buildvcs=false", "-o"])
            .arg(&unfinished)
            .arg(".")
            .current_dir(&source)
            .env("GOWORK", "off")
            .output()
            .context(
                "bash, which finds or installs Go, does not start. Install it, or leave this peer out \
                 with --libraries kuaimi,openssl",
            )?;
        ensure!(
            build.status.success(),
            "`scripts/go build` in {} failed. The first time it needs the Go module proxy:\n{}",
            source.display(),
            String::from_utf8_lossy(&build.stderr).trim_end(),
        );
        std::fs::rename(&unfinished, &program)
            .context("the built Go peer cannot be moved into place")?;
        Ok(Self {
            program,
            version: pinned_version(&source)?,
        })
    }
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../peers/gmsm")
}

/// Go: the machine's where it is new enough, else one of the project's own, which the script installs.
fn go() -> Command {
    let mut command = Command::new("bash");
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/go"));
    command
}

/// The version that `go.mod` pins.
fn pinned_version(source: &Path) -> Result<String> {
    let text = std::fs::read_to_string(source.join("go.mod"))
        .context("peers/gmsm/go.mod cannot be read")?;
    let line = text.lines().find_map(|line| {
        line.trim()
            .trim_start_matches("require ")
            .strip_prefix("github.com/emmansun/gmsm ")
    });
    Ok(line
        .context("peers/gmsm/go.mod does not name github.com/emmansun/gmsm")?
        .trim()
        .to_owned())
}

/// The Go compiler that builds the peer, and the processors that it builds for.
pub(crate) fn compiler() -> Option<String> {
    let output = go()
        .args(["env", "GOVERSION", "GOARCH", "GOAMD64"])
        .current_dir(source())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines().map(str::trim);
    let (version, arch) = (lines.next()?, lines.next()?);
    Some(match lines.next() {
        Some(level) if arch == "amd64" && !level.is_empty() => {
            format!("{version} {arch}, GOAMD64={level}")
        }
        _ => format!("{version} {arch}"),
    })
}

impl Contender for Gmsm {
    fn library(&self) -> Library {
        Library {
            id: "gmsm".to_owned(),
            name: format!("emmansun/gmsm {}", self.version),
        }
    }

    fn measure(&mut self, operation: &Operation, slice: Duration) -> Result<Option<Measured>> {
        let Some(gmsm) = operation.gmsm else {
            return Ok(None);
        };
        let output = Command::new(&self.program)
            .args([
                "bench",
                "--json",
                "--seconds",
                &slice.as_secs_f64().to_string(),
                "--operations",
                gmsm.name,
            ])
            .env("GOMAXPROCS", "1")
            .output()
            .context("the Go peer was built but does not start")?;
        if !output.status.success() {
            bail!(
                "the Go peer failed: {}",
                String::from_utf8_lossy(&output.stderr).trim_end()
            );
        }
        let answer: Answer = serde_json::from_slice(&output.stdout)
            .context("the Go peer's answer is not as agreed")?;
        let measurement = answer
            .results
            .into_iter()
            .next()
            .context("the Go peer measured nothing")?;
        let condition = if gmsm.plain {
            format!("one at a time, nothing prepared: {}", measurement.condition)
        } else {
            measurement.condition
        };
        Ok(Some(Measured {
            rate: measurement.ops_per_second,
            condition,
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Gmsm;
    use crate::peers::Contender;
    use crate::peers::operation::OPERATIONS;

    /// Every name that the table has for the Go peer is one of its names.
    #[test]
    fn has_all_operations() {
        let mut gmsm = Gmsm::build().unwrap();
        for operation in OPERATIONS {
            let measured = gmsm.measure(operation, Duration::from_micros(1)).unwrap();
            assert_eq!(measured.is_some(), operation.gmsm.is_some());
            let (Some(measured), Some(name)) = (measured, operation.gmsm) else {
                continue;
            };
            assert!(measured.rate.is_finite() && measured.rate > 0.0);
            let said = measured
                .condition
                .starts_with("one at a time, nothing prepared: ");
            assert_eq!(said, name.plain, "{}", operation.id);
        }
    }
}
