//! One line of a file of checksums.

use std::ffi::OsString;
use std::path::Path;

use crate::text;

/// How a line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Digest, two spaces, name.
    Text,
    /// Digest, a space, `*`, name.
    Binary,
    /// `SM3 (name) = digest`, with this name of the algorithm.
    Tag(&'static str),
}

/// The line for a file, with its end. With `zero` that is a zero byte, and names go out as they
/// are.
pub fn format(digest: &[u8; 32], path: &Path, style: Style, zero: bool) -> Vec<u8> {
    let raw = path.as_os_str().as_encoded_bytes();
    let (name, escaped) = match escape(raw) {
        Some(name) if !zero => (name, true),
        _ => (raw.to_vec(), false),
    };
    let digest = text::hex(digest);
    let mut out = Vec::with_capacity(name.len() + 80);
    if escaped {
        out.push(b'\\');
    }
    match style {
        Style::Text | Style::Binary => {
            out.extend_from_slice(digest.as_bytes());
            out.extend_from_slice(if style == Style::Binary { b" *" } else { b"  " });
            out.extend_from_slice(&name);
        }
        Style::Tag(algorithm) => {
            out.extend_from_slice(algorithm.as_bytes());
            out.extend_from_slice(b" (");
            out.extend_from_slice(&name);
            out.extend_from_slice(b") = ");
            out.extend_from_slice(digest.as_bytes());
        }
    }
    out.push(if zero { 0 } else { b'\n' });
    out
}

/// A line of a file of checksums, read.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    pub digest: [u8; 32],
    pub name: OsString,
}

/// Reads a line, without its end, in any of the styles; also `openssl dgst`'s, which has no spaces
/// around the brackets.
pub fn parse(line: &[u8]) -> Option<Line> {
    let (escaped, line) = match line.strip_prefix(b"\\") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (digest, name) = parse_tag(line).or_else(|| parse_plain(line))?;
    let digest = text::digits(digest)?.try_into().ok()?;
    let name = if escaped {
        unescape(name)?
    } else {
        name.to_vec()
    };
    if name.is_empty() || name.contains(&0) {
        return None;
    }
    Some(Line {
        digest,
        name: os_string(name)?,
    })
}

fn parse_plain(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (digest, rest) = line.split_at_checked(64)?;
    let name = match rest {
        [b' ', b' ' | b'*', name @ ..] => name,
        [b' ', name @ ..] => name,
        _ => return None,
    };
    Some((digest, name))
}

fn parse_tag(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = ["SM3", "HMAC-SM3"]
        .iter()
        .find_map(|name| line.strip_prefix(name.as_bytes()))?;
    let rest = rest.strip_prefix(b" ").unwrap_or(rest).strip_prefix(b"(")?;
    let (rest, digest) = rest.split_at_checked(rest.len().checked_sub(64)?)?;
    let name = rest
        .strip_suffix(b")= ")
        .or_else(|| rest.strip_suffix(b") = "))?;
    Some((digest, name))
}

/// The name with what would break a line written in two letters; nothing where there is no need.
fn escape(name: &[u8]) -> Option<Vec<u8>> {
    if !name.iter().any(|byte| b"\n\r\\".contains(byte)) {
        return None;
    }
    let mut out = Vec::with_capacity(name.len() + 8);
    for &byte in name {
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\\' => out.extend_from_slice(b"\\\\"),
            _ => out.push(byte),
        }
    }
    Some(out)
}

fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        out.push(match byte {
            b'\\' => match bytes.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b'\\' => b'\\',
                _ => return None,
            },
            _ => byte,
        });
    }
    Some(out)
}

/// For a report on one line.
pub fn show(name: &std::ffi::OsStr) -> Vec<u8> {
    let raw = name.as_encoded_bytes();
    match escape(raw) {
        Some(mut escaped) => {
            escaped.insert(0, b'\\');
            escaped
        }
        None => raw.to_vec(),
    }
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever a name is made of, its line is one line and reads back.
    #[test]
    fn lines_read_back() {
        let digest = [0xa5; 32];
        for name in [
            "a", "a  b", "*a", " a", "a\nb", "a\\nb", "\\", "a\rb", "x) = y", "快密",
        ] {
            for style in [
                Style::Text,
                Style::Binary,
                Style::Tag("SM3"),
                Style::Tag("HMAC-SM3"),
            ] {
                let line = format(&digest, Path::new(name), style, false);
                let line = line.strip_suffix(b"\n").unwrap();
                assert!(!line.contains(&b'\n'));
                let read = parse(line).unwrap();
                assert_eq!(
                    (read.name.to_str(), read.digest),
                    (Some(name), digest),
                    "{style:?}"
                );
            }
        }
    }

    #[test]
    fn other_lines_are_refused() {
        let digest = "a5".repeat(32);
        for line in [
            String::new(),
            digest.clone(),
            format!("{digest} "),
            format!("{digest}x name"),
            format!("{}  name", &digest[1..]),
            format!("g{}  name", &digest[1..]),
            format!("SM3 (name) = {}", &digest[1..]),
            format!("MD5 (name) = {digest}"),
            format!("\\{digest}  na\\me"),
            format!("\\{digest}  name\\"),
        ] {
            assert_eq!(parse(line.as_bytes()), None, "{line:?}");
        }
        assert!(parse(format!("SM3(name)= {digest}").as_bytes()).is_some());
    }
}
