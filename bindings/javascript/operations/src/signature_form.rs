//! Signatures of SM2 in their forms.

#[cfg(feature = "sm2")]
use alloc::vec::Vec;

use kuaimi::encoding::{Error, SignatureForm};
use kuaimi::sm2::Signature;

use crate::Result;

/// How a signature is read.
pub(crate) enum SignatureReading {
    Any,
    Form(SignatureForm),
    DerLenient,
}

impl SignatureReading {
    pub(crate) fn of(form: u32) -> Result<Self> {
        Ok(match form {
            0 => Self::Any,
            3 => Self::DerLenient,
            form => Self::Form(signature_form(form)?),
        })
    }

    pub(crate) fn read(&self, bytes: &[u8]) -> core::result::Result<Signature, Error> {
        match self {
            Self::Any => any_form(bytes),
            Self::Form(form) => Signature::from_form(*form, bytes),
            Self::DerLenient => Signature::from_der_lenient(bytes),
        }
    }
}

#[cfg(feature = "words")]
fn any_form(bytes: &[u8]) -> core::result::Result<Signature, Error> {
    Signature::from_any_form(bytes).map(|(signature, _)| signature)
}

/// The same, without the code that finds out what else the bytes are.
#[cfg(not(feature = "words"))]
fn any_form(bytes: &[u8]) -> core::result::Result<Signature, Error> {
    Signature::from_der(bytes)
        .or_else(|_| Signature::from_slice(bytes).map_err(|_| Error::NotASignature))
}

fn signature_form(form: u32) -> Result<SignatureForm> {
    match form {
        1 => Ok(SignatureForm::Der),
        2 => Ok(SignatureForm::Raw),
        _ => Err(argument!("this is no form of a signature")),
    }
}

/// A signature in a form.
#[cfg(feature = "sm2")]
pub(crate) fn written(signature: &Signature, form: u32) -> Result<Vec<u8>> {
    Ok(signature.to_form(signature_form(form)?))
}
