//! An OpenSSL to test with, and programs against it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

/// Where an OpenSSL is: the system's, or a whole one in a folder.
#[derive(Clone, Debug)]
pub enum Library {
    System,
    #[cfg(feature = "other-libraries")]
    At(PathBuf),
}

/// Where this package is.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for what the tests make, which stays.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kuaimi-provider");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The folder with the module, as `kuaimi.so`. Cargo has built it before the tests.
pub fn modules() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let test = std::env::current_exe().expect("the test's own path");
        let built = test
            .parent()
            .expect("its folder")
            .join("libkuaimi_provider.so");
        // Programs of other tests may have it loaded, so it is replaced whole.
        let folder = folder();
        let copy = tempfile::NamedTempFile::new_in(&folder).expect("a file");
        std::fs::copy(built, copy.path()).expect("the module is there");
        copy.persist(folder.join("kuaimi.so"))
            .expect("the module is replaced");
        folder
    })
}

/// The configuration of `make provider` for a module.
pub fn whole_configuration(module: &Path) -> String {
    let script = root().join("../../scripts/provider-configuration");
    run(Command::new(script).arg(module), "")
}

/// A configuration with both providers that prefers Kuaimi's, with other lines in the place of what
/// activates this.
pub fn configuration(module: &Path, settings: &str) -> tempfile::NamedTempFile {
    let whole = whole_configuration(module);
    let file = tempfile::NamedTempFile::new_in(folder()).expect("a file");
    let lines = format!("module = {}\n", module.display());
    let activated = format!("{lines}activate = 1\n");
    assert!(whole.contains(&activated), "{whole}");
    let changed = whole.replace(&activated, &format!("{lines}{settings}\n"));
    std::fs::write(file.path(), changed).expect("it is written");
    file
}

/// Runs a command, with `input`.
pub fn run_with(command: &mut Command, input: &str) -> Output {
    use std::io::Write;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    let mut stdin = child.stdin.take().expect("an input");
    let writer = std::thread::spawn({
        let input = input.to_owned();
        // Who fails early does not read it.
        move || drop(stdin.write_all(input.as_bytes()))
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("the input is written");
    output
}

/// Both outputs, as text.
pub fn outputs(output: &Output) -> String {
    [&output.stdout, &output.stderr]
        .map(|bytes| String::from_utf8_lossy(bytes))
        .concat()
}

/// Runs a command, which must succeed, and gives its output.
pub fn run(command: &mut Command, input: &str) -> String {
    let output = run_with(command, input);
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}",
        output.status,
        outputs(&output)
    );
    String::from_utf8(output.stdout).expect("text")
}

/// A module with AddressSanitizer (`make sanitizers`, which names its runtime) runs in programs
/// that have this from the start.
fn preload_sanitizer(command: &mut Command) {
    if let Some(runtime) = std::env::var_os("KUAIMI_SANITIZER") {
        command.env("LD_PRELOAD", runtime);
    }
}

impl Library {
    /// The program `openssl`.
    pub fn openssl(&self) -> Command {
        match self {
            Self::System => {
                let mut command = Command::new("openssl");
                preload_sanitizer(&mut command);
                command
            }
            #[cfg(feature = "other-libraries")]
            Self::At(folder) => {
                let mut command = Command::new(folder.join("bin/openssl"));
                command.env("LD_LIBRARY_PATH", folder.join("lib"));
                command
            }
        }
    }

    fn name(&self) -> String {
        match self {
            Self::System => "system".to_owned(),
            #[cfg(feature = "other-libraries")]
            Self::At(folder) => folder
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned(),
        }
    }

    /// Compiles one of our programs, and gives the command that runs it.
    pub fn program(&self, name: &str) -> Command {
        let source = root().join("tests/programs").join(name).with_extension("c");
        let folder = folder().join(self.name());
        std::fs::create_dir_all(&folder).expect("a folder");
        // Not a file that is open here: a process that is started meanwhile would have it, too, and
        // a program that is open for writing does not start.
        let unfinished = tempfile::tempdir_in(&folder).expect("a folder");
        let out = unfinished.path().join(name);
        let mut compiler = Command::new("cc");
        compiler
            .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
            .args(["-g", "-O1", "-o"])
            .arg(&out);
        #[cfg(feature = "other-libraries")]
        if let Self::At(folder) = self {
            compiler.arg("-I").arg(folder.join("include"));
        }
        compiler.arg(source);
        match self {
            Self::System => {
                compiler.args(["-lssl", "-lcrypto"]);
            }
            #[cfg(feature = "other-libraries")]
            Self::At(folder) => {
                let folder = folder.join("lib");
                compiler.arg(format!("-Wl,-rpath,{}", folder.display()));
                for library in ["libssl", "libcrypto"] {
                    let shared = folder.join(library).with_extension("so");
                    let linked = if shared.exists() {
                        shared
                    } else {
                        folder.join(library).with_extension("a")
                    };
                    compiler.arg(linked);
                }
                compiler.arg("-ldl");
            }
        }
        run(compiler.arg("-lpthread"), "");
        let program = folder.join(name);
        std::fs::rename(out, &program).expect("the program is replaced");
        let mut command = Command::new(program);
        command.env("KUAIMI_MODULES", modules());
        preload_sanitizer(&mut command);
        command
    }

    /// A command under valgrind, which finds memory errors and leaks.
    pub fn under_valgrind(&self, command: &Command) -> Command {
        let mut valgrind = Command::new("valgrind");
        valgrind
            .args([
                "--quiet",
                "--error-exitcode=9",
                "--leak-check=full",
                "--errors-for-leak-kinds=definite",
            ])
            .arg(command.get_program())
            .args(command.get_args());
        for (name, value) in command.get_envs() {
            if let Some(value) = value {
                valgrind.env(name, value);
            }
        }
        valgrind
    }
}
