//! Certificates (GM/T 0015), chains of them, messages (GM/T 0010, CMS) and PKCS #12.

mod certificate;
mod cfca;
mod cms_encrypt;
mod cms_sign;
mod cms_signing;
mod cms_stream;
mod cms_verify;
mod issue;
mod ocsp;
mod pkcs12;
mod request;
mod verdict;
mod verifier;

pub use certificate::*;
pub use cfca::*;
pub use cms_encrypt::*;
pub use cms_sign::*;
pub use cms_signing::*;
pub use cms_stream::*;
pub use cms_verify::*;
pub use issue::*;
pub use ocsp::*;
pub use pkcs12::*;
pub use request::*;
pub use verdict::*;
pub use verifier::*;

pub(crate) use certificate::accepted;
pub(crate) use verifier::revocation_of;

use crate::error::Error;

/// Text of the caller: a password, the name of a host.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|_| Error::KUAIMI_ERROR_INVALID_ARGUMENT)
}

/// Number `index` of a list.
pub(crate) fn at<T>(list: &[T], index: usize) -> Result<&T, Error> {
    list.get(index).ok_or(Error::KUAIMI_ERROR_INVALID_ARGUMENT)
}

/// What was found in the caller's bytes. That there is nothing is their fault, and no option's.
pub(crate) fn found<T>(read: Result<T, kuaimi_pki::Error>) -> Result<T, Error> {
    read.map_err(|error| match error {
        kuaimi_pki::Error::Argument(_) => Error::KUAIMI_ERROR_TEXT,
        error => error.into(),
    })
}

/// Certificates behind handles, as the library takes them.
fn owned(certificates: &[&kuaimi_pki::Certificate]) -> Vec<kuaimi_pki::Certificate> {
    certificates.iter().map(|&it| it.clone()).collect()
}

/// The bytes that these certificates take in a message or a file, with what stands around them.
fn room_for<'a>(certificates: impl IntoIterator<Item = &'a kuaimi_pki::Certificate>) -> usize {
    let lengths = certificates.into_iter().map(|it| it.as_der().len() + 512);
    lengths.fold(0, usize::saturating_add)
}
