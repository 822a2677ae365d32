//! A certificate's parts, read by the `x509-cert` crate.

use x509_cert::der::{Decode, Encode};

/// The parts of a certificate that its signature is about.
pub(crate) struct Parts {
    /// The signed bytes: the DER of `tbsCertificate`.
    pub(crate) to_be_signed: Vec<u8>,
    /// The signature, DER `SEQUENCE { r, s }`.
    pub(crate) signature: Vec<u8>,
    /// The subject's `SubjectPublicKeyInfo`, DER.
    pub(crate) public_key: Vec<u8>,
    /// The object identifier of the signature's algorithm, with dots.
    pub(crate) algorithm: String,
}

/// Takes a certificate apart.
#[track_caller]
pub(crate) fn parts(der: &[u8]) -> Parts {
    let certificate = x509_cert::Certificate::from_der(der).expect("the peer's certificate is DER");
    let to_be_signed = certificate
        .tbs_certificate()
        .to_der()
        .expect("what was decoded can be encoded");
    // The signature is about the bytes as they came, and those are the ones behind the outer
    // SEQUENCE's header.
    assert_eq!(
        der.get(4..4 + to_be_signed.len()),
        Some(to_be_signed.as_slice()),
        "re-encoding changed the certificate"
    );
    Parts {
        signature: certificate
            .signature()
            .as_bytes()
            .expect("a signature has whole bytes")
            .to_vec(),
        public_key: certificate
            .tbs_certificate()
            .subject_public_key_info()
            .to_der()
            .expect("as above"),
        algorithm: certificate.signature_algorithm().oid.to_string(),
        to_be_signed,
    }
}
