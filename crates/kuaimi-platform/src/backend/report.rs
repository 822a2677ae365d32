//! What is said of the choice: the implementations in use, and a name that is none.

use alloc::string::String;
use core::fmt;

use super::{PORTABLE, names};
use crate::ErrorKind;

/// The implementations that a process uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Report {
    pub(super) backend: &'static str,
    pub(super) kinds: [(&'static str, &'static str); 7],
}

impl Report {
    /// The name of the selected backend.
    pub const fn name(&self) -> &'static str {
        self.backend
    }

    /// The kinds of operation, and the implementation of each: `field` (single field elements),
    /// `lanes` (batches of SM2), `fq12` (pairings), `sm3`, `sm3_many` (many messages), `sm4` and
    /// `ghash`.
    pub fn implementations(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.kinds.into_iter()
    }

    /// The implementation of a kind of operation.
    pub fn implementation(&self, kind: &str) -> Option<&'static str> {
        self.kinds
            .iter()
            .find(|(name, _)| *name == kind)
            .map(|(_, implementation)| *implementation)
    }
}

impl fmt::Display for Report {
    /// `ifma (field adx, lanes ifmax8, …)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", self.backend)?;
        for (i, (kind, implementation)) in self.kinds.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{kind} {implementation}")?;
        }
        f.write_str(")")
    }
}

/// The name of a backend that this build does not have, or that this CPU cannot run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownBackend {
    pub(super) name: String,
    /// The CPU features that the backend of this name needs, if there is such a backend.
    pub(super) needs: Option<&'static [&'static str]>,
}

impl UnknownBackend {
    /// [`ErrorKind::UnknownBackend`].
    pub const fn kind(&self) -> ErrorKind {
        ErrorKind::UnknownBackend
    }
}

impl fmt::Display for UnknownBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.needs {
            None => write!(f, "there is no backend {:?}", self.name)?,
            Some(needs) => write!(
                f,
                "this CPU cannot run the backend {:?}, which needs {}",
                self.name,
                needs.join(", ")
            )?,
        }
        write!(f, "; this machine has {PORTABLE}")?;
        names().try_for_each(|name| write!(f, ", {name}"))
    }
}

impl core::error::Error for UnknownBackend {}
