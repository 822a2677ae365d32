//! gm-sm9.

use gm_sm9::key::{Sm9EncMasterKey, Sm9SignMasterKey};
use gm_sm9::points::{Point, TwistPoint};
use gm_sm9::u256::{u256_from_be_bytes, u256_to_be_bytes};

use crate::line::{Inputs, Operation, Result, once};

const IDENTITY: &[u8] = b"alice@example.com";

fn signing(inputs: &Inputs) -> Result<Sm9SignMasterKey> {
    let ks = u256_from_be_bytes(&inputs.get("master")?);
    Ok(Sm9SignMasterKey {
        ks,
        ppubs: TwistPoint::g_mul(&ks),
    })
}

fn encryption(inputs: &Inputs) -> Result<Sm9EncMasterKey> {
    let ke = u256_from_be_bytes(&inputs.get("master")?);
    Ok(Sm9EncMasterKey {
        ke,
        ppube: Point::g_mul(&ke),
    })
}

fn text(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}

pub const OPERATIONS: &[Operation] = &[
    ("sm9-extract", |inputs| {
        let master = signing(inputs)?;
        once(move || {
            Ok(master
                .extract_key(IDENTITY)
                .ok_or("no key")?
                .ds
                .to_bytes_be())
        })
    }),
    ("sm9-sign", |inputs| {
        let key = signing(inputs)?.extract_key(IDENTITY).ok_or("no key")?;
        let message = inputs.get("message")?;
        once(move || {
            let (h, s) = key.sign(&message).map_err(text)?;
            Ok([u256_to_be_bytes(&h), s.to_bytes_be()].concat())
        })
    }),
    ("sm9-verify", |inputs| {
        let (master, message) = (signing(inputs)?, inputs.get("message")?);
        let given = inputs.get("signature")?;
        if given.len() != 97 {
            return once(|| Ok(vec![0]));
        }
        let digits = hex::encode(&given[33..]);
        let (h, s) = (
            u256_from_be_bytes(&given[..32]),
            Point::from_hex([&digits[..64], &digits[64..]]),
        );
        once(move || {
            Ok(vec![
                master
                    .verify_sign(IDENTITY, &message, &h, &s)
                    .is_ok()
                    .into(),
            ])
        })
    }),
    ("sm9-encrypt", |inputs| {
        let (master, message) = (encryption(inputs)?, inputs.get("message")?);
        once(move || Ok(master.encrypt(IDENTITY, &message)))
    }),
    ("sm9-decrypt", |inputs| {
        let key = encryption(inputs)?.extract_key(IDENTITY).ok_or("no key")?;
        let given = inputs.get("ciphertext")?;
        once(move || Ok(key.decrypt(IDENTITY, &given).map_err(text)?))
    }),
];
