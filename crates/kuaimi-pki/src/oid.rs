//! The object identifiers of certificates and messages (GM/T 0006-2012, GM/T 0010, RFC 5280,
//! RFC 5652).

use der::asn1::ObjectIdentifier;

const fn oid(text: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(text)
}

/// SM2 signatures with SM3, as certificates name them.
pub const SM2_WITH_SM3: ObjectIdentifier = oid("1.2.156.10197.1.501");
/// SM2 signatures, as messages name them.
pub const SM2_SIGN: ObjectIdentifier = oid("1.2.156.10197.1.301.1");
/// SM2's key exchange. GmSSL writes it for encryption.
pub const SM2_EXCHANGE: ObjectIdentifier = oid("1.2.156.10197.1.301.2");
/// SM2 encryption.
pub const SM2_ENCRYPT: ObjectIdentifier = oid("1.2.156.10197.1.301.3");
/// SM2's curve; as an algorithm, SM2.
pub const SM2: ObjectIdentifier = oid("1.2.156.10197.1.301");
/// SM3.
pub const SM3: ObjectIdentifier = oid("1.2.156.10197.1.401");

/// ECDSA with SHA-256.
pub const ECDSA_WITH_SHA256: ObjectIdentifier = oid("1.2.840.10045.4.3.2");
/// ECDSA with SHA-384.
pub const ECDSA_WITH_SHA384: ObjectIdentifier = oid("1.2.840.10045.4.3.3");
/// RSA with PKCS #1 padding and SHA-256.
pub const RSA_WITH_SHA256: ObjectIdentifier = oid("1.2.840.113549.1.1.11");
/// RSA with PKCS #1 padding and SHA-384.
pub const RSA_WITH_SHA384: ObjectIdentifier = oid("1.2.840.113549.1.1.12");
/// RSA with PKCS #1 padding and SHA-512.
pub const RSA_WITH_SHA512: ObjectIdentifier = oid("1.2.840.113549.1.1.13");
/// A key on an elliptic curve.
pub const EC_PUBLIC_KEY: ObjectIdentifier = oid("1.2.840.10045.2.1");
/// A key of RSA.
pub const RSA: ObjectIdentifier = oid("1.2.840.113549.1.1.1");
/// The curve P-256.
pub const P256: ObjectIdentifier = oid("1.2.840.10045.3.1.7");
/// The curve P-384.
pub const P384: ObjectIdentifier = oid("1.3.132.0.34");
