//! Which column of a file is what, and what to say when one is not there.

use clap::Args;

use crate::failure::{Failure, Result};
use kuaimi_bulk::{COLUMNS, Column};

/// The names of the columns.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Columns")]
pub struct ColumnArgs {
    /// The column with the public keys [default: key].
    #[arg(long, value_name = "NAME", conflicts_with = "key")]
    pub key_column: Option<String>,
    /// The column with the identities [default: id, where there is one; a row without one has the identity
    /// 1234567812345678].
    #[arg(long, value_name = "NAME", conflicts_with_all = ["id", "id_hex"])]
    pub id_column: Option<String>,
    /// The column with the messages [default: message].
    #[arg(long, value_name = "NAME", conflicts_with = "digest_column")]
    pub message_column: Option<String>,
    /// The column with the digests e = SM3(Z || M), in place of messages [default: digest].
    #[arg(long, value_name = "NAME", conflicts_with_all = ["id", "id_hex", "id_column"])]
    pub digest_column: Option<String>,
    /// The column with the signatures [default: signature].
    #[arg(long, value_name = "NAME")]
    pub signature_column: Option<String>,
}

/// A column's name, and whether it was asked for by that name.
#[derive(Clone, Debug)]
struct Name {
    text: String,
    explicit: bool,
}

/// The columns that are looked for, in the order of [`Column::ALL`].
#[derive(Clone, Debug)]
pub struct Wanted([Option<Name>; COLUMNS]);

impl Wanted {
    /// Where one key or one identity is for all rows, no column is read for it.
    pub fn new(arguments: &ColumnArgs, one_key: bool, one_id: bool) -> Result<Self> {
        let name = |column: Column, given: &Option<String>| {
            Some(Name {
                text: given.clone().unwrap_or_else(|| column.name().to_owned()),
                explicit: given.is_some(),
            })
        };
        let unless = |not: bool, name: Option<Name>| name.filter(|_| !not);
        let of_digests = arguments.digest_column.is_some();
        let wanted = Self([
            unless(one_key, name(Column::Key, &arguments.key_column)),
            // A digest has the identity in it already.
            unless(one_id || of_digests, name(Column::Id, &arguments.id_column)),
            unless(of_digests, name(Column::Message, &arguments.message_column)),
            unless(
                arguments.message_column.is_some() || one_id || arguments.id_column.is_some(),
                name(Column::Digest, &arguments.digest_column),
            ),
            name(Column::Signature, &arguments.signature_column),
        ]);
        wanted.checked()
    }

    /// The columns of what is to be signed: messages, or digests where they are asked for.
    pub fn to_sign(message: Option<&str>, digest: Option<&str>) -> Self {
        let name = |column: Column, given: Option<&str>| {
            Some(Name {
                text: given.unwrap_or(column.name()).to_owned(),
                explicit: given.is_some(),
            })
        };
        let digest = digest.map(|digest| name(Column::Digest, Some(digest)));
        let message = digest
            .is_none()
            .then(|| name(Column::Message, message))
            .flatten();
        Self([None, None, message, digest.flatten(), None])
    }

    /// These, if no two of them have the same name.
    fn checked(self) -> Result<Self> {
        let names: Vec<_> = self.0.iter().flatten().collect();
        for (i, name) in names.iter().enumerate() {
            if names[..i].iter().any(|other| other.text == name.text) {
                return Err(Failure::usage(format!(
                    "the column {:?} is to be two things at once; give each its own",
                    name.text
                )));
            }
        }
        Ok(self)
    }

    /// What the column of this name is.
    pub fn column(&self, name: &str) -> Option<Column> {
        Column::ALL
            .into_iter()
            .find(|&column| self.name(column) == Some(name))
    }

    /// The name of the column that is this.
    pub fn name(&self, column: Column) -> Option<&str> {
        self.0[column as usize]
            .as_ref()
            .map(|name| name.text.as_str())
    }

    /// The places, among the columns of `file`, of those that are wanted.
    pub fn places(&self, file: &str, found: &[String]) -> Result<[Option<usize>; COLUMNS]> {
        let mut places = [None; COLUMNS];
        for (place, name) in found.iter().enumerate() {
            if let Some(column) = self.column(name)
                && places[column as usize].replace(place).is_some()
            {
                return Err(Failure::file(
                    file,
                    format_args!(
                        "has two columns {name:?}; which is meant cannot be told, so rename one"
                    ),
                ));
            }
        }
        let present = places.map(|place| place.is_some());
        self.check(file, present, found)?;
        if present[Column::Message as usize] && present[Column::Digest as usize] {
            return Err(self.both(file));
        }
        Ok(places)
    }

