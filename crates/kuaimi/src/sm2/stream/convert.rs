//! One form of ciphertext to another.

use std::io::{Read, Seek, Write};

use super::Error;
use crate::encoding::DerHeader;
use crate::sm2::CiphertextForm;
use crate::two_pass::Input;

/// Reads the ciphertext in the form `from`, from the current position of `reader` to its end, and
/// writes it in the form `to` to `writer`. Returns the length of the encrypted message.
///
/// It needs no key, and does not check that the ciphertext decrypts. All of it is public, and it
/// runs in variable time.
///
/// ```
/// use std::io::Cursor;
///
/// use kuaimi::sm2::{CiphertextForm, PrivateKey, stream};
///
/// let ciphertext = PrivateKey::generate()?.public_key().encrypt(b"a secret")?;
/// let der = Cursor::new(ciphertext.to_der());
/// let mut raw = Vec::new();
/// stream::convert(der, CiphertextForm::Der, &mut raw, CiphertextForm::C1C3C2)?;
/// assert_eq!(raw, ciphertext.to_bytes(CiphertextForm::C1C3C2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Malformed`] if the input is no ciphertext in the form `from`; [`Error::InputChanged`];
/// [`Error::Read`], [`Error::Write`].
pub fn convert<R: Read + Seek, W: Write>(
    reader: R,
    from: CiphertextForm,
    mut writer: W,
    to: CiphertextForm,
) -> Result<u64, Error> {
    let mut input = Input::new(reader)?;
    let frame = input.frame(from)?;
    let mut write = |bytes: &[u8]| writer.write_all(bytes).map_err(Error::Write);
    match to {
        CiphertextForm::C1C3C2 | CiphertextForm::C1C2C3 => write(&frame.point.to_sec1_bytes())?,
        CiphertextForm::BareC1C3C2 | CiphertextForm::BareC1C2C3 => {
            write(&frame.point.to_xy_bytes())?;
        }
        CiphertextForm::Der => {
            let header = DerHeader {
                point: frame.point,
                digest: frame.digest,
                c2_len: frame.masked_len,
            };
            write(header.write().as_slice())?;
        }
    }
    if let CiphertextForm::C1C3C2 | CiphertextForm::BareC1C3C2 = to {
        write(&frame.digest)?;
    }
    input.for_each_piece(frame.masked_at, frame.masked_len, |_, piece| {
        writer.write_all(piece).map_err(Error::Write)
    })?;
    if let CiphertextForm::C1C2C3 | CiphertextForm::BareC1C2C3 = to {
        writer.write_all(&frame.digest).map_err(Error::Write)?;
    }
    writer.flush().map_err(Error::Write)?;
    Ok(frame.masked_len)
}
