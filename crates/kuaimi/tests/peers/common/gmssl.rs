//! GmSSL as a peer: its C code, as the Python package gmssl-pyx carries it, behind
//! `peers/gmssl/peer.py`, asked one JSON line at a time. `peers/gmssl/README.md` lists the
//! requests.
//!
//! Nothing here skips: a machine without Python and pip fails these tests with a message that says
//! what to install.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::lines::Lines;
pub(crate) use super::lines::octets;
use serde_json::{Map, Value};

/// The versions there are, of which the later has no SM9 signatures: `peers/gmssl/README.md`.
pub(crate) const VERSIONS: [&str; 2] = ["3.1.0", "3.2.0"];
/// The version with SM9 signatures.
pub(crate) const WITH_SIGNATURES: &str = VERSIONS[0];

/// A running peer. Each test starts its own.
pub(crate) struct Gmssl(Lines);

impl Gmssl {
    /// Installs that version if it is not there, and starts it.
    pub(crate) fn start(version: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut command = Command::new("python3");
        command
            .arg(root.join("peers/gmssl/peer.py"))
            .env("PYTHONPATH", folder(&root, version));
        Self(Lines::start(&mut command, "GmSSL's peer"))
    }

    /// Sends one request that must succeed.
    #[track_caller]
    pub(crate) fn ask(&mut self, op: &str, fields: Value) -> Map<String, Value> {
        match self.0.ask(op, fields) {
            Ok(answer) => answer,
            Err(answer) => panic!("{op}: {answer:#?}"),
        }
    }

    /// Sends one request that GmSSL itself must refuse.
    #[track_caller]
    pub(crate) fn refuses(&mut self, op: &str, fields: Value) {
        match self.0.ask(op, fields) {
            Ok(answer) => panic!("{op} was answered: {answer:?}"),
            Err(answer) => assert_eq!(answer["refused"], true, "{op}: {answer:#?}"),
        }
    }
}

/// The folder in which Python finds that version.
fn folder(root: &Path, version: &str) -> PathBuf {
    let found = Command::new("bash")
        .arg(root.join("scripts/gmssl"))
        .arg(version)
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("gmssl"))
        .output();
    let found = found.unwrap_or_else(|error| {
        panic!("these tests compare Kuaimi with GmSSL and need bash to install it, which did not start: {error}")
    });
    assert!(
        found.status.success(),
        "these tests compare Kuaimi with GmSSL {version}, and scripts/gmssl did not install it:\n{}",
        String::from_utf8_lossy(&found.stderr),
    );
    let path = String::from_utf8(found.stdout).expect("a path in UTF-8");
    PathBuf::from(path.trim_end_matches('\n'))
}
