//! An SM2 key: the curve's parameters, and a public key, a private key, both or none.

use std::sync::Arc;

use arc_swap::{ArcSwap, ArcSwapOption};
use kuaimi::precompute::Precompute;
use kuaimi::sm2::{PrivateKey, PublicKey, SigningKey, VerifyingKey};

use crate::abi::core::Core;
use crate::abi::keymgmt::Selection;
use crate::abi::object::{Loaded as _, Object};
use crate::failure::{Failure, Reason};
use crate::provider::Provider;

/// The form of a public key inside a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum PointForm {
    #[default]
    Uncompressed,
    Compressed,
    Hybrid,
}

/// The contents of a key, which are never changed: a key gets new contents instead.
#[derive(Default)]
pub(crate) struct Material {
    public: Option<PublicKey>,
    secret: Option<PrivateKey>,
    pub(crate) point_form: PointForm,
    signing: ById<SigningKey>,
    verifying: ById<VerifyingKey>,
}

impl Material {
    /// A private key with its public key.
    pub(crate) fn from_secret(secret: PrivateKey) -> Self {
        Self {
            public: Some(*secret.public_key()),
            secret: Some(secret),
            ..Self::default()
        }
    }

    pub(crate) fn from_public(public: PublicKey) -> Self {
        Self {
            public: Some(public),
            ..Self::default()
        }
    }

    /// With a public key that was given with the private key, and may not belong to it.
    pub(crate) fn with_public(self, public: PublicKey) -> Self {
        Self {
            public: Some(public),
            ..self
        }
    }

    pub(crate) fn with_point_form(self, point_form: PointForm) -> Self {
        Self { point_form, ..self }
    }

    /// What `selection` names of it.
    pub(crate) fn select(&self, selection: Selection) -> Self {
        Self {
            public: self.public.filter(|_| selection.any_key()),
            secret: self.secret.clone().filter(|_| selection.private()),
            point_form: self.point_form,
            ..Self::default()
        }
    }

    pub(crate) fn public(&self) -> Option<&PublicKey> {
        self.public.as_ref()
    }

    pub(crate) fn secret(&self) -> Option<&PrivateKey> {
        self.secret.as_ref()
    }

    pub(crate) fn need_public(&self) -> Result<&PublicKey, Failure> {
        self.public().ok_or_else(|| Reason::NoPublicKey.into())
    }

    pub(crate) fn need_secret(&self) -> Result<&PrivateKey, Failure> {
        self.secret().ok_or_else(|| Reason::NoPrivateKey.into())
    }

    /// The signer under `id`, with the values that all its signatures need.
    pub(crate) fn signing(&self, id: &[u8]) -> Result<Arc<SigningKey>, Failure> {
        self.signing.get(id, || {
            Ok(SigningKey::with_id(self.need_secret()?.clone(), id)?)
        })
    }

    /// The verifier under `id`. Its table is in the provider's cache, whose size the configuration
    /// sets, or nowhere.
    pub(crate) fn verifying(&self, id: &[u8]) -> Result<Arc<VerifyingKey>, Failure> {
        self.verifying.get(id, || {
            let key = VerifyingKey::with_id(*self.need_public()?, id)?;
            Ok(key.with_precompute(Precompute::Never))
        })
    }

    /// Whether everything that `selection` names is there.
    pub(crate) fn has(&self, selection: Selection) -> bool {
        (!selection.public() || self.public.is_some())
            && (!selection.private() || self.secret.is_some())
    }

    /// Whether two keys agree in what `selection` names and both have.
    pub(crate) fn matches(&self, other: &Self, selection: Selection) -> bool {
        if !selection.any_key() {
            return true;
        }
        match (&self.public, &other.public) {
            (Some(one), Some(two)) if selection.public() || !selection.private() => {
                return one == two;
            }
            _ => {}
        }
        match (&self.secret, &other.secret) {
            (Some(one), Some(two)) if selection.private() => one == two,
            _ => false,
        }
    }

    /// Whether what `selection` names is there and valid. A point that is not on the curve and a
    /// number out of range were refused before, so this only checks that the two halves belong
    /// together.
    pub(crate) fn is_valid(&self, selection: Selection) -> bool {
        let halves_match = match (&self.public, &self.secret) {
            (Some(public), Some(secret)) => public == secret.public_key(),
            _ => true,
        };
        self.has(selection) && (!selection.key_pair() || halves_match)
    }
}

/// What a key computes once for an identity. Programs use one or two with a key (in TLS 1.3, that
/// of the handshake and that of certificates); others are computed each time. There is no lock:
/// after a fork, the child could find it locked by a thread that it does not have.
struct ById<T>([ArcSwapOption<Entry<T>>; 2]);

type Entry<T> = (Box<[u8]>, Arc<T>);

impl<T> Default for ById<T> {
    fn default() -> Self {
        Self(Default::default())
    }
}

impl<T> ById<T> {
    fn get(&self, id: &[u8], make: impl FnOnce() -> Result<T, Failure>) -> Result<Arc<T>, Failure> {
        for place in &self.0 {
            match place.load().as_deref() {
                Some((for_id, value)) if **for_id == *id => return Ok(Arc::clone(value)),
                Some(_) => {}
                None => {
                    let value = Arc::new(make()?);
                    let entry = Arc::new((id.into(), Arc::clone(&value)));
                    // If another thread was faster, its value stays.
                    place.compare_and_swap(&None::<Arc<_>>, Some(entry));
                    return Ok(value);
                }
            }
        }
        Ok(Arc::new(make()?))
    }
}

/// A key as libcrypto holds it. Threads share it without a lock, as above.
pub(crate) struct Key {
    provider: Arc<Provider>,
    material: ArcSwap<Material>,
}

impl Key {
    pub(crate) fn new(provider: Arc<Provider>, material: Material) -> Self {
        Self {
            provider,
            material: ArcSwap::from_pointee(material),
        }
    }

    pub(crate) fn provider(&self) -> &Arc<Provider> {
        &self.provider
    }

    /// The present contents.
    pub(crate) fn material(&self) -> Arc<Material> {
        self.material.load_full()
    }

    /// Replaces the contents.
    pub(crate) fn set_material(&self, material: Material) {
        self.material.store(Arc::new(material));
    }
}

impl Object for Key {
    fn core(&self) -> &Arc<Core> {
        self.provider.core()
    }
}
