//! SM2 encryption (EVP_ASYM_CIPHER(3)). Ciphertexts have the DER form of GM/T 0009, as OpenSSL's
//! own.
//!
//! With the parameter `tls-client-version`, decryption is that of a premaster secret of TLCP (GB/T
//! 38636, 6.4.5.8): 48 bytes, of which the first two are the version. A wrong ciphertext, length or
//! version then gives random bytes instead of an error, as RFC 5246, 7.4.7.1, requires for RSA: the
//! handshake fails at its end, and the peer does not learn why.

use std::ffi::CStr;
use std::sync::Arc;

use kuaimi::sm2::Ciphertext;
use subtle::{ConditionallySelectable, ConstantTimeEq};
use zeroize::Zeroizing;

use super::check_digest;
use super::key::{Key, Material};
use crate::abi::asym_cipher::AsymCipher;
use crate::abi::core::Core;
use crate::abi::key_operation::KeyOperation;
use crate::abi::memory::Output;
use crate::abi::object::{Context, Loaded as _, Object};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};
use crate::provider::Provider;
use crate::random;

/// The length of a premaster secret.
const PREMASTER_LEN: usize = 48;

/// Encrypting or decrypting with a key.
#[derive(Clone)]
pub(crate) struct Sm2Encryption {
    provider: Arc<Provider>,
    key: Option<Arc<Material>>,
    /// The version at the start of a premaster secret, if a premaster secret is decrypted.
    tls_version: Option<u16>,
}

impl Object for Sm2Encryption {
    fn core(&self) -> &Arc<Core> {
        self.provider.core()
    }
}

/// Bytes of a DER header for contents of `length` bytes.
const fn header_len(length: usize) -> usize {
    match length {
        0..=0x7f => 2,
        _ => 2 + (usize::BITS - length.leading_zeros()).div_ceil(8) as usize,
    }
}

/// The largest ciphertext of a message: two integers of 33 bytes, a digest of 32, and the masked
/// message, in a sequence.
const fn max_ciphertext_len(message: usize) -> usize {
    let contents = 2 * (2 + 33) + (2 + 32) + header_len(message) + message;
    header_len(contents) + contents
}

impl Context for Sm2Encryption {}

impl KeyOperation for Sm2Encryption {
    type Provider = Provider;
    type Key = Key;

    const GETTABLE: &'static [Param] = &[
        Param::known(c"digest", Kind::Text),
        Param::known(VERSION, Kind::Unsigned),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = Self::GETTABLE;

    fn new(provider: &Arc<Provider>) -> Self {
        Self {
            provider: Arc::clone(provider),
            key: None,
            tls_version: None,
        }
    }

    fn init(&mut self, key: Option<&Key>, params: &Params<'_>) -> Result<(), Failure> {
        self.key = Some(key.ok_or(Reason::NoKey)?.material());
        self.set(params)
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        if let Some(param) = params.find(c"digest") {
            check_digest(param.text()?)?;
        }
        if let Some(param) = params.find(VERSION) {
            let version = u16::try_from(param.unsigned()?)
                .map_err(|_| Failure::with(Reason::InvalidParameter, "tls-client-version"))?;
            self.tls_version = Some(version).filter(|&version| version != 0);
        }
        Ok(())
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        requests.answer(c"digest", |param| param.set_text(c"SM3"))?;
        requests.answer(VERSION, |param| {
            param.set_unsigned(self.tls_version.unwrap_or(0).into())
        })
    }
}

impl AsymCipher for Sm2Encryption {
    type Ciphertext = Vec<u8>;
    type Message = Zeroizing<Vec<u8>>;

    /// Without a buffer, the largest length of a ciphertext. A key that is used again has a table.
    fn encrypt(&self, message: &[u8], capacity: Option<usize>) -> Result<Output<Vec<u8>>, Failure> {
        let public = self.key()?.need_public()?;
        if capacity.is_none() {
            return Ok(Output::Length(max_ciphertext_len(message.len())));
        }
        let ciphertext = self
            .provider
            .keys()
            .encryption_key(public)
            .encrypt(message)?;
        Ok(Output::Bytes(ciphertext.to_der()))
    }

