//! Our programs, run against an OpenSSL. Each ends with an error at the first thing that is not as it should be.

use super::library::{Library, run};
use super::vectors;

/// The programs that need no input, with the arguments that they get.
const PROGRAMS: [(&str, &[&str]); 5] = [
    ("ciphers", &[]),
    ("aead", &[]),
    ("digests", &[]),
    ("keys", &[]),
    ("encodings", &[]),
];

/// Runs all programs.
pub fn run_all(library: &Library) {
    published_examples(library);
    for (name, arguments) in PROGRAMS {
        run(library.program(name).args(arguments), "");
    }
}

fn published_examples(library: &Library) {
    let lines = vectors::lines();
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let count = run(&mut library.program("vectors"), &input);
    assert_eq!(count.trim(), lines.len().to_string());
}
