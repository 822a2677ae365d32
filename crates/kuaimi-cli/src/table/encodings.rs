//! How the values of a column are written: the options.

use std::borrow::Cow;

use clap::{Args, ValueEnum};
use kuaimi_bulk::{Encoding, Fault, Options, PlainEncoding, Setting};
use kuaimi_table::Format;

use crate::failure::Failure;
use crate::sm2::Form;

/// How the values of a column are written.
#[derive(Args, Debug, Clone, Copy)]
#[command(next_help_heading = "Encodings")]
pub struct EncodingArgs {
    /// How public keys are written: auto, hex, base64, or binary (in Parquet).
    #[arg(long, value_enum, default_value_t = Written::Auto, value_name = "ENCODING", hide_possible_values = true)]
    pub key_encoding: Written,
    /// How signatures are written, likewise.
    #[arg(long, value_enum, default_value_t = Written::Auto, value_name = "ENCODING", hide_possible_values = true)]
    pub signature_encoding: Written,
    /// Accept only this structure of the signatures.
    #[arg(long, value_enum, value_name = "FORM")]
    pub signature_form: Option<Form>,
    /// How digests are written, likewise.
    #[arg(long, value_enum, default_value_t = Written::Auto, value_name = "ENCODING", hide_possible_values = true)]
    pub digest_encoding: Written,
    /// What messages are: text, as it stands; or bytes written as hex or base64. This is never
    /// guessed.
    #[arg(long, value_enum, default_value_t = Plain::Text, value_name = "ENCODING", hide_possible_values = true)]
    pub message_encoding: Plain,
    /// What identities are, likewise.
    #[arg(long, value_enum, default_value_t = Plain::Text, value_name = "ENCODING", hide_possible_values = true)]
    pub id_encoding: Plain,
}

impl EncodingArgs {
    /// Whether these can be in a file of this format.
    pub fn check(&self, format: Format) -> Result<(), Failure> {
        let binary = [
            (self.key_encoding, "key"),
            (self.signature_encoding, "signature"),
            (self.digest_encoding, "digest"),
        ]
        .into_iter()
        .find(|(written, _)| *written == Written::Binary && format != Format::Parquet);
        match binary {
            None => Ok(()),
            Some((_, name)) => Err(Failure::usage(format!(
                "--{name}-encoding binary: {} is text, and only Parquet holds bytes as they are; use hex or base64",
                format.name()
            ))),
        }
    }

    pub fn options(&self) -> Options {
        let options = Options::new()
            .key_encoding(self.key_encoding.into())
            .signature_encoding(self.signature_encoding.into())
            .digest_encoding(self.digest_encoding.into())
            .message_encoding(self.message_encoding.into())
            .id_encoding(self.id_encoding.into());
        match self.signature_form {
            Some(form) => options.signature_form(form.into()),
            None => options,
        }
    }
}

/// How bytes that have a structure are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Written {
    /// In whichever way gives something well-formed; refused where more than one does.
    Auto,
    /// In hexadecimal.
    Hex,
    /// In Base64.
    Base64,
    /// As they are, in a Parquet column of bytes.
    Binary,
}

impl From<Written> for Encoding {
    fn from(written: Written) -> Self {
        match written {
            Written::Auto => Self::Auto,
            Written::Hex => Self::Hex,
            Written::Base64 => Self::Base64,
            Written::Binary => Self::Binary,
        }
    }
}

/// How bytes that can be anything are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Plain {
    /// As they stand.
    Text,
    /// In hexadecimal.
    Hex,
    /// In Base64.
    Base64,
}

impl From<Plain> for PlainEncoding {
    fn from(plain: Plain) -> Self {
        match plain {
            Plain::Text => Self::Text,
            Plain::Hex => Self::Hex,
            Plain::Base64 => Self::Base64,
        }
    }
}

/// What is wrong, and which option settles it.
pub fn cause(fault: &Fault) -> Cow<'_, str> {
    match fault.setting {
        Some(Setting::Encoding(column)) => {
            format!("{fault}; choose one with --{}-encoding", column.name()).into()
        }
        Some(Setting::EncodingAndForm(column)) => format!(
            "{fault}; choose one with --{0}-encoding and --{0}-form",
            column.name()
        )
        .into(),
        _ => fault.reason.as_str().into(),
    }
}
