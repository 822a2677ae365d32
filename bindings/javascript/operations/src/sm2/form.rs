//! Ciphertexts in their forms; both conversions.

use alloc::vec::Vec;

use kuaimi::sm2::{Ciphertext, CiphertextForm, PrivateKey};
use zeroize::Zeroizing;

use crate::signature_form::{SignatureReading, written};
use crate::{Failure, Result};

/// How a ciphertext is read.
pub(super) enum CiphertextReading {
    Any,
    Form(CiphertextForm),
    DerLenient,
}

const FORMS: [CiphertextForm; 5] = [
    CiphertextForm::C1C3C2,
    CiphertextForm::C1C2C3,
    CiphertextForm::BareC1C3C2,
    CiphertextForm::BareC1C2C3,
    CiphertextForm::Der,
];

/// The form with a number from 1 to 5.
pub(super) fn ciphertext_form(form: u32) -> Result<CiphertextForm> {
    let form = (form as usize).checked_sub(1);
    form.and_then(|i| FORMS.get(i).copied())
        .ok_or_else(|| argument!("this is no form of a ciphertext"))
}

impl CiphertextReading {
    pub(super) fn of(form: u32) -> Result<Self> {
        Ok(match form {
            0 => Self::Any,
            6 => Self::DerLenient,
            form => Self::Form(ciphertext_form(form)?),
        })
    }

    fn read(&self, bytes: &[u8]) -> Result<Ciphertext> {
        Ok(match self {
            Self::Form(form) => Ciphertext::from_bytes(*form, bytes)?,
            Self::DerLenient => Ciphertext::from_der_lenient(bytes)?,
            Self::Any => {
                return Err(argument!(
                    "say which form the ciphertext has: two orders of the same parts look alike",
                ));
            }
        })
    }

    pub(super) fn decrypt(&self, key: &PrivateKey, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        let message = match self {
            Self::Any => key.decrypt_bytes(bytes).map(|(message, _)| message),
            _ => {
                let ciphertext = self.read(bytes).map_err(|_| Failure::decryption())?;
                key.decrypt(&ciphertext)
            }
        };
        message.map_err(|_| Failure::decryption())
    }
}

/// A signature in another form.
pub fn sm2_convert_signature(signature: &[u8], from: u32, to: u32) -> Result<Vec<u8>> {
    written(&SignatureReading::of(from)?.read(signature)?, to)
}

/// A ciphertext in another form.
pub fn sm2_convert_ciphertext(ciphertext: &[u8], from: u32, to: u32) -> Result<Vec<u8>> {
    let to = ciphertext_form(to)?;
    Ok(CiphertextReading::of(from)?.read(ciphertext)?.to_bytes(to))
}

/// The numbers of the forms that a ciphertext may have by its looks.
pub fn sm2_detect_ciphertext(ciphertext: &[u8]) -> Result<Vec<u8>> {
    let found = CiphertextForm::detect(ciphertext);
    Ok(FORMS
        .iter()
        .zip(1..)
        .filter(|(form, _)| found.contains(form))
        .map(|(_, number)| number)
        .collect())
}
