//! `kuaimi sm3 --check`.

use std::io;
use std::path::Path;

use super::in_order::in_order;
use super::{Hash, Sm3Command, line};
use crate::exit::Answer;
use crate::failure::{Failure, Result};
use crate::input;
use crate::output::print;
use crate::progress::Progress;
use crate::say::{say, show};

/// What was met while checking one file of checksums.
#[derive(Default)]
struct Count {
    lines: usize,
    ill_formed: usize,
    matching: usize,
    different: usize,
    unreadable: usize,
}

impl Count {
    fn answer(&self, strict: bool) -> Answer {
        let good = self.matching > 0
            && self.different == 0
            && self.unreadable == 0
            && !(strict && self.ill_formed > 0);
        if good { Answer::Yes } else { Answer::No }
    }
}

pub fn run(options: &Sm3Command, hash: &Hash) -> Result<Answer> {
    let mut answer = Answer::Yes;
    for path in &options.files {
        match check(options, hash, path) {
            Ok(Answer::Yes) => {}
            Ok(no) if answer == Answer::Yes => answer = no,
            Ok(_) => {}
            Err(failure) if failure.is_closed_pipe() => return Err(failure),
            Err(failure) => {
                say(failure);
                answer = Answer::Incomplete;
            }
        }
    }
    Ok(answer)
}

fn check(options: &Sm3Command, hash: &Hash, sums: &Path) -> Result<Answer> {
    let content = input::read_all(sums, 1 << 30)?;
    let entries = content
        .split(|&byte| byte == b'\n')
        .enumerate()
        .filter_map(|(index, text)| Entry::read(index + 1, text));
    let threads = options.threads_for(1 + memchr::memchr_iter(b'\n', &content).count());
    let mut count = Count::default();
    let silent = Progress::none();
    in_order(
        threads,
        entries,
        |entry, worker| {
            let line = entry.line.as_ref()?;
            hash.ahead(Path::new(&line.name), worker, &silent)
        },
        |entry, result| {
            let Some(expected) = entry.line else {
                count.ill_formed += 1;
                if options.warn {
                    say(format_args!(
                        "{}: line {} is not a checksum line",
                        show(sums),
                        entry.number
                    ));
                }
                return Ok(());
            };
            count.lines += 1;
            let found = match result {
                Some(result) => result.map(Some),
                None => digest(hash, Path::new(&expected.name), options.ignore_missing),
            };
            check_one(options, &expected, found, &mut count)
        },
    )?;
    if count.lines == 0 {
        return Err(Failure::file(
            show(sums),
            "has no checksum line; give a file that `kuaimi sm3` or sha256sum's format made",
        ));
    }
    if !options.status {
        report(options, sums, &count);
    }
    Ok(count.answer(options.strict))
}

/// A line that says something.
struct Entry {
    number: usize,
    /// Nothing where it is ill-formed.
    line: Option<line::Line>,
}

impl Entry {
    /// Nothing for an empty line and a comment.
    fn read(number: usize, text: &[u8]) -> Option<Self> {
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let says_something = !text.is_empty() && !text.starts_with(b"#");
        says_something.then(|| Self {
            number,
            line: line::parse(text),
        })
    }
}

/// `found` is the file's digest; nothing for a file that is passed over.
fn check_one(
    options: &Sm3Command,
    expected: &line::Line,
    found: Result<Option<[u8; 32]>>,
    count: &mut Count,
) -> Result<()> {
    let verdict = match found {
        Ok(None) => return Ok(()),
        // Of the digest of a public file there is nothing to hide; a MAC's tag is compared in the
        // same time wherever it differs.
        Ok(Some(digest)) if equal(&digest, &expected.digest) => {
            count.matching += 1;
            if options.quiet {
                return Ok(());
            }
            "OK"
        }
        Ok(Some(_)) => {
            count.different += 1;
            "FAILED"
        }
        Err(failure) => {
            say(failure);
            count.unreadable += 1;
            "FAILED open or read"
        }
    };
    if options.status {
        return Ok(());
    }
    let mut text = line::show(&expected.name);
    text.extend_from_slice(b": ");
    text.extend_from_slice(verdict.as_bytes());
    text.push(b'\n');
    print(text)
}

/// The digest of a file; nothing for one that is not there, where such are passed over.
fn digest(hash: &Hash, path: &Path, ignore_missing: bool) -> Result<Option<[u8; 32]>> {
    if ignore_missing
        && path != Path::new("-")
        && std::fs::metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
    {
        return Ok(None);
    }
    hash.of_file(path).map(Some)
}

fn equal(a: &[u8; 32], b: &[u8; 32]) -> bool {
    a.iter()
        .zip(b)
        .fold(0, |difference, (a, b)| difference | (a ^ b))
        == 0
}

fn report(options: &Sm3Command, sums: &Path, count: &Count) {
    let plural =
        |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let warn = |text: String| say(format_args!("{}: warning: {text}", show(sums)));
    if count.ill_formed > 0 {
        warn(plural(
            count.ill_formed,
            "line is ill-formed",
            "lines are ill-formed",
        ));
    }
    if count.unreadable > 0 {
        warn(plural(
            count.unreadable,
            "listed file could not be read",
            "listed files could not be read",
        ));
    }
    if count.different > 0 {
        warn(plural(
            count.different,
            "checksum did NOT match",
            "checksums did NOT match",
        ));
    }
    if options.ignore_missing && count.matching + count.different + count.unreadable == 0 {
        warn("none of the listed files exists; nothing was checked".to_owned());
    }
}