    fn decrypt(
        &self,
        ciphertext: &[u8],
        capacity: Option<usize>,
    ) -> Result<Output<Zeroizing<Vec<u8>>>, Failure> {
        if let Some(version) = self.tls_version {
            return self.decrypt_premaster(version, ciphertext, capacity);
        }
        let secret = self.key()?.need_secret()?;
        let ciphertext = Ciphertext::from_der(ciphertext).map_err(|_| Reason::DecryptionFailed)?;
        match capacity {
            None => Ok(Output::Length(ciphertext.masked().len())),
            // Before decryption, so that this error does not depend on whether the ciphertext is
            // right.
            Some(size) if size < ciphertext.masked().len() => Err(Reason::OutputTooSmall.into()),
            Some(_) => Ok(Output::Bytes(secret.decrypt(&ciphertext)?)),
        }
    }
}

impl Sm2Encryption {
    fn key(&self) -> Result<&Material, Failure> {
        self.key.as_deref().ok_or_else(|| Reason::NoKey.into())
    }

    /// Decrypts a premaster secret, or gives random bytes.
    fn decrypt_premaster(
        &self,
        version: u16,
        ciphertext: &[u8],
        capacity: Option<usize>,
    ) -> Result<Output<Zeroizing<Vec<u8>>>, Failure> {
        let secret = self.key()?.need_secret()?;
        match capacity {
            None => return Ok(Output::Length(PREMASTER_LEN)),
            Some(PREMASTER_LEN..) => {}
            Some(_) => return Err(Reason::OutputTooSmall.into()),
        }
        let mut given = Zeroizing::new(vec![0; PREMASTER_LEN]);
        random::fill(&mut given)?;
        // The sender knows whether the ciphertext has SM2's form, and its length: neither is
        // secret.
        let message = Ciphertext::from_der(ciphertext)
            .ok()
            .and_then(|ciphertext| secret.decrypt(&ciphertext).ok());
        if let Some(message) = &message
            && let Ok(premaster) = <&[u8; PREMASTER_LEN]>::try_from(message.as_slice())
        {
            let right = premaster[..2].ct_eq(&version.to_be_bytes());
            for (byte, found) in given.iter_mut().zip(premaster) {
                byte.conditional_assign(found, right);
            }
        }
        Ok(Output::Bytes(given))
    }
}

const VERSION: &CStr = c"tls-client-version";

#[cfg(test)]
mod tests {
    use super::*;
    use kuaimi::sm2::{PrivateKey, PublicKey};

    /// Messages to the same recipient, whose key is another object each time.
    #[test]
    fn a_recipient_that_is_used_again_has_a_table() {
        let provider = Provider::for_tests();
        let secret = PrivateKey::from_bytes(&[7; 32]).unwrap();
        for _ in 0..3 {
            let mut encryption = Sm2Encryption::new(&provider);
            let material = Material::from_public(*secret.public_key());
            let key = Key::new(Arc::clone(&provider), material);
            assert!(encryption.init(Some(&key), &Params::none()).is_ok());
            let Ok(Output::Bytes(der)) = encryption.encrypt(b"a secret", Some(200)) else {
                panic!("no ciphertext");
            };
            let ciphertext = Ciphertext::from_der(&der).unwrap();
            assert_eq!(*secret.decrypt(&ciphertext).unwrap(), b"a secret");
        }
        let stats = provider.keys().stats();
        assert_eq!((stats.entries, stats.misses, stats.hits), (1, 2, 1));
    }

    /// A point whose coordinates both need one more byte in DER.
    fn long_point() -> PublicKey {
        (1..=255)
            .map(|number| *PrivateKey::from_bytes(&[number; 32]).unwrap().public_key())
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
