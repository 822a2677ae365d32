//! The object identifiers that keys are written with (GM/T 0006-2012, RFC 5480, RFC 8018).

use der::asn1::ObjectIdentifier;

const fn oid(text: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(text)
}

/// `id-ecPublicKey`: a key on an elliptic curve, which the parameters name.
pub(crate) const EC_PUBLIC_KEY: ObjectIdentifier = oid("1.2.840.10045.2.1");
/// The SM2 curve; as an algorithm, SM2.
pub(crate) const SM2: ObjectIdentifier = oid("1.2.156.10197.1.301");
/// SM2 signing, which some write as a key's algorithm.
pub(crate) const SM2_SIGN: ObjectIdentifier = oid("1.2.156.10197.1.301.1");
/// SM2 encryption, which some write as a key's algorithm.
pub(crate) const SM2_ENCRYPT: ObjectIdentifier = oid("1.2.156.10197.1.301.3");
/// SM2 signatures with SM3.
pub(crate) const SM2_WITH_SM3: ObjectIdentifier = oid("1.2.156.10197.1.501");

#[cfg(feature = "sm9")]
pub(crate) use sm9::{SM9, SM9_ENCRYPT, SM9_EXCHANGE, SM9_SIGN};

#[cfg(feature = "sm9")]
mod sm9 {
    use super::{ObjectIdentifier, oid};

    /// SM9; as a key's algorithm, that of a master key, whose parameter is its purpose.
    pub(crate) const SM9: ObjectIdentifier = oid("1.2.156.10197.1.302");
    /// SM9 signing.
    pub(crate) const SM9_SIGN: ObjectIdentifier = oid("1.2.156.10197.1.302.1");
    /// SM9 key exchange.
    pub(crate) const SM9_EXCHANGE: ObjectIdentifier = oid("1.2.156.10197.1.302.2");
    /// SM9 encryption.
    pub(crate) const SM9_ENCRYPT: ObjectIdentifier = oid("1.2.156.10197.1.302.3");
}

/// SM4 without a mode, which in an enveloped key means ECB.
#[cfg(feature = "sm4")]
pub(crate) const SM4: ObjectIdentifier = oid("1.2.156.10197.1.104");
#[cfg(feature = "sm4")]
pub(crate) const SM4_ECB: ObjectIdentifier = oid("1.2.156.10197.1.104.1");

#[cfg(feature = "encryption")]
pub(crate) use encryption::*;

#[cfg(feature = "encryption")]
mod encryption {
    use super::{ObjectIdentifier, oid};

    /// PBES2.
    pub(crate) const PBES2: ObjectIdentifier = oid("1.2.840.113549.1.5.13");
    /// PBES2 under the identifier of GM/T 0091-2020.
    pub(crate) const GM_PBES: ObjectIdentifier = oid("1.2.156.10197.6.4.1.5.2");
    /// PBKDF2.
    pub(crate) const PBKDF2: ObjectIdentifier = oid("1.2.840.113549.1.5.12");
    /// PBKDF2 under the identifier of GM/T 0091-2020, where HMAC-SM3 is the default.
    pub(crate) const GM_PBKDF: ObjectIdentifier = oid("1.2.156.10197.6.4.1.5.1");
    /// The same two under the arc that GM/T 0010's messages have: both are found.
    pub(crate) const GM_PBES_MESSAGES: ObjectIdentifier = oid("1.2.156.10197.6.1.4.1.5.2");
    pub(crate) const GM_PBKDF_MESSAGES: ObjectIdentifier = oid("1.2.156.10197.6.1.4.1.5.1");
    /// scrypt (RFC 7914).
    pub(crate) const SCRYPT: ObjectIdentifier = oid("1.3.6.1.4.1.11591.4.11");

    pub(crate) const HMAC_SHA1: ObjectIdentifier = oid("1.2.840.113549.2.7");
    pub(crate) const HMAC_SHA224: ObjectIdentifier = oid("1.2.840.113549.2.8");
    pub(crate) const HMAC_SHA256: ObjectIdentifier = oid("1.2.840.113549.2.9");
    pub(crate) const HMAC_SHA384: ObjectIdentifier = oid("1.2.840.113549.2.10");
    pub(crate) const HMAC_SHA512: ObjectIdentifier = oid("1.2.840.113549.2.11");
    pub(crate) const HMAC_SM3: ObjectIdentifier = oid("1.2.156.10197.1.401.2");
    /// HMAC-SM3 under the identifier of GM/T 0091-2020 and later versions of OpenSSL.
    pub(crate) const HMAC_WITH_SM3: ObjectIdentifier = oid("1.2.156.10197.1.401.3.1");

    pub(crate) const AES_128_CBC: ObjectIdentifier = oid("2.16.840.1.101.3.4.1.2");
    pub(crate) const AES_192_CBC: ObjectIdentifier = oid("2.16.840.1.101.3.4.1.22");
    pub(crate) const AES_256_CBC: ObjectIdentifier = oid("2.16.840.1.101.3.4.1.42");
    pub(crate) const SM4_CBC: ObjectIdentifier = oid("1.2.156.10197.1.104.2");
}
