//! Verifiers of chains over `kuaimi_pki::chain`, for servers' and for clients' certificates.

use std::fmt;
use std::sync::Arc;

use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{Revocation, Rule};
use kuaimi_pki::crl::Crl;
use kuaimi_pki::public_key::Identities;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, OtherError, SignatureScheme,
};

use super::SM2SIG_SM3;
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
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let is_offered = |scheme| self.schemes().contains(&scheme);
        if signed.scheme == SM2SIG_SM3 && is_offered(SM2SIG_SM3) {
            return match verify_sm2(certificate, message, signed.signature()) {
                Ok(()) => Ok(HandshakeSignatureValid::assertion()),
                Err(_) => Err(CertificateError::BadSignature.into()),
            };
        }
        verify_tls13_signature(message, certificate, signed, &self.algorithms)
    }

    fn schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
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
///
/// It accepts what rustls's own verifier (webpki) does not: keys under SM2's own identifier,
/// certificates signed under the empty identity if that is permitted, and OCSP responses that the
/// server sends along are looked at. Of a pair of certificates it wants the signing one.
///
/// ```
/// use std::sync::Arc;
/// use kuaimi_pki::Certificate;
/// use kuaimi_rustls::{ServerVerifier, strict};
/// use rustls::ClientConfig;
///
/// fn client(authorities: &[u8]) -> Result<ClientConfig, Box<dyn std::error::Error>> {
///     let provider = Arc::new(strict());
///     let verifier = ServerVerifier::new(&Certificate::read_all(authorities)?, &provider);
///     Ok(ClientConfig::builder_with_provider(provider)
///         .with_safe_default_protocol_versions()?
///         .dangerous() // rustls calls every verifier so that is not its own
///         .with_custom_certificate_verifier(Arc::new(verifier))
///         .with_no_client_auth())
/// }
/// ```
///
/// A refusal becomes the [`CertificateError`] that has the right alert. Where there is none, it is
/// `Other`, with the [`Refusal`](kuaimi_pki::chain::Refusal) in it.
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

impl ServerCertVerifier for ServerVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.0
            .chains
            .verify_server(end_entity, intermediates, server_name, ocsp_response, now)
            .map(|()| ServerCertVerified::assertion())
            .map_err(refused)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.0.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.schemes()
    }
}

impl fmt::Debug for ServerVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerVerifier").finish_non_exhaustive()
    }
}

/// Verifies the certificates of clients by [`kuaimi_pki::chain`], for a server's configuration.
///
/// ```
/// use std::sync::Arc;
/// use kuaimi_pki::Certificate;
/// use kuaimi_rustls::{ClientVerifier, certified_key, strict};
/// use rustls::ServerConfig;
/// use rustls::sign::SingleCertAndKey;
///
/// fn server(own: &[u8], key: &[u8], clients: &[u8]) -> Result<ServerConfig, Box<dyn std::error::Error>> {
///     let provider = Arc::new(strict());
///     let verifier = ClientVerifier::new(&Certificate::read_all(clients)?, &provider);
///     let own = certified_key(own, key, None)?;
///     Ok(ServerConfig::builder_with_provider(provider)
///         .with_safe_default_protocol_versions()?
///         .with_client_cert_verifier(Arc::new(verifier))
///         .with_cert_resolver(Arc::new(SingleCertAndKey::from(own))))
/// }
/// ```
pub struct ClientVerifier(Common, Vec<DistinguishedName>, bool);

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

impl ClientCertVerifier for ClientVerifier {
    fn client_auth_mandatory(&self) -> bool {
        self.2
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &self.1
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.0
            .chains
            .verify_client(end_entity, intermediates, now)
            .map(|()| ClientCertVerified::assertion())
            .map_err(refused)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.0.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13(message, cert, dss)
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
        _ => CertificateError::Other(OtherError(Arc::new(refusal))),
    };
    error.into()
}
