//! A directory of one's own, and the programs run in it.

#![allow(dead_code, reason = "each test file uses its part")]

pub mod crafted;
pub mod ledger;

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The backend that every machine of this word size can run.
pub const PORTABLE: &str = if cfg!(target_pointer_width = "64") {
    "portable64"
} else {
    "portable32"
};

/// A temporary directory in which `kuaimi` and `openssl` run.
pub struct Lab {
    directory: TempDir,
}

/// What a program that ended left.
#[derive(Debug)]
pub struct Ran {
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Ran {
    /// Ended with this status; where that is an error, with one line that says so.
    #[track_caller]
    pub fn status(self, expected: i32) -> Self {
        assert_eq!(self.status, expected, "{self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        self
    }

    #[track_caller]
    pub fn ok(self) -> Self {
        self.status(0)
    }

    /// An error line that names these.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(
                self.stderr.contains(word),
                "no {word:?} in: {}",
                self.stderr
            );
        }
        self
    }

    #[track_caller]
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("text on standard output")
    }
}

impl Lab {
    pub fn new() -> Self {
        Self {
            directory: tempfile::tempdir().expect("a temporary directory"),
        }
    }

    /// With key pairs `a.pem`, `a.pub`, `b.pem`, `b.pub`, and a file `m`.
    pub fn with_keys() -> Self {
        let lab = Self::new();
        for name in ["a", "b"] {
            let (private, public) = (format!("{name}.pem"), format!("{name}.pub"));
            lab.run(["sm2", "keygen", "--out", &private, "--pubout", &public])
                .ok();
        }
        lab.write("m", b"a message\n");
        lab
    }

    /// With an authority, `ca.crt` and `ca.pem`, a certificate `leaf.crt` of the key `leaf.pem`
    /// with its request `leaf.csr`, and a file `m`.
    pub fn with_certificates() -> Self {
        let lab = Self::new();
        lab.sh("cert self-sign --ca --key ca.pem --subject CN=Root --out ca.crt")
            .ok();
        lab.sh("cert request --key leaf.pem --subject CN=leaf --out leaf.csr")
            .ok();
        lab.sh("cert issue --ca ca.crt --ca-key ca.pem --out leaf.crt leaf.csr")
            .ok();
        lab.write("m", b"a message\n");
        lab
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    #[track_caller]
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).expect("writing a file");
    }

    #[track_caller]
    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// No temporary file was left behind.
    #[track_caller]
    pub fn assert_clean(&self) {
        for entry in fs::read_dir(self.directory.path()).expect("the directory") {
            let name = entry.expect("an entry").file_name();
            assert!(
                !name.to_string_lossy().ends_with(".part"),
                "{name:?} was left"
            );
        }
    }

    #[cfg(unix)]
    pub fn mode(&self, name: &str) -> u32 {
        use std::os::unix::fs::PermissionsExt as _;
        fs::metadata(self.path(name))
            .expect("a file")
            .permissions()
            .mode()
            & 0o777
    }

    /// The bytes of a file that the program writes, and that is not finished, if there is one.
    #[cfg(unix)]
    pub fn unfinished(&self, child: &Child) -> Option<u64> {
        // On Linux it has no name, and is seen among what the program has open.
        let open = fs::read_dir(format!("/proc/{}/fd", child.id()));
        let unnamed = open.into_iter().flatten().flatten().find_map(|entry| {
            let name = fs::read_link(entry.path()).ok()?;
            let name = name.to_string_lossy().into_owned();
            let here = fs::canonicalize(self.directory.path()).ok()?;
            let ours = name.starts_with(&*here.to_string_lossy()) && name.ends_with(" (deleted)");
            ours.then(|| fs::metadata(entry.path()).map(|found| found.len()).ok())?
        });
        let named = fs::read_dir(self.directory.path()).ok()?.flatten();
        unnamed.or_else(|| {
            named
                .filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"))
                .find_map(|entry| Some(entry.metadata().ok()?.len()))
        })
    }

    /// Waits until there are so many bytes of such a file.
    #[cfg(unix)]
    pub fn wait_for_unfinished(&self, child: &Child, bytes: u64) {
        let start = Instant::now();
        while self.unfinished(child).is_none_or(|found| found < bytes) {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "no file is written"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.directory.path())
            .env_remove("KUAIMI_BACKEND")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn kuaimi(&self) -> Command {
        self.command(env!("CARGO_BIN_EXE_kuaimi"))
    }

    /// Runs `kuaimi`.
    pub fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Ran {
        ran(self
            .kuaimi()
            .args(arguments)
            .output()
            .expect("kuaimi starts"))
    }

    /// Runs `kuaimi` with these words, split at spaces.
    pub fn sh(&self, line: &str) -> Ran {
        self.run(line.split_whitespace())
    }

    /// Runs `kuaimi` with `input` on standard input.
    pub fn pipe(&self, line: &str, input: &[u8]) -> Ran {
        feed(self.kuaimi().args(line.split_whitespace()), input)
    }

    /// Runs the `openssl` program, which must be there.
    pub fn openssl(&self, line: &str) -> Ran {
        let output = self
            .command("openssl")
            .args(line.split_whitespace())
            .output();
        ran(output.expect("these tests need the openssl program, version 3, on the PATH"))
    }

    /// The SM3 digest of a file, for comparison.
    pub fn same(&self, one: &str, other: &str) -> bool {
        self.read(one) == self.read(other)
    }
}

/// Runs a command with `input` on standard input.
pub fn feed(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            // The program need not read all of it.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the program ends")
    });
    ran(output)
}

pub fn ran(output: Output) -> Ran {
    Ran {
        status: output.status.code().unwrap_or(-1),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Tells a program to end. By a system call: the program `kill` is not everywhere. Not with the
/// signal of Ctrl-C, which these tests and what they start ignore where a script runs them in the
/// background.
#[cfg(unix)]
pub fn interrupt(child: &std::process::Child) {
    use rustix::process::{Pid, Signal, kill_process};

    kill_process(Pid::from_child(child), Signal::TERM).expect("the program still runs");
}

/// Bytes that look random, the same ones for the same seed.
pub fn noise(length: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .collect()
}

/// Whether this names a file.
pub fn is_file(path: &Path) -> bool {
    path.is_file()
}
