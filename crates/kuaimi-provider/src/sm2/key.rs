//! An SM2 key: the curve's parameters, and a public key, a private key, both or none.

use std::sync::Arc;

use arc_swap::{ArcSwap, ArcSwapOption};
use kuaimi::sm2::{PublicKey, SecretKey, SigningKey, VerifyingKey};

use crate::abi::{Context, Object};
use crate::failure::{Failure, Reason};
use crate::provider::Provider;

/// The parts of a key that an operation needs: private key, public key, parameters (`OSSL_KEYMGMT_SELECT_…`).
#[derive(Clone, Copy)]
pub(crate) struct Selection(pub(crate) i32);

impl Selection {
    const PRIVATE_KEY: i32 = 0x01;
    const PUBLIC_KEY: i32 = 0x02;
    const KEY_PAIR: i32 = Self::PRIVATE_KEY | Self::PUBLIC_KEY;
    const PARAMETERS: i32 = 0x04;
    const OTHER_PARAMETERS: i32 = 0x80;

    /// A key pair, or a public key, with the curve.
    pub(crate) const WHOLE: Self = Self(Self::KEY_PAIR | Self::PARAMETERS | Self::OTHER_PARAMETERS);
    pub(crate) const WITHOUT_PRIVATE: Self = Self(Self::WHOLE.0 & !Self::PRIVATE_KEY);
    pub(crate) const EVERYTHING: Self = Self(0xff);

    pub(crate) fn private(self) -> bool {
        self.0 & Self::PRIVATE_KEY != 0
    }

    pub(crate) fn public(self) -> bool {
        self.0 & Self::PUBLIC_KEY != 0
    }

    pub(crate) fn any_key(self) -> bool {
        self.0 & Self::KEY_PAIR != 0
    }

    pub(crate) fn key_pair(self) -> bool {
        self.0 & Self::KEY_PAIR == Self::KEY_PAIR
    }

    pub(crate) fn parameters(self) -> bool {
        self.0 & Self::PARAMETERS != 0
    }

    pub(crate) fn any_parameters(self) -> bool {
        self.0 & (Self::PARAMETERS | Self::OTHER_PARAMETERS) != 0
    }
}

/// How a public key is written where it is written into a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum PointForm {
    #[default]
    Uncompressed,
    Compressed,
    Hybrid,
}

/// The contents of a key. They do not change: a key that changes gets others.
#[derive(Default)]
pub(crate) struct Material {
    public: Option<PublicKey>,
    secret: Option<SecretKey>,
    pub(crate) point_form: PointForm,
    signing: ById<SigningKey>,
    verifying: ById<VerifyingKey>,
}

impl Material {
    /// A private key with its public key.
    pub(crate) fn from_secret(secret: SecretKey) -> Self {
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

    /// With a public key that came beside the private key, and may not belong to it.
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

    pub(crate) fn secret(&self) -> Option<&SecretKey> {
        self.secret.as_ref()
    }

    pub(crate) fn need_public(&self) -> Result<&PublicKey, Failure> {
        self.public().ok_or_else(|| Reason::NoPublicKey.into())
    }

    pub(crate) fn need_secret(&self) -> Result<&SecretKey, Failure> {
        self.secret().ok_or_else(|| Reason::NoPrivateKey.into())
    }

    /// The signer under `id`, with what its signatures share.
    pub(crate) fn signing(&self, id: &[u8]) -> Result<Arc<SigningKey>, Failure> {
        self.signing.get(id, || {
            Ok(SigningKey::with_id(self.need_secret()?.clone(), id)?)
        })
    }

    /// The verifier under `id`.
    pub(crate) fn verifying(&self, id: &[u8]) -> Result<Arc<VerifyingKey>, Failure> {
        self.verifying
            .get(id, || Ok(VerifyingKey::with_id(*self.need_public()?, id)?))
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

    /// Whether what `selection` names is there and valid. A point that is not on the curve and a number out of range are never
    /// let in, so what is left is that the two halves belong together.
    pub(crate) fn is_valid(&self, selection: Selection) -> bool {
        let halves_match = match (&self.public, &self.secret) {
            (Some(public), Some(secret)) => public == secret.public_key(),
            _ => true,
        };
        self.has(selection) && (!selection.key_pair() || halves_match)
    }
}

/// What a key computes once for an identity. Programs use one or two with a key (in TLS 1.3, that of the handshake and that of
/// certificates); others are computed each time. No lock: the child of a process could find one that no thread of its own holds.
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
                    // Another thread may have been quicker, with this identity or another.
                    place.compare_and_swap(&None::<Arc<_>>, Some(entry));
                    return Ok(value);
                }
            }
        }
        Ok(Arc::new(make()?))
    }
}

/// What libcrypto holds of a key. Threads share it, and there is no lock, as above.
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

    /// The contents of now.
    pub(crate) fn material(&self) -> Arc<Material> {
        self.material.load_full()
    }

    /// Gives the key other contents.
    pub(crate) fn set_material(&self, material: Material) {
        self.material.store(Arc::new(material));
    }
}

impl Object for Key {
    fn provider(&self) -> &Arc<Provider> {
        &self.provider
    }
}

/// How a key is to be made.
pub(crate) struct Generation {
    provider: Arc<Provider>,
    selection: Selection,
    pub(crate) point_form: PointForm,
}

impl Generation {
    pub(crate) fn new(provider: Arc<Provider>, selection: Selection) -> Self {
        Self {
            provider,
            selection,
            point_form: PointForm::default(),
        }
    }

    /// A new key pair, or the parameters alone where no more is asked for.
    pub(crate) fn generate(&self) -> Result<Key, Failure> {
        let material = if self.selection.any_key() {
            Material::from_secret(SecretKey::generate()?)
        } else {
            Material::default()
        };
        Ok(Key::new(
            Arc::clone(&self.provider),
            material.with_point_form(self.point_form),
        ))
    }
}

impl Context for Generation {}

impl Object for Generation {
    fn provider(&self) -> &Arc<Provider> {
        &self.provider
    }
}
