//! Encryption and decryption (GB/T 32918.4-2016).

use kuaimi::sm2::{Ciphertext, CiphertextForm, Error as Sm2Error};

use super::private_key::kuaimi_sm2_private_key;
use super::public_key::kuaimi_sm2_public_key;
use crate::buffer::Output;
use crate::error::{Error, kuaimi_error};

options! {
    /// A form of an SM2 ciphertext.
    pub enum kuaimi_sm2_ciphertext_form {
        /// Point, digest, masked plaintext: the standard's order. 97 bytes more than the plaintext.
        KUAIMI_SM2_CIPHERTEXT_C1C3C2 = 1,
        /// Point, masked plaintext, digest: the order of an older draft, still in use. 97 bytes
        /// more than the plaintext.
        KUAIMI_SM2_CIPHERTEXT_C1C2C3 = 2,
        /// As `KUAIMI_SM2_CIPHERTEXT_C1C3C2`, without the point's first byte 04. 96 bytes more than
        /// the plaintext.
        KUAIMI_SM2_CIPHERTEXT_BARE_C1C3C2 = 3,
        /// As `KUAIMI_SM2_CIPHERTEXT_C1C2C3`, without the point's first byte 04. 96 bytes more than
        /// the plaintext.
        KUAIMI_SM2_CIPHERTEXT_BARE_C1C2C3 = 4,
        /// DER (GM/T 0009). At most 124 bytes more than the plaintext.
        KUAIMI_SM2_CIPHERTEXT_DER = 5,
        /// For decryption alone: DER as some vendors write it against the rules.
        KUAIMI_SM2_CIPHERTEXT_DER_LENIENT = 6,
        /// For decryption alone: whichever of the first five it is. Those that the bytes may be are
        /// tried in turn.
        KUAIMI_SM2_CIPHERTEXT_ANY = 7,
    }
}

/// A form that can be written, with the most bytes that it takes more than the plaintext.
pub(crate) fn written_form(
    form: kuaimi_sm2_ciphertext_form,
) -> Result<(CiphertextForm, usize), Error> {
    Ok(match form {
        KUAIMI_SM2_CIPHERTEXT_C1C3C2 => (CiphertextForm::C1C3C2, 97),
        KUAIMI_SM2_CIPHERTEXT_C1C2C3 => (CiphertextForm::C1C2C3, 97),
        KUAIMI_SM2_CIPHERTEXT_BARE_C1C3C2 => (CiphertextForm::BareC1C3C2, 96),
        KUAIMI_SM2_CIPHERTEXT_BARE_C1C2C3 => (CiphertextForm::BareC1C2C3, 96),
        // Two headers of 10 bytes, two integers of 35, and an octet string of 34.
        KUAIMI_SM2_CIPHERTEXT_DER => (CiphertextForm::Der, 124),
        _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    })
}

/// The most bytes of a ciphertext of `message_len` bytes.
pub(crate) fn ciphertext_bound(message_len: usize, overhead: usize) -> Result<usize, Error> {
    message_len
        .checked_add(overhead)
        .ok_or(Error::KUAIMI_ERROR_MESSAGE_TOO_LONG)
}

/// Reads a ciphertext in one form.
pub(crate) fn read_ciphertext(
    form: kuaimi_sm2_ciphertext_form,
    bytes: &[u8],
) -> Result<Result<Ciphertext, kuaimi::encoding::Error>, Error> {
    Ok(match form {
        KUAIMI_SM2_CIPHERTEXT_DER_LENIENT => Ciphertext::from_der_lenient(bytes),
        form => Ciphertext::from_bytes(written_form(form)?.0, bytes),
    })
}

/// Encrypts a message of at least one byte. Constant time in the message but for its length.
///
/// `form`: any but `KUAIMI_SM2_CIPHERTEXT_DER_LENIENT` and `KUAIMI_SM2_CIPHERTEXT_ANY`. In DER, the
/// size that it asks for may be some bytes more than it writes.
///
/// `KUAIMI_ERROR_EMPTY_MESSAGE`: there is nothing to encrypt. `KUAIMI_ERROR_RANDOM`: the random
/// generator failed.
///
/// Source: GB/T 32918.4-2016, clause 6.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_encrypt(
    key: *const kuaimi_sm2_public_key,
    message: *const u8,
    message_len: usize,
    form: kuaimi_sm2_ciphertext_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(key = handle(key), message = input(message, message_len), out = output(out, out_len) => {
        if message.is_empty() {
            return Err(Sm2Error::EmptyMessage.into());
        }
        let (form, overhead) = written_form(form)?;
        out.write(ciphertext_bound(message.len(), overhead)?, || {
            Ok(key.encrypt(message)?.to_bytes(form))
        })
    })
}

/// Decrypts a ciphertext. Constant time in the key and the plaintext but for its length. A
/// plaintext is written only after it was found to be right.
///
/// `KUAIMI_ERROR_DECRYPTION_FAILED`: for whatever reason.
///
/// Source: GB/T 32918.4-2016, clause 7.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_decrypt(
    key: *const kuaimi_sm2_private_key,
    ciphertext: *const u8,
    ciphertext_len: usize,
    form: kuaimi_sm2_ciphertext_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        #[once] ciphertext = input(ciphertext, ciphertext_len),
        out = output(out, out_len) => { decrypt(key, form, ciphertext, out) }
    )
}

fn decrypt(
    key: &kuaimi::sm2::PrivateKey,
    form: kuaimi_sm2_ciphertext_form,
    bytes: &[u8],
    out: Output,
) -> Result<(), Error> {
    if form == KUAIMI_SM2_CIPHERTEXT_ANY {
        // Which form it is shows only when it decrypts. The shortest has 33 bytes of a compressed
        // point and 32 of the digest.
        let bound = bytes
            .len()
            .checked_sub(65)
            .ok_or(Error::KUAIMI_ERROR_DECRYPTION_FAILED)?;
        return out.write(bound, || Ok(key.decrypt_bytes(bytes)?.0));
    }
    let ciphertext =
        read_ciphertext(form, bytes)?.map_err(|_| Error::KUAIMI_ERROR_DECRYPTION_FAILED)?;
    out.write(ciphertext.masked().len(), || Ok(key.decrypt(&ciphertext)?))
}

/// Writes a ciphertext in another form, without a key.
///
/// `from`: any form but `KUAIMI_SM2_CIPHERTEXT_ANY`. `to`: one of the first five.
///
/// `KUAIMI_ERROR_CIPHERTEXT_ENCODING` and the errors of points and DER: the bytes are no ciphertext
/// in the form `from`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_ciphertext_convert(
    ciphertext: *const u8,
    ciphertext_len: usize,
    from: kuaimi_sm2_ciphertext_form,
    to: kuaimi_sm2_ciphertext_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(#[once] ciphertext = input(ciphertext, ciphertext_len), out = output(out, out_len) => {
        let ciphertext = read_ciphertext(from, ciphertext)??;
        out.write_bytes(ciphertext.to_bytes(written_form(to)?.0))
    })
}
