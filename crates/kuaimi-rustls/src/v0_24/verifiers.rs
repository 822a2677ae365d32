//! Verifiers of chains over `kuaimi_pki::chain`, for servers' and for clients' certificates.

use std::fmt;
use std::hash::Hasher;
use std::sync::Arc;

use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{Revocation, Rule};
use kuaimi_pki::crl::Crl;
use kuaimi_pki::public_key::Identities;
use rustls_0_24::client::danger::{
    HandshakeSignatureValid, ServerIdentity, ServerVerifier as VerifyServer,
    SignatureVerificationInput,
};
use rustls_0_24::crypto::{
    CertificateIdentity, CryptoProvider, Identity, SignatureScheme, VerifiedIdentity,
    WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use rustls_0_24::error::{CertificateError, OtherError};
use rustls_0_24::server::danger::{ClientIdentity, ClientVerifier as VerifyClient};
use rustls_0_24::{DistinguishedName, Error, SignerPublicKey};

use crate::chains::{Chains, Failure, verify_sm2};

/// What both verifiers share.
struct Common {
    chains: Chains,
    /// The provider's, for handshakes signed with other algorithms.
    algorithms: WebPkiSupportedAlgorithms,
}

impl Common {
    fn new(anchors: &[Certificate], provider: &CryptoProvider) -> Self {
        Self {
            chains: Chains::new(anchors),
            algorithms: provider.signature_verification_algorithms,
        }
    }

    fn verify_tls13(
        &self,
        input: &SignatureVerificationInput<'_>,
    ) -> Result<HandshakeSignatureValid, Error> {
        let scheme = input.signature.scheme;
        match input.signer {
            SignerPublicKey::X509(certificate) if scheme == SignatureScheme::SM2_SM3 => {
                let signature = input.signature.signature();
                match verify_sm2(certificate, input.message, signature) {
                    Ok(()) => Ok(HandshakeSignatureValid::assertion()),
                    Err(_) => Err(CertificateError::BadSignature.into()),
                }
            }
            _ => verify_tls13_signature(input, &self.algorithms),
        }
    }

    /// `sm2sig_sm3`, which a provider in front of another does not name, and the provider's.
    fn schemes(&self) -> Vec<SignatureScheme> {
        let mut schemes = self.algorithms.supported_schemes();
        schemes.retain(|scheme| *scheme != SignatureScheme::SM2_SM3);
        schemes.insert(0, SignatureScheme::SM2_SM3);
        schemes
    }
}

macro_rules! settings {
    () => {
        /// Adds intermediates, which paths may lead over. They are not trusted.
        #[must_use]
        pub fn with_intermediates(mut self, intermediates: &[Certificate]) -> Self {
            self.0.chains = self.0.chains.with_intermediates(intermediates);
            self
        }

        /// Adds lists of revoked certificates.
        #[must_use]
        pub fn with_crls(mut self, lists: &[Crl]) -> Self {
            self.0.chains = self.0.chains.with_crls(lists);
            self
        }

        /// When revocation is asked about: of certificates of which a list or a response says
        /// something, if this is not called.
        #[must_use]
        pub fn revocation(mut self, revocation: Revocation) -> Self {
            self.0.chains = self.0.chains.with_revocation(revocation);
            self
        }

        /// The identities under which authorities sign certificates: the standard's alone, if this
        /// is not called. The handshake's is fixed.
        #[must_use]
        pub fn identities(mut self, identities: Identities) -> Self {
            self.0.chains = self.0.chains.with_identities(identities);
            self
        }
    };
}

/// Verifies the certificates of servers by [`kuaimi_pki::chain`], for a client's configuration.
pub struct ServerVerifier(Common);

impl ServerVerifier {
    /// Trusts `anchors`, and offers the signature schemes of `provider`.
    pub fn new(anchors: &[Certificate], provider: &CryptoProvider) -> Self {
        Self(Common::new(anchors, provider))
    }

    settings!();

    /// Takes the common name for the host's if a certificate has no subjectAltName, as old programs
    /// did.
    #[must_use]
    pub fn accept_common_name(mut self, accept: bool) -> Self {
        self.0.chains = self.0.chains.accept_common_name(accept);
        self
    }
}

/// A chain of certificates, which is what these verifiers know.
fn chain<'i, 'a>(identity: &'i Identity<'a>) -> Result<&'i CertificateIdentity<'a>, Error> {
    match identity {
        Identity::X509(chain) => Ok(chain),
        _ => Err(CertificateError::BadEncoding.into()),
    }
}

impl VerifyServer for ServerVerifier {
    fn verify_identity<'a>(
        &self,
        server: &ServerIdentity<'a, '_>,
    ) -> Result<VerifiedIdentity<'a>, Error> {
        let chain = chain(server.identity)?;
        self.0
            .chains
            .verify_server(
                &chain.end_entity,
                &chain.intermediates,
                server.server_name,
                server.ocsp_response,
                server.now,
            )
            .map_err(refused)?;
        Ok(VerifiedIdentity::assertion(server.identity.clone()))
    }

    fn verify_tls12_signature(
        &self,
        input: &SignatureVerificationInput<'_>,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(input, &self.0.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        input: &SignatureVerificationInput<'_>,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13(input)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.schemes()
    }

    fn request_ocsp_response(&self) -> bool {
        true
    }

    /// Sessions are resumed under the verifier that accepted the server, not under another with the
    /// same anchors.
    fn hash_config(&self, hasher: &mut dyn Hasher) {
        hasher.write_usize(std::ptr::from_ref(self).addr());
    }
}

