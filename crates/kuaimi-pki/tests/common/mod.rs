//! What the tests share: a folder of files, and the command `openssl`.

#![allow(dead_code, reason = "each test uses some of it")]

use std::path::Path;
use std::process::Command;

/// A folder that is removed at the end.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and gives its path.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(Path::new(&path), content).unwrap();
        path
    }
}

/// Runs `openssl` without a configuration, and gives what it printed.
pub fn openssl(arguments: &[&str]) -> String {
    let (ok, shown) = try_openssl(arguments);
    assert!(ok, "openssl {arguments:?}: {shown}");
    shown
}

/// As [`openssl`], and whether it exited with 0.
pub fn try_openssl(arguments: &[&str]) -> (bool, String) {
    let output = Command::new("openssl").args(arguments).output().unwrap();
    let shown = [output.stdout, output.stderr].concat();
    (
        output.status.success(),
        String::from_utf8_lossy(&shown).into_owned(),
    )
}
