//! Chains of certificates in a handshake, verified by `kuaimi_pki::chain`.

use kuaimi::encoding::read_public_key;
use kuaimi_pki::Certificate;
use kuaimi_pki::chain::{self, KeyUse, PeerName, Policy, Presented, Purpose, Refusal, Revocation};
use kuaimi_pki::crl::Crl;
use kuaimi_pki::ocsp::Response;
use kuaimi_pki::public_key::Identities;
use rustls_pki_types::{CertificateDer, InvalidSignature, ServerName, UnixTime};

use crate::signatures::verify_handshake;

/// Whom to trust, and what is asked of a chain.
pub(crate) struct Chains {
    verifier: chain::Verifier,
    /// The names of the trust anchors, in DER.
    names: Vec<Vec<u8>>,
    identities: Identities,
    revocation: Revocation,
    common_name: bool,
}

/// Why a chain is not accepted.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A certificate cannot be read.
    Certificate,
    /// The OCSP response cannot be read.
    Response,
    /// The peer's name is of a kind that certificates do not have.
    Name,
    /// A certificate breaks a rule.
    Refused(Refusal),
}

impl Chains {
    pub(crate) fn new(anchors: &[Certificate]) -> Self {
        Self {
            verifier: chain::Verifier::new(anchors),
            names: anchors
                .iter()
                .map(|one| one.subject_der().to_vec())
                .collect(),
            identities: Identities::default(),
            revocation: Revocation::default(),
            common_name: false,
        }
    }

    /// The names of the trust anchors, without the header of their SEQUENCE.
    pub(crate) fn name_contents(&self) -> impl Iterator<Item = &[u8]> {
        self.names.iter().filter_map(|name| content(name))
    }

    pub(crate) fn with_intermediates(mut self, intermediates: &[Certificate]) -> Self {
        self.verifier = self.verifier.with_intermediates(intermediates);
        self
    }

    pub(crate) fn with_crls(mut self, lists: &[Crl]) -> Self {
        self.verifier = self.verifier.with_crls(lists);
        self
    }

    pub(crate) fn with_identities(mut self, identities: Identities) -> Self {
        self.identities = identities;
        self
    }

    pub(crate) fn with_revocation(mut self, revocation: Revocation) -> Self {
        self.revocation = revocation;
        self
    }

    pub(crate) fn accept_common_name(mut self, accept: bool) -> Self {
        self.common_name = accept;
        self
    }

    pub(crate) fn verify_server(
        &self,
        end: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        response: &[u8],
        now: UnixTime,
    ) -> Result<(), Failure> {
        let name = match name {
            ServerName::DnsName(name) => PeerName::new(name.as_ref()).map_err(|_| Failure::Name)?,
            ServerName::IpAddress(address) => PeerName::Ip((*address).into()),
            _ => return Err(Failure::Name),
        };
        let policy = Policy::at(now.as_secs())
            .purpose(Purpose::Server)
            .peer(name)
            .accept_common_name(self.common_name);
        self.verify(end, intermediates, response, policy)
    }

    pub(crate) fn verify_client(
        &self,
        end: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), Failure> {
        let policy = Policy::at(now.as_secs()).purpose(Purpose::Client);
        self.verify(end, intermediates, &[], policy)
    }

    fn verify(
        &self,
        end: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        response: &[u8],
        policy: Policy,
    ) -> Result<(), Failure> {
        // TLS 1.3 has signatures alone: of a pair of certificates, the signing one.
        let policy = policy
            .key_use(KeyUse::Signing)
            .identities(self.identities)
            .revocation(self.revocation);
        let read =
            |der: &CertificateDer<'_>| Certificate::from_der(der).map_err(|_| Failure::Certificate);
        let end = read(end)?;
        let intermediates = intermediates
            .iter()
            .take(chain::MAX_PRESENTED + 1)
            .map(read)
            .collect::<Result<Vec<_>, _>>()?;
        let responses: Vec<Response> = match response {
            [] => Vec::new(),
            der => vec![Response::from_der(der).map_err(|_| Failure::Response)?],
        };
        let presented = Presented::new(&end)
            .intermediates(&intermediates)
            .responses(&responses);
        match self.verifier.verify_presented(&presented, &policy) {
            Ok(_) => Ok(()),
            Err(refusal) => Err(Failure::Refused(refusal)),
        }
    }
}

/// The content of a SEQUENCE in DER.
fn content(sequence: &[u8]) -> Option<&[u8]> {
    match sequence.get(1)? {
        short @ ..=0x7f => sequence.get(2..2 + usize::from(*short)),
        long => sequence.get(2 + usize::from(long & 0x7f)..),
    }
}

/// Whether the key of `certificate`, in whichever form it is, made this signature of a handshake.
pub(crate) fn verify_sm2(
    certificate: &CertificateDer<'_>,
    message: &[u8],
    signature: &[u8],
) -> Result<(), InvalidSignature> {
    let (key, _) = read_public_key(certificate).map_err(|_| InvalidSignature)?;
    verify_handshake(key, message, signature)
}