    /// Whether all that is needed is among what was found.
    pub fn check(&self, file: &str, present: [bool; COLUMNS], found: &[String]) -> Result<()> {
        let is = |column: Column| present[column as usize];
        let missing = |column: Column| {
            self.0[column as usize]
                .as_ref()
                .filter(|name| !is(column) && (name.explicit || column != Column::Id))
        };
        let columns = if found.is_empty() {
            "it has no columns".to_owned()
        } else {
            format!("its columns are: {}", list(found))
        };
        let fail = |what: String, advice: String| {
            Err(Failure::file(
                file,
                format_args!(
                    "has no column {what}; {columns}. {advice}{}",
                    header_advice(found)
                ),
            ))
        };
        for column in [Column::Key, Column::Id, Column::Signature] {
            if let Some(name) = missing(column) {
                let mut advice = format!(
                    "Say which one is the {} with --{}-column NAME{}",
                    column.name(),
                    column.name(),
                    likely(column, found)
                );
                match column {
                    Column::Key => {
                        advice += ", or give one key for all rows with --key FILE";
                    }
                    Column::Id => {
                        advice += ", or give one identity for all rows with --id ID";
                    }
                    _ => {}
                }
                return fail(format!("{:?}", name.text), advice);
            }
        }
        match (missing(Column::Message), missing(Column::Digest)) {
            (Some(message), Some(digest)) => fail(
                format!("{:?} and none {:?}", message.text, digest.text),
                format!(
                    "Say which one is the message with --message-column NAME{}, or the digest e = SM3(Z || M) with --digest-column NAME",
                    likely(Column::Message, found)
                ),
            ),
            (Some(name), None) if !is(Column::Digest) => fail(
                format!("{:?}", name.text),
                format!(
                    "Say which one is the message with --message-column NAME{}",
                    likely(Column::Message, found)
                ),
            ),
            (None, Some(name)) if !is(Column::Message) => fail(
                format!("{:?}", name.text),
                "Say which one is the digest e = SM3(Z || M) with --digest-column NAME".to_owned(),
            ),
            _ => Ok(()),
        }
    }

    /// The error for messages beside digests, of which one must be chosen.
    pub fn both(&self, file: &str) -> Failure {
        let name = |column| self.name(column).unwrap_or_default();
        let (message, digest) = (name(Column::Message), name(Column::Digest));
        Failure::file(
            file,
            format_args!(
                "has the columns {message:?} and {digest:?}; say --message-column {message} to verify the messages, or --digest-column {digest} if those are e = SM3(Z || M)"
            ),
        )
    }
}

/// Other names under which columns are met: a proposal, never taken unasked.
fn likely(column: Column, found: &[String]) -> String {
    let usual: &[&str] = match column {
        Column::Key => &[
            "key",
            "public_key",
            "publickey",
            "pubkey",
            "pub",
            "pk",
            "certificate",
            "cert",
        ],
        Column::Id => &[
            "id",
            "user_id",
            "userid",
            "uid",
            "identity",
            "signer_id",
            "signer",
        ],
        Column::Message => &[
            "message",
            "msg",
            "data",
            "payload",
            "content",
            "text",
            "body",
            "plaintext",
        ],
        Column::Digest => &["digest", "hash", "e"],
        Column::Signature => &["signature", "sig", "sign", "signature_value", "signed"],
    };
    let plain = |name: &str| name.to_lowercase().replace(['-', ' '], "_");
    usual
        .iter()
        .find_map(|usual| found.iter().find(|name| plain(name) == *usual))
        .map(|name| format!(" (is it {name:?}?)"))
        .unwrap_or_default()
}

/// A header that is no header: an object of JSON; or one column with separators in it, which was split at the wrong one.
fn header_advice(found: &[String]) -> &'static str {
    match found {
        [first, ..] if first.starts_with('{') => {
            ". If it is JSON Lines, whatever its name, say --format jsonl"
        }
        [only] if only.contains(';') => {
            ". If the columns are separated by semicolons, say --delimiter ';'"
        }
        [only] if only.contains('\t') => {
            ". If the columns are separated by tabs, say --delimiter tab"
        }
        _ => "",
    }
}

/// Names for an error line, quoted, not too many and not too long.
fn list(names: &[String]) -> String {
    const NAMES: usize = 20;
    let mut out: Vec<_> = names
        .iter()
        .take(NAMES)
        .map(|name| format!("{:?}", shorten(name)))
        .collect();
    if names.len() > NAMES {
        out.push(format!("and {} more", names.len() - NAMES));
    }
    out.join(", ")
}

fn shorten(name: &str) -> String {
    const LETTERS: usize = 40;
    if name.chars().count() <= LETTERS {
        return name.to_owned();
    }
    name.chars().take(LETTERS).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Wanted {
        Wanted::new(&ColumnArgs::default(), false, false).unwrap()
    }

    fn found(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn places_in_any_order() {
        let places = wanted()
            .places("f", &found(&["signature", "x", "message", "key"]))
            .unwrap();
        assert_eq!(places, [Some(3), None, Some(2), None, Some(0)]);
    }

    #[test]
    fn what_is_missing_is_named() {
        for (names, words) in [
            (
                &["pubkey", "message", "signature"][..],
                &["\"key\"", "--key-column", "--key FILE", "is it \"pubkey\"?"][..],
            ),
            (
                &["key", "message", "Sig"],
                &["\"signature\"", "--signature-column", "is it \"Sig\"?"],
            ),
            (
                &["key", "signature", "payload"],
                &[
                    "\"message\" and none \"digest\"",
                    "is it \"payload\"?",
                    "--digest-column",
                ],
            ),
            (
                &["key", "key", "message", "signature"],
                &["two columns \"key\""],
            ),
            (
                &["key", "message", "digest", "signature"],
                &["--message-column message", "--digest-column digest"],
            ),
            (&["key;message;signature"], &["--delimiter ';'"]),
            (&["{\"key\": \"04\"", "x"], &["--format jsonl"]),
            (&[], &["no columns"]),
        ] {
            let error = wanted().places("f", &found(names)).unwrap_err().to_string();
            for word in words {
                assert!(error.contains(word), "no {word} in {error}");
            }
        }
    }

    #[test]
    fn one_name_for_two_columns() {
        let arguments = ColumnArgs {
            key_column: Some("message".to_owned()),
            ..ColumnArgs::default()
        };
        assert!(Wanted::new(&arguments, false, false).is_err());
    }

    #[test]
    fn long_headers_stay_short() {
        let names: Vec<_> = (0..1000)
            .map(|i| format!("{i}{}", "x".repeat(1000)))
            .collect();
        assert!(list(&names).len() < 2000);
    }
}
