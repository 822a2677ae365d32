//! Whose key, or for whom: identities on the command line.

use clap::Args;
use kuaimi::sm9::Identity;

use crate::failure::{Failure, Result};
use crate::text;

/// An identity that must be given.
#[derive(Args, Debug, Clone)]
pub struct IdArgs {
    /// The user's identity, as text: a mail address, a number, a name. Every character counts.
    #[arg(
        long,
        value_name = "ID",
        conflicts_with = "id_hex",
        required_unless_present = "id_hex"
    )]
    pub id: Option<String>,
    /// The same, as bytes in hexadecimal.
    #[arg(long, value_name = "HEX")]
    pub id_hex: Option<String>,
}

/// The function identifier.
#[derive(Args, Debug, Clone, Copy, Default)]
pub struct HidArgs {
    /// The function identifier, 0 to 255 [default: 1 for signatures, 2 for key exchange, 3 for
    /// encryption].
    #[arg(long, value_name = "N", value_parser = number)]
    pub hid: Option<u8>,
}

/// Decimal, or hexadecimal behind 0x.
fn number(text: &str) -> Result<u8, String> {
    let parsed = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "give a number from 0 to 255, or 0x00 to 0xff".to_owned())
}

impl IdArgs {
    pub fn bytes(&self) -> Result<Vec<u8>> {
        bytes("--id", self.id.as_deref(), self.id_hex.as_deref())
    }
}

/// The identity given as text or in hexadecimal.
pub fn bytes(option: &str, id: Option<&str>, id_hex: Option<&str>) -> Result<Vec<u8>> {
    let bytes = text::text_or_hex(option, id, id_hex)?.unwrap_or_default();
    if bytes.is_empty() {
        return Err(Failure::usage(format!(
            "{option}: the identity is empty; give the user's name, mail address or number"
        )));
    }
    Ok(bytes)
}

/// With the function identifier that was given.
pub fn with_hid<'a>(id: &'a [u8], hid: HidArgs) -> Identity<'a> {
    let identity = Identity::new(id);
    match hid.hid {
        Some(hid) => identity.with_hid(hid),
        None => identity,
    }
}

/// For a line on standard error: as text where it is, in hexadecimal where not.
pub fn show(id: &[u8]) -> String {
    match std::str::from_utf8(id) {
        Ok(text) => format!("{text:?}"),
        Err(_) => format!("(hex) {}", text::hex(id)),
    }
}
