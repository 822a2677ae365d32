//! Which column of a file is what.

use kuaimi_bulk::{COLUMNS, Column};

use crate::{Error, Missing, Result};

/// The names of columns that are not the usual ones, which are the names of [`Column`].
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The column of public keys.
    pub key: Option<String>,
    /// The column of identities.
    pub id: Option<String>,
    /// The column of messages.
    pub message: Option<String>,
    /// The column of digests, which are then read in place of messages.
    pub digest: Option<String>,
    /// The column of signatures.
    pub signature: Option<String>,
}

/// A column's name, and whether it was asked for by that name.
#[derive(Clone, Debug)]
struct Name {
    text: String,
    explicit: bool,
}

impl Name {
    fn of(column: Column, given: Option<&str>) -> Self {
        Self {
            text: given.unwrap_or(column.name()).to_owned(),
            explicit: given.is_some(),
        }
    }
}

/// The columns that are looked for, in the order of [`Column::ALL`].
#[derive(Clone, Debug)]
pub struct Wanted([Option<Name>; COLUMNS]);

impl Wanted {
    /// The columns of what is verified. Where one key or one identity is for all rows, no column is
    /// read for it.
    ///
    /// # Errors
    /// [`Error::OneName`].
    pub fn to_verify(names: &Names, one_key: bool, one_id: bool) -> Result<Self> {
        let unless = |not: bool, name: Name| (!not).then_some(name);
        let of_digests = names.digest.is_some();
        let no_digests = names.message.is_some() || one_id || names.id.is_some();
        let wanted = Self([
            unless(one_key, Name::of(Column::Key, names.key.as_deref())),
            // A digest has the identity in it already.
            unless(
                one_id || of_digests,
                Name::of(Column::Id, names.id.as_deref()),
            ),
            unless(
                of_digests,
                Name::of(Column::Message, names.message.as_deref()),
            ),
            unless(
                no_digests,
                Name::of(Column::Digest, names.digest.as_deref()),
            ),
            Some(Name::of(Column::Signature, names.signature.as_deref())),
        ]);
        wanted.checked()
    }

    /// The column of what is signed: messages, or digests if their column is named.
    pub fn to_sign(message: Option<&str>, digest: Option<&str>) -> Self {
        let (message, digest) = match digest {
            Some(_) => (None, Some(Name::of(Column::Digest, digest))),
            None => (Some(Name::of(Column::Message, message)), None),
        };
        Self([None, None, message, digest, None])
    }

    /// These, if no two of them have the same name.
    fn checked(self) -> Result<Self> {
        let names: Vec<_> = self.0.iter().flatten().collect();
        for (i, name) in names.iter().enumerate() {
            if names[..i].iter().any(|other| other.text == name.text) {
                return Err(Error::OneName(name.text.clone()));
            }
        }
        Ok(self)
    }

    /// What the column of this name is.
    pub(crate) fn column(&self, name: &str) -> Option<Column> {
        Column::ALL
            .into_iter()
            .find(|&column| self.name(column) == Some(name))
    }

    /// The name of the column that is this.
    pub(crate) fn name(&self, column: Column) -> Option<&str> {
        self.0[column as usize]
            .as_ref()
            .map(|name| name.text.as_str())
    }

    /// The places, among the columns of a file, of those that are wanted.
    pub(crate) fn places(&self, found: &[String]) -> Result<[Option<usize>; COLUMNS]> {
        let mut places = [None; COLUMNS];
        for (place, name) in found.iter().enumerate() {
            if let Some(column) = self.column(name)
                && places[column as usize].replace(place).is_some()
            {
                return Err(Error::TwoColumns(name.clone()));
            }
        }
        let present = places.map(|place| place.is_some());
        self.check(present, found)?;
        if present[Column::Message as usize] && present[Column::Digest as usize] {
            return Err(self.both());
        }
        Ok(places)
    }

    /// Whether all that is needed is among what was found.
    pub(crate) fn check(&self, present: [bool; COLUMNS], found: &[String]) -> Result<()> {
        let is = |column: Column| present[column as usize];
        let missing = |column: Column| {
            self.0[column as usize]
                .as_ref()
                .filter(|name| !is(column) && (name.explicit || column != Column::Id))
        };
        let fail = |column: Column, name: &Name, digest: Option<&Name>| {
            Err(Error::Missing(Missing {
                column,
                name: name.text.clone(),
                digest: digest.map(|digest| digest.text.clone()),
                found: found.to_vec(),
            }))
        };
        for column in [Column::Key, Column::Id, Column::Signature] {
            if let Some(name) = missing(column) {
                return fail(column, name, None);
            }
        }
        match (missing(Column::Message), missing(Column::Digest)) {
            (Some(message), Some(digest)) => fail(Column::Message, message, Some(digest)),
            (Some(name), None) if !is(Column::Digest) => fail(Column::Message, name, None),
            (None, Some(name)) if !is(Column::Message) => fail(Column::Digest, name, None),
            _ => Ok(()),
        }
    }

    /// The error for messages beside digests, of which one must be chosen.
    pub(crate) fn both(&self) -> Error {
        let name = |column| self.name(column).unwrap_or_default().to_owned();
        Error::MessagesAndDigests {
            message: name(Column::Message),
            digest: name(Column::Digest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> Wanted {
        Wanted::to_verify(&Names::default(), false, false).unwrap()
    }

    fn found(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn places_in_any_order() {
        let places = wanted()
            .places(&found(&["signature", "x", "message", "key"]))
            .unwrap();
        assert_eq!(places, [Some(3), None, Some(2), None, Some(0)]);
    }

    #[test]
    fn what_is_missing_is_named() {
        for (names, column, digest, likely) in [
            (
                &["pubkey", "message", "signature"][..],
                Column::Key,
                false,
                Some("pubkey"),
            ),
            (
                &["key", "message", "Sig"],
                Column::Signature,
                false,
                Some("Sig"),
            ),
            (
                &["key", "signature", "payload"],
                Column::Message,
                true,
                Some("payload"),
            ),
            (&[], Column::Key, false, None),
        ] {
            let Err(Error::Missing(missing)) = wanted().places(&found(names)) else {
                panic!("{names:?}");
            };
            assert_eq!((missing.column, missing.likely()), (column, likely));
            assert_eq!(missing.digest.is_some(), digest);
            assert_eq!(missing.name, column.name());
        }
    }

    #[test]
    fn what_is_there_twice_is_named() {
        let names = ["key", "key", "message", "signature"];
        let twice = wanted().places(&found(&names)).unwrap_err();
        assert!(matches!(twice, Error::TwoColumns(name) if name == "key"));
        let names = ["key", "message", "digest", "signature"];
        let both = wanted().places(&found(&names)).unwrap_err();
        assert!(matches!(both, Error::MessagesAndDigests { .. }), "{both}");
    }

    #[test]
    fn one_name_for_two_columns() {
        let names = Names {
            key: Some("message".to_owned()),
            ..Names::default()
        };
        let error = Wanted::to_verify(&names, false, false).unwrap_err();
        assert!(matches!(error, Error::OneName(name) if name == "message"));
    }
}
