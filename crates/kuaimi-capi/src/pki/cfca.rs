//! The `.sm2` files of CFCA, the China Financial Certification Authority.

use kuaimi_pki::cfca::open_key_file;

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
