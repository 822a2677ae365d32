//! The object identifiers of PKCS #12 (RFC 7292, appendix D; RFC 9579; GM/T 0091-2020).

use der::asn1::ObjectIdentifier;

const fn oid(text: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(text)
}

pub(super) const DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.1");
pub(super) const ENCRYPTED_DATA: ObjectIdentifier = oid("1.2.840.113549.1.7.6");
/// The same two as GM/T 0010 names them.
pub(super) const GM_DATA: ObjectIdentifier = oid("1.2.156.10197.6.1.4.2.1");
pub(super) const GM_ENCRYPTED_DATA: ObjectIdentifier = oid("1.2.156.10197.6.1.4.2.5");

pub(super) const KEY_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.1");
pub(super) const SHROUDED_KEY_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.2");
pub(super) const CERTIFICATE_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.3");
pub(super) const CRL_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.4");
pub(super) const SECRET_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.5");
pub(super) const SAFE_CONTENTS_BAG: ObjectIdentifier = oid("1.2.840.113549.1.12.10.1.6");

pub(super) const X509_CERTIFICATE: ObjectIdentifier = oid("1.2.840.113549.1.9.22.1");
pub(super) const X509_CRL: ObjectIdentifier = oid("1.2.840.113549.1.9.23.1");

pub(super) const FRIENDLY_NAME: ObjectIdentifier = oid("1.2.840.113549.1.9.20");
pub(super) const LOCAL_KEY_ID: ObjectIdentifier = oid("1.2.840.113549.1.9.21");

/// PKCS #12's own encryptions, the parent of their numbers.
pub(super) const SHA1_3DES_3KEY: ObjectIdentifier = oid("1.2.840.113549.1.12.1.3");
pub(super) const SHA1_3DES_2KEY: ObjectIdentifier = oid("1.2.840.113549.1.12.1.4");
pub(super) const SHA1_RC2_128: ObjectIdentifier = oid("1.2.840.113549.1.12.1.5");
pub(super) const SHA1_RC2_40: ObjectIdentifier = oid("1.2.840.113549.1.12.1.6");
/// `pbeWithSM3AndSM4-CBC` of GM/T 0091-2020, clause B.2.
pub(super) const SM3_SM4: ObjectIdentifier = oid("1.2.156.10197.6.1.4.1.12.1.1");

pub(super) const PBES2: ObjectIdentifier = oid("1.2.840.113549.1.5.13");
pub(super) const PBKDF2: ObjectIdentifier = oid("1.2.840.113549.1.5.12");
pub(super) const PBMAC1: ObjectIdentifier = oid("1.2.840.113549.1.5.14");
/// GM/T 0091-2020's, under the two arcs that are found.
pub(super) const GM_PBES: [ObjectIdentifier; 2] = [
    oid("1.2.156.10197.6.1.4.1.5.2"),
    oid("1.2.156.10197.6.4.1.5.2"),
];
pub(super) const GM_PBMAC: [ObjectIdentifier; 2] = [
    oid("1.2.156.10197.6.1.4.1.5.3"),
    oid("1.2.156.10197.6.4.1.5.3"),
];
pub(super) const DES_EDE3_CBC: ObjectIdentifier = oid("1.2.840.113549.3.7");

/// HMAC-SM3 as OpenSSL 3 and Tongsuo name it.
pub(super) const HMAC_SM3_OF_OPENSSL: ObjectIdentifier = oid("1.2.156.10197.1.401.3.1");

pub(super) const SHA1: ObjectIdentifier = oid("1.3.14.3.2.26");
pub(super) const SHA224: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.4");
pub(super) const SHA256: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.1");
pub(super) const SHA384: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.2");
pub(super) const SHA512: ObjectIdentifier = oid("2.16.840.1.101.3.4.2.3");
pub(super) const SM3: ObjectIdentifier = crate::oid::SM3;
