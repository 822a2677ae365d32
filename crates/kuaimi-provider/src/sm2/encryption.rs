//! SM2 encryption (EVP_ASYM_CIPHER(3)). Ciphertexts have the DER form of GM/T 0009, as OpenSSL's own.

use std::sync::Arc;

use kuaimi::sm2::Ciphertext;

use super::check_digest;
use super::key::Material;
use crate::abi::Object;
use crate::abi::key_operation::KeyOperation;
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};
use crate::provider::Provider;

/// Encrypting or decrypting with a key.
#[derive(Clone)]
pub(crate) struct Encryption {
    provider: Arc<Provider>,
    key: Option<Arc<Material>>,
}

impl Object for Encryption {
    fn provider(&self) -> &Arc<Provider> {
        &self.provider
    }
}

/// Bytes of a DER header for contents of `length` bytes.
const fn header_len(length: usize) -> usize {
    match length {
        0..=0x7f => 2,
        _ => 2 + (usize::BITS - length.leading_zeros()).div_ceil(8) as usize,
    }
}

/// The largest ciphertext of a message: two integers of 33 bytes, a digest of 32, and the masked message, in a sequence.
const fn max_ciphertext_len(message: usize) -> usize {
    let contents = 2 * (2 + 33) + (2 + 32) + header_len(message) + message;
    header_len(contents) + contents
}

impl KeyOperation for Encryption {
    const GETTABLE: &'static [Param] = &[Param::known(c"digest", Kind::Text), Param::END];
    const SETTABLE: &'static [Param] = Self::GETTABLE;

    fn new(provider: Arc<Provider>) -> Self {
        Self {
            provider,
            key: None,
        }
    }

    fn init(&mut self, key: Option<Arc<Material>>, params: &Params<'_>) -> Result<(), Failure> {
        self.key = Some(key.ok_or(Reason::NoKey)?);
        self.set(params)
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        match params.find(c"digest") {
            Some(param) => check_digest(param.text()?),
            None => Ok(()),
        }
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        requests.answer(c"digest", |param| param.set_text(c"SM3"))
    }
}

impl Encryption {
    fn key(&self) -> Result<&Material, Failure> {
        self.key.as_deref().ok_or_else(|| Reason::NoKey.into())
    }

    /// Encrypts, and gives the length of the ciphertext; without a place for it, the largest length. A key that comes back has
    /// a table.
    pub(crate) fn encrypt(&self, message: &[u8], out: Option<&mut [u8]>) -> Result<usize, Failure> {
        let public = self.key()?.need_public()?;
        let Some(out) = out else {
            return Ok(max_ciphertext_len(message.len()));
        };
        let ciphertext = match self.provider.keys().prepared(public) {
            Some(prepared) => prepared.encrypt(message)?,
            None => public.encrypt(message)?,
        };
        give(&ciphertext.to_der(), out)
    }

    /// Decrypts, and gives the length of the message.
    pub(crate) fn decrypt(
        &self,
        ciphertext: &[u8],
        out: Option<&mut [u8]>,
    ) -> Result<usize, Failure> {
        let secret = self.key()?.need_secret()?;
        let ciphertext = Ciphertext::from_der_lenient(ciphertext)
            .map_err(|error| Failure::with(Reason::MalformedCiphertext, error.to_string()))?;
        match out {
            Some(out) => give(&secret.decrypt(&ciphertext)?, out),
            None => Ok(ciphertext.masked().len()),
        }
    }
}

fn give(bytes: &[u8], out: &mut [u8]) -> Result<usize, Failure> {
    out.get_mut(..bytes.len())
        .ok_or(Reason::OutputTooSmall)?
        .copy_from_slice(bytes);
    Ok(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::max_ciphertext_len;
    use kuaimi::sm2::{Ciphertext, PublicKey, SecretKey};

    /// A point whose coordinates both need a byte more in DER, found by trying.
    fn long_point() -> PublicKey {
        (1..=255)
            .map(|number| *SecretKey::from_bytes(&[number; 32]).unwrap().public_key())
            .find(|key| key.to_xy_bytes()[0] >= 0x80 && key.to_xy_bytes()[32] >= 0x80)
            .unwrap()
    }

    #[test]
    fn largest_length_is_reached_and_never_passed() {
        let point = long_point();
        for length in (1..300).chain([0xff00, 0xff7f, 0xff80, 0x1_0000, 0x1_0001]) {
            let ciphertext = Ciphertext::from_parts(point, [0xff; 32], vec![0xff; length]).unwrap();
            assert_eq!(
                ciphertext.to_der().len(),
                max_ciphertext_len(length),
                "{length} bytes"
            );
        }
    }
}
