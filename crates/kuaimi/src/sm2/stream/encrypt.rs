//! Encrypting a file in one pass.

use std::io::{Read, Seek, Write};

use rand_core::TryCryptoRng;
use zeroize::Zeroizing;

use super::Error;
use crate::encoding::DerHeader;
use crate::sm2::encrypt::Session;
use crate::sm2::scalar::random_scalar;
use crate::sm2::{self, CiphertextForm, MAX_MESSAGE_LEN, PublicKey};
use crate::two_pass::{
    ENCRYPTED_PIECE as PIECE, check_length, fill, leave_room, write, write_back,
};
use crate::wipe_stack;

/// Encrypts the message from `reader`, up to its end, and writes the ciphertext in the form `form`
/// to `writer`. Returns the length of the message.
///
/// If the digest comes before the message in `form` and the message has 64 KiB or more, `writer`
/// seeks back once, to write the digest at its place. The ciphertext starts at the current position
/// of `writer`, and `writer` is left at its end. For [`CiphertextForm::C1C2C3`] and
/// [`CiphertextForm::BareC1C2C3`], `writer` never seeks: wrap any writer in
/// [`Unseekable`](super::Unseekable).
///
/// `message_len`, if given, is the length of the message, and another length is an error. A message
/// of 64 KiB or more in DER needs it, as DER starts with the length.
///
/// Constant time in the message and the nonce. 64 KiB of memory.
///
/// ```
/// use std::io::Cursor;
///
/// use kuaimi::sm2::{CiphertextForm, PrivateKey, stream};
///
/// let key = PrivateKey::generate()?;
/// let message = [7; 100_000];
/// let mut ciphertext = Cursor::new(Vec::new());
/// let rng = &mut getrandom::SysRng;
/// let length = Some(message.len() as u64);
/// stream::encrypt(key.public_key(), rng, CiphertextForm::Der, &message[..], &mut ciphertext, length)?;
/// assert_eq!(*key.decrypt_bytes(ciphertext.get_ref())?.0, message);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::LengthNeeded`]; [`Error::LengthMismatch`]; [`Error::Read`], [`Error::Write`];
/// [`Error::Sm2`] with [`sm2::Error::EmptyMessage`] or [`sm2::Error::MessageTooLong`];
/// [`Error::Random`] if the generator fails. After an error, remove what was written.
pub fn encrypt<G: TryCryptoRng + ?Sized, R: Read, W: Write + Seek>(
    public: &PublicKey,
    rng: &mut G,
    form: CiphertextForm,
    reader: R,
    writer: W,
    message_len: Option<u64>,
) -> Result<u64, Error> {
    wipe_stack(|| encrypt_all(public, rng, form, reader, writer, message_len))
}

fn encrypt_all<G: TryCryptoRng + ?Sized, R: Read, W: Write + Seek>(
    public: &PublicKey,
    rng: &mut G,
    form: CiphertextForm,
    mut reader: R,
    mut writer: W,
    message_len: Option<u64>,
) -> Result<u64, Error> {
    if message_len.is_some_and(|length| length > MAX_MESSAGE_LEN) {
        return Err(sm2::Error::MessageTooLong.into());
    }
    let mut buffer = Zeroizing::new(vec![0; PIECE]);
    let filled = fill(&mut reader, &mut buffer).map_err(Error::Read)?;
    let first = &mut buffer[..filled];
    if filled < PIECE {
        // All of it. A short message's mask may be all zero, and then another nonce is needed: that
        // is seen to there.
        check_length(message_len, filled as u64, true)?;
        let ciphertext = public.encrypt_with_rng(rng, first)?.to_bytes(form);
        writer.write_all(&ciphertext).map_err(Error::Write)?;
        writer.flush().map_err(Error::Write)?;
        return Ok(filled as u64);
    }

    // As in `PublicKey::encrypt_with_rng`; that a mask of 64 KiB or more is all zero has a
    // probability of 2⁻⁵²⁴²⁸⁸.
    let k = random_scalar(rng)?;
    let (point, mut session) = Session::for_sender(public, &k);
    let mut digest_at = None;
    match form {
        CiphertextForm::C1C3C2 | CiphertextForm::C1C2C3 => {
            write(&mut writer, &point.to_sec1_bytes())?;
        }
        CiphertextForm::BareC1C3C2 | CiphertextForm::BareC1C2C3 => {
            write(&mut writer, &point.to_xy_bytes())?;
        }
        CiphertextForm::Der => {
            let header = DerHeader {
                point,
                digest: [0; 32],
                c2_len: message_len.ok_or(Error::LengthNeeded)?,
            };
            let (before, after) = header.write_around_digest();
            write(&mut writer, before.as_slice())?;
            digest_at = Some(leave_room(&mut writer)?);
            write(&mut writer, after.as_slice())?;
        }
    }
    if let CiphertextForm::C1C3C2 | CiphertextForm::BareC1C3C2 = form {
        digest_at = Some(leave_room(&mut writer)?);
    }

    let mut total = 0;
    let mut filled = filled;
    while filled != 0 {
        let piece = &mut buffer[..filled];
        total += filled as u64;
        check_length(message_len, total, false)?;
        session.encrypt(piece)?;
        write(&mut writer, piece)?;
        filled = fill(&mut reader, &mut buffer).map_err(Error::Read)?;
    }
    check_length(message_len, total, true)?;

    let digest = session.finish();
    match digest_at {
        None => write(&mut writer, &digest)?,
        Some(position) => write_back(&mut writer, position, &digest)?,
    }
    writer.flush().map_err(Error::Write)?;
    Ok(total)
}
