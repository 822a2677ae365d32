//! Signatures of SM2 in their forms.

#[cfg(feature = "sm2")]
use alloc::vec::Vec;

use kuaimi::encoding::SignatureForm;
use kuaimi::sm2::Signature;

use crate::{Failure, Result};

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

    pub(crate) fn read(
        &self,
        bytes: &[u8],
    ) -> core::result::Result<Signature, kuaimi::encoding::Error> {
        match self {
            // Bytes, not text: one in DER is hardly ever of 64 bytes, and then it begins so.
            Self::Any => Signature::from_der(bytes)
                .or_else(|error| Signature::from_slice(bytes).map_err(|_| error)),
            Self::Form(form) => Signature::from_form(*form, bytes),
            Self::DerLenient => Signature::from_der_lenient(bytes),
        }
    }
}

fn signature_form(form: u32) -> Result<SignatureForm> {
    match form {
        1 => Ok(SignatureForm::Der),
        2 => Ok(SignatureForm::Raw),
        _ => Err(Failure::argument("this is no form of a signature")),
    }
}

/// A signature in a form.
#[cfg(feature = "sm2")]
pub(crate) fn written(signature: &Signature, form: u32) -> Result<Vec<u8>> {
    Ok(signature.to_form(signature_form(form)?))
}
