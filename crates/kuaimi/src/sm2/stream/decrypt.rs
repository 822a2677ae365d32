//! Decrypting a file: one pass to verify, one to decrypt.

use std::io::{Read, Seek, Write};

use subtle::ConstantTimeEq;

use super::Error;
use super::frame::Frame;
use crate::sm2::encrypt::Session;
use crate::sm2::{self, CiphertextForm, PrivateKey};
use crate::two_pass::{Fingerprints, Input};
use crate::wipe_stack;
use kuaimi_platform::declassify;

/// Decrypts the ciphertext from the current position of `reader` to its end, and writes the message
/// to `writer`. Returns the length of the message, and the form of the ciphertext.
///
/// Without a `form`, every form is tried that the ciphertext may have. `C1C3C2` and `C1C2C3` look
/// alike, so each of them takes a pass over the input.
///
/// Nothing is written before the whole ciphertext is verified, and no piece that differs from the
/// verified one. Constant time in the key and the plaintext. About a megabyte of memory, and 16
/// bytes for each megabyte of input.
///
/// ```
/// use std::io::Cursor;
///
/// use kuaimi::sm2::{CiphertextForm, PrivateKey, stream};
///
/// let key = PrivateKey::generate()?;
/// let ciphertext = key.public_key().encrypt(b"a secret")?.to_der();
/// let mut message = Vec::new();
/// let (length, form) = stream::decrypt(&key, None, Cursor::new(ciphertext), &mut message)?;
/// assert_eq!((length, form), (8, CiphertextForm::Der));
/// assert_eq!(message, b"a secret");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Sm2`] with [`sm2::Error::DecryptionFailed`], whatever is wrong with the ciphertext or
/// the key; [`Error::InputChanged`] if the input differs in the second pass: `writer` then has the
/// verified message up to there; [`Error::Read`], [`Error::Write`]; [`Error::Random`] if the
/// operating system's random generator fails.
pub fn decrypt<R: Read + Seek, W: Write>(
    secret: &PrivateKey,
    form: Option<CiphertextForm>,
    reader: R,
    mut writer: W,
) -> Result<(u64, CiphertextForm), Error> {
    let mut input = Input::new(reader)?;
    let forms = match form {
        Some(form) => vec![form],
        None => input.detect()?,
    };
    for form in forms {
        let frame = match input.frame(form) {
            Ok(frame) => frame,
            // One error for every failed decryption.
            Err(Error::Malformed(_)) => continue,
            Err(error) => return Err(error),
        };
        if let Some(fingerprints) = wipe_stack(|| verify(secret, &mut input, &frame))? {
            wipe_stack(|| release(secret, &mut input, &frame, &fingerprints, &mut writer))?;
            return Ok((frame.masked_len, form));
        }
    }
    Err(sm2::Error::DecryptionFailed.into())
}

/// The first pass: the fingerprints of the masked plaintext, if `C₃` is right.
fn verify<R: Read + Seek>(
    secret: &PrivateKey,
    input: &mut Input<R>,
    frame: &Frame,
) -> Result<Option<Fingerprints>, Error> {
    let mut fingerprints = Fingerprints::new()?;
    let mut session = Session::for_recipient(secret, &frame.point);
    let mut too_long = false;
    input.for_each_piece(frame.masked_at, frame.masked_len, |_, piece| {
        fingerprints.push(piece);
        too_long |= session.decrypt(piece).is_err();
        Ok(())
    })?;
    let zero_mask = session.mask_is_zero();
    let valid = session.finish().ct_eq(&frame.digest) & !zero_mask;
    // An error tells the verdict.
    Ok((declassify(valid) && !too_long).then_some(fingerprints))
}

/// The second pass: writes the plaintext of what was verified.
fn release<R: Read + Seek>(
    secret: &PrivateKey,
    input: &mut Input<R>,
    frame: &Frame,
    fingerprints: &Fingerprints,
    writer: &mut impl Write,
) -> Result<(), Error> {
    let mut session = Session::for_recipient(secret, &frame.point);
    input.for_each_piece(frame.masked_at, frame.masked_len, |index, piece| {
        if !fingerprints.matches(index, piece) {
            return Err(Error::InputChanged);
        }
        session.unmask(piece)?;
        writer.write_all(piece).map_err(Error::Write)
    })?;
    writer.flush().map_err(Error::Write)
}
