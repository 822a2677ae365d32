//! The curve's parameters, for `inspect --curve`.

use kuaimi::sm2::{DEFAULT_ID, parameters};
use serde_json::{Value, json};

use crate::text::hex;

/// The OIDs that SM2's files carry.
const CURVE_OID: &str = "1.2.156.10197.1.301";

pub fn text() -> String {
    let mut out = String::from(
        "SM2 recommended curve, GB/T 32918.5-2017 (sm2p256v1)\n\
         y^2 = x^3 + a x + b over the integers modulo p; G = (Gx, Gy) of order n; cofactor 1\n",
    );
    for (name, value) in numbers() {
        out += &format!("{name:<4}{}\n", hex(value).to_uppercase());
    }
    out += &format!(
        "OID {CURVE_OID}\ndefault identity {}\n",
        String::from_utf8_lossy(DEFAULT_ID)
    );
    out
}

pub fn json() -> Value {
    let mut out = json!({ "kind": "curve", "name": "sm2p256v1", "oid": CURVE_OID, "cofactor": 1 });
    for (name, value) in numbers() {
        out[name.to_lowercase()] = json!(hex(value));
    }
    out["default_id"] = json!(String::from_utf8_lossy(DEFAULT_ID));
    out
}

fn numbers() -> [(&'static str, [u8; 32]); 6] {
    [
        ("p", parameters::p()),
        ("a", parameters::a()),
        ("b", parameters::b()),
        ("n", parameters::n()),
        ("Gx", parameters::gx()),
        ("Gy", parameters::gy()),
    ]
}
