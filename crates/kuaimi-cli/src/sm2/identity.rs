//! The identity that goes with a key: `--id` and its like.

use clap::Args;
use kuaimi::sm2::{DEFAULT_ID, MAX_ID_LEN};

use crate::failure::{Failure, Result};
use crate::text;

/// Under which identity a key signs or agrees.
#[derive(Args, Debug, Clone, Default)]
pub struct IdArgs {
    /// The identity that goes with the key, as text [default: 1234567812345678].
    #[arg(long, value_name = "ID", conflicts_with = "id_hex")]
    pub id: Option<String>,
    /// The identity, as bytes in hexadecimal.
    #[arg(long, value_name = "HEX")]
    pub id_hex: Option<String>,
}

impl IdArgs {
    pub fn bytes(&self) -> Result<Vec<u8>> {
        identity("--id", self.id.as_deref(), self.id_hex.as_deref())
    }
}

/// The identity given as text or in hexadecimal, or the default one.
pub fn identity(option: &str, id: Option<&str>, id_hex: Option<&str>) -> Result<Vec<u8>> {
    let bytes = text::text_or_hex(option, id, id_hex)?.unwrap_or_else(|| DEFAULT_ID.to_vec());
    if bytes.len() > MAX_ID_LEN {
        return Err(Failure::usage(format!(
            "{option}: an identity has at most {MAX_ID_LEN} bytes, not {}; give a shorter one",
            bytes.len()
        )));
    }
    Ok(bytes)
}
