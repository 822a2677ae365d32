//! The peers: their names, their languages, and how they come to be. `scripts/bench-peer` builds each of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::protocol::{Hello, Peer, first_words};
use super::tasks::Task;
use crate::core;

/// A peer that can be asked for.
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

/// All of them, in the report's order.
pub(super) const KNOWN: &[Known] = &[
    known("openssl", "OpenSSL (the system's)", "C"),
    known("openssl-4.0", "OpenSSL", "C"),
    known("tongsuo", "Tongsuo", "C"),
    known("tongsuo-sm2-64", "Tongsuo, enable-ec_sm2p_64_gcc_128", "C"),
    known("botan", "Botan (Debian's)", "C++"),
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

/// The peers of these names; a name also stands for those that go on after it with a hyphen. All of them where none is named.
pub(super) fn chosen(only: &[String]) -> Result<Vec<Known>> {
    let is = |known: &Known, name: &str| {
        let rest = known.name.strip_prefix(name);
        !name.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    };
    for name in only {
        ensure!(
            KNOWN.iter().any(|known| is(known, name)),
            "there is no peer {name:?}: choose among {}",
            KNOWN
                .iter()
                .map(|known| known.name)
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    let wanted = |known: &&Known| only.is_empty() || only.iter().any(|name| is(known, name));
    Ok(KNOWN.iter().filter(wanted).copied().collect())
}

/// A peer that runs, or the reason why it does not.
pub(super) struct Contestant {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) language: &'static str,
    pub(super) state: Result<Running>,
    /// Why operations are not measured, by task.
    pub(super) failed: BTreeMap<(&'static str, usize), String>,
}

/// The peer's processes, one on each core.
pub(super) struct Running {
    pub(super) hello: Hello,
    pub(super) processes: Vec<Peer>,
}

impl Contestant {
    /// Builds a peer, and starts one process of it on each of these cores.
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

    /// Its first process, if it has this task's operation and nothing failed so far.
    pub(super) fn able(&mut self, task: &Task) -> Option<(Hello, &mut Peer)> {
        let running = self.running(task)?;
        let hello = running.hello.clone();
        Some((hello, running.processes.first_mut()?))
    }

    /// Its processes, on the same condition.
    pub(super) fn running(&mut self, task: &Task) -> Option<&mut Running> {
        if self.failed.contains_key(&(task.peer, task.message)) {
            return None;
        }
        let running = self.state.as_mut().ok()?;
        let has = running
            .hello
            .operations
            .iter()
            .any(|name| name == task.peer);
        has.then_some(running)
    }

    pub(super) fn fail(&mut self, task: &Task, error: &anyhow::Error) {
        let text = first_words(&format!("{error:#}"));
        self.failed.insert((task.peer, task.message), text);
    }
}

impl Running {
    fn new(command: &[String], cores: &[Option<usize>]) -> Result<Self> {
        let mut processes = Vec::new();
        for &core in cores {
            processes.push(core::with_core(core, || Peer::start(command))??);
        }
        let first = processes
            .first_mut()
            .context("there is no core to run on")?;
        Ok(Self {
            hello: first.hello()?,
            processes,
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
    fn peers_are_chosen() {
        assert_eq!(names(&[]).len(), KNOWN.len());
        assert_eq!(names(&["gmsm"]), ["gmsm"]);
        assert_eq!(
            names(&["gmalg", "openssl"]),
            ["openssl", "openssl-4.0", "gmalg"]
        );
        let error = chosen(&["opens".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("\"opens\"") && error.contains("libsm-js"));
        assert!(chosen(&[String::new()]).is_err());
    }

    /// The script knows every peer of the table, and says what it does not know.
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
