//! Decrypting a file: one pass to verify, one to decrypt.

use std::io::{Read, Seek, Write};

use kuaimi_math::sm9::group::Gt;
use kuaimi_platform::declassify;
use subtle::ConstantTimeEq;
#[cfg(feature = "sm4")]
use zeroize::Zeroizing;

use super::{Error, Frame, RunningMac, k2_alone};
use crate::sm3::Kdf;
#[cfg(feature = "sm4")]
use crate::sm4::padding_length;
use crate::sm9::encapsulate::key_stream;
#[cfg(feature = "sm4")]
use crate::sm9::encrypt::k1_cipher;
use crate::sm9::layout::{self, BLOCK_LEN};
#[cfg(feature = "sm4")]
use crate::sm9::modes::Chained;
use crate::sm9::{self, DecryptOptions, DecryptionKey, Mode};
use crate::two_pass::{Fingerprints, Input};
use crate::wipe_stack;

/// Decrypts the ciphertext in DER from the current position of `reader` to its end, and writes the
/// message to `writer`. Returns the length of the message, and the mode.
///
/// Nothing is written before the whole ciphertext is verified, and no piece that differs from the
/// verified one. Constant time in the key and the plaintext. About a megabyte of memory, and 16
/// bytes for each megabyte of input.
///
/// # Errors
/// [`Error::Malformed`] for what is no ciphertext; [`Error::Sm9`] with
/// [`sm9::Error::DecryptionFailed`] for anything else that is wrong with the ciphertext or the key;
/// [`Error::InputChanged`] where the input differs when it is read again: the verified message up
/// to there was written then; [`Error::Read`], [`Error::Write`]; [`Error::Random`] if the operating
/// system's random generator fails.
///
/// ```
/// use std::io::Cursor;
///
/// use kuaimi::sm9::{DecryptOptions, MasterEncryptionKey, stream};
///
/// let bob = MasterEncryptionKey::generate()?.extract("bob")?;
/// let der = bob.encryption_key().encrypt(b"a secret")?.to_der();
/// let mut message = Vec::new();
/// stream::decrypt(&bob, DecryptOptions::default(), Cursor::new(der), &mut message)?;
/// assert_eq!(message, b"a secret");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decrypt<R: Read + Seek, W: Write>(
    key: &DecryptionKey,
    options: DecryptOptions,
    reader: R,
    writer: W,
) -> Result<(u64, Mode), Error> {
    wipe_stack(|| Job { key, options }.decrypt(None, reader, writer))
}

/// As [`decrypt`], of a raw ciphertext, which does not say the mode in which it was made.
///
/// # Errors
/// As [`decrypt`].
///
/// ```
/// use std::io::Cursor;
///
/// use kuaimi::sm9::{DecryptOptions, MasterEncryptionKey, Mode, stream};
///
/// let bob = MasterEncryptionKey::generate()?.extract("bob")?;
/// let raw = Cursor::new(bob.encryption_key().encrypt(b"a secret")?.to_bytes());
/// let mut message = Vec::new();
/// stream::decrypt_raw(&bob, Mode::Stream, DecryptOptions::default(), raw, &mut message)?;
/// assert_eq!(message, b"a secret");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decrypt_raw<R: Read + Seek, W: Write>(
    key: &DecryptionKey,
    mode: Mode,
    options: DecryptOptions,
    reader: R,
    writer: W,
) -> Result<u64, Error> {
    let job = Job { key, options };
    let (length, _) = wipe_stack(|| job.decrypt(Some(mode), reader, writer))?;
    Ok(length)
}

/// With what a ciphertext is decrypted.
struct Job<'a> {
    key: &'a DecryptionKey,
    options: DecryptOptions,
}

