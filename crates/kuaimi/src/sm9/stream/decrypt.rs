//! Decrypting a file: one pass to verify, one to decrypt.

use core::fmt;
use std::io::{Read, Seek, Write};

use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use super::{Check, Error, Frame, k2_alone};
use crate::sm3::Kdf;
use crate::sm4::BLOCK_LEN;
use crate::sm9::encapsulate::key_stream;
use crate::sm9::encrypt::k1_cipher;
use crate::sm9::modes::{self, Chained};
use crate::sm9::points::Gt;
use crate::sm9::{self, CheckValue, Identity, Mode, UserEncryptionKey};
use crate::two_pass::{Fingerprints, Input};
use kuaimi_platform::declassify;

/// Decrypts ciphertexts of any length with one user's key; see [the module](super).
#[derive(Clone)]
pub struct Decryptor<'a> {
    key: &'a UserEncryptionKey,
    id: &'a [u8],
    check_value: CheckValue,
}

impl fmt::Debug for Decryptor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decryptor")
            .field("check_value", &self.check_value)
            .finish_non_exhaustive()
    }
}

impl<'a> Decryptor<'a> {
    /// With the key of `identity` (its `hid` is of no account), for ciphertexts with a check value of this kind.
    ///
    /// # Errors
    /// [`sm9::Error::EmptyIdentity`].
    pub fn new(
        key: &'a UserEncryptionKey,
        identity: impl Into<Identity<'a>>,
        check_value: CheckValue,
    ) -> Result<Self, sm9::Error> {
        Ok(Self {
            key,
            id: identity.into().checked()?,
            check_value,
        })
    }

    /// Decrypts the ciphertext in DER from where `reader` is to its end, into `writer`; the length of the message, and the mode.
    ///
    /// Nothing is written before the whole ciphertext is verified, and no piece that differs from what was verified. Constant time in
    /// the key and the plaintext. About a megabyte of memory, and 16 bytes for each megabyte of input.
    ///
    /// # Errors
    /// [`Error::Malformed`] for what is no ciphertext; [`Error::Sm9`] with [`sm9::Error::DecryptionFailed`] for whatever else is wrong
    /// with the ciphertext or the key; [`Error::InputChanged`] where the input is not the same when it is read again, in which case
    /// `writer` has got the verified message up to there; [`Error::Read`], [`Error::Write`]; [`sm9::Error::Random`] if the operating
    /// system's random generator fails.
    pub fn decrypt<R: Read + Seek, W: Write>(
        &self,
        reader: R,
        writer: W,
    ) -> Result<(u64, Mode), Error> {
        self.decrypt_in(None, reader, writer)
    }

    /// As [`decrypt`](Self::decrypt), of a raw ciphertext, which does not say the mode in which it was made.
    ///
    /// # Errors
    /// As [`decrypt`](Self::decrypt).
    pub fn decrypt_raw<R: Read + Seek, W: Write>(
        &self,
        mode: Mode,
        reader: R,
        writer: W,
    ) -> Result<u64, Error> {
        self.decrypt_in(Some(mode), reader, writer)
            .map(|(length, _)| length)
    }

    pub(super) fn decrypt_in<R: Read + Seek, W: Write>(
        &self,
        raw: Option<Mode>,
        reader: R,
        mut writer: W,
    ) -> Result<(u64, Mode), Error> {
        let mut input = Input::new(reader)?;
        let frame = Frame::of(&mut input, raw)?;
        // B2: w' = e(C1, de)
        let w = self.key.pair(&frame.c1);
        let verified = self.verify(&mut input, &frame, &w)?;
        self.release(&mut input, &frame, &w, &verified, &mut writer)?;
        Ok((verified.message_len, frame.mode))
    }

