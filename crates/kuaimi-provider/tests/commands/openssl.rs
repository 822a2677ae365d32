//! The `openssl` program in a folder of its own, with the provider and without.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Who does the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The configuration of `make provider`.
    Kuaimi,
    /// OpenSSL alone.
    Default,
}

pub(crate) const BOTH: [By; 2] = [By::Kuaimi, By::Default];

/// Signer and verifier, or sender and recipient, in all mixtures.
pub(crate) const MIXTURES: [(By, By); 4] = [
    (By::Kuaimi, By::Kuaimi),
    (By::Kuaimi, By::Default),
    (By::Default, By::Kuaimi),
    (By::Default, By::Default),
];

pub(crate) struct Shell {
    folder: TempDir,
}

/// The module that cargo builds before this test.
pub(crate) fn module() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    test.with_file_name("libkuaimi_provider.so")
}

/// The configuration that users get, for a module; with `system`, another one than that of the
/// system's OpenSSL is included.
pub(crate) fn configuration(module: &Path, system: Option<&Path>) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/provider-configuration");
    let output = Command::new(script)
        .arg(module)
        .args(system)
        .output()
        .expect("the script starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    String::from_utf8(output.stdout).expect("text")
}

impl Shell {
    pub(crate) fn new() -> Self {
        let shell = Self {
            folder: TempDir::new().expect("a temporary folder can be made"),
        };
        shell.write("kuaimi.cnf", configuration(&module(), None));
        shell.write("default.cnf", "");
        shell
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        fs::write(self.path(name), contents).expect("the folder can be written");
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs the words of `line`. File names are those of the folder.
    pub(crate) fn try_run(&self, by: By, line: &str) -> Output {
        let configuration = match by {
            By::Kuaimi => "kuaimi.cnf",
            By::Default => "default.cnf",
        };
        self.try_with(self.path(configuration), line)
    }

    /// As [`try_run`](Self::try_run), with another configuration.
    pub(crate) fn try_with(&self, configuration: impl AsRef<OsStr>, line: &str) -> Output {
        let mut command = Command::new("openssl");
        // A module with AddressSanitizer (`make sanitizers`, which names its runtime) runs in
        // programs that have this from the start.
        if let Some(runtime) = std::env::var_os("KUAIMI_SANITIZER") {
            command.env("LD_PRELOAD", runtime);
        }
        command
            .args(line.split_whitespace())
            .current_dir(self.folder.path())
            .env("OPENSSL_CONF", configuration)
            .output()
            .unwrap_or_else(|error| panic!("openssl does not start: {error}"))
    }

    /// As [`try_run`](Self::try_run); it must succeed. Gives the standard output.
    pub(crate) fn run(&self, by: By, line: &str) -> Vec<u8> {
        let output = self.try_run(by, line);
        assert!(
            output.status.success(),
            "{by:?}: openssl {line}: {}\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        output.stdout
    }

    pub(crate) fn text(&self, by: By, line: &str) -> String {
        String::from_utf8_lossy(&self.run(by, line)).into_owned()
    }

    /// As [`try_run`](Self::try_run); it must fail. Gives what it says.
    pub(crate) fn fail(&self, by: By, line: &str) -> String {
        let output = self.try_run(by, line);
        assert!(!output.status.success(), "{by:?}: openssl {line} succeeds");
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    }
}
