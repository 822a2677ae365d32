//! The object identifiers of certificates, messages and key files (GM/T 0006-2012, GM/T 0010,
//! GM/T 0091-2020, RFC 5280, RFC 5652, RFC 7292, RFC 9579).

use der::asn1::ObjectIdentifier;

pub(crate) const fn oid(text: &str) -> ObjectIdentifier {
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

// What chains, lists of revoked certificates and OCSP need.

/// The extension authorityKeyIdentifier.
pub const AUTHORITY_KEY_IDENTIFIER: ObjectIdentifier = oid("2.5.29.35");
/// The extension basicConstraints.
pub const BASIC_CONSTRAINTS: ObjectIdentifier = oid("2.5.29.19");
/// The extension certificatePolicies.
pub const CERTIFICATE_POLICIES: ObjectIdentifier = oid("2.5.29.32");
/// The extension cRLDistributionPoints.
pub const CRL_DISTRIBUTION_POINTS: ObjectIdentifier = oid("2.5.29.31");
/// The extension cRLNumber of a list.
pub const CRL_NUMBER: ObjectIdentifier = oid("2.5.29.20");
/// The extension deltaCRLIndicator of a list.
pub const DELTA_CRL_INDICATOR: ObjectIdentifier = oid("2.5.29.27");
/// The extension extKeyUsage.
pub const EXTENDED_KEY_USAGE: ObjectIdentifier = oid("2.5.29.37");
/// The extension freshestCRL.
pub const FRESHEST_CRL: ObjectIdentifier = oid("2.5.29.46");
/// The extension inhibitAnyPolicy.
pub const INHIBIT_ANY_POLICY: ObjectIdentifier = oid("2.5.29.54");
/// The extension issuingDistributionPoint of a list.
pub const ISSUING_DISTRIBUTION_POINT: ObjectIdentifier = oid("2.5.29.28");
/// The extension keyUsage.
pub const KEY_USAGE: ObjectIdentifier = oid("2.5.29.15");
/// The extension nameConstraints.
pub const NAME_CONSTRAINTS: ObjectIdentifier = oid("2.5.29.30");
/// The extension policyConstraints.
pub const POLICY_CONSTRAINTS: ObjectIdentifier = oid("2.5.29.36");
/// The extension policyMappings.
pub const POLICY_MAPPINGS: ObjectIdentifier = oid("2.5.29.33");
/// The extension subjectAltName.
pub const SUBJECT_ALT_NAME: ObjectIdentifier = oid("2.5.29.17");
/// The extension subjectKeyIdentifier.
pub const SUBJECT_KEY_IDENTIFIER: ObjectIdentifier = oid("2.5.29.14");
/// The entry's extension cRLReasons.
pub const CRL_REASON: ObjectIdentifier = oid("2.5.29.21");
/// The entry's extension invalidityDate.
pub const INVALIDITY_DATE: ObjectIdentifier = oid("2.5.29.24");
/// The entry's extension certificateIssuer, of indirect lists.
pub const CERTIFICATE_ISSUER: ObjectIdentifier = oid("2.5.29.29");
/// Any policy.
pub const ANY_POLICY: ObjectIdentifier = oid("2.5.29.32.0");
/// Any purpose of a key.
pub const ANY_EXTENDED_KEY_USAGE: ObjectIdentifier = oid("2.5.29.37.0");
/// The purpose of a TLS server.
pub const SERVER_AUTH: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.1");
/// The purpose of a TLS client.
pub const CLIENT_AUTH: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.2");
/// The purpose of signing programs.
pub const CODE_SIGNING: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.3");
/// The purpose of signing OCSP responses.
pub const OCSP_SIGNING: ObjectIdentifier = oid("1.3.6.1.5.5.7.3.9");
/// A basic OCSP response.
pub const OCSP_BASIC: ObjectIdentifier = oid("1.3.6.1.5.5.7.48.1.1");
/// The extension nonce of OCSP.
pub const OCSP_NONCE: ObjectIdentifier = oid("1.3.6.1.5.5.7.48.1.2");
/// The extension ocsp-nocheck: the responder's certificate needs no check of its own.
pub const OCSP_NO_CHECK: ObjectIdentifier = oid("1.3.6.1.5.5.7.48.1.5");
/// SHA-1.
pub const SHA1: ObjectIdentifier = oid("1.3.14.3.2.26");
/// SHA-256.
pub const SHA256: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.1");
/// A common name.
pub const COMMON_NAME: ObjectIdentifier = oid("2.5.4.3");
/// An e-mail address in a name.
pub const EMAIL_ADDRESS: ObjectIdentifier = oid("1.2.840.113549.1.9.1");

// What certificates, messages and key files name in common.

pub(crate) const SHA224: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.4");
pub(crate) const SHA384: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.2");
pub(crate) const SHA512: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.3");

pub(crate) const SM4: ObjectIdentifier = oid("1.2.156.10197.1.104");
pub(crate) const SM4_CBC: ObjectIdentifier = oid("1.2.156.10197.1.104.2");
pub(crate) const SM4_OFB: ObjectIdentifier = oid("1.2.156.10197.1.104.3");
pub(crate) const SM4_CFB: ObjectIdentifier = oid("1.2.156.10197.1.104.4");
pub(crate) const SM4_CTR: ObjectIdentifier = oid("1.2.156.10197.1.104.7");
pub(crate) const SM4_GCM: ObjectIdentifier = oid("1.2.156.10197.1.104.8");

// Types of contents (RFC 5652, clause 14; RFC 5083), and the same as GM/T 0010 names them.

pub(crate) const DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.1");
pub(crate) const SIGNED_DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.2");
pub(crate) const ENVELOPED_DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.3");
pub(crate) const SIGNED_AND_ENVELOPED_DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.4");
pub(crate) const ENCRYPTED_DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.6");
pub(crate) const AUTH_ENVELOPED_DATA: ObjectIdentifier = oid("1.2.840.113549.1.9.16.1.23");
pub(crate) const GM_DATA: ObjectIdentifier = oid("1.2.156.10197.6.1.4.2.1");
pub(crate) const GM_SIGNED_DATA: ObjectIdentifier = oid("1.2.156.10197.6.1.4.2.2");
pub(crate) const GM_ENVELOPED_DATA: ObjectIdentifier = oid("1.2.156.10197.6.1.4.2.3");
pub(crate) const GM_SIGNED_AND_ENVELOPED_DATA: ObjectIdentifier = oid("1.2.156.10197.6.1.4.2.4");
pub(crate) const GM_ENCRYPTED_DATA: ObjectIdentifier = oid("1.2.156.10197.6.1.4.2.5");
pub(crate) const GM_KEY_AGREEMENT: ObjectIdentifier = oid("1.2.156.10197.6.1.4.2.6");

// Attributes of signers, requests and files (RFC 2985; RFC 5652, clause 11).

pub(crate) const CONTENT_TYPE: ObjectIdentifier = oid("1.2.840.113549.1.9.3");
pub(crate) const MESSAGE_DIGEST: ObjectIdentifier = oid("1.2.840.113549.1.9.4");
pub(crate) const SIGNING_TIME: ObjectIdentifier = oid("1.2.840.113549.1.9.5");
pub(crate) const COUNTER_SIGNATURE: ObjectIdentifier = oid("1.2.840.113549.1.9.6");
pub(crate) const CHALLENGE_PASSWORD: ObjectIdentifier = oid("1.2.840.113549.1.9.7");
pub(crate) const TIME_STAMP: ObjectIdentifier = oid("1.2.840.113549.1.9.16.2.14");
pub(crate) const FRIENDLY_NAME: ObjectIdentifier = oid("1.2.840.113549.1.9.20");
pub(crate) const LOCAL_KEY_ID: ObjectIdentifier = oid("1.2.840.113549.1.9.21");
/// CFCA's temporary public key in a request.
pub(crate) const TEMPORARY_KEY: ObjectIdentifier = oid("1.2.840.113549.1.9.63");

// PKCS #12 (RFC 7292, appendix D; RFC 9579; GM/T 0091-2020).

pub(crate) const KEY_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.1");
pub(crate) const SHROUDED_KEY_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.2");
pub(crate) const CERTIFICATE_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.3");
pub(crate) const CRL_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.4");
pub(crate) const SECRET_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.5");
pub(crate) const SAFE_CONTENTS_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.6");

pub(crate) const X509_CERTIFICATE: ObjectIdentifier = oid("1.2.840.113549.1.9.22.1");
pub(crate) const X509_CRL: ObjectIdentifier = oid("1.2.840.113549.1.9.23.1");

/// PKCS #12's own encryptions, the parent of their numbers.
pub(crate) const SHA1_3DES_3KEY: ObjectIdentifier = oid("1.2.840.113549.1.12.1.3");
pub(crate) const SHA1_3DES_2KEY: ObjectIdentifier = oid("1.2.840.113549.1.12.1.4");
pub(crate) const SHA1_RC2_128: ObjectIdentifier = oid("1.2.840.113549.1.12.1.5");
pub(crate) const SHA1_RC2_40: ObjectIdentifier = oid("1.2.840.113549.1.12.1.6");
/// `pbeWithSM3AndSM4-CBC` of GM/T 0091-2020, clause B.2.
pub(crate) const SM3_SM4: ObjectIdentifier = oid("1.2.156.10197.6.1.4.1.12.1.1");

pub(crate) const PBES2: ObjectIdentifier = oid("1.2.840.113549.1.5.13");
pub(crate) const PBKDF2: ObjectIdentifier = oid("1.2.840.113549.1.5.12");
pub(crate) const PBMAC1: ObjectIdentifier = oid("1.2.840.113549.1.5.14");
/// GM/T 0091-2020's, under the two arcs that are found.
pub(crate) const GM_PBES: [ObjectIdentifier; 2] = [
    oid("1.2.156.10197.6.1.4.1.5.2"),
    oid("1.2.156.10197.6.4.1.5.2"),
];
pub(crate) const GM_PBMAC: [ObjectIdentifier; 2] = [
    oid("1.2.156.10197.6.1.4.1.5.3"),
    oid("1.2.156.10197.6.4.1.5.3"),
];
pub(crate) const DES_EDE3_CBC: ObjectIdentifier = oid("1.2.840.113549.3.7");

/// HMAC-SM3 as OpenSSL 3 and Tongsuo name it.
pub(crate) const HMAC_SM3_OF_OPENSSL: ObjectIdentifier = oid("1.2.156.10197.1.401.3.1");
