//! The Go library, through the program in `peers/gmsm`. Each slice is a process of its own, which warms up before it
//! measures; on one core with `GOMAXPROCS=1`, so that its garbage collector pays its own way.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use super::Contender;
use super::operation::Operation;

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
    ops_per_second: f64,
}

impl Gmsm {
    /// Builds the program beside this one.
    pub(crate) fn build() -> Result<Self> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../peers/gmsm");
        let here =
            std::env::current_exe().context("the system does not say where kuaimi-lab is")?;
        let program = here.with_file_name(format!("gmsm-peer{}", std::env::consts::EXE_SUFFIX));
        let unfinished = here.with_file_name(format!("gmsm-peer-{}", std::process::id()));
        let build = Command::new("go")
            .args(["build", "-buildvcs=false", "-o"])
            .arg(&unfinished)
            .arg(".")
            .current_dir(&source)
            .env("GOWORK", "off")
            .output()
            .context(
                "the `go` command does not start. Install Go 1.25 or newer (https://go.dev/dl/), \
                 or leave this peer out with --libraries kuaimi,openssl",
            )?;
        ensure!(
            build.status.success(),
            "`go build` in {} failed. It needs Go 1.25 or newer and, the first time, the Go module proxy:\n{}",
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

impl Contender for Gmsm {
    fn name(&self) -> String {
        format!("emmansun/gmsm {}", self.version)
    }

    fn condition(&self, operation: Operation) -> Option<&'static str> {
        if operation.single() != operation {
            return Some("its single operation, as above");
        }
        Some(match operation {
            Operation::Keygen => "crypto/rand",
            Operation::Sign => {
                "32-byte message, Z and SM3 included, nonce from crypto/rand, DER; (1+d)^-1 kept in the key"
            }
            Operation::Verify => {
                "32-byte message, default ID, Z and SM3 included, DER; one key, no table kept for it"
            }
            Operation::Encrypt => "C1C3C2, nonce from crypto/rand; one key",
            Operation::Decrypt => "C1C3C2",
            Operation::Exchange => "both sides, both ephemeral keys made, 16-byte key",
            Operation::ExchangeConfirmed => {
                "the same with SA and SB made and compared on both sides"
            }
            _ => "one message at a time",
        })
    }

    fn measure(&mut self, operation: Operation, slice: Duration) -> Result<f64> {
        let output = Command::new(&self.program)
            .args([
                "bench",
                "--json",
                "--seconds",
                &slice.as_secs_f64().to_string(),
                "--operations",
                name(operation),
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
            .first()
            .context("the Go peer measured nothing")?;
        Ok(measurement.ops_per_second)
    }
}

/// The program's name for an operation.
fn name(operation: Operation) -> &'static str {
    match operation.single() {
        Operation::Keygen => "keygen",
        Operation::Sign => "sign",
        Operation::Verify => "verify",
        Operation::Encrypt => "encrypt",
        Operation::Decrypt => "decrypt",
        Operation::Exchange => "exchange",
        Operation::ExchangeConfirmed => "exchange_confirmed",
        // One message at a time is all it has.
        Operation::Sm3Of64 | Operation::Sm3OfMany64 => "sm3_64",
        Operation::Sm3Of1K | Operation::Sm3OfMany1K => "sm3_1k",
        Operation::Sm3Of16K => "sm3_16k",
        Operation::Sm3Of1M => "sm3_1m",
        // `single` gives none of these.
        batch => name(batch.single()),
    }
}
