//! Encryption and decryption of files of up to 128 GiB, in a few megabytes of memory.
//!
//! ```
//! use std::io::Cursor;
//!
//! use kuaimi::sm9::{DecryptOptions, EncryptOptions, MasterEncryptionKey, Mode, stream};
//!
//! let bob = MasterEncryptionKey::generate()?.extract("bob")?;
//! let message = vec![7; 1_000_000];
//! let mut ciphertext = Cursor::new(Vec::new());
//! stream::encrypt(
//!     bob.encryption_key(),
//!     &mut getrandom::SysRng,
//!     EncryptOptions::default(),
//!     &message[..],
//!     &mut ciphertext,
//!     Some(1_000_000),
//! )?;
//!
//! ciphertext.set_position(0);
//! let mut decrypted = Vec::new();
//! let (length, mode) =
//!     stream::decrypt(&bob, DecryptOptions::default(), &mut ciphertext, &mut decrypted)?;
//! assert_eq!((length, mode), (1_000_000, Mode::Stream));
//! assert_eq!(decrypted, message);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The ciphertexts are those of [`Ciphertext`](super::Ciphertext), in DER or raw, and each side
//! reads what the other wrote in memory.
//!
//! SM9 authenticates a message as a whole, by the message authentication code `C3` of `C2`.
//! Decryption must not release unverified plaintext, so it reads its input twice: first to verify
//! `C3` and the padding, then to decrypt. In the second pass, each piece is compared with the first
//! pass before its plaintext is written, by fingerprints under a random key. So a change of the
//! input between the passes is detected.
//!
//! `C3` stands before `C2`, but is computed after it. So the writer of an encryption seeks back
//! once, to write `C3`.
//!
//! **The length of the message** must be given in two cases, if the message is long. DER starts
//! with the length. And in the stream mode with `HMAC-SM3`, the computation of the code starts with
//! the key `K2`, which comes after a key stream as long as the message.

mod decrypt;
mod encrypt;

use std::io::{Read, Seek, Write};

pub use crate::two_pass::Error;
pub use decrypt::{decrypt, decrypt_raw};
pub use encrypt::{encrypt, encrypt_raw};
use hmac::{KeyInit as _, Mac as _};
use kuaimi_math::sm9::group::{G1, Gt};
use zeroize::Zeroizing;

use super::encapsulate::key_stream;
use super::encrypt::{K2_LEN, k2};
use super::{Error as Sm9Error, G1Point, Mac, Mode};
use crate::encoding::sm9::DerHeader;
use crate::sm3::{HmacSm3, Sm3};
use crate::two_pass::Input;

/// Bytes of the raw form before `C2`.
const RAW_HEADER_LEN: usize = 64 + 32;

/// A ciphertext but for `C2`, and where that lies from the start of the ciphertext.
struct Frame {
    mode: Mode,
    c1: G1Point,
    c3: [u8; 32],
    c2_at: u64,
    c2_len: u64,
}

impl Frame {
    /// Of a ciphertext in DER, or of a raw one in that mode.
    fn of<R: Read + Seek>(input: &mut Input<R>, raw: Option<Mode>) -> Result<Self, Error> {
        let total = input.length;
        let head = input.head(DerHeader::MAX_LEN)?;
        let frame = match raw {
            None => {
                let (header, header_len) = DerHeader::read(&head, total)?;
                Self {
                    mode: header.mode,
                    c1: header.c1,
                    c3: header.c3,
                    c2_at: header_len as u64,
                    c2_len: header.c2_len,
                }
            }
            Some(mode) => {
                let short = || {
                    let length = usize::try_from(total).unwrap_or(usize::MAX);
                    Error::Malformed(Sm9Error::CiphertextLength(length).into())
                };
                let (c1, rest) = head.split_first_chunk::<64>().ok_or_else(short)?;
                let c3 = rest.first_chunk::<32>().ok_or_else(short)?;
                let c2_at = RAW_HEADER_LEN as u64;
                let c2_len = total.checked_sub(c2_at).filter(|&length| length != 0);
                let c2_len = c2_len.ok_or_else(short)?;
                Self {
                    mode,
                    c1: G1Point::from_bytes(c1).map_err(crate::encoding::Error::from)?,
                    c3: *c3,
                    c2_at,
                    c2_len,
                }
            }
        };
        if frame.c2_len == 0 {
            let nothing = Sm9Error::CiphertextLength(RAW_HEADER_LEN);
            return Err(Error::Malformed(nothing.into()));
        }
        Ok(frame)
    }
}

