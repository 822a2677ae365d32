//! SM2 keys from DER (OSSL_DECODER(3)).
//!
//! libcrypto turns PEM and encrypted keys into DER, and then tries each decoder. A decoder that
//! finds something else returns no key, which is not an error.

use std::ffi::CStr;
use std::sync::Arc;

use kuaimi::encoding::{DecodeEcPrivateKey as _, DecodePrivateKey as _, DecodePublicKey as _};
use kuaimi::sm2::{PrivateKey, PublicKey};
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use super::key::{Key, Material};
use crate::abi::core::Input;
use crate::abi::decoder::Decoder;
use crate::abi::keymgmt::Selection;
use crate::provider::Provider;

/// The largest structure that may hold a key: more than any key has, even with attributes.
const MAX_LEN: usize = 64 << 10;

/// PKCS#8, not encrypted. The algorithm is `id-ecPublicKey` with SM2's curve, or SM2.
pub(crate) struct PrivateKeyInfo;

/// `SubjectPublicKeyInfo`.
pub(crate) struct SubjectPublicKeyInfo;

/// `ECPrivateKey` of SEC 1, or the name of the curve alone.
pub(crate) struct TypeSpecific;

// `can_have`: the first selected part counts, in the order private key, public key, parameters. If
// nothing is selected, the reader does not know what to expect, and every decoder is tried.

impl Decoder for PrivateKeyInfo {
    type Key = Key;
    const DATA_TYPE: &'static CStr = DATA_TYPE;

    fn can_have(selection: Selection) -> bool {
        selection.private() || !selection.any_key() && !selection.any_parameters()
    }

    fn read(provider: &Arc<Provider>, input: &mut Input<'_>, _: Selection) -> Option<Key> {
        let der = read_der(input)?;
        let secret = PrivateKey::from_pkcs8_der(&der).ok()?;
        Some(key(provider, Material::from_secret(secret)))
    }
}

impl Decoder for SubjectPublicKeyInfo {
    type Key = Key;
    const DATA_TYPE: &'static CStr = DATA_TYPE;

    fn can_have(selection: Selection) -> bool {
        !selection.private() && (selection.public() || !selection.any_parameters())
    }

    fn read(provider: &Arc<Provider>, input: &mut Input<'_>, _: Selection) -> Option<Key> {
        let der = read_der(input)?;
        let public = PublicKey::from_public_key_der(&der).ok()?;
        Some(key(provider, Material::from_public(public)))
    }
}

impl Decoder for TypeSpecific {
    type Key = Key;
    const DATA_TYPE: &'static CStr = DATA_TYPE;

    fn can_have(selection: Selection) -> bool {
        selection.private() || !selection.public()
    }

    fn read(provider: &Arc<Provider>, input: &mut Input<'_>, selection: Selection) -> Option<Key> {
        let der = read_der(input)?;
        let material = if selection.private() || !selection.any_parameters() {
            // Without the name of the curve it may be a key on another curve.
            contains(&der, &CURVE_NAME)
                .then(|| PrivateKey::from_sec1_der(&der).ok())?
                .map(Material::from_secret)
        } else {
            None
        };
        material
            .or_else(|| (der[..] == CURVE_NAME && !selection.private()).then(Material::default))
            .map(|material| key(provider, material))
    }
}

const DATA_TYPE: &CStr = c"SM2";

fn key(provider: &Arc<Provider>, material: Material) -> Key {
    Key::new(Arc::clone(provider), material)
}

/// `OBJECT IDENTIFIER 1.2.156.10197.1.301`.
const CURVE_NAME: [u8; 10] = [0x06, 0x08, 0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d];

/// Whether `bytes` contain `part`. Only the answer may show: the other bytes may be a private key.
fn contains(bytes: &[u8], part: &[u8]) -> bool {
    let is_part = |window: &[u8]| bool::from(window.ct_eq(part));
    bytes.windows(part.len()).any(is_part)
}

/// Reads one structure: its header, then as many bytes as that says.
fn read_der(input: &mut Input<'_>) -> Option<Zeroizing<Vec<u8>>> {
    let mut der = Zeroizing::new(vec![0; 2]);
    if !input.read(&mut der) {
        return None;
    }
    let length = match der[1] {
        short @ 0..=0x7f => usize::from(short),
        // 0x80 is the indefinite length, which DER does not allow.
        long @ 0x81..=0x84 => {
            let mut bytes = [0; 4];
            let bytes = &mut bytes[..usize::from(long & 0x7f)];
            if !input.read(bytes) {
                return None;
            }
            der.extend_from_slice(bytes);
            bytes
                .iter()
                .fold(0, |length, &byte| length << 8 | usize::from(byte))
        }
        _ => return None,
    };
    if length > MAX_LEN {
        return None;
    }
    // Allocated once, so that no part of a private key stays in memory that was given back.
    let mut whole = Zeroizing::new(vec![0; der.len() + length]);
    whole[..der.len()].copy_from_slice(&der);
    input.read(&mut whole[der.len()..]).then_some(whole)
}
