//! The C and C++ compilers, and the library that cargo has built.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod declarations;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const C_FLAGS: &[&str] = &[
    "cc",
    "-std=c99",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Werror",
    "-g",
];
pub const CPP_FLAGS: &[&str] = &[
    "c++",
    "-std=c++17",
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Werror",
    "-g",
];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder, by their paths from there.
pub fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder") {
            let entry = entry.expect("an entry");
            if entry.file_type().expect("a type").is_dir() {
                folders.push(entry.path());
            } else {
                let path = entry.path();
                let path = path.strip_prefix(folder).expect("a path below the folder");
                found.insert(path.display().to_string());
            }
        }
    }
    found
}

/// The headers that there are, as programs name them: `kuaimi.h`, `kuaimi/sm2.h`.
pub fn headers() -> BTreeSet<String> {
    files(&root().join("include"))
}

/// The text of all headers.
pub fn all_headers() -> String {
    let read = |place| std::fs::read_to_string(root().join("include").join(place));
    let texts: Result<Vec<String>, _> = headers().into_iter().map(read).collect();
    texts.expect("the headers").concat()
}

/// The folder with `libkuaimi_c.so` and `libkuaimi_c.a`, which cargo builds before this test.
pub fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    test.parent().expect("its folder").to_path_buf()
}

/// The system libraries that Rust's standard library needs, as `kuaimi.pc` names them.
pub const SYSTEM_LIBRARIES: &[&str] = &["-lpthread", "-ldl", "-lm", "-lgcc_eh", "-lc"];

/// Runs a command, which must succeed.
pub fn run(command: &mut Command) -> Output {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// The compiler of a source file. The first of the flags is the compiler.
fn compiler<A: AsRef<OsStr>>(flags: &[&str], file: &Path, arguments: &[A]) -> Command {
    let (compiler, flags) = flags.split_first().expect("a compiler");
    let mut command = Command::new(compiler);
    command.args(flags).arg("-I").arg(root().join("include"));
    command.arg(file).args(arguments);
    command
}

/// Compiles a source file, which must succeed.
pub fn compile<A: AsRef<OsStr>>(flags: &[&str], file: &Path, arguments: &[A]) {
    run(&mut compiler(flags, file, arguments));
}

/// What comes of compiling a source file, which may fail.
pub fn compiled<A: AsRef<OsStr>>(flags: &[&str], file: &Path, arguments: &[A]) -> Output {
    let mut command = compiler(flags, file, arguments);
    command.output().expect("the compiler runs")
}

/// How a program is linked.
#[derive(Clone, Copy, Debug)]
pub enum Link {
    Static,
    Shared,
}

/// Whether the library has AddressSanitizer itself (`make sanitizers`).
fn has_sanitizer() -> bool {
    std::env::var_os("KUAIMI_SANITIZER").is_some()
}

/// Compiles a program and links it with the library.
pub fn link(flags: &[&str], file: &Path, out: &Path, link: Link) {
    let mut arguments: Vec<String> = vec!["-o".to_owned(), out.display().to_string()];
    if has_sanitizer() {
        arguments.push("-fsanitize=address".to_owned());
    }
    match link {
        Link::Static => {
            arguments.push(built().join("libkuaimi_c.a").display().to_string());
            arguments.extend(SYSTEM_LIBRARIES.iter().map(|&library| library.to_owned()));
        }
        Link::Shared => {
            // The library is found by its own name, which has the number of the ABI.
            let folder = out.parent().expect("a folder");
            let named = folder.join("libkuaimi.so.0");
            if !named.exists() {
                std::fs::copy(built().join("libkuaimi_c.so"), &named).expect("a copy");
            }
            arguments.push(named.display().to_string());
            arguments.push(format!("-Wl,-rpath,{}", folder.display()));
            arguments.push("-lpthread".to_owned());
        }
    }
    compile(flags, file, &arguments);
}

/// Compiles, links and runs a program three times: as it is, with AddressSanitizer, and under
/// valgrind, where this machine has them. All must end without an error, and valgrind without a
/// leak. A library with AddressSanitizer does not run without.
pub fn run_everywhere(flags: &[&str], file: &Path, how: Link) {
    let folder = tempfile::tempdir().expect("a folder");
    let sanitized = folder.path().join("sanitized");
    let with_sanitizer = [flags, &["-fsanitize=address", "-fno-omit-frame-pointer"]].concat();
    link(&with_sanitizer, file, &sanitized, how);
    run(&mut Command::new(&sanitized));
    if has_sanitizer() {
        return;
    }

    let program = folder.path().join("program");
    link(flags, file, &program, how);
    run(&mut Command::new(&program));

    let valgrind = Command::new("valgrind").arg("--version").output();
    if valgrind.is_ok_and(|output| output.status.success()) {
        run(Command::new("valgrind")
            .args([
                "--quiet",
                "--error-exitcode=9",
                "--leak-check=full",
                "--errors-for-leak-kinds=definite",
            ])
            .arg(&program));
    }
}
