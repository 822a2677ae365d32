//! Our programs, run against an OpenSSL. Each ends with an error at the first thing that is not as
//! it should be.

use super::library::{Library, run};
use super::vectors;

/// The programs that need no input.
const PROGRAMS: [&str; 10] = [
    "ciphers",
    "aead",
    "digests",
    "keys",
    "encodings",
    "signatures",
    "encryption",
    "threads",
    "fork",
    "changing",
];

/// Those that run under valgrind, too, with arguments for fewer rounds.
const UNDER_VALGRIND: [(&str, &[&str]); 4] = [
    ("ciphers", &["30"]),
    ("aead", &["30"]),
    ("keys", &[]),
    ("threads", &["400", "3"]),
];

/// Runs all programs.
pub fn run_all(library: &Library) {
    let lines = vectors::lines();
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let count = run(&mut library.program("vectors"), &input);
    assert_eq!(count.trim(), lines.len().to_string());
    for name in PROGRAMS {
        run(&mut library.program(name), "");
    }
    // Valgrind does not run what has a sanitizer.
    if std::env::var_os("KUAIMI_SANITIZER").is_some() {
        return;
    }
    for (name, arguments) in UNDER_VALGRIND {
        let mut program = library.program(name);
        run(&mut library.under_valgrind(program.args(arguments)), "");
    }
}
