//! What is said on standard error, and how files are named there.

use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;

/// Says something on standard error; a closed standard error is no reason to fail.
pub fn say(line: impl fmt::Display) {
    let _ = writeln!(io::stderr(), "kuaimi: {line}");
}

/// Writes lines for people on standard error, where standard output is taken.
pub fn eprint(lines: &str) {
    let _ = io::stderr().write_all(lines.as_bytes());
}

/// A path for an error line: on one line whatever is in it.
pub fn show(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    let mut out = String::new();
    for letter in path.display().to_string().chars() {
        if letter.is_control() {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out
}
