//! Signatures and ciphertexts in their forms.

use kuaimi::sm9::{Ciphertext, DecryptOptions, EncryptOptions, Mac, Mode, Signature};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::argument::one_of;
use crate::error::Failure;

/// How a signature is read: in either form, or in one.
#[derive(Clone, Copy)]
pub(crate) enum SignatureReading {
    Any,
    Der,
    Raw,
}

impl SignatureReading {
    pub(crate) fn of(form: Option<&str>) -> Result<Self, Failure> {
        form.map_or(Ok(Self::Any), |name| {
            one_of("form", name, &[("der", Self::Der), ("raw", Self::Raw)])
        })
    }

    /// What is to be verified: what is none is an invalid signature, and says why.
    pub(crate) fn to_verify(self, bytes: &[u8]) -> Result<Signature, Failure> {
        self.read(bytes)
            .map_err(|error| Failure::NoSignature(error.to_string()))
    }

    pub(crate) fn read(self, bytes: &[u8]) -> Result<Signature, kuaimi::encoding::Error> {
        let der = match self {
            Self::Der => true,
            Self::Raw => false,
            // In DER, it is longer.
            Self::Any => bytes.len() != 96,
        };
        Ok(if der {
            Signature::from_der(bytes)?
        } else {
            Signature::from_slice(bytes)?
        })
    }
}

/// Whether a form is DER.
pub(crate) fn is_der(form: &str) -> Result<bool, Failure> {
    one_of("form", form, &[("der", true), ("raw", false)])
}

pub(crate) fn written<'py>(
    py: Python<'py>,
    signature: &Signature,
    der: bool,
) -> Bound<'py, PyBytes> {
    if der {
        PyBytes::new(py, &signature.to_der())
    } else {
        PyBytes::new(py, &signature.to_bytes())
    }
}

/// How messages are encrypted and ciphertexts written.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) mac: Mac,
}

impl Options {
    pub(crate) fn of(mode: &str, mac: &str) -> Result<Self, Failure> {
        let modes: Vec<_> = Mode::ALL.iter().map(|&mode| (mode.name(), mode)).collect();
        let macs: Vec<_> = Mac::ALL.iter().map(|&mac| (mac.name(), mac)).collect();
        Ok(Self {
            mode: one_of("mode", mode, &modes)?,
            mac: one_of("mac", mac, &macs)?,
        })
    }

    pub(crate) fn to_encrypt(self) -> EncryptOptions {
        EncryptOptions::new()
            .with_mode(self.mode)
            .with_mac(self.mac)
    }

    pub(crate) fn to_decrypt(self) -> DecryptOptions {
        DecryptOptions::new().with_mac(self.mac)
    }

    /// A ciphertext that is to be decrypted: one that cannot be read does not decrypt. DER, which
    /// names its mode, begins with 30, and so may a point: DER is tried first.
    pub(crate) fn read(self, form: Option<bool>, bytes: &[u8]) -> Result<Ciphertext, Failure> {
        let raw = || Ciphertext::from_bytes(self.mode, bytes).map_err(|_| Failure::Decryption);
        match (form, Ciphertext::from_der(bytes)) {
            (None | Some(true), Ok(ciphertext)) => Ok(ciphertext),
            (Some(true), Err(_)) => Err(Failure::Decryption),
            (None | Some(false), _) => raw(),
        }
    }
}
