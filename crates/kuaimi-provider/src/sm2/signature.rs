//! SM2 signatures (EVP_SIGNATURE(3), EVP_PKEY-SM2(7)): of a digest that the program computed, and
//! of a message in pieces.

use std::sync::Arc;

use kuaimi::encoding::DerSignature;
use kuaimi::sm2::{Signature, TLS13_ID};
use kuaimi::sm3::{DIGEST_LEN, Sm3};

use super::check_digest;
use super::key::{Key, Material};
use crate::abi::core::Core;
use crate::abi::key_operation::KeyOperation;
use crate::abi::memory::Output;
use crate::abi::object::{Context, Loaded as _, Object};
use crate::abi::param::{Kind, Param, Params, Requests};
use crate::abi::signature::SignatureOperation;
use crate::failure::{Failure, Reason};
use crate::provider::Provider;

/// The largest signature in DER.
pub(crate) const MAX_SIGNATURE_LEN: usize = DerSignature::MAX_LEN;

/// `AlgorithmIdentifier` of SM2 with SM3, 1.2.156.10197.1.501, without parameters.
const ALGORITHM_ID: [u8; 12] = [
    0x30, 0x0a, 0x06, 0x08, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x83, 0x75,
];

const TLS13: u64 = 0x0304;

/// Signing or verifying with a key.
#[derive(Clone)]
pub(crate) struct Sm2Signature {
    provider: Arc<Provider>,
    key: Option<Arc<Material>>,
    /// The identity, where the program named one.
    id: Option<Box<[u8]>>,
    /// The digest of a message that has begun: `SM3(Z ‖ M …)`.
    message: Option<Sm3>,
    for_messages: bool,
}

impl Object for Sm2Signature {
    fn core(&self) -> &Arc<Core> {
        self.provider.core()
    }
}

impl Context for Sm2Signature {}

impl KeyOperation for Sm2Signature {
    type Provider = Provider;
    type Key = Key;

    const GETTABLE: &'static [Param] = &[
        Param::known(c"algorithm-id", Kind::Octets),
        Param::known(c"digest-size", Kind::Unsigned),
        Param::known(c"digest", Kind::Text),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::known(c"distid", Kind::Octets),
        Param::known(c"digest", Kind::Text),
        Param::known(c"digest-size", Kind::Unsigned),
        Param::known(c"tls-version", Kind::Unsigned),
        Param::END,
    ];

    fn new(provider: &Arc<Provider>) -> Self {
        Self {
            provider: Arc::clone(provider),
            key: None,
            id: None,
            message: None,
            for_messages: false,
        }
    }

    /// Without a key, the one from before is used.
    fn init(&mut self, key: Option<&Key>, params: &Params<'_>) -> Result<(), Failure> {
        self.message = None;
        self.for_messages = false;
        if let Some(key) = key {
            self.key = Some(key.material());
        }
        self.key()?;
        self.set(params)
    }

    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        let id = if let Some(param) = params.find(c"distid") {
            Some(param.octets()?)
        } else if let Some(param) = params.find(c"tls-version")
            && param.unsigned()? == TLS13
        {
            Some(TLS13_ID)
        } else {
            None
        };
        if let Some(id) = id {
            if self.message.is_some() {
                return Err(Reason::IdentityTooLate.into());
            }
            if id.len() > kuaimi::sm2::MAX_ID_LEN {
                return Err(Reason::IdentityTooLong.into());
            }
            self.id = Some(id.into());
        }
        if let Some(param) = params.find(c"digest-size")
            && param.size()? != DIGEST_LEN
        {
            return Err(Reason::WrongDigestLength.into());
        }
        match params.find(c"digest") {
            Some(param) => check_digest(param.text()?),
            None => Ok(()),
        }
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        requests.answer(c"algorithm-id", |param| param.set_octets(&ALGORITHM_ID))?;
        requests.answer(c"digest-size", |param| {
            param.set_unsigned(DIGEST_LEN as u64)
        })?;
        requests.answer(c"digest", |param| param.set_text(c"SM3"))
    }
}

impl SignatureOperation for Sm2Signature {
    type Signature = DerSignature;

    fn init_message(
        &mut self,
        digest: Option<&str>,
        key: Option<&Key>,
        params: &Params<'_>,
    ) -> Result<(), Failure> {
        if let Some(digest) = digest.filter(|name| !name.is_empty()) {
            check_digest(digest)?;
        }
        self.init(key, params)?;
        self.for_messages = true;
        Ok(())
    }

    /// The first piece follows `Z`.
    fn update(&mut self, data: &[u8]) -> Result<(), Failure> {
        if self.message.is_none() {
            self.message = Some(self.begin()?);
        }
        if let Some(message) = &mut self.message {
            message.update(data);
        }
        Ok(())
    }

    /// If the buffer is too small, `data` is not taken: the caller repeats the call with all of it.
    fn sign_message(
        &mut self,
        data: &[u8],
        capacity: Option<usize>,
    ) -> Result<Output<DerSignature>, Failure> {
        let Some(size) = capacity else {
            return Ok(Output::Length(MAX_SIGNATURE_LEN));
        };
        check_capacity(size)?;
        self.update(data)?;
        let digest = self.finish_message()?;
        self.sign_digest(&digest, capacity)
    }

