//! The names of the algorithms and curves that keys of other systems have, for error messages.

use core::fmt;

use der::asn1::ObjectIdentifier;

/// An object identifier, after its name if it has one here: `NIST P-256 (1.2.840.10045.3.1.7)`.
pub(super) struct Named(pub(super) ObjectIdentifier);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match name(&self.0) {
            Some(name) => write!(f, "{name} ({})", self.0),
            None => self.0.fmt(f),
        }
    }
}

const NIST_P256: &str = "1.2.840.10045.3.1.7";
const NIST_P384: &str = "1.3.132.0.34";
const NIST_P521: &str = "1.3.132.0.35";
const SECP256K1: &str = "1.3.132.0.10";

const NAMES: [(&str, &str); 25] = [
    (NIST_P256, "NIST P-256"),
    (NIST_P384, "NIST P-384"),
    (NIST_P521, "NIST P-521"),
    ("1.3.132.0.33", "NIST P-224"),
    (SECP256K1, "secp256k1"),
    ("1.3.36.3.3.2.8.1.1.7", "brainpoolP256r1"),
    ("1.3.36.3.3.2.8.1.1.11", "brainpoolP384r1"),
    ("1.3.36.3.3.2.8.1.1.13", "brainpoolP512r1"),
    ("1.2.840.113549.1.1.1", "RSA"),
    ("1.2.840.113549.1.1.10", "RSA-PSS"),
    ("1.2.840.113549.1.3.1", "Diffie-Hellman"),
    ("1.2.840.10040.4.1", "DSA"),
    ("1.2.840.10045.2.1", "elliptic curve"),
    ("1.3.101.110", "X25519"),
    ("1.3.101.111", "X448"),
    ("1.3.101.112", "Ed25519"),
    ("1.3.101.113", "Ed448"),
    ("1.2.156.10197.1.301", "SM2"),
    ("1.2.156.10197.1.302", "SM9"),
    ("1.2.156.10197.1.302.1", "SM9 signing"),
    ("1.2.156.10197.1.302.2", "SM9 key exchange"),
    ("1.2.156.10197.1.302.3", "SM9 encryption"),
    ("2.16.840.1.101.3.4.3.17", "ML-DSA-44"),
    ("2.16.840.1.101.3.4.3.18", "ML-DSA-65"),
    ("2.16.840.1.101.3.4.3.19", "ML-DSA-87"),
];

fn name(oid: &ObjectIdentifier) -> Option<&'static str> {
    NAMES
        .iter()
        .find(|(number, _)| ObjectIdentifier::new_unwrap(number) == *oid)
        .map(|(_, name)| *name)
}

/// The curve that OpenSSL calls `name`, if it is one of the usual ones.
pub(super) fn curve_of_openssl(name: &[u8]) -> Option<ObjectIdentifier> {
    let number = match name {
        b"prime256v1" => NIST_P256,
        b"secp384r1" => NIST_P384,
        b"secp521r1" => NIST_P521,
        b"secp256k1" => SECP256K1,
        _ => return None,
    };
    Some(ObjectIdentifier::new_unwrap(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString as _;

    #[test]
    fn names_and_numbers() {
        for (number, name) in NAMES {
            let oid = ObjectIdentifier::new_unwrap(number);
            assert_eq!(Named(oid).to_string(), alloc::format!("{name} ({number})"));
        }
        let unknown = ObjectIdentifier::new_unwrap("1.2.3.4");
        assert_eq!(Named(unknown).to_string(), "1.2.3.4");
    }
}
