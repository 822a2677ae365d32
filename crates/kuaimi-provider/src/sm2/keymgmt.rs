//! SM2's keys as OpenSSL manages them (EVP_KEYMGMT(3)).

use std::sync::Arc;

use kuaimi::sm2::PrivateKey;

use super::key::{Key, Material, PointForm};
use super::key_params::{
    ENCODED_PUBLIC_KEY, ENCODING, GROUP, POINT_FORMAT, PRIVATE_KEY, PUBLIC_KEY, check_group,
    point_form, public_key, transfer_types,
};
use crate::abi::core::Core;
use crate::abi::keymgmt::{Generation, ManagedKey, Selection};
use crate::abi::object::{Context, Loaded as _, Object};
use crate::abi::param::{Callback, Kind, Param, Params, Requests};
use crate::failure::{Failure, Reason};
use crate::provider::Provider;

impl ManagedKey for Key {
    type Provider = Provider;
    type Generation = KeyGeneration;

    const GETTABLE: &'static [Param] = &[
        Param::known(c"bits", Kind::Integer),
        Param::known(c"degree", Kind::Integer),
        Param::known(c"security-bits", Kind::Integer),
        Param::known(c"security-category", Kind::Integer),
        Param::known(c"max-size", Kind::Integer),
        Param::known(c"default-digest", Kind::Text),
        Param::known(c"decoded-from-explicit", Kind::Integer),
        Param::known(GROUP, Kind::Text),
        Param::known(ENCODING, Kind::Text),
        Param::known(POINT_FORMAT, Kind::Text),
        Param::known(c"field-type", Kind::Text),
        Param::known(c"p", Kind::Unsigned),
        Param::known(c"a", Kind::Unsigned),
        Param::known(c"b", Kind::Unsigned),
        Param::known(c"order", Kind::Unsigned),
        Param::known(c"cofactor", Kind::Unsigned),
        Param::known(c"generator", Kind::Octets),
        Param::known(PUBLIC_KEY, Kind::Octets),
        Param::known(ENCODED_PUBLIC_KEY, Kind::Octets),
        Param::known(c"qx", Kind::Unsigned),
        Param::known(c"qy", Kind::Unsigned),
        Param::known(PRIVATE_KEY, Kind::Unsigned),
        Param::END,
    ];
    const SETTABLE: &'static [Param] = &[
        Param::known(ENCODED_PUBLIC_KEY, Kind::Octets),
        Param::known(POINT_FORMAT, Kind::Text),
        Param::END,
    ];

    fn new(provider: &Arc<Provider>) -> Self {
        Self::new(Arc::clone(provider), Material::default())
    }

    fn select(&self, selection: Selection) -> Self {
        let material = self.material().select(selection);
        Self::new(Arc::clone(self.provider()), material)
    }

    fn has(&self, selection: Selection) -> bool {
        self.material().has(selection)
    }

    fn is_valid(&self, selection: Selection) -> bool {
        self.material().is_valid(selection)
    }

    fn matches(&self, other: &Self, selection: Selection) -> bool {
        self.material().matches(&other.material(), selection)
    }

    /// Sets the public key, as TLS does for the peer's key, or the form of points.
    fn set(&self, params: &Params<'_>) -> Result<(), Failure> {
        if let Some(param) = params.find(ENCODED_PUBLIC_KEY) {
            let public = public_key(param.octets()?)?;
            self.set_material(
                Material::from_public(public).with_point_form(self.material().point_form),
            );
        }
        if let Some(param) = params.find(POINT_FORMAT) {
            self.set_material(
                self.material()
                    .select(Selection::EVERYTHING)
                    .with_point_form(point_form(param)?),
            );
        }
        Ok(())
    }

    fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        self.material().answer(requests)
    }

    fn import(&self, params: &Params<'_>, selection: Selection) -> Result<(), Failure> {
        self.set_material(Material::import(params, selection)?);
        Ok(())
    }

    fn export(&self, selection: Selection, callback: &Callback) -> Result<(), Failure> {
        self.material().export(selection, callback)
    }

    fn transfer_types(selection: Selection) -> &'static [Param] {
        transfer_types(selection)
    }
}

/// How a key is to be made.
pub(crate) struct KeyGeneration {
    provider: Arc<Provider>,
    selection: Selection,
    point_form: PointForm,
}

impl Context for KeyGeneration {}

impl Object for KeyGeneration {
    fn core(&self) -> &Arc<Core> {
        self.provider.core()
    }
}

impl Generation for KeyGeneration {
    type Key = Key;

    const SETTABLE: &'static [Param] = &[
        Param::known(GROUP, Kind::Text),
        Param::known(ENCODING, Kind::Text),
        Param::known(POINT_FORMAT, Kind::Text),
        Param::END,
    ];

    fn new(provider: &Arc<Provider>, selection: Selection) -> Self {
        Self {
            provider: Arc::clone(provider),
            selection,
            point_form: PointForm::default(),
        }
    }

    /// Takes the parameters of key generation. Those of explicit curves are ignored.
    fn set(&mut self, params: &Params<'_>) -> Result<(), Failure> {
        if params.find(GROUP).is_some() {
            check_group(params)?;
        }
        if let Some(param) = params.find(ENCODING) {
            let encoding = param.text()?;
            if encoding != "named_curve" {
                return Err(Failure::with(
                    Reason::InvalidParameter,
                    format!("encoding {encoding}: the curve is written by its name"),
                ));
            }
        }
        if let Some(param) = params.find(POINT_FORMAT) {
            self.point_form = point_form(param)?;
        }
        Ok(())
    }

    /// A new key pair, or a key with the curve alone if no more is selected.
    fn generate(&self) -> Result<Key, Failure> {
        let material = if self.selection.any_key() {
            Material::from_secret(PrivateKey::generate()?)
        } else {
            Material::default()
        };
        Ok(Key::new(
            Arc::clone(&self.provider),
            material.with_point_form(self.point_form),
        ))
    }
}
