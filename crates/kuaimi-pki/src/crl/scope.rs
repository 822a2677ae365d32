//! Which certificates a list is about (RFC 5280, clause 5.2.5).

use alloc::vec::Vec;

use crate::Error;
use crate::ber::{self, Elements, Malformed};

/// The certificates that a list is about: without an issuingDistributionPoint, all of its issuer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scope {
    /// Which kinds of certificates.
    pub contains: Contains,
    /// Whether the list has certificates that were revoked for some of the reasons only.
    pub some_reasons: bool,
    /// The distribution point's names in DER, each a GeneralName. None means any.
    pub names: Vec<Vec<u8>>,
}

/// The kinds of certificates that a list is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Contains {
    /// All.
    #[default]
    All,
    /// Those of users only.
    Users,
    /// Those of authorities only.
    Authorities,
    /// Attribute certificates only.
    Attributes,
}

const WHAT: &str = "scope of a list of revoked certificates";

impl Scope {
    pub(super) fn read(content: &[u8]) -> Result<Self, Error> {
        let malformed = |_: Malformed| Error::Structure(WHAT, "is malformed");
        let mut fields = Elements::inside(content, ber::SEQUENCE, WHAT).map_err(malformed)?;
        let point = fields.enter_optional(ber::context(0)).map_err(malformed)?;
        let names = match point {
            Some(point) => full_name(point)
                .map_err(malformed)?
                .ok_or(Error::Structure(
                    WHAT,
                    "has a name relative to the issuer, which is not supported",
                ))?,
            None => Vec::new(),
        };
        let mut flag = |number| {
            let content = fields.optional(ber::context_primitive(number));
            match content.map_err(malformed)? {
                None | Some([0]) => Ok(false),
                Some([0xff]) => Ok(true),
                Some(_) => Err(malformed(fields.malformed())),
            }
        };
        let (users, authorities) = (flag(1)?, flag(2)?);
        let reasons = fields.optional(ber::context_primitive(3));
        let some_reasons = reasons.map_err(malformed)?.is_some();
        let mut flag = |number| {
            let content = fields.optional(ber::context_primitive(number));
            content
                .map_err(malformed)
                .map(|found| found == Some(&[0xff]))
        };
        let (indirect, attributes) = (flag(4)?, flag(5)?);
        fields.end().map_err(malformed)?;
        if indirect {
            return Err(Error::Structure(
                "list of revoked certificates",
                "is indirect, which is not supported",
            ));
        }
        let contains = match (users, authorities, attributes) {
            (false, false, false) => Contains::All,
            (true, false, false) => Contains::Users,
            (false, true, false) => Contains::Authorities,
            (false, false, true) => Contains::Attributes,
            _ => return Err(Error::Structure(WHAT, "is of two kinds of certificates")),
        };
        Ok(Self {
            contains,
            some_reasons,
            names,
        })
    }

    pub(super) fn is_all(&self) -> bool {
        *self == Self::default()
    }

    /// The extension's content.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut fields = Vec::new();
        if !self.names.is_empty() {
            let names = ber::element(ber::context(0), &[&self.names.concat()]);
            ber::write(&mut fields, ber::context(0), &names);
        }
        let number = match self.contains {
            Contains::All => None,
            Contains::Users => Some(1),
            Contains::Authorities => Some(2),
            Contains::Attributes => Some(5),
        };
        if let Some(number) = number {
            ber::write(&mut fields, ber::context_primitive(number), &[0xff]);
        }
        ber::element(ber::SEQUENCE, &[&fields])
    }

    /// Whether the list is about a certificate with these distribution points (the content of
    /// cRLDistributionPoints), which is an authority's or not.
    pub(crate) fn covers(&self, points: Option<&[u8]>, authority: bool) -> bool {
        let kind = match self.contains {
            Contains::All => true,
            Contains::Users => !authority,
            Contains::Authorities => authority,
            Contains::Attributes => false,
        };
        kind && (self.names.is_empty()
            || points.is_some_and(|points| self.names_one_of(points).unwrap_or(false)))
    }

    fn names_one_of(&self, points: &[u8]) -> Result<bool, Malformed> {
        let mut points = Elements::inside(points, ber::SEQUENCE, WHAT)?;
        while !points.is_empty() {
            let mut fields = points.enter(ber::SEQUENCE)?;
            if let Some(point) = fields.enter_optional(ber::context(0))?
                && let Some(names) = full_name(point)?
                && names.iter().any(|name| self.names.contains(name))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The names of a DistributionPointName, if they are full ones.
fn full_name(mut choice: Elements<'_>) -> Result<Option<Vec<Vec<u8>>>, Malformed> {
    let Some(mut names) = choice.enter_optional(ber::context(0))? else {
        choice.element()?;
        choice.end()?;
        return Ok(None);
    };
    choice.end()?;
    let mut found = Vec::new();
    while !names.is_empty() {
        found.push(names.bytes()?.to_vec());
    }
    if found.is_empty() || found.len() > 100 {
        return Err(names.malformed());
    }
    Ok(Some(found))
}
