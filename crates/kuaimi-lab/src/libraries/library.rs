//! The libraries beside Kuaimi: their names, their languages, and the processes around them, which
//! `scripts/bench-peer` builds.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::operations::Operation;
use super::protocol::{Hello, Peer, first_words};
use crate::harness::cores;
use crate::harness::record::Contender;

/// A library that can be asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// As `scripts/bench-peer` has it.
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) language: &'static str,
}

const fn known(name: &'static str, title: &'static str, language: &'static str) -> Known {
    Known {
        name,
        title,
        language,
    }
}

/// All of them, in the records' order.
pub(super) const KNOWN: &[Known] = &[
    known("openssl", "OpenSSL (the system's)", "C"),
    known("openssl-4.0", "OpenSSL", "C"),
    known("tongsuo", "Tongsuo", "C"),
    known("tongsuo-sm2-64", "Tongsuo, enable-ec_sm2p_64_gcc_128", "C"),
    known("botan", "Botan (Debian's)", "C++"),
    known("libgcrypt", "libgcrypt (Debian's)", "C"),
    known("gmssl", "GmSSL (gmssl-pyx's wheel)", "C"),
    known("gmssl-3.1", "GmSSL (gmssl-pyx's wheel)", "C"),
    known("libsm", "libsm", "Rust"),
    known("rustcrypto", "RustCrypto sm2, sm3", "Rust"),
    known("gm-sm9", "gm-sm9", "Rust"),
    known("gmp", "GMP (Debian's)", "C"),
    known("miracl", "MIRACL Core", "Rust"),
    known("gmsm", "emmansun/gmsm", "Go"),
    known("tjfoc-gmsm", "tjfoc/gmsm", "Go"),
    known("bouncycastle", "Bouncy Castle", "Java"),
    known("kona", "Tencent Kona", "Java"),
    known("sm-crypto", "sm-crypto", "JavaScript"),
    known("sm-crypto-v2", "sm-crypto-v2", "JavaScript"),
    known("libsm-js", "@lifeni/libsm-js", "WebAssembly"),
    known("gmssl-python", "gmssl", "Python"),
    known("gmalg", "gmalg", "Python"),
];

/// The libraries of these names; all of them where none is named.
pub(super) fn chosen(only: &[String]) -> Result<Vec<Known>> {
    for name in only {
        ensure!(
            KNOWN.iter().any(|known| known.name == name),
            "there is no library {name:?}: choose among {}",
            KNOWN
                .iter()
                .map(|known| known.name)
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    let wanted = |known: &&Known| only.is_empty() || only.iter().any(|name| name == known.name);
    Ok(KNOWN.iter().filter(wanted).copied().collect())
}

/// A library whose peers run, or the reason why they do not.
pub(super) struct Library {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) language: &'static str,
    pub(super) state: Result<Running>,
    /// Why operations are not measured, by name and length of message.
    pub(super) failed: BTreeMap<(&'static str, usize), String>,
}

/// The peers, one on each core.
pub(super) struct Running {
    pub(super) hello: Hello,
    pub(super) peers: Vec<Peer>,
}

impl Library {
    /// Builds the peer, and starts one on each of these cores.
    pub(super) fn new(known: Known, cores: &[Option<usize>]) -> Self {
        Self {
            name: known.name,
            title: known.title,
            language: known.language,
            state: build(known.name).and_then(|command| Running::new(&command, cores)),
            failed: BTreeMap::new(),
        }
    }

    /// What compiles while it runs needs longer to be at its speed.
    pub(super) fn warms_up(&self) -> bool {
        ["Java", "JavaScript", "WebAssembly"].contains(&self.language)
    }

    /// Its peers, if they have this operation and nothing failed so far.
    pub(super) fn running(&mut self, operation: &Operation) -> Option<&mut Running> {
        if self.failure(operation).is_some() {
            return None;
        }
        let running = self.state.as_mut().ok()?;
        let has = running.hello.operations.iter();
        has.into_iter()
            .any(|name| name == operation.name)
            .then_some(running)
    }

    pub(super) fn fail(&mut self, operation: &Operation, error: &anyhow::Error) {
        let text = first_words(&format!("{error:#}"));
        self.failed
            .insert((operation.name, operation.message), text);
    }

    /// Why an operation could not be measured.
    pub(super) fn failure(&self, operation: &Operation) -> Option<&String> {
        self.failed.get(&(operation.name, operation.message))
    }

    /// What records say of it.
    pub(super) fn contender(&self) -> Contender {
        let version = match &self.state {
            Ok(running) => running.hello.version.as_str(),
            Err(_) => "",
        };
        Contender {
            id: self.name.to_owned(),
            name: format!("{} {version}", self.title).trim_end().to_owned(),
            language: Some(self.language.to_owned()),
            failed: self.state.as_ref().err().map(|error| format!("{error:#}")),
        }
    }
}

impl Running {
    fn new(command: &[String], cores: &[Option<usize>]) -> Result<Self> {
        let mut peers = Vec::new();
        for &core in cores {
            peers.push(cores::with_core(core, || Peer::start(command))??);
        }
        let first = peers.first_mut().context("there is no core to run on")?;
        Ok(Self {
            hello: first.hello()?,
            peers,
        })
    }
}

/// The command that runs a peer, which is built before.
fn build(name: &str) -> Result<Vec<String>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/bench-peer");
    let output = Command::new("bash")
        .arg(script)
        .arg(name)
        .stdin(Stdio::null())
        .output()
        .context("bash does not start")?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        // What went wrong comes last.
        let lines: Vec<&str> = text.trim().lines().rev().take(8).collect();
        let last: Vec<&str> = lines.into_iter().rev().collect();
        bail!("it does not build: {}", first_words(&last.join(" ")));
    }
    let text =
        String::from_utf8(output.stdout).context("scripts/bench-peer does not print text")?;
    Ok(text.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, build, chosen};

    fn names(only: &[&str]) -> Vec<&'static str> {
        let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
        chosen(&only)
            .unwrap()
            .iter()
            .map(|known| known.name)
            .collect()
    }

    #[test]
    fn libraries_are_chosen() {
        assert_eq!(names(&[]).len(), KNOWN.len());
        assert_eq!(names(&["gmsm"]), ["gmsm"]);
        // In the records' order.
        assert_eq!(names(&["gmalg", "openssl"]), ["openssl", "gmalg"]);
        let error = chosen(&["opens".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("\"opens\"") && error.contains("libsm-js"));
        assert!(chosen(&[String::new()]).is_err());
    }

    /// The script knows every library of the list, and says what it does not know.
    #[test]
    fn the_script_knows_them() {
        let script = include_str!("../../../../scripts/bench-peer");
        for known in KNOWN {
            assert!(
                script.contains(&format!("\n    {}) ", known.name)),
                "{}",
                known.name
            );
        }
        let error = build("nobody").unwrap_err().to_string();
        assert!(error.contains("knows no peer 'nobody'"), "{error}");
    }
}
