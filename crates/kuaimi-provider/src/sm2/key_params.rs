//! Keys as OpenSSL's parameters (EVP_PKEY-EC(7), EVP_PKEY-SM2(7)): import, export, and single
//! values.
//!
//! Integers are big-endian here, and in the order of the machine in OpenSSL's parameters. The curve
//! is always SM2's: a key with explicit curve parameters is accepted if they are those of SM2.

use std::ffi::CStr;

use kuaimi::sm2::{PrivateKey, PublicKey, parameters};
use zeroize::Zeroizing;

use super::key::{Material, PointForm};
use super::signature::MAX_SIGNATURE_LEN;
use crate::abi::keymgmt::Selection;
use crate::abi::param::{Callback, Kind, List, Param, Params, Requests};
use crate::failure::{Failure, Reason};

pub(super) const GROUP: &CStr = c"group";
pub(super) const ENCODING: &CStr = c"encoding";
pub(super) const POINT_FORMAT: &CStr = c"point-format";
pub(super) const PUBLIC_KEY: &CStr = c"pub";
pub(super) const PRIVATE_KEY: &CStr = c"priv";
pub(super) const ENCODED_PUBLIC_KEY: &CStr = c"encoded-pub-key";

/// The name of the curve, as OpenSSL writes it.
const SM2: &CStr = c"SM2";
const PRIME_FIELD: &CStr = c"prime-field";
const NAMED_CURVE: &CStr = c"named_curve";

/// `04 ‖ xG ‖ yG`.
fn generator() -> [u8; 65] {
    let mut bytes = [4; 65];
    bytes[1..33].copy_from_slice(&parameters::gx());
    bytes[33..].copy_from_slice(&parameters::gy());
    bytes
}

fn is_sm2(name: &str) -> bool {
    name.eq_ignore_ascii_case("SM2") || name == "1.2.156.10197.1.301"
}

/// Whether the parameters name the curve, or give its equation, order and generator.
pub(super) fn check_group(params: &Params<'_>) -> Result<(), Failure> {
    if let Some(name) = params.find(GROUP) {
        let name = name.text()?;
        return if is_sm2(name) {
            Ok(())
        } else {
            Err(Failure::with(Reason::UnknownGroup, format!("group {name}")))
        };
    }
    let other = || Failure::with(Reason::UnknownGroup, "the parameters are not those of SM2");
    let explicit: [(&CStr, [u8; 32]); 4] = [
        (c"p", parameters::p()),
        (c"a", parameters::a()),
        (c"b", parameters::b()),
        (c"order", parameters::n()),
    ];
    for (key, value) in explicit {
        let found = params.find(key).ok_or_else(other)?;
        if found.unsigned_be::<32>()? != value {
            return Err(other());
        }
    }
    if let Some(cofactor) = params.find(c"cofactor")
        && cofactor.unsigned()? != 1
    {
        return Err(other());
    }
    let found = params.find(c"generator").ok_or_else(other)?.octets()?;
    let same =
        PublicKey::from_sec1_bytes(found).is_ok_and(|point| point.to_sec1_bytes() == generator());
    if same { Ok(()) } else { Err(other()) }
}

pub(super) fn point_form(param: &Param) -> Result<PointForm, Failure> {
    match param.text()? {
        "uncompressed" => Ok(PointForm::Uncompressed),
        "compressed" => Ok(PointForm::Compressed),
        "hybrid" => Ok(PointForm::Hybrid),
        other => Err(Failure::with(
            Reason::InvalidParameter,
            format!("point-format {other}"),
        )),
    }
}

fn point_form_name(form: PointForm) -> &'static CStr {
    match form {
        PointForm::Uncompressed => c"uncompressed",
        PointForm::Compressed => c"compressed",
        PointForm::Hybrid => c"hybrid",
    }
}

pub(super) fn public_key(bytes: &[u8]) -> Result<PublicKey, Failure> {
    PublicKey::from_sec1_bytes(bytes)
        .map_err(|error| Failure::with(Reason::InvalidPublicKey, error.to_string()))
}

impl Material {
    /// The key in `params`. Without a private key there may be a public key alone, and without both
    /// the curve alone.
    pub(crate) fn import(params: &Params<'_>, selection: Selection) -> Result<Self, Failure> {
        if !selection.parameters() {
            return Err(Reason::InvalidParameter.into());
        }
        check_group(params)?;
        let mut material = Self::default();
        if selection.private()
            && let Some(param) = params.find(PRIVATE_KEY)
        {
            let bytes = Zeroizing::new(param.unsigned_be::<32>()?);
            let secret = PrivateKey::from_bytes(&bytes).map_err(|_| Reason::InvalidPrivateKey)?;
            material = Self::from_secret(secret);
        }
        if selection.any_key()
            && let Some(param) = params.find(PUBLIC_KEY)
        {
            material = material.with_public(public_key(param.octets()?)?);
        }
        if let Some(param) = params.find(POINT_FORMAT) {
            material = material.with_point_form(point_form(param)?);
        }
        Ok(material)
    }