impl fmt::Debug for ServerVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerVerifier").finish_non_exhaustive()
    }
}

/// Verifies the certificates of clients by [`kuaimi_pki::chain`], for a server's configuration.
pub struct ClientVerifier(Common, Arc<[DistinguishedName]>, bool);

impl ClientVerifier {
    /// Trusts `anchors`, whose names are sent to clients, and offers the signature schemes of
    /// `provider`. Clients without a certificate are refused.
    pub fn new(anchors: &[Certificate], provider: &CryptoProvider) -> Self {
        let common = Common::new(anchors, provider);
        let names = common.chains.name_contents();
        let names = names.map(DistinguishedName::in_sequence).collect();
        Self(common, names, true)
    }

    settings!();

    /// Also accepts clients that send no certificate.
    #[must_use]
    pub fn allow_unauthenticated(mut self) -> Self {
        self.2 = false;
        self
    }
}

impl VerifyClient for ClientVerifier {
    fn verify_identity<'a>(
        &self,
        client: &ClientIdentity<'a, '_>,
    ) -> Result<VerifiedIdentity<'a>, Error> {
        let chain = chain(client.identity)?;
        self.0
            .chains
            .verify_client(&chain.end_entity, &chain.intermediates, client.now)
            .map_err(refused)?;
        Ok(VerifiedIdentity::assertion(client.identity.clone()))
    }

    fn verify_tls12_signature(
        &self,
        input: &SignatureVerificationInput<'_>,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(input, &self.0.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        input: &SignatureVerificationInput<'_>,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13(input)
    }

    fn root_hint_subjects(&self) -> Arc<[DistinguishedName]> {
        self.1.clone()
    }

    fn client_auth_mandatory(&self) -> bool {
        self.2
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.schemes()
    }
}

impl fmt::Debug for ClientVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientVerifier").finish_non_exhaustive()
    }
}

/// The error whose alert says most (RFC 8446, clause 6.2).
fn refused(failure: Failure) -> Error {
    let refusal = match failure {
        Failure::Certificate => return CertificateError::BadEncoding.into(),
        Failure::Response => return CertificateError::InvalidOcspResponse.into(),
        Failure::Name => return CertificateError::NotValidForName.into(),
        Failure::Refused(refusal) => refusal,
    };
    let error = match refusal.rule() {
        Rule::Malformed(_) | Rule::Version | Rule::RepeatedExtension(_) => {
            CertificateError::BadEncoding
        }
        Rule::UnknownCriticalExtension(_) => CertificateError::UnhandledCriticalExtension,
        Rule::NotYetValid(_) => CertificateError::NotValidYet,
        Rule::Expired(_) => CertificateError::Expired,
        Rule::UnknownIssuer | Rule::SelfSigned => CertificateError::UnknownIssuer,
        Rule::Signature => CertificateError::BadSignature,
        Rule::KeyUsage(_) | Rule::ExtendedKeyUsage(_) => CertificateError::InvalidPurpose,
        Rule::PeerName(_) => CertificateError::NotValidForName,
        Rule::Revoked(..) => CertificateError::Revoked,
        Rule::RevocationUnknown(_) => CertificateError::UnknownRevocationStatus,
        _ => CertificateError::Other(OtherError::new(refusal)),
    };
    error.into()
}
