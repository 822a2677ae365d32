//! SM2 signatures as rustls and webpki verify them: one set of objects for certificates, another
//! for handshakes.
//!
//! RFC 8998, clause 3.2.1: a CertificateVerify is signed under the identity
//! `TLSv1.3+GM+Cipher+Suite`. Certificates are signed under `1234567812345678` (GM/T 0009; RFC
//! 8998 leaves it to the profiles of certificates). webpki gives no context to what it calls, so
//! there is an object for each identity.
//!
//! It compares whole algorithm identifiers, byte by byte. So there is an object for each way in
//! which a key (`id-ecPublicKey` with the curve, or SM2's own identifier) and a signature (with
//! parameters, or without) occur.

use kuaimi::sm2::{DEFAULT_ID, PublicKey, Signature, TLS13_ID, VerifyingKey};
use rustls_pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm};

/// `id-ecPublicKey` (1.2.840.10045.2.1) with SM2's curve: what current programs write.
const EC_PUBLIC_KEY: &[u8] =
    b"\x06\x07\x2a\x86\x48\xce\x3d\x02\x01\x06\x08\x2a\x81\x1c\xcf\x55\x01\x82\x2d";
/// 1.2.156.10197.1.301 alone, with NULL, and with itself as the curve.
const SM2: &[u8] = b"\x06\x08\x2a\x81\x1c\xcf\x55\x01\x82\x2d";
const SM2_NULL: &[u8] = b"\x06\x08\x2a\x81\x1c\xcf\x55\x01\x82\x2d\x05\x00";
const SM2_CURVE: &[u8] =
    b"\x06\x08\x2a\x81\x1c\xcf\x55\x01\x82\x2d\x06\x08\x2a\x81\x1c\xcf\x55\x01\x82\x2d";

/// SM2 with SM3, 1.2.156.10197.1.501, without parameters and with NULL.
const SM2_WITH_SM3: &[u8] = b"\x06\x08\x2a\x81\x1c\xcf\x55\x01\x83\x75";
const SM2_WITH_SM3_NULL: &[u8] = b"\x06\x08\x2a\x81\x1c\xcf\x55\x01\x83\x75\x05\x00";

/// SM2 with SM3 under one identity, for one way to write each of the two algorithms.
#[derive(Debug)]
struct Sm2WithSm3 {
    identity: &'static [u8],
    key: &'static [u8],
    signature: &'static [u8],
}

impl SignatureVerificationAlgorithm for Sm2WithSm3 {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let key = PublicKey::from_sec1_bytes(public_key).map_err(|_| InvalidSignature)?;
        verify(key, self.identity, message, signature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        AlgorithmIdentifier::from_slice(self.key)
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        AlgorithmIdentifier::from_slice(self.signature)
    }
}

/// Whether the DER `signature` is `key`'s, of `message` under `identity`.
fn verify(
    key: PublicKey,
    identity: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), InvalidSignature> {
    let signature = Signature::from_der(signature).map_err(|_| InvalidSignature)?;
    VerifyingKey::with_id(key, identity)
        .and_then(|key| key.verify(message, &signature))
        .map_err(|_| InvalidSignature)
}

/// Whether the DER `signature` is `key`'s, of what a CertificateVerify signs.
pub(crate) fn verify_handshake(
    key: PublicKey,
    message: &[u8],
    signature: &[u8],
) -> Result<(), InvalidSignature> {
    verify(key, TLS13_ID, message, signature)
}

const fn in_certificate(key: &'static [u8], signature: &'static [u8]) -> Sm2WithSm3 {
    Sm2WithSm3 {
        identity: DEFAULT_ID,
        key,
        signature,
    }
}

/// For the signatures of certificates, CRLs and OCSP responses.
pub(crate) static CERTIFICATES: &[&dyn SignatureVerificationAlgorithm] = &[
    &in_certificate(EC_PUBLIC_KEY, SM2_WITH_SM3),
    &in_certificate(EC_PUBLIC_KEY, SM2_WITH_SM3_NULL),
    &in_certificate(SM2, SM2_WITH_SM3),
    &in_certificate(SM2, SM2_WITH_SM3_NULL),
    &in_certificate(SM2_NULL, SM2_WITH_SM3),
    &in_certificate(SM2_NULL, SM2_WITH_SM3_NULL),
    &in_certificate(SM2_CURVE, SM2_WITH_SM3),
    &in_certificate(SM2_CURVE, SM2_WITH_SM3_NULL),
];

/// For CertificateVerify. rustls takes the first only, so webpki accepts no handshake with a key
/// under SM2's own identifier; Kuaimi's verifiers do.
pub(crate) static HANDSHAKES: &[&dyn SignatureVerificationAlgorithm] = &[&Sm2WithSm3 {
    identity: TLS13_ID,
    key: EC_PUBLIC_KEY,
    signature: SM2_WITH_SM3,
}];

#[cfg(test)]
mod tests {
    use super::*;
    use kuaimi::sm2::{PrivateKey, SigningKey};

    #[test]
    fn each_identity_has_its_objects() {
        let secret = PrivateKey::from_bytes(&[7; 32]).unwrap();
        let point = secret.public_key().to_sec1_bytes();
        let signed = |id: &[u8]| {
            let key = SigningKey::with_id(secret.clone(), id).unwrap();
            key.sign_deterministic(b"message").to_der()
        };
        let (certificate, handshake) = (signed(DEFAULT_ID), signed(TLS13_ID));
        for one in CERTIFICATES {
            let check = |signature: &[u8]| one.verify_signature(&point, b"message", signature);
            assert!(check(certificate.as_bytes()).is_ok());
            assert!(check(handshake.as_bytes()).is_err());
        }
        for one in HANDSHAKES {
            let check = |signature: &[u8]| one.verify_signature(&point, b"message", signature);
            assert!(check(handshake.as_bytes()).is_ok());
            assert!(check(certificate.as_bytes()).is_err());
            assert!(check(&handshake.as_bytes()[1..]).is_err());
            assert!(check(b"").is_err());
            let raw = SigningKey::with_id(secret.clone(), TLS13_ID).unwrap();
            let raw = raw.sign_deterministic(b"message").to_bytes();
            assert!(check(&raw).is_err(), "without DER");
            let off = [4; 65];
            let found = one.verify_signature(&off, b"message", handshake.as_bytes());
            assert!(found.is_err());
        }
    }
}