    fn sign_digest(
        &self,
        digest: &[u8],
        capacity: Option<usize>,
    ) -> Result<Output<DerSignature>, Failure> {
        let Some(size) = capacity else {
            return Ok(Output::Length(MAX_SIGNATURE_LEN));
        };
        check_capacity(size)?;
        let digest = copied(digest)?;
        let signature = self.key()?.signing(self.id())?.sign_digest(&digest)?;
        Ok(Output::Bytes(signature.to_der()))
    }

    fn verify_message(&mut self, signature: &[u8]) -> Result<(), Failure> {
        let digest = self.finish_message()?;
        self.verify_digest(&digest, signature)
    }

    /// A key that is used again has a table.
    fn verify_digest(&self, digest: &[u8], signature: &[u8]) -> Result<(), Failure> {
        let digest = copied(digest)?;
        let mut copy = [0; MAX_SIGNATURE_LEN];
        let signature = match copy.get_mut(..signature.len()) {
            Some(copy) => {
                copy.copy_from_slice(signature);
                copy
            }
            // Too long for a signature: `from_der` refuses it.
            None => signature,
        };
        let signature = Signature::from_der(signature)
            .map_err(|error| Failure::with(Reason::MalformedSignature, error.to_string()))?;
        let key = self.key()?.verifying(self.id())?;
        self.provider
            .keys()
            .verify_digest(&key, &digest, &signature)
            .map_err(|_| Failure::told())
    }
}

impl Sm2Signature {
    fn key(&self) -> Result<&Material, Failure> {
        self.key.as_deref().ok_or_else(|| Reason::NoKey.into())
    }

    fn id(&self) -> &[u8] {
        self.id.as_deref().unwrap_or(self.provider.default_id())
    }

    fn begin(&self) -> Result<Sm3, Failure> {
        if !self.for_messages {
            return Err(Reason::NotInitialised.into());
        }
        // Signing needs the `SigningKey` later in any case, and its hash begins in the same way.
        let key = self.key()?;
        Ok(if key.secret().is_some() {
            key.signing(self.id())?.message_hash()
        } else {
            key.verifying(self.id())?.message_hash()
        })
    }

    fn finish_message(&mut self) -> Result<[u8; DIGEST_LEN], Failure> {
        let message = match self.message.take() {
            Some(message) => message,
            None => self.begin()?,
        };
        Ok(message.finalize())
    }
}

/// Refuses a buffer that is too small for some signatures, so that no program works by chance.
fn check_capacity(size: usize) -> Result<(), Failure> {
    if size < MAX_SIGNATURE_LEN {
        return Err(Reason::OutputTooSmall.into());
    }
    Ok(())
}

/// A copy of the caller's digest, whose memory another thread or process may change during the
/// call.
fn copied(digest: &[u8]) -> Result<[u8; DIGEST_LEN], Failure> {
    digest
        .try_into()
        .map_err(|_| Reason::WrongDigestLength.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kuaimi::sm2::PrivateKey;

    fn operation(provider: &Arc<Provider>, material: Material) -> Sm2Signature {
        let mut operation = Sm2Signature::new(provider);
        let key = Key::new(Arc::clone(provider), material);
        assert!(
            operation
                .init_message(Some("SM3"), Some(&key), &Params::none())
                .is_ok()
        );
        operation
    }

    /// A server reads the same certificate again and again: each time it is another object, with
    /// the same table.
    #[test]
    fn a_key_that_is_used_again_has_a_table() {
        let provider = Provider::for_tests();
        let secret = PrivateKey::from_bytes(&[7; 32]).unwrap();
        let public = *secret.public_key();
        let mut signer = operation(&provider, Material::from_secret(secret));
        let Ok(Output::Bytes(signature)) = signer.sign_message(b"a message", Some(72)) else {
            panic!("no signature");
        };
        for _ in 0..3 {
            let mut verifier = operation(&provider, Material::from_public(public));
            assert!(verifier.update(b"a message").is_ok());
            assert!(verifier.verify_message(signature.as_bytes()).is_ok());
        }
        let stats = provider.keys().stats();
        assert_eq!((stats.entries, stats.misses, stats.hits), (1, 2, 1));
    }

    /// The setting for the cache's size holds for all tables.
    #[test]
    fn a_verifier_makes_no_table_itself() {
        let secret = PrivateKey::from_bytes(&[7; 32]).unwrap();
        let key = Material::from_secret(secret);
        let signature = key.signing(b"id").unwrap().sign(b"a message").unwrap();
        for _ in 0..3 {
            let verifier = key.verifying(b"id").unwrap();
            assert_eq!(verifier.verify(b"a message", &signature), Ok(()));
            assert!(!verifier.is_prepared());
        }
    }

    /// What a signer computes once for its identity is kept, for the two identities of TLS 1.3.
    #[test]
    fn a_signer_is_made_once_for_an_identity() {
        let key = Material::from_secret(PrivateKey::from_bytes(&[7; 32]).unwrap());
        let signers = [b"one".as_slice(), b"two", b"three"].map(|id| key.signing(id).unwrap());
        for (id, signer) in [b"one".as_slice(), b"two"].iter().zip(&signers) {
            assert!(Arc::ptr_eq(&key.signing(id).unwrap(), signer));
        }
        assert!(!Arc::ptr_eq(&key.signing(b"three").unwrap(), &signers[2]));
    }
}
