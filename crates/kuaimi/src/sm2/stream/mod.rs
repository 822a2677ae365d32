//! Encryption and decryption of files of up to 128 GiB, in about a megabyte of memory.
//!
//! ```
//! use std::io::Cursor;
//!
//! use kuaimi::sm2::{CiphertextForm, PrivateKey, stream};
//!
//! let secret = PrivateKey::generate()?;
//! let message = vec![7; 1_000_000];
//! let mut ciphertext = Cursor::new(Vec::new());
//! stream::encrypt(
//!     secret.public_key(),
//!     &mut getrandom::SysRng,
//!     CiphertextForm::C1C3C2,
//!     &message[..],
//!     &mut ciphertext,
//!     None,
//! )?;
//!
//! ciphertext.set_position(0);
//! let mut decrypted = Vec::new();
//! let (length, form) = stream::decrypt(&secret, None, &mut ciphertext, &mut decrypted)?;
//! assert_eq!((length, form), (1_000_000, CiphertextForm::C1C3C2));
//! assert_eq!(decrypted, message);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! SM2 authenticates a message as a whole, by one digest. Decryption must not release unverified
//! plaintext, so it reads its input twice: first to check the digest, then to decrypt. In the
//! second pass, each piece is compared with the first pass before its plaintext is written, by
//! fingerprints under a random key. So a change of the input between the passes is detected.

mod convert;
mod decrypt;
mod encrypt;
mod frame;

use std::io::{self, Seek, SeekFrom, Write};

pub use crate::two_pass::Error;
pub use convert::convert;
pub use decrypt::decrypt;
pub use encrypt::encrypt;

/// A wrapper for a writer that cannot seek, such as a pipe, so that [`encrypt`] accepts it. Its
/// `seek` fails with [`io::ErrorKind::Unsupported`].
///
/// Encryption seeks only for long messages in the forms where the digest comes first: see
/// [`encrypt`].
///
/// ```
/// use kuaimi::sm2::{CiphertextForm, PrivateKey, stream};
///
/// let key = PrivateKey::generate()?;
/// let mut pipe = Vec::new(); // a Vec writes, but does not seek
/// stream::encrypt(
///     key.public_key(),
///     &mut getrandom::SysRng,
///     CiphertextForm::C1C2C3,
///     &[7; 100_000][..],
///     stream::Unseekable(&mut pipe),
///     None,
/// )?;
/// assert_eq!(pipe.len(), 65 + 100_000 + 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Unseekable<W>(pub W);

impl<W: Write> Write for Unseekable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W> Seek for Unseekable<W> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "the digest goes before the message, and this output cannot go back to it",
        ))
    }
}
