//! How SM2's signatures are written.

use kuaimi::encoding::{self, DerSignature};
use kuaimi::sm2::Signature;

use crate::buffer::{Output, with_copy};
use crate::error::{Error, kuaimi_error};
use crate::signature_form::*;

/// The length of an SM2 signature in the form `KUAIMI_SIGNATURE_RAW`.
pub const KUAIMI_SM2_SIGNATURE_LEN: usize = 64;
/// The most bytes of an SM2 signature in DER.
pub const KUAIMI_SM2_SIGNATURE_DER_MAX_LEN: usize = 72;
const _: () = assert!(KUAIMI_SM2_SIGNATURE_DER_MAX_LEN == DerSignature::MAX_LEN);

/// Writes a signature that `sign` makes, unless the caller only asks for the size.
#[inline]
pub(crate) fn write_signature(
    form: kuaimi_signature_form,
    out: Output,
    sign: impl FnOnce() -> Result<Signature, Error>,
) -> Result<(), Error> {
    match form {
        KUAIMI_SIGNATURE_RAW => out.write(KUAIMI_SM2_SIGNATURE_LEN, || Ok(sign()?.to_bytes())),
        KUAIMI_SIGNATURE_DER => {
            out.write(KUAIMI_SM2_SIGNATURE_DER_MAX_LEN, || Ok(sign()?.to_der()))
        }
        _ => Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
    }
}

/// Reads a signature.
pub(crate) fn read_signature(
    form: kuaimi_signature_form,
    bytes: &[u8],
) -> Result<Result<Signature, encoding::Error>, Error> {
    with_copy(bytes, |bytes| {
        Ok(match form {
            KUAIMI_SIGNATURE_RAW => Signature::from_slice(bytes).map_err(Into::into),
            KUAIMI_SIGNATURE_DER => Signature::from_der(bytes),
            KUAIMI_SIGNATURE_DER_LENIENT => Signature::from_der_lenient(bytes),
            KUAIMI_SIGNATURE_ANY => Signature::from_any_form(bytes).map(|(signature, _)| signature),
            _ => return Err(Error::KUAIMI_ERROR_INVALID_ARGUMENT),
        })
    })
}

/// Reads a signature that is to be verified: one that cannot be read is not valid.
#[inline]
pub(crate) fn signature_to_verify(
    form: kuaimi_signature_form,
    bytes: &[u8],
) -> Result<Signature, Error> {
    read_signature(form, bytes)?.map_err(|_| Error::KUAIMI_ERROR_INVALID_SIGNATURE)
}

/// Writes a signature in another form.
///
/// `from`: any form. `to`: `KUAIMI_SIGNATURE_RAW` or `KUAIMI_SIGNATURE_DER`.
///
/// `KUAIMI_ERROR_SIGNATURE_ENCODING` and the errors of DER: the bytes are no signature in the form
/// `from`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kuaimi_sm2_signature_convert(
    signature: *const u8,
    signature_len: usize,
    from: kuaimi_signature_form,
    to: kuaimi_signature_form,
    out: *mut u8,
    out_len: *mut usize,
) -> kuaimi_error {
    call!(signature = input(signature, signature_len), out = output(out, out_len) => {
        let signature = read_signature(from, signature)??;
        write_signature(to, out, || Ok(signature))
    })
}
