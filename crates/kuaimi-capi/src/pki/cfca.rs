//! The `.sm2` files of CFCA, the China Financial Certification Authority, and the keys it returns.

use kuaimi_pki::cfca::{open_key_file, open_returned_key, write_key_file};

use super::certificate::kuaimi_certificate;
use super::utf8;
use crate::error::kuaimi_error;
use crate::sm2::kuaimi_sm2_private_key;

/// Reads an `.sm2` file of CFCA, which is Base64, PEM or DER: a private key at `*key`, and its
/// certificate at `*certificate`. `password`: in UTF-8. The form protects the password badly: it
/// has no salt and no iterations. Better write the key with `kuaimi_pkcs12_write`.
///
/// `KUAIMI_ERROR_WRONG_PASSWORD`: another password, or an altered file, which look the same.
/// `KUAIMI_ERROR_DER` and others from 50 on: it is no such file. `KUAIMI_ERROR_INVALID_ARGUMENT`:
/// it has more than 1 MiB, or the password is not UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cfca_read_key_file(
    bytes: *const u8,
    len: usize,
    password: *const u8,
    password_len: usize,
    key: *mut *mut kuaimi_sm2_private_key,
    certificate: *mut *mut kuaimi_certificate,
) -> kuaimi_error {
    call!(
        key = new_handle(key),
        certificate = new_handle(certificate),
        #[once] bytes = input(bytes, len),
        #[once] password = input(password, password_len) => {
            let (private, holder) = open_key_file(bytes, utf8(password)?)?;
            key.put(private);
            certificate.put(holder);
            Ok(())
        }
    )
}

/// Writes an `.sm2` file of CFCA, as lines of Base64, for programs that read nothing else.
/// `password`: in UTF-8; the form protects it badly, so it must be random. `kuaimi_pkcs12_write` is
/// better.
///
/// `KUAIMI_ERROR_INVALID_ARGUMENT`: the certificate is of another key, or the password is not
/// UTF-8.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cfca_write_key_file(
    key: *const kuaimi_sm2_private_key,
    certificate: *const kuaimi_certificate,
    password: *const u8,
    password_len: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(
        key = handle(key),
        certificate = handle(certificate),
        #[once] password = input(password, password_len),
        out = output(out, out_len) => {
            out.write_bytes(write_key_file(key, certificate, utf8(password)?)?)
        }
    )
}

/// Opens the key to encrypt with that CFCA returns for a request with a temporary key, whose
/// private key is `temporary`. The private key is at `*out`; free it with
/// `kuaimi_sm2_private_key_free`. Constant time in the keys.
///
/// `KUAIMI_ERROR_DECRYPTION_FAILED`: another temporary key, or an altered text.
/// `KUAIMI_ERROR_DER` and others from 50 on: it is no such text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_cfca_open_returned_key(
    temporary: *const kuaimi_sm2_private_key,
    bytes: *const u8,
    len: usize,
    out: *mut *mut kuaimi_sm2_private_key,
) -> kuaimi_error {
    call!(
        out = new_handle(out),
        temporary = handle(temporary),
        #[once] bytes = input(bytes, len) => {
            out.put(open_returned_key(temporary, bytes)?);
            Ok(())
        }
    )
}