    /// Passes the parts that the key has to `callback`. libcrypto asks for all parts, even of a
    /// public key.
    pub(crate) fn export(&self, selection: Selection, callback: &Callback) -> Result<(), Failure> {
        let public = self.public().map(|public| self.encode(public));
        let mut private = Zeroizing::new([0; 32]);
        let mut list = List::new();
        if selection.any_parameters() {
            list = list
                .text(GROUP, SM2)
                .text(ENCODING, NAMED_CURVE)
                .text(POINT_FORMAT, point_form_name(self.point_form));
        }
        if selection.any_key()
            && let Some(public) = &public
        {
            list = list.octets(PUBLIC_KEY, public);
        }
        if selection.private()
            && let Some(secret) = self.secret()
        {
            *private = *secret.to_bytes();
            if cfg!(target_endian = "little") {
                private.reverse();
            }
            list = list.unsigned(PRIVATE_KEY, private.as_slice());
        }
        callback.call(list)
    }

    /// Writes the values that are requested.
    pub(crate) fn answer(&self, requests: &mut Requests<'_>) -> Result<(), Failure> {
        requests.answer(c"bits", |param| param.set_unsigned(256))?;
        requests.answer(c"degree", |param| param.set_unsigned(256))?;
        requests.answer(c"security-bits", |param| param.set_unsigned(128))?;
        requests.answer(c"security-category", |param| param.set_unsigned(0))?;
        requests.answer(c"max-size", |param| {
            param.set_unsigned(MAX_SIGNATURE_LEN as u64)
        })?;
        requests.answer(c"default-digest", |param| param.set_text(c"SM3"))?;
        requests.answer(c"decoded-from-explicit", |param| param.set_unsigned(0))?;
        requests.answer(GROUP, |param| param.set_text(SM2))?;
        requests.answer(ENCODING, |param| param.set_text(NAMED_CURVE))?;
        requests.answer(POINT_FORMAT, |param| {
            param.set_text(point_form_name(self.point_form))
        })?;
        requests.answer(c"field-type", |param| param.set_text(PRIME_FIELD))?;
        requests.answer(c"p", |param| param.set_unsigned_be(&parameters::p()))?;
        requests.answer(c"a", |param| param.set_unsigned_be(&parameters::a()))?;
        requests.answer(c"b", |param| param.set_unsigned_be(&parameters::b()))?;
        requests.answer(c"order", |param| param.set_unsigned_be(&parameters::n()))?;
        requests.answer(c"cofactor", |param| param.set_unsigned_be(&[1]))?;
        requests.answer(c"generator", |param| param.set_octets(&generator()))?;
        if let Some(public) = self.public() {
            let xy = public.to_xy_bytes();
            requests.answer(PUBLIC_KEY, |param| param.set_octets(&self.encode(public)))?;
            requests.answer(ENCODED_PUBLIC_KEY, |param| {
                param.set_octets(&public.to_sec1_bytes())
            })?;
            requests.answer(c"qx", |param| param.set_unsigned_be(&xy[..32]))?;
            requests.answer(c"qy", |param| param.set_unsigned_be(&xy[32..]))?;
        }
        if let Some(secret) = self.secret() {
            requests.answer(PRIVATE_KEY, |param| {
                kuaimi::wipe_stack(|| param.set_unsigned_be(secret.to_bytes().as_slice()))
            })?;
        }
        Ok(())
    }

    fn encode(&self, public: &PublicKey) -> Vec<u8> {
        match self.point_form {
            PointForm::Uncompressed => public.to_sec1_bytes().to_vec(),
            PointForm::Compressed => public.to_compressed_bytes().to_vec(),
            PointForm::Hybrid => {
                let mut bytes = public.to_sec1_bytes();
                bytes[0] = 6 | (bytes[64] & 1);
                bytes.to_vec()
            }
        }
    }
}

/// The parameters of import and export: of the curve alone, with the public key, and with the
/// private key too.
static PARAMETERS_ONLY: [Param; 4] = [
    Param::known(GROUP, Kind::Text),
    Param::known(ENCODING, Kind::Text),
    Param::known(POINT_FORMAT, Kind::Text),
    Param::END,
];
static WITH_PUBLIC_KEY: [Param; 5] = [
    Param::known(GROUP, Kind::Text),
    Param::known(ENCODING, Kind::Text),
    Param::known(POINT_FORMAT, Kind::Text),
    Param::known(PUBLIC_KEY, Kind::Octets),
    Param::END,
];
static WITH_PRIVATE_KEY: [Param; 6] = [
    Param::known(GROUP, Kind::Text),
    Param::known(ENCODING, Kind::Text),
    Param::known(POINT_FORMAT, Kind::Text),
    Param::known(PUBLIC_KEY, Kind::Octets),
    Param::known(PRIVATE_KEY, Kind::Unsigned),
    Param::END,
];

/// The parameters that hold what `selection` names.
pub(crate) fn transfer_types(selection: Selection) -> &'static [Param] {
    if selection.private() {
        &WITH_PRIVATE_KEY
    } else if selection.public() {
        &WITH_PUBLIC_KEY
    } else {
        &PARAMETERS_ONLY
    }
}