/// Reads the raw ciphertext of the mode `mode`, from the current position of `reader` to its end,
/// and writes it in DER to `writer`. Returns the length of `C2`. It needs no key, and verifies
/// nothing.
///
/// For a message whose length is known only at its end: encrypt it raw to a file first.
///
/// # Errors
/// [`Error::Malformed`] where the input is no ciphertext; [`Error::InputChanged`]; [`Error::Read`],
/// [`Error::Write`].
///
/// ```
/// use std::io::Cursor;
///
/// use kuaimi::sm9::{Ciphertext, MasterEncryptionKey, Mode, stream};
///
/// let bob = MasterEncryptionKey::generate()?.extract("bob")?;
/// let ciphertext = bob.encryption_key().encrypt(b"a secret")?;
/// let mut der = Vec::new();
/// stream::raw_to_der(Mode::Stream, Cursor::new(ciphertext.to_bytes()), &mut der)?;
/// assert_eq!(der, ciphertext.to_der());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn raw_to_der<R: Read + Seek, W: Write>(
    mode: Mode,
    reader: R,
    mut writer: W,
) -> Result<u64, Error> {
    let mut input = Input::new(reader)?;
    let frame = Frame::of(&mut input, Some(mode))?;
    let header = DerHeader {
        mode,
        c1: frame.c1,
        c3: frame.c3,
        c2_len: frame.c2_len,
    };
    let (before, after) = header.write_around_c3();
    for part in [before.as_slice(), &frame.c3, after.as_slice()] {
        writer.write_all(part).map_err(Error::Write)?;
    }
    input.for_each_piece(frame.c2_at, frame.c2_len, |_, piece| {
        writer.write_all(piece).map_err(Error::Write)
    })?;
    writer.flush().map_err(Error::Write)?;
    Ok(frame.c2_len)
}

/// Where `K2` lies in the key stream: behind `K1`, which is as long as the message in the stream
/// mode, and SM4's key in the others.
const fn k2_at(mode: Mode, message_len: u64) -> u64 {
    match mode {
        Mode::Stream => message_len,
        #[cfg(feature = "sm4")]
        _ => super::layout::KEY_LEN as u64,
    }
}

/// `K2`, without the key stream before it.
fn k2_alone(
    c1: &G1,
    w: &Gt,
    id: &[u8],
    mode: Mode,
    message_len: u64,
) -> Result<Zeroizing<[u8; K2_LEN]>, Sm9Error> {
    let mut keys = key_stream(c1, w, id);
    keys.skip(k2_at(mode, message_len))
        .map_err(|_| Sm9Error::MessageTooLong)?;
    k2(&mut keys)
}

/// `C3` of a `C2` in pieces.
enum RunningMac {
    Sm3(Sm3),
    HmacSm3(HmacSm3),
}

impl RunningMac {
    /// `key` gives `K2`, and is called where it is needed first.
    fn new<E>(
        mac: Mac,
        key: impl FnOnce() -> Result<Zeroizing<[u8; K2_LEN]>, E>,
    ) -> Result<Self, E> {
        Ok(match mac {
            Mac::Sm3 => Self::Sm3(Sm3::new()),
            Mac::HmacSm3 => {
                // RFC 2104: filled up with zeros, as a key shorter than a block is.
                let mut block = Zeroizing::new([0; crate::sm3::BLOCK_LEN]);
                block[..K2_LEN].copy_from_slice(&*key()?);
                Self::HmacSm3(HmacSm3::new((&*block).into()))
            }
        })
    }

    /// The next part of `C2`.
    fn update(&mut self, c2: &[u8]) {
        match self {
            Self::Sm3(hash) => hash.update(c2),
            Self::HmacSm3(mac) => mac.update(c2),
        }
    }

    fn finish(self, k2: &[u8; K2_LEN]) -> [u8; 32] {
        match self {
            Self::Sm3(mut hash) => {
                hash.update(k2);
                hash.finalize()
            }
            Self::HmacSm3(mac) => mac.finalize().into_bytes().into(),
        }
    }
}

#[cfg(all(test, feature = "sm4"))]
mod tests;