    /// The first pass: what is known of `C2` if `C3` is right, and the padding.
    fn verify<R: Read + Seek>(
        &self,
        input: &mut Input<R>,
        frame: &Frame,
        w: &Gt,
    ) -> Result<Verified, Error> {
        let failed = || Error::Sm9(sm9::Error::DecryptionFailed);
        let mut fingerprints = Fingerprints::new()?;
        let k2 = k2_alone(&frame.c1.0, w, self.id, frame.mode, frame.c2_len);
        let k2 = k2.map_err(|_| failed())?;
        let mut check = Check::new(self.check_value, || Ok::<_, Error>(k2.clone()))?;
        // The last two blocks of C2.
        let mut tail = Vec::with_capacity(4 * BLOCK_LEN);
        input.for_each_piece(frame.c2_at, frame.c2_len, |_, piece| {
            fingerprints.push(piece);
            check.update(piece);
            tail.extend_from_slice(&piece[piece.len().saturating_sub(2 * BLOCK_LEN)..]);
            tail.drain(..tail.len().saturating_sub(2 * BLOCK_LEN));
            Ok::<(), Error>(())
        })?;
        // A `K2` that is all zero no sender uses.
        let zero = k2.as_slice().ct_eq(&[0; 32]);
        let valid = check.finish(&k2).ct_eq(&frame.c3) & !zero;
        // An error tells the verdict.
        if !declassify(valid) {
            return Err(failed());
        }
        let message_len = self.message_len(frame, w, &tail).ok_or_else(failed)?;
        Ok(Verified {
            fingerprints,
            message_len,
        })
    }

    /// How long the message in a `C2` with these last blocks is; nothing where it has a length or a padding that no message has: what is
    /// authentic need not be padded as it must be, for its maker may have erred.
    fn message_len(&self, frame: &Frame, w: &Gt, tail: &[u8]) -> Option<u64> {
        let (mode, iv_len) = (frame.mode, modes::iv_len(frame.mode));
        let length = frame.c2_len.checked_sub(iv_len as u64)?;
        if !modes::fits(mode, length) {
            return None;
        }
        if modes::padding_len(mode, 0) == 0 {
            return Some(length);
        }
        // The last block, and for CBC the one before it, which is the initial value of a short message.
        let last = tail.get(tail.len().checked_sub(iv_len + BLOCK_LEN)?..)?;
        let (before, last) = modes::split_iv(mode, last)?;
        let mut last = Zeroizing::new(<[u8; BLOCK_LEN]>::try_from(last).ok()?);
        let mut keys = key_stream(&frame.c1.0, w, self.id);
        Chained::new(mode, k1_cipher(&mut keys).ok()?, &before).decrypt(last.as_mut());
        length.checked_sub(modes::padding_in(&last)? as u64)
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
        let mut keys = Some(key_stream(&frame.c1.0, w, self.id));
        let mut cover = None;
        let mut left = verified.message_len;
        input.for_each_piece(frame.c2_at, frame.c2_len, |index, piece| {
            if !verified.fingerprints.matches(index, piece) {
                return Err(Error::InputChanged);
            }
            let mut body = piece;
            if let Some(keys) = keys.take() {
                // The first piece begins with the initial value, and is longer than that: C2 fits.
                let (iv, _) = modes::split_iv(frame.mode, body).ok_or(Error::InputChanged)?;
                body = &mut body[modes::iv_len(frame.mode)..];
                cover = Some(Cover::new(frame.mode, keys, &iv)?);
            }
            if let Some(cover) = &mut cover {
                cover.remove(body)?;
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

/// How the message comes from `C2`.
enum Cover {
    Stream(Kdf),
    Sm4(Chained),
}

impl Cover {
    fn new(mode: Mode, mut keys: Kdf, iv: &[u8; BLOCK_LEN]) -> Result<Self, Error> {
        Ok(match mode {
            Mode::Stream => Self::Stream(keys),
            _ => Self::Sm4(Chained::new(mode, k1_cipher(&mut keys)?, iv)),
        })
    }

    fn remove(&mut self, piece: &mut [u8]) -> Result<(), Error> {
        match self {
            Self::Stream(keys) => keys
                .xor_in_place(piece)
                .map_err(|_| sm9::Error::DecryptionFailed.into()),
            Self::Sm4(chained) => {
                chained.decrypt(piece);
                Ok(())
            }
        }
    }
}
