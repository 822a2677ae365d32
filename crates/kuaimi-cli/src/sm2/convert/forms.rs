//! The forms that `convert` reads and writes, as they are named on the command line.

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use kuaimi::encoding::{PrivateKeyStructure, PublicKeyStructure, SignatureForm};
use kuaimi::sm2::CiphertextForm;

use crate::sm2::look::Found;
use crate::text::Encoding;

/// What an input can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    Key,
    Signature,
    Ciphertext,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Signature => "signature",
            Self::Ciphertext => "ciphertext",
        }
    }
}

/// A form, as it is named on the command line: some names are those of several kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    Pkcs8,
    EncryptedPkcs8,
    Sec1,
    Enveloped,
    Spki,
    Certificate,
    Uncompressed,
    Compressed,
    Bare,
    Raw,
    Der,
    Pem,
    C1c3c2,
    C1c2c3,
    BareC1c3c2,
    BareC1c2c3,
    Hex,
    Base64,
    Binary,
}

/// The forms that can be written. (A certificate is not made here.)
pub fn to() -> impl TypedValueParser<Value = Form> {
    named(|form| form != Form::Certificate)
}

/// The forms that an input can have. Encodings are recognized in any case.
pub fn from() -> impl TypedValueParser<Value = Form> {
    named(|form| form != Form::Pem && form.encoding().is_none())
}

fn named(is_meant: fn(Form) -> bool) -> impl TypedValueParser<Value = Form> {
    let forms = Form::value_variants().iter().copied();
    let names = forms
        .filter(move |&form| is_meant(form))
        .filter_map(|form| form.to_possible_value());
    PossibleValuesParser::new(names).try_map(|name| Form::from_str(&name, false))
}

impl Form {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value()
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    }

    /// The form of a ciphertext that has this name.
    pub fn ciphertext(self) -> Option<CiphertextForm> {
        self.name().parse().ok()
    }

    /// The form of a signature that has this name.
    pub fn signature(self) -> Option<SignatureForm> {
        [SignatureForm::Raw, SignatureForm::Der]
            .into_iter()
            .find(|form| form.to_string() == self.name())
    }

    /// The encoding that this is, in place of a form.
    pub fn encoding(self) -> Option<OutputEncoding> {
        match self {
            Self::Hex => Some(OutputEncoding::Hex),
            Self::Base64 => Some(OutputEncoding::Base64),
            Self::Binary => Some(OutputEncoding::Binary),
            _ => None,
        }
    }

    /// The one kind that has this form; nothing where several have.
    pub fn kind(self) -> Option<Kind> {
        match self {
            Self::Raw | Self::Der => None,
            Self::C1c3c2 | Self::C1c2c3 | Self::BareC1c3c2 | Self::BareC1c2c3 => {
                Some(Kind::Ciphertext)
            }
            _ => Some(Kind::Key),
        }
    }

    /// Whether this kind has this form.
    pub fn can_be(self, kind: Kind) -> bool {
        match self.kind() {
            Some(only) => only == kind,
            None => kind != Kind::Ciphertext || self == Self::Der,
        }
    }

    /// Whether what was found has this form.
    pub fn fits(self, found: &Found) -> bool {
        match found {
            Found::Private(_, form) => match form.structure {
                PrivateKeyStructure::Raw => self == Self::Raw,
                PrivateKeyStructure::Sec1 => matches!(self, Self::Sec1 | Self::Der),
                PrivateKeyStructure::Pkcs8 => matches!(self, Self::Pkcs8 | Self::Der),
                PrivateKeyStructure::EncryptedPkcs8(_) => {
                    matches!(self, Self::EncryptedPkcs8 | Self::Der)
                }
                _ => false,
            },
            Found::Public(_, form) => match form.structure {
                PublicKeyStructure::Raw => matches!(self, Self::Bare | Self::Raw),
                PublicKeyStructure::Uncompressed => matches!(self, Self::Uncompressed | Self::Raw),
                PublicKeyStructure::Compressed => matches!(self, Self::Compressed | Self::Raw),
                PublicKeyStructure::Spki => matches!(self, Self::Spki | Self::Der),
                PublicKeyStructure::Certificate => matches!(self, Self::Certificate | Self::Der),
                _ => false,
            },
            Found::Enveloped(_) => matches!(self, Self::Enveloped | Self::Der),
            Found::Signature(found) => self.signature() == Some(found.form),
            Found::Ciphertext(found) => self
                .ciphertext()
                .is_some_and(|form| found.forms.contains(&form)),
        }
    }
}

/// How what is written is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputEncoding {
    /// Base64 between BEGIN and END lines, for keys.
    Pem,
    /// The bytes; of a key's structure, its DER.
    #[value(alias = "der")]
    Binary,
    /// Hexadecimal.
    Hex,
    /// Base64 on one line.
    Base64,
}

impl OutputEncoding {
    pub fn without_pem(self) -> Option<Encoding> {
        match self {
            Self::Pem => None,
            Self::Binary => Some(Encoding::Binary),
            Self::Hex => Some(Encoding::Hex),
            Self::Base64 => Some(Encoding::Base64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every form of a signature and a ciphertext can be written and insisted on by its name.
    #[test]
    fn names_are_those_of_the_forms() {
        let named = |name: &str| Form::from_str(name, false).expect("a name on the list");
        for &form in CiphertextForm::ALL {
            assert_eq!(named(form.name()).ciphertext(), Some(form));
        }
        for form in [SignatureForm::Raw, SignatureForm::Der] {
            assert_eq!(named(&form.to_string()).signature(), Some(form));
        }
        assert_eq!(Form::Hex.ciphertext(), None);
        assert_eq!(Form::Pkcs8.signature(), None);
    }
}
