//! Errors of files of rows, with the options that help.

use std::path::Path;

use kuaimi_bulk::Column;
use kuaimi_table::{Error, Missing};

use crate::failure::{Failure, reason};
use crate::input::unreadable;
use crate::say::show;

/// The error about the file `path`.
pub fn of_file(path: &Path, error: Error) -> Failure {
    match &error {
        Error::Io(error) => unreadable(path, error),
        Error::Threads(error) => {
            Failure::usage(format!("--threads: {}; ask for fewer", reason(error)))
        }
        Error::OneName(_) => Failure::usage(error.to_string()),
        _ => Failure::file(show(path), text(&error)),
    }
}

/// What is wrong, and what helps.
pub fn text(error: &Error) -> String {
    format!("{error}{}", advice(error))
}

/// What helps, where an option or another command does.
fn advice(error: &Error) -> String {
    match error {
        Error::Packed {
            command: Some(command),
            ..
        } => {
            format!("; unpack it: {command} FILE | kuaimi verify-batch --format FORMAT")
        }
        Error::Packed { command: None, .. } => "; save its table as CSV first".to_owned(),
        Error::JsonArray => ": jq -c '.[]' FILE | kuaimi verify-batch --format jsonl".to_owned(),
        Error::Parquet => "; use --format parquet".to_owned(),
        Error::NotParquet => {
            "; check the name, or give its format with --format jsonl or --format csv".to_owned()
        }
        Error::NotJsonLines(_) => "; check the name, or give its format with --format".to_owned(),
        Error::UnknownFormat => "; use --format jsonl, csv or parquet".to_owned(),
        Error::Missing(missing) => of_missing(missing),
        Error::MessagesAndDigests { message, digest } => format!(
            "; use --message-column {message} to verify the messages, or --digest-column {digest} if those are e = SM3(Z || M)"
        ),
        Error::Unsuitable { column, .. } => {
            format!("; choose another one with --{}-column NAME", column.name())
        }
        Error::NotText { .. } => "; write Parquet: --out-format parquet".to_owned(),
        _ => String::new(),
    }
}

/// What helps where a column is missing.
fn of_missing(missing: &Missing) -> String {
    let likely = missing.likely();
    let likely = likely.map_or_else(String::new, |name| format!(" (is it {name:?}?)"));
    let name = missing.column.name();
    let option = format!("--{name}-column NAME");
    let mut advice = match (missing.column, &missing.digest) {
        (Column::Digest, _) => {
            format!(". Name the digest e = SM3(Z || M) with {option}")
        }
        (_, Some(_)) => format!(
            ". Say which one is the {name} with {option}{likely}, or the digest e = SM3(Z || M) with --digest-column NAME"
        ),
        _ => format!(". Say which one is the {name} with {option}{likely}"),
    };
    advice += match missing.column {
        Column::Key => ", or give one key for all rows with --key FILE",
        Column::Id => ", or give one identity for all rows with --id ID",
        _ => "",
    };
    advice + of_header(&missing.found)
}

/// A header that is no header: an object of JSON; or one column with separators in it, which was
/// split at the wrong one.
fn of_header(found: &[String]) -> &'static str {
    match found {
        [first, ..] if first.starts_with('{') => {
            ". If it is JSON Lines, whatever its name, use --format jsonl"
        }
        [only] if only.contains(';') => {
            ". If the columns are separated by semicolons, use --delimiter ';'"
        }
        [only] if only.contains('\t') => {
            ". If the columns are separated by tabs, use --delimiter tab"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_column_names_its_option() {
        for (column, digest, found, words) in [
            (
                Column::Key,
                false,
                &["pubkey", "message"][..],
                &["\"key\"", "--key-column", "--key FILE", "is it \"pubkey\"?"][..],
            ),
            (
                Column::Signature,
                false,
                &["key", "Sig"],
                &["\"signature\"", "--signature-column", "is it \"Sig\"?"],
            ),
            (
                Column::Message,
                true,
                &["key", "payload"],
                &[
                    "\"message\" and no column \"digest\"",
                    "is it \"payload\"?",
                    "--digest-column",
                ],
            ),
            (
                Column::Key,
                false,
                &["key;message;signature"],
                &["--delimiter ';'"],
            ),
            (
                Column::Key,
                false,
                &["{\"key\": \"04\"", "x"],
                &["--format jsonl"],
            ),
            (Column::Key, false, &[], &["no columns"]),
        ] {
            let missing = Missing {
                column,
                name: column.name().to_owned(),
                digest: digest.then(|| "digest".to_owned()),
                found: found.iter().map(|&name| name.to_owned()).collect(),
            };
            let error = of_file(Path::new("f"), Error::Missing(missing)).to_string();
            for word in words {
                assert!(error.contains(word), "no {word} in {error}");
            }
        }
    }

    #[test]
    fn messages_beside_digests_name_both_options() {
        let error = Error::MessagesAndDigests {
            message: "m".to_owned(),
            digest: "e".to_owned(),
        };
        let error = of_file(Path::new("f"), error).to_string();
        assert!(error.contains("--message-column m") && error.contains("--digest-column e"));
    }
}
