//! Keys from files and from the arguments.

use std::path::{Path, PathBuf};

use clap::Args;
use zeroize::Zeroizing;

use crate::failure::{Failure, Result};
use crate::input;
use crate::password::PasswordArgs;
use crate::say::show;
use crate::text;

/// What the user is told to give where no password can be asked for.
pub const OPTIONS: &str = "--key-file, --password-file or --password-env";

/// The key, or the password that it is made from.
#[derive(Args, Debug)]
pub struct KeyArgs {
    /// Take the key from FILE: 16 bytes, or 32 hexadecimal digits.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["password_file", "password_env"])]
    pub key_file: Option<PathBuf>,
    #[command(flatten)]
    pub password: PasswordArgs,
}

impl KeyArgs {
    /// Refuses standard input for two things. `aad_file` is the file of associated data.
    pub fn check(&self, file: &Path, aad_file: Option<&Path>) -> Result<()> {
        let mut inputs = vec![("FILE", file)];
        inputs.extend(aad_file.map(|path| ("--aad-file", path)));
        inputs.extend(self.key_file.as_deref().map(|path| ("--key-file", path)));
        let password = self.password.password_file.as_deref();
        inputs.extend(password.map(|path| ("--password-file", path)));
        input::stdin_once(&inputs)
    }
}

/// The key in a file: `length` bytes, or twice as many hexadecimal digits, with white space around
/// them.
pub fn from_file(path: &Path, length: usize) -> Result<Zeroizing<Vec<u8>>> {
    let content = input::read_all(path, 1 << 16)?;
    if content.len() == length {
        return Ok(content);
    }
    from_hex(content.trim_ascii(), length).ok_or_else(|| {
        Failure::file(
            show(path),
            format_args!(
                "has {} bytes, and is not a key; a key is {length} bytes, or {} hexadecimal digits",
                content.len(),
                2 * length
            ),
        )
    })
}

/// The `length` bytes that hexadecimal digits stand for. Constant time in the digits.
pub fn from_hex(digits: &[u8], length: usize) -> Option<Zeroizing<Vec<u8>>> {
    if digits.len() != 2 * length {
        return None;
    }
    text::decode_hex(digits).filter(|key| key.len() == length)
}