impl Job<'_> {
    fn decrypt<R: Read + Seek, W: Write>(
        &self,
        raw: Option<Mode>,
        reader: R,
        mut writer: W,
    ) -> Result<(u64, Mode), Error> {
        let mut input = Input::new(reader)?;
        let frame = Frame::of(&mut input, raw)?;
        // B2: w' = e(C1, de)
        let w = self.key.0.pair(&frame.c1);
        let verified = self.verify(&mut input, &frame, &w)?;
        self.release(&mut input, &frame, &w, &verified, &mut writer)?;
        Ok((verified.message_len, frame.mode))
    }

    /// The first pass: verifies `C3`, and finds the length of the message.
    fn verify<R: Read + Seek>(
        &self,
        input: &mut Input<R>,
        frame: &Frame,
        w: &Gt,
    ) -> Result<Verified, Error> {
        let failed = || Error::Sm9(sm9::Error::DecryptionFailed);
        let mut fingerprints = Fingerprints::new()?;
        let k2 = k2_alone(&frame.c1.0, w, self.key.0.id(), frame.mode, frame.c2_len);
        let k2 = k2.map_err(|_| failed())?;
        let mut mac = RunningMac::new(self.options.mac(), || Ok::<_, Error>(k2.clone()))?;
        // The last two blocks of C2.
        let mut tail = Vec::with_capacity(4 * BLOCK_LEN);
        input.for_each_piece(frame.c2_at, frame.c2_len, |_, piece| {
            fingerprints.push(piece);
            mac.update(piece);
            tail.extend_from_slice(&piece[piece.len().saturating_sub(2 * BLOCK_LEN)..]);
            tail.drain(..tail.len().saturating_sub(2 * BLOCK_LEN));
            Ok(())
        })?;
        // No sender uses a `K2` that is all zero.
        let zero = k2.as_slice().ct_eq(&[0; 32]);
        let valid = mac.finish(&k2).ct_eq(&frame.c3) & !zero;
        // The error tells the result.
        if !declassify(valid) {
            return Err(failed());
        }
        let message_len = self.message_len(frame, w, &tail).ok_or_else(failed)?;
        Ok(Verified {
            fingerprints,
            message_len,
        })
    }

    /// The length of the message in a `C2` with these last blocks; nothing where it has a length or
    /// a padding that no message has: an authentic message may still be padded wrongly, by an error
    /// of its sender.
    fn message_len(&self, frame: &Frame, w: &Gt, tail: &[u8]) -> Option<u64> {
        let (mode, iv_len) = (frame.mode, layout::iv_len(frame.mode));
        let length = frame.c2_len.checked_sub(iv_len as u64)?;
        if !layout::fits(mode, length) {
            return None;
        }
        if layout::padding_len(mode, 0) == 0 {
            return Some(length);
        }
        self.padding(frame, w, tail)
            .and_then(|padding| length.checked_sub(padding))
    }

    /// Bytes of padding in these last blocks.
    #[cfg(feature = "sm4")]
    fn padding(&self, frame: &Frame, w: &Gt, tail: &[u8]) -> Option<u64> {
        let (mode, iv_len) = (frame.mode, layout::iv_len(frame.mode));
        // The last block, and for CBC the one before it, which is the initial value of a short
        // message.
        let last = tail.get(tail.len().checked_sub(iv_len + BLOCK_LEN)?..)?;
        let (before, last) = layout::split_iv(mode, last)?;
        let mut last = Zeroizing::new(<[u8; BLOCK_LEN]>::try_from(last).ok()?);
        let mut keys = key_stream(&frame.c1.0, w, self.key.0.id());
        Chained::new(mode, k1_cipher(&mut keys).ok()?, &before).decrypt(last.as_mut());
        Some(padding_length(&last)? as u64)
    }

    #[cfg(not(feature = "sm4"))]
    fn padding(&self, _: &Frame, _: &Gt, _: &[u8]) -> Option<u64> {
        None
    }

    /// The second pass: writes the message in what was verified.
    fn release<R: Read + Seek>(
        &self,
        input: &mut Input<R>,
        frame: &Frame,
        w: &Gt,
        verified: &Verified,
        writer: &mut impl Write,
    ) -> Result<(), Error> {
        let mut keys = Some(key_stream(&frame.c1.0, w, self.key.0.id()));
        let mut cipher = None;
        let mut left = verified.message_len;
        input.for_each_piece(frame.c2_at, frame.c2_len, |index, piece| {
            if !verified.fingerprints.matches(index, piece) {
                return Err(Error::InputChanged);
            }
            let mut body = piece;
            if let Some(keys) = keys.take() {
                // The first piece begins with the initial value, and is longer than that: C2 fits.
                let (iv, _) = layout::split_iv(frame.mode, body).ok_or(Error::InputChanged)?;
                body = &mut body[layout::iv_len(frame.mode)..];
                cipher = Some(Cipher::new(frame.mode, keys, &iv)?);
            }
            if let Some(cipher) = &mut cipher {
                cipher.decrypt(body)?;
            }
            // Without the padding.
            let length = usize::try_from(left).unwrap_or(usize::MAX).min(body.len());
            left -= length as u64;
            writer.write_all(&body[..length]).map_err(Error::Write)
        })?;
        writer.flush().map_err(Error::Write)
    }
}

/// What the first pass found.
struct Verified {
    fingerprints: Fingerprints,
    message_len: u64,
}

/// How the message is computed from `C2`.
enum Cipher {
    Stream(Kdf),
    #[cfg(feature = "sm4")]
    Sm4(Chained),
}

impl Cipher {
    fn new(mode: Mode, keys: Kdf, iv: &[u8; BLOCK_LEN]) -> Result<Self, Error> {
        // The stream mode has none.
        let _ = iv;
        Ok(match mode {
            Mode::Stream => Self::Stream(keys),
            #[cfg(feature = "sm4")]
            _ => {
                let mut keys = keys;
                Self::Sm4(Chained::new(mode, k1_cipher(&mut keys)?, iv))
            }
        })
    }

    fn decrypt(&mut self, piece: &mut [u8]) -> Result<(), Error> {
        match self {
            Self::Stream(keys) => keys
                .xor_in_place(piece)
                .map_err(|_| sm9::Error::DecryptionFailed.into()),
            #[cfg(feature = "sm4")]
            Self::Sm4(chained) => {
                chained.decrypt(piece);
                Ok(())
            }
        }
    }
}
